//! `benches/data/machines`: a file of figures for each machine, and what is made from them: the tables of
//! BENCHMARKS.md between `<!-- table NAME -->` and `<!-- end -->`, and the charts. CONTRIBUTING.md
//! describes the files.

use super::against::line;
use super::arguments::Result;
use super::chart::{self, Row};
use bitcore::Level;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Serialize, Deserialize)]
pub(super) struct Machine {
    /// The column's heading.
    name: String,
    cpu: String,
    cores: usize,
    level: String,
    flags: String,
    commit: String,
    date: String,
    rustc: String,
    pub(super) rows: Vec<Row>,
    rivals: Vec<Comparison>,
    #[serde(skip)]
    file: PathBuf,
}

/// A comparison with another program, measured by a third one.
#[derive(Serialize, Deserialize)]
struct Comparison {
    rival: String,
    version: String,
    /// The rival's compiler and flags.
    flags: String,
    work: String,
    /// Our level.
    level: String,
    unit: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    ours: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    theirs: Option<f64>,
    /// How many times as fast ours is: the median of the pairs; then the least and the greatest, if known.
    ratio: Vec<f64>,
    pairs: usize,
    machine: String,
    date: String,
    commit: String,
}

impl Machine {
    /// Returns this machine without rows; its name and rivals come from its old file, if it has one.
    pub(super) fn this(file_name: &str) -> Result<Self> {
        let file = folder().join(file_name).with_extension("json");
        let old = if file.exists() { Some(Self::read(file.clone())?) } else { None };
        let (name, rivals) = old.map_or((file_name.to_owned(), Vec::new()), |old| (old.name, old.rivals));
        Ok(Self {
            name,
            cpu: cpu_name(&std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default()),
            cores: std::thread::available_parallelism()?.get(),
            level: Level::best().name().to_owned(),
            flags: std::env::var("RUSTFLAGS").unwrap_or_default(),
            commit: line("git", &["describe", "--always", "--dirty", "--exclude=*", "--abbrev=8"]),
            date: line("date", &["+%Y-%m-%d"]),
            rustc: line("rustc", &["--version"]),
            rows: Vec::new(),
            rivals,
            file,
        })
    }

    fn read(file: PathBuf) -> Result<Self> {
        let machine: Self = serde_json::from_str(&std::fs::read_to_string(&file)?)
            .map_err(|error| format!("{}: {error}", file.display()))?;
        Ok(Self { file, ..machine })
    }

