//! The pages of figures: BENCHMARKS.md and `docs/benchmarks`, with a table between each
//! `<!-- table NAME -->` and `<!-- end -->`, and the charts.

use super::arguments::Result;
use super::chart::{self, Row};
use super::machine::{Comparison, Machine, machines, merge, root};
use crate::operation::Against;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

/// The page of results, whose tables link to the other pages.
const FRONT: &str = "BENCHMARKS.md";
const FOLDER: &str = "docs/benchmarks";

/// The text of each page, under its path.
type Pages = BTreeMap<String, String>;

/// Merges a file of rivals' rows, if there is one, and writes all tables and charts.
pub(super) fn write_pages(rivals: Option<&Path>) -> Result {
    let mut machines = machines()?;
    if let Some(file) = rivals {
        merge(&mut machines, serde_json::from_str(&std::fs::read_to_string(file)?)?)?;
        machines.iter().try_for_each(Machine::save)?;
    }
    for (file, text) in pages(&machines)? {
        std::fs::write(root().join(&file), text)?;
        println!("{file}");
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns all pages and charts.
fn pages(machines: &[Machine]) -> Result<Pages> {
    let mut texts = Pages::from([(FRONT.to_owned(), std::fs::read_to_string(root().join(FRONT))?)]);
    for file in std::fs::read_dir(root().join(FOLDER))? {
        let file = file?;
        let name = format!("{FOLDER}/{}", file.file_name().to_string_lossy());
        texts.insert(name, std::fs::read_to_string(file.path())?);
    }
    let mut pages = filled(&texts, machines)?;
    let newest = newest(machines)?;
    let origin = format!("{}; commit {}; {}", newest.cpu, newest.commit, newest.date);
    for rows in newest.rows.chunk_by(|a, b| chart::game(a) == chart::game(b)) {
        pages.insert(
            format!("docs/charts/{}.svg", chart::game(&rows[0])),
            chart::draw(rows, &origin),
        );
    }
    Ok(pages)
}

/// Fills the marks of all pages. Every rival and every game must have a table.
fn filled(texts: &Pages, machines: &[Machine]) -> Result<Pages> {
    let home = |mark: &str| {
        let mark = format!("<!-- table {mark} -->");
        let found = texts.iter().find(|(_, text)| text.contains(&mark));
        found.map(|(file, _)| file.as_str()).ok_or_else(|| format!("no page has {mark}"))
    };
    for game in distinct(newest(machines)?.rows.iter().map(chart::game)) {
        home(&format!("operations {game}"))?;
    }
    let fill = |(file, text): (&String, &String)| {
        let table = |name: &str| match name.split_once(' ') {
            None if name == "machines" => Ok(table_of_machines(machines)),
            None if name == "rivals" => all_rivals(machines, home),
            None if name == "articles" => Ok(articles(newest(machines)?)),
            Some(("operations", game)) => operations(game, machines),
            Some(("levels", game)) => Ok(levels(game, newest(machines)?)),
            _ => rival(name, machines).ok_or_else(|| format!("no rows of {name}").into()),
        };
        Ok((file.clone(), fill(text, table).map_err(|error| format!("{file}: {error}"))?))
    };
    texts.iter().map(fill).collect()
}

fn newest(machines: &[Machine]) -> Result<&Machine> {
    machines
        .iter()
        .find(|machine| !machine.rows.is_empty())
        .ok_or_else(|| "no machine has rows".into())
}

/// Replaces the tables of a page.
fn fill(page: &str, table: impl Fn(&str) -> Result<String>) -> Result<String> {
    let mut parts = page.split("<!-- table ");
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once(" -->").ok_or("a mark without an end")?;
        let (_, rest) =
            rest.split_once("<!-- end -->").ok_or_else(|| format!("{name}: no <!-- end -->"))?;
        filled += &format!("<!-- table {name} -->\n\n{}\n<!-- end -->{rest}", table(name)?);
    }
    Ok(filled)
}

fn lines(header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let head = format!("| {} |\n|{}\n", header.join(" | "), "---|".repeat(header.len()));
    rows.into_iter().fold(head, |text, row| text + &line(&row))
}

fn table_of_machines(machines: &[Machine]) -> String {
    let header = ["name", "CPU", "virtual cores", "level", "commit", "date", "compiler"];
    let row = |machine: &Machine| {
        let Machine { name, cpu, level, commit, date, rustc, .. } = machine;
        let texts =
            [name, cpu, &machine.cores.to_string(), level, commit, date, rustc].map(String::clone);
        texts.to_vec()
    };
    lines(&header, machines.iter().map(row))
}

/// Returns the distinct values in the order of their first occurrence.
fn distinct<T: PartialEq>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut found = Vec::new();
    for value in values {
        if !found.contains(&value) {
            found.push(value);
        }
    }
    found
}

