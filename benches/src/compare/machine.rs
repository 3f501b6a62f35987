//! `benches/data/machines`: a file of figures for each machine. CONTRIBUTING.md describes the
//! files.

use super::against::line;
use super::arguments::Result;
use super::chart::Row;
use bitcore::Level;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

#[derive(Serialize, Deserialize)]
pub(super) struct Machine {
    /// The column's heading.
    pub(super) name: String,
    pub(super) cpu: String,
    pub(super) cores: usize,
    pub(super) level: String,
    flags: String,
    pub(super) commit: String,
    pub(super) date: String,
    pub(super) rustc: String,
    pub(super) rows: Vec<Row>,
    pub(super) rivals: Vec<Comparison>,
    #[serde(skip)]
    file: PathBuf,
}

/// A comparison with another program, measured by a third one.
#[derive(Serialize, Deserialize)]
pub(super) struct Comparison {
    pub(super) rival: String,
    pub(super) version: String,
    /// The rival's compiler and flags.
    pub(super) flags: String,
    pub(super) work: String,
    /// Our level.
    pub(super) level: String,
    pub(super) unit: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ours: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) theirs: Option<f64>,
    /// How many times as fast ours is: the median of the pairs; then the least and the greatest, if
    /// known.
    pub(super) ratio: Vec<f64>,
    pub(super) pairs: usize,
    pub(super) machine: String,
    pub(super) date: String,
    pub(super) commit: String,
}

impl Machine {
    /// Returns this machine without rows; its name and rivals come from its old file, if it has
    /// one.
    pub(super) fn this(file_name: &str) -> Result<Self> {
        let file = folder().join(file_name).with_extension("json");
        let old = if file.exists() { Some(Self::read(file.clone())?) } else { None };
        let (name, rivals) =
            old.map_or((file_name.to_owned(), Vec::new()), |old| (old.name, old.rivals));
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
        Ok(std::fs::write(
            &self.file,
            text.replace("[{", "[\n{").replace("},{\"", "},\n{\"") + "\n",
        )?)
    }
}

pub(super) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn folder() -> PathBuf {
    root().join("benches/data/machines")
}

/// Returns the machines, the newest first.
pub(super) fn machines() -> Result<Vec<Machine>> {
    let files = std::fs::read_dir(folder())?.map(|file| Machine::read(file?.path()));
    let mut machines = files.collect::<Result<Vec<_>>>()?;
    machines.sort_by(|a, b| (&b.date, &a.name).cmp(&(&a.date, &b.name)));
    Ok(machines)
}

/// A row replaces the older row of the same work.
pub(super) fn merge(machines: &mut [Machine], rows: Vec<Comparison>) -> Result<()> {
    for row in rows {
        if ![1, 3].contains(&row.ratio.len()) {
            return Err(format!(
                "{}: {}: a ratio is [median, least, greatest] or [median]",
                row.rival, row.work
            )
            .into());
        }
        let machine = machines.iter_mut().find(|machine| machine.name == row.machine);
        let rivals =
            &mut machine.ok_or_else(|| format!("no machine of the name {}", row.machine))?.rivals;
        let key =
            |row: &Comparison| [&row.rival, &row.flags, &row.work, &row.level].map(String::clone);
        match rivals.iter_mut().find(|old| key(old) == key(&row)) {
            Some(old) => *old = row,
            None => rivals.push(row),
        }
    }
    Ok(())
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
pub(super) mod tests {
    use super::*;

    pub(in super::super) fn planted() -> [Machine; 2] {
        let machine = r#"{"name":"B","cpu":"c","cores":2,"level":"x86-64-v3","flags":"","commit":"1","date":"2026-02-01",
            "rustc":"r","rivals":[],"rows":[{"operation":"go","unit":"game","against":"printed","reference":1234567,
            "portable":200,"x86_64_v3":123.456,"best":"x86-64-v3","ratio_reference":10000,
            "quartiles":{"ratio_reference":[9999,10001]}}]}"#;
        let older = r#"{"name":"A","cpu":"c","cores":2,"level":"x86-64-v3","flags":"","commit":"0","date":"2026-01-01",
            "rustc":"r","rivals":[],"rows":[{"operation":"go","unit":"game","against":"naive","portable":150,
            "best":"portable","ratio_reference":7}]}"#;
        [machine, older].map(|text| serde_json::from_str(text).unwrap())
    }

    pub(in super::super) fn rival(machine: &str, flags: &str, ratio: &str) -> Comparison {
        let row = format!(
            r#"{{"rival":"r","version":"9","flags":"{flags}","work":"w","level":"v3","unit":"ns","ours":2,"theirs":8,
            "ratio":{ratio},"pairs":9,"machine":"{machine}","date":"2026-01-01","commit":"0"}}"#
        );
        serde_json::from_str(&row).unwrap()
    }

    #[test]
    fn a_rivals_row_replaces_the_older_row_of_its_build() {
        let mut machines = planted();
        for wrong in [rival("C", "O3", "[1]"), rival("A", "O3", "[]"), rival("A", "O3", "[1, 2]")] {
            assert!(merge(&mut machines, vec![wrong]).is_err());
        }
        let rows = [
            ("A", "O3", "[4, 3, 5]"),
            ("A", "native", "[9]"),
            ("A", "native", "[6]"),
            ("B", "O3", "[7]"),
        ];
        merge(
            &mut machines,
            rows.map(|(machine, flags, ratio)| rival(machine, flags, ratio)).into(),
        )
        .unwrap();
        let ratios =
            |machine: &Machine| machine.rivals.iter().map(|row| row.ratio[0]).collect::<Vec<_>>();
        assert_eq!(machines.each_ref().map(ratios), [vec![7.0], vec![4.0, 6.0]]);
    }

    #[test]
    fn a_file_has_a_line_for_each_row() {
        let file =
            std::env::temp_dir().join(format!("bitcade-machine-{}.json", std::process::id()));
        let [machine, mut older] = planted();
        older.rows.extend(machine.rows);
        older.file.clone_from(&file);
        older.save().unwrap();
        let text = std::fs::read_to_string(&file).unwrap();
        assert_eq!(text.lines().count(), 3, "{text}");
        let read = Machine::read(file.clone()).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), serde_json::to_string(&older).unwrap());
        std::fs::remove_file(file).unwrap();
    }

    #[test]
    fn the_cpu_is_named() {
        let text = "processor\t: 0\ncpu family\t: 25\nmodel\t\t: 17\nmodel name\t: AMD EPYC\n";
        assert_eq!(cpu_name(text), "AMD EPYC (family 25, model 17)");
        assert_eq!(cpu_name(""), "? (family ?, model ?)");
    }
}