    /// Writes the file, one line per row.
    pub(super) fn save(&self) -> Result<()> {
        let text = serde_json::to_string(self)?;
        Ok(std::fs::write(&self.file, text.replace("[{", "[\n{").replace("},{\"", "},\n{\"") + "\n")?)
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn folder() -> PathBuf {
    root().join("benches/data/machines")
}

/// Returns the machines, the newest first.
fn machines() -> Result<Vec<Machine>> {
    let files = std::fs::read_dir(folder())?.map(|file| Machine::read(file?.path()));
    let mut machines = files.collect::<Result<Vec<_>>>()?;
    machines.sort_by(|a, b| (&b.date, &a.name).cmp(&(&a.date, &b.name)));
    Ok(machines)
}

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

/// A row replaces the older row of the same work.
fn merge(machines: &mut [Machine], rows: Vec<Comparison>) -> Result<()> {
    for row in rows {
        if ![1, 3].contains(&row.ratio.len()) {
            return Err(format!(
                "{}: {}: a ratio is [median, least, greatest] or [median]",
                row.rival, row.work
            )
            .into());
        }
        let machine = machines.iter_mut().find(|machine| machine.name == row.machine);
        let rivals = &mut machine.ok_or_else(|| format!("no machine of the name {}", row.machine))?.rivals;
        let key = |row: &Comparison| [&row.rival, &row.flags, &row.work, &row.level].map(String::clone);
        match rivals.iter_mut().find(|old| key(old) == key(&row)) {
            Some(old) => *old = row,
            None => rivals.push(row),
        }
    }
    Ok(())
}

/// Returns the text of each page, under its path.
fn pages(machines: &[Machine]) -> Result<Vec<(String, String)>> {
    let page = "BENCHMARKS.md";
    let text = std::fs::read_to_string(root().join(page))?;
    let mut pages = vec![(page.to_owned(), fill(&text, |name| table(name, machines))?)];
    let newest = newest(machines)?;
    let origin = format!("{}; commit {}; {}", newest.cpu, newest.commit, newest.date);
    for rows in newest.rows.chunk_by(|a, b| chart::game(a) == chart::game(b)) {
        pages.push((format!("docs/charts/{}.svg", chart::game(&rows[0])), chart::draw(rows, &origin)));
    }
    Ok(pages)
}

fn newest(machines: &[Machine]) -> Result<&Machine> {
    machines.iter().find(|machine| !machine.rows.is_empty()).ok_or_else(|| "no machine has rows".into())
}

/// Replaces the tables of a page.
fn fill(page: &str, table: impl Fn(&str) -> Result<String>) -> Result<String> {
    let mut parts = page.split("<!-- table ");
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once(" -->").ok_or("a mark without an end")?;
        let (_, rest) = rest.split_once("<!-- end -->").ok_or_else(|| format!("{name}: no <!-- end -->"))?;
        filled += &format!("<!-- table {name} -->\n\n{}\n<!-- end -->{rest}", table(name)?);
    }
    Ok(filled)
}

fn table(name: &str, machines: &[Machine]) -> Result<String> {
    match name {
        "machines" => Ok(table_of_machines(machines)),
        "headline" => Ok(headline(machines)),
        "levels" => Ok(levels(newest(machines)?)),
        rival => rivals(rival, machines).ok_or_else(|| format!("no rows of {rival}").into()),
    }
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
        let texts = [name, cpu, &machine.cores.to_string(), level, commit, date, rustc].map(String::clone);
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

fn headline(machines: &[Machine]) -> String {
    let machines: Vec<_> = machines.iter().filter(|machine| !machine.rows.is_empty()).collect();
    let mut header = vec!["operation", "ns per", "against"];
    header.extend(machines.iter().map(|machine| machine.name.as_str()));
    let key = |row: &Row| [&row.operation, &row.unit, &row.against].map(String::clone);
    let keys = distinct(machines.iter().flat_map(|machine| machine.rows.iter().map(key)));
    let cell = |machine: &Machine, name: &[String; 3]| {
        let row = machine.rows.iter().find(|row| key(row) == *name)?;
        let texts = [row.time().map(number), row.ratio_reference.map(|ratio| format!("{}x", number(ratio)))];
        Some(texts.into_iter().flatten().collect::<Vec<_>>().join(", "))
    };
    let rows = keys.iter().map(|key| {
        let cells = machines.iter().map(|machine| cell(machine, key).unwrap_or_default());
        key.iter().cloned().chain(cells).collect()
    });
    lines(&header, rows)
}

fn levels(machine: &Machine) -> String {
    let mut names = distinct(machine.rows.iter().flat_map(|row| row.levels.keys()));
    names.sort_by_key(|name| (*name != "portable", !name.ends_with("slow_pext")));
    let shown = |name: &&String| name.replace("x86_64_", "").replace("v3_slow_", "slow-");
    let shown: Vec<String> = names.iter().map(shown).collect();
    let mut header = vec!["operation", "reference"];
    header.extend(shown.iter().map(String::as_str).chain(["reference / best (quartiles)"]));
    let rows = machine.rows.iter().map(|row| {
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
    lines(&header, rows)
}

/// Returns a rival's table, with the build of the rival that is fastest on the machine in each cell, and the
/// list of what was measured.
fn rivals<'a>(rival: &str, machines: &'a [Machine]) -> Option<String> {
    let rows_of = |machine: &&'a Machine| machine.rivals.iter().filter(move |row| row.rival == rival);
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
        let times = row.ours.zip(row.theirs);
        let times = times.map_or_else(String::new, |(a, b)| format!("{}, {}: ", number(a), number(b)));
        let ratio: Vec<String> = row.ratio.iter().map(|&ratio| number(ratio)).collect();
        let range = ratio.get(1).zip(ratio.get(2));
        let range = range.map_or_else(String::new, |(least, most)| format!(" ({least} to {most})"));
        Some(format!("{times}{}{range}", ratio[0]))
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
        let (least, most) = (pairs().min().unwrap_or_default(), pairs().max().unwrap_or_default());
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

/// Returns the CPU's name in Linux's text, with family and model, which some machines' names hide.
fn cpu_name(cpuinfo: &str) -> String {
    let field = |name: &str| {
        let mut lines = cpuinfo.lines().filter_map(|line| line.split_once(':'));
        lines.find(|(found, _)| found.trim() == name).map_or("?", |(_, value)| value.trim())
    };
    format!("{} (family {}, model {})", field("model name"), field("cpu family"), field("model"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pages_are_what_the_files_give() {
        for (file, text) in pages(&machines().unwrap()).unwrap() {
            let found = std::fs::read_to_string(root().join(&file)).unwrap();
            assert!(found == text, "{file}: run cargo xtask compare --tables");
        }
    }

    fn planted() -> [Machine; 2] {
        let machine = r#"{"name":"B","cpu":"c","cores":2,"level":"x86-64-v3","flags":"","commit":"1","date":"2026-02-01",
            "rustc":"r","rivals":[],"rows":[{"operation":"go","unit":"game","against":"printed","reference":1234567,
            "portable":200,"x86_64_v3":123.456,"best":"x86-64-v3","ratio_reference":10000,
            "quartiles":{"ratio_reference":[9999,10001]}}]}"#;
        let older = r#"{"name":"A","cpu":"c","cores":2,"level":"x86-64-v3","flags":"","commit":"0","date":"2026-01-01",
            "rustc":"r","rivals":[],"rows":[{"operation":"2048","unit":"move","against":"naive","portable":2,
            "best":"x86-64-v3","ratio_reference":7}]}"#;
        [machine, older].map(|text| serde_json::from_str(text).unwrap())
    }

    fn rival(machine: &str, flags: &str, ratio: &str) -> Comparison {
        let row = format!(
            r#"{{"rival":"r","version":"9","flags":"{flags}","work":"w","level":"v3","unit":"ns","ours":2,"theirs":8,
            "ratio":{ratio},"pairs":9,"machine":"{machine}","date":"2026-01-01","commit":"0"}}"#
        );
        serde_json::from_str(&row).unwrap()
    }

    #[test]
    fn a_column_for_each_machine() {
        let machines = planted();
        assert_eq!(
            headline(&machines),
            "| operation | ns per | against | B | A |\n|---|---|---|---|---|\n\
             | go | game | printed | 123, 10,000x |  |\n| 2048 | move | naive |  | 7.00x |\n"
        );
        assert_eq!(
            levels(&machines[0]),
            "| operation | reference | portable | v3 | reference / best (quartiles) |\n|---|---|---|---|---|\n\
             | go | 1,234,567 | 200 | 123 (1.62x) | 10,000 (9,999 to 10,001) |\n"
        );
    }

    #[test]
    fn rivals_are_merged_and_the_fastest_build_is_shown() {
        let mut machines = planted();
        for wrong in [rival("C", "O3", "[1]"), rival("A", "O3", "[]"), rival("A", "O3", "[1, 2]")] {
            assert!(merge(&mut machines, vec![wrong]).is_err());
        }
        let rows =
            [("A", "O3", "[4, 3, 5]"), ("A", "native", "[9]"), ("A", "native", "[6]"), ("B", "O3", "[7]")];
        merge(&mut machines, rows.map(|(machine, flags, ratio)| rival(machine, flags, ratio)).into())
            .unwrap();
        assert_eq!(machines[1].rivals.len(), 2);
        assert_eq!(
            rivals("r", &machines).unwrap(),
            "| work | our level | unit | B | A |\n|---|---|---|---|---|\n\
             | w | v3 | ns | 2.00, 8.00: 7.00 | 2.00, 8.00: 4.00 (3.00 to 5.00) |\n\n\
             - B, 2026-01-01, our commit 0, older: r 9 by `O3`; 9 pairs\n\
             - A, 2026-01-01, our commit 0, older: r 9 by `O3`, `native`; 9 pairs\n"
        );
        assert!(rivals("s", &machines).is_none());
    }

    #[test]
    fn tables_are_replaced_between_their_marks() {
        let page = "a\n<!-- table x -->\nold\n<!-- end -->\nb\n";
        let filled = fill(page, |name| Ok(format!("new {name}\n"))).unwrap();
        assert_eq!(filled, "a\n<!-- table x -->\n\nnew x\n\n<!-- end -->\nb\n");
        assert!(fill("<!-- table x -->", |_| Ok(String::new())).is_err());
    }

    #[test]
    fn a_file_has_a_line_for_each_row() {
        let file = std::env::temp_dir().join(format!("bitcade-machine-{}.json", std::process::id()));
        let [machine, mut older] = planted();
        older.rows.extend(machine.rows);
        older.file.clone_from(&file);
        older.save().unwrap();
        let text = std::fs::read_to_string(&file).unwrap();
        assert_eq!(text.lines().count(), 3, "{text}");
        assert_eq!(levels(&Machine::read(file.clone()).unwrap()), levels(&older));
        std::fs::remove_file(file).unwrap();
    }

    #[test]
    fn the_cpu_is_named() {
        let text = "processor\t: 0\ncpu family\t: 25\nmodel\t\t: 17\nmodel name\t: AMD EPYC\n";
        assert_eq!(cpu_name(text), "AMD EPYC (family 25, model 17)");
        assert_eq!(cpu_name(""), "? (family ?, model ?)");
    }
}