/// Returns a row for each rival and kind of work (the text before the comma), from the machine that
/// measured it last (the first one, if several did on that day): the works with the least and the
/// greatest ratio, at the best level, against the fastest build. The rows in which ours is slowest
/// come first.
fn all_rivals<'a>(
    machines: &'a [Machine],
    home: impl Fn(&str) -> std::result::Result<&'a str, String>,
) -> Result<String> {
    let rows = || machines.iter().flat_map(|machine| &machine.rivals);
    let kind = |row: &Comparison| row.work.split(", ").next().unwrap_or_default().to_owned();
    let key = |row: &Comparison| (row.rival.clone(), kind(row), row.unit.clone());
    let mut found = Vec::new();
    for (rival, work, unit) in distinct(rows().map(key)) {
        let all =
            || rows().filter(|row| row.rival == rival && row.unit == unit && kind(row) == work);
        let last = all().rev().max_by(|a, b| a.date.cmp(&b.date)).expect("the key's row");
        let own = || all().filter(|row| row.machine == last.machine);
        let best = |name: &String| {
            let level = own().filter(|row| row.work == *name).map(|row| &row.level).max();
            let rows = own().filter(|row| row.work == *name && Some(&row.level) == level);
            rows.min_by(|a, b| a.ratio[0].total_cmp(&b.ratio[0])).expect("the work's row")
        };
        let names = distinct(own().map(|row| row.work.clone()));
        let mut works: Vec<&Comparison> = names.iter().map(best).collect();
        works.sort_by(|a, b| a.ratio[0].total_cmp(&b.ratio[0]));
        let cell = |row: &Comparison| {
            let name = row.work.strip_prefix(&work).unwrap_or_default().trim_start_matches(", ");
            let name = if name.is_empty() { String::new() } else { format!("{name}: ") };
            format!("{name}{}**{}**", times(row), number(row.ratio[0]))
        };
        let greatest = works[1..].last().map_or_else(String::new, |row| cell(row));
        let page = home(&rival)?;
        let subject = page.rsplit('/').next().unwrap_or_default().trim_end_matches(".md");
        let cells = [
            format!("[{subject}]({page}): {work}"),
            unit,
            rival,
            works.len().to_string(),
            cell(works[0]),
            greatest,
            format!("{}, {}, {}", last.machine, works[0].date, works[0].commit),
        ];
        found.push((works[0].ratio[0], cells.to_vec()));
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    let header = ["work", "unit", "rival", "works", "least ratio", "greatest ratio", "measured"];
    Ok(lines(&header, found.into_iter().map(|(_, cells)| cells)))
}

/// The kinds of opponents in the articles' table, the fairest first.
const KINDS: [Against; 4] = [Against::Prescribed, Against::Printed, Against::User, Against::Naive];

/// Returns the operations that have the code of an article as an opponent, beside their other
/// opponents: a row for all operations of the same name, apart from the kind of the opponent in it.
/// Another prescribed opponent joins the operation whose name its own begins with: `a by hand`
/// joins `a`. The closest races come first.
fn articles(machine: &Machine) -> String {
    let kinds = KINDS.map(Against::name);
    let prescribed = Against::Prescribed.name();
    let plain = |row: &Row| {
        let words = row.operation.split(' ').filter(|word| !kinds.contains(word));
        words.collect::<Vec<_>>().join(" ")
    };
    let others: Vec<_> =
        machine.rows.iter().filter(|row| row.against != prescribed).map(plain).collect();
    let begins =
        |name: &str, with: &str| name.strip_prefix(with).is_some_and(|rest| rest.starts_with(' '));
    let name = |row: &Row| {
        let own = plain(row);
        if row.against != prescribed || others.contains(&own) {
            return own;
        }
        let longest =
            others.iter().filter(|other| begins(&own, other)).max_by_key(|other| other.len());
        longest.cloned().unwrap_or(own)
    };
    let mut rows = Vec::new();
    for operation in distinct(machine.rows.iter().map(name)) {
        let own = || machine.rows.iter().filter(|row| name(row) == operation);
        let against = |kind: &'static str| own().filter(move |row| row.against == kind);
        let article = |&kind: &usize| against(kinds[kind]).next().is_some();
        let (Some(fairest), Some(first)) = ((0..2).find(article), own().next()) else { continue };
        let cell = |row: &Row| {
            let times = row.time().zip(row.reference);
            let times =
                times.map(|(ours, theirs)| format!("{}, {}: ", number(ours), number(theirs)));
            let ratio = row.ratio_reference.map_or_else(String::new, number);
            let rest = plain(row).strip_prefix(&operation).map(str::trim_start).map(str::to_owned);
            let rest =
                rest.filter(|rest| !rest.is_empty()).map(|rest| rest + ": ").unwrap_or_default();
            format!("{rest}{}**{ratio}**", times.unwrap_or_default())
        };
        let cells = kinds.map(|kind| against(kind).map(cell).collect::<Vec<_>>().join("; "));
        let names = [operation.clone(), first.unit.clone()];
        let least =
            against(kinds[fairest]).filter_map(|row| row.ratio_reference).fold(f64::MAX, f64::min);
        rows.push((fairest, least, names.into_iter().chain(cells).collect::<Vec<_>>()));
    }
    rows.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let header: Vec<&str> = ["operation", "ns per"].into_iter().chain(kinds).collect();
    lines(&header, rows.into_iter().map(|(.., cells)| cells)) + "\n" + &origin(machine) + "\n"
}

/// Names the machine, the commit and the date of a table.
fn origin(machine: &Machine) -> String {
    format!(
        "- {}: level {}, commit {}, {}",
        machine.name, machine.level, machine.commit, machine.date
    )
}

/// Returns a game's operations of the newest machine, with the figures of all machines.
fn operations(game: &str, machines: &[Machine]) -> Result<String> {
    let keys: Vec<&Row> =
        newest(machines)?.rows.iter().filter(|row| chart::game(row) == game).collect();
    let cell = |machine: &Machine, key: &Row| {
        let row = machine
            .rows
            .iter()
            .find(|row| row.operation == key.operation && row.unit == key.unit)?;
        let ratio = row.ratio_reference.filter(|_| row.against == key.against);
        let texts = [row.time().map(number), ratio.map(|ratio| format!("{}x", number(ratio)))];
        Some(texts.into_iter().flatten().collect::<Vec<_>>().join(", "))
    };
    let measured = |machine: &&Machine| keys.iter().any(|key| cell(machine, key).is_some());
    let columns: Vec<&Machine> = machines.iter().filter(measured).collect();
    let mut header = vec!["operation", "ns per", "against"];
    header.extend(columns.iter().map(|machine| machine.name.as_str()));
    let rows = keys.iter().map(|key| {
        let cells = columns.iter().map(|machine| cell(machine, key).unwrap_or_default());
        [&key.operation, &key.unit, &key.against]
            .map(String::clone)
            .into_iter()
            .chain(cells)
            .collect()
    });
    let origins = columns.iter().map(|machine| origin(machine) + "\n");
    Ok(lines(&header, rows) + "\n" + &origins.collect::<String>())
}

fn levels(game: &str, machine: &Machine) -> String {
    let rows = || machine.rows.iter().filter(|row| chart::game(row) == game);
    let mut names = distinct(rows().flat_map(|row| row.levels.keys()));
    names.sort_by_key(|name| (*name != "portable", !name.ends_with("slow_pext")));
    let shown = |name: &&String| name.replace("x86_64_", "").replace("v3_slow_", "slow-");
    let shown: Vec<String> = names.iter().map(shown).collect();
    let mut header = vec!["operation", "reference"];
    header.extend(shown.iter().map(String::as_str).chain(["reference / best (quartiles)"]));
    let rows = rows().map(|row| {
        let portable = row.levels.get("portable");
        let time = |name: &&String| {
            let Some(time) = row.levels.get(*name) else { return String::new() };
            let gain = portable.filter(|_| *name != "portable").map(|portable| portable / time);
            number(*time) + &gain.map_or_else(String::new, |gain| format!(" ({gain:.2}x)"))
        };
        let ratio = row.ratio_reference.map_or_else(String::new, number);
        let range = row.quartiles.get("ratio_reference").map(|range| range.map(number));
        let range = range.map_or_else(String::new, |[least, most]| format!(" ({least} to {most})"));
        let reference = row.reference.map_or_else(String::new, number);
        [row.operation.clone(), reference]
            .into_iter()
            .chain(names.iter().map(time))
            .chain([ratio + &range])
            .collect()
    });
    lines(&header, rows) + "\n" + &origin(machine) + "\n"
}

/// Returns ours and theirs in front of a ratio.
fn times(row: &Comparison) -> String {
    let times = row.ours.zip(row.theirs);
    times.map_or_else(String::new, |(a, b)| format!("{}, {}: ", number(a), number(b)))
}

/// Returns a rival's table, with the build of the rival that is fastest on the machine in each
/// cell, and the list of what was measured.
fn rival<'a>(rival: &str, machines: &'a [Machine]) -> Option<String> {
    let rows_of =
        |machine: &&'a Machine| machine.rivals.iter().filter(move |row| row.rival == rival);
    let columns: Vec<&Machine> =
        machines.iter().filter(|machine| rows_of(machine).next().is_some()).collect();
    let all = || columns.iter().flat_map(rows_of);
    let key = |row: &Comparison| [&row.work, &row.level, &row.unit].map(String::clone);
    let keys = distinct(all().map(key));
    let newest = &machines[0].date;
    let mut header = vec!["work", "our level", "unit"];
    header.extend(columns.iter().map(|machine| machine.name.as_str()));
    let cell = |machine: &&'a Machine, name: &[String; 3]| {
        let rows = rows_of(machine).filter(|row| key(row) == *name);
        let row = rows.min_by(|a, b| a.ratio[0].total_cmp(&b.ratio[0]))?;
        let ratio: Vec<String> = row.ratio.iter().map(|&ratio| number(ratio)).collect();
        let range = ratio.get(1).zip(ratio.get(2));
        let range = range.map_or_else(String::new, |(least, most)| format!(" ({least} to {most})"));
        Some(format!("{}{}{range}", times(row), ratio[0]))
    };
    let rows = keys.iter().map(|key| {
        let cells = columns.iter().map(|machine| cell(machine, key).unwrap_or_default());
        key.iter().cloned().chain(cells).collect()
    });
    let mut text = lines(&header, rows) + "\n";
    let run = |row: &Comparison| {
        let Comparison { machine, version, date, commit, .. } = row;
        let older = if date < newest { ", older" } else { "" };
        format!("{machine}, {date}, our commit {commit}{older}: {rival} {version}")
    };
    for found in distinct(all().map(run)) {
        let rows = || all().filter(|row| run(row) == found);
        let pairs = || rows().map(|row| row.pairs);
        let least = pairs().min().unwrap_or_default();
        let most = pairs().max().unwrap_or_default();
        let pairs = if least == most { most.to_string() } else { format!("{least} to {most}") };
        let flags = distinct(rows().map(|row| format!("`{}`", row.flags)));
        text += &format!("- {found} by {}; {pairs} pairs\n", flags.join(", "));
    }
    (!keys.is_empty()).then_some(text)
}

/// Writes a number with three digits, or all before the point.
fn number(value: f64) -> String {
    let whole = value.round() as u64;
    match value {
        ..10.0 => format!("{value:.2}"),
        ..100.0 => format!("{value:.1}"),
        ..999.5 => whole.to_string(),
        ..999_999.5 => format!("{},{:03}", whole / 1000, whole % 1000),
        _ => format!("{},{:03},{:03}", whole / 1_000_000, whole / 1000 % 1000, whole % 1000),
    }
}

#[cfg(test)]
mod tests {
    use super::super::machine::machines;
    use super::super::machine::tests::{planted, rival as planted_rival};
    use super::*;

    #[test]
    fn the_pages_are_what_the_files_give() {
        for (file, text) in pages(&machines().unwrap()).unwrap() {
            let found = std::fs::read_to_string(root().join(&file)).unwrap();
            assert!(found == text, "{file}: run cargo xtask compare --tables");
        }
    }

    #[test]
    fn a_column_for_each_machine() {
        let machines = planted();
        assert_eq!(
            operations("go", &machines).unwrap(),
            "| operation | ns per | against | B | A |\n|---|---|---|---|---|\n\
             | go | game | printed | 123, 10,000x | 150 |\n\n\
             - B: level x86-64-v3, commit 1, 2026-02-01\n- A: level x86-64-v3, commit 0, 2026-01-01\n"
        );
        assert_eq!(
            levels("go", &machines[0]),
            "| operation | reference | portable | v3 | reference / best (quartiles) |\n|---|---|---|---|---|\n\
             | go | 1,234,567 | 200 | 123 (1.62x) | 10,000 (9,999 to 10,001) |\n\n\
             - B: level x86-64-v3, commit 1, 2026-02-01\n"
        );
    }

    #[test]
    fn opponents_stand_side_by_side_and_the_fairest_comes_first() {
        let row = |operation: &str, against: &str, reference: u32| {
            let row = format!(
                r#"{{"operation":"{operation}","unit":"u","against":"{against}","reference":{reference},
                "portable":2,"best":"portable","ratio_reference":{}}}"#,
                f64::from(reference) / 2.0
            );
            serde_json::from_str::<Row>(&row).unwrap()
        };
        let [mut machine, _] = planted();
        machine.rows = vec![
            row("d", "printed", 9),
            row("a", "printed", 8),
            row("a b by hand", "prescribed", 6),
            row("a b", "printed", 10),
            row("a b by words", "prescribed", 5),
            row("b", "naive", 8),
            row("c", "printed", 20),
            row("c naive", "naive", 100),
            row("c prescribed", "prescribed", 1),
        ];
        assert_eq!(
            articles(&machine),
            "| operation | ns per | prescribed | printed | user | naive |\n|---|---|---|---|---|---|\n\
             | c | u | 2.00, 1.00: **0.50** | 2.00, 20.0: **10.0** |  | 2.00, 100: **50.0** |\n\
             | a b | u | by hand: 2.00, 6.00: **3.00**; by words: 2.00, 5.00: **2.50** | 2.00, 10.0: **5.00** |  |  |\n\
             | a | u |  | 2.00, 8.00: **4.00** |  |  |\n\
             | d | u |  | 2.00, 9.00: **4.50** |  |  |\n\n\
             - B: level x86-64-v3, commit 1, 2026-02-01\n"
        );
    }

    #[test]
    fn a_rivals_fastest_build_is_shown() {
        let mut machines = planted();
        machines[0].rivals = vec![planted_rival("B", "O3", "[7]")];
        machines[1].rivals =
            vec![planted_rival("A", "O3", "[4, 3, 5]"), planted_rival("A", "native", "[6]")];
        assert_eq!(
            rival("r", &machines).unwrap(),
            "| work | our level | unit | B | A |\n|---|---|---|---|---|\n\
             | w | v3 | ns | 2.00, 8.00: 7.00 | 2.00, 8.00: 4.00 (3.00 to 5.00) |\n\n\
             - B, 2026-01-01, our commit 0, older: r 9 by `O3`; 9 pairs\n\
             - A, 2026-01-01, our commit 0, older: r 9 by `O3`, `native`; 9 pairs\n"
        );
        assert!(rival("s", &machines).is_none());
    }

    #[test]
    fn the_lost_races_come_first() {
        let mut machines = planted();
        let row = |work: &str, level: &str, date: &str, ratio: &str| Comparison {
            work: work.into(),
            level: level.into(),
            date: date.into(),
            ..planted_rival("B", "O3", ratio)
        };
        machines[0].rivals = vec![
            row("won", "v3", "2026-01-02", "[9]"),
            row("list, small", "v4", "2026-01-02", "[0.5]"),
            row("list, small", "v3", "2026-01-02", "[0.25]"),
            row("list, large", "v4", "2026-01-02", "[2]"),
        ];
        let older = row("list, large", "v4", "2026-01-01", "[3]");
        machines[1].rivals = vec![Comparison { machine: "A".into(), ..older }];
        let found = all_rivals(&machines, |_| Ok("docs/x.md")).unwrap();
        assert_eq!(
            found.lines().skip(2).collect::<Vec<_>>(),
            [
                "| [x](docs/x.md): list | ns | r | 2 | small: 2.00, 8.00: **0.50** | large: 2.00, 8.00: **2.00** \
                 | B, 2026-01-02, 0 |",
                "| [x](docs/x.md): won | ns | r | 1 | 2.00, 8.00: **9.00** |  | B, 2026-01-02, 0 |",
            ]
        );
    }

    #[test]
    fn every_rival_and_every_game_has_a_page() {
        let mut machines = planted();
        machines[0].rivals = vec![planted_rival("B", "O3", "[7]")];
        let with = |marks: &[&str]| {
            let text =
                marks.iter().map(|mark| format!("<!-- table {mark} --><!-- end -->\n")).collect();
            filled(&Pages::from([("p".to_owned(), text)]), &machines)
        };
        assert!(with(&["rivals", "operations go", "r"]).is_ok());
        for lacking in [["rivals", "operations go"], ["rivals", "r"], ["operations go", "s"]] {
            assert!(with(&lacking).is_err(), "{lacking:?}");
        }
    }

    #[test]
    fn tables_are_replaced_between_their_marks() {
        let page = "a\n<!-- table x -->\nold\n<!-- end -->\nb\n";
        let filled = fill(page, |name| Ok(format!("new {name}\n"))).unwrap();
        assert_eq!(filled, "a\n<!-- table x -->\n\nnew x\n\n<!-- end -->\nb\n");
        assert!(fill("<!-- table x -->", |_| Ok(String::new())).is_err());
    }
}
