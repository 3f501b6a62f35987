//! `package`: the archives that a registry would get, and their contents.
//!
//! The tests stay out of them, because they need `testkit`, which is never published.

use crate::workspace::{Package, Workspace, cargo};
use crate::{Result, table};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// The files that every archive has beside its sources.
const FILES: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];
/// The fields of the manifest that a registry shows.
const FIELDS: [&str; 8] = [
    "description",
    "license",
    "readme",
    "repository",
    "documentation",
    "keywords",
    "categories",
    "rust-version",
];
/// The largest file that an archive may hold. The registry refuses archives of 10 MiB.
const LARGEST_FILE: u64 = 256 << 10;

#[derive(Default, clap::Args)]
#[command(after_help = "Example: cargo xtask package --verify\n\
    Without a network: CARGO_NET_OFFLINE=true cargo xtask package, once the dependencies were downloaded.")]
pub(crate) struct Args {
    /// Also build each package from its archive, with the default features
    #[arg(long)]
    verify: bool,
}

pub(crate) fn run(args: &Args) -> Result {
    let workspace = Workspace::load()?;
    let start = Instant::now();
    let mut command = cargo(&[]);
    // Cargo would name each test that stays out.
    command.args(["package", "--quiet", "--workspace", "--allow-dirty", "--no-verify"]);
    let unpublished = workspace.packages.iter().filter(|package| !package.is_published());
    command.args(unpublished.map(|package| format!("--exclude={}", package.name)));
    if !command.arg("--target-dir").arg(&workspace.target).status()?.success() {
        return Err("cargo package failed".into());
    }
    println!("packed: {:.1} s", start.elapsed().as_secs_f64());

    let folder = workspace.target.join("package/contents");
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    std::fs::create_dir_all(&folder)?;
    let (mut rows, mut faults, mut packed) = (Vec::new(), Vec::new(), 0);
    for package in workspace.packages.iter().filter(|package| package.is_published()) {
        let name = format!("{}-{}", package.name, package.version);
        let archive = workspace.target.join("package").join(format!("{name}.crate"));
        unpack(&archive, &folder)?;
        let contents = Contents::read(&folder.join(&name))?;
        rows.push(vec![
            package.name.clone(),
            contents.files.len().to_string(),
            (contents.files.iter().map(|(_, size)| size).sum::<u64>() >> 10).to_string(),
            (std::fs::metadata(&archive)?.len() >> 10).to_string(),
        ]);
        let found = contents.faults(&workspace.root)?;
        faults.extend(found.into_iter().map(|fault| format!("{name}: {fault}")));
        packed += 1;
    }
    table::print(&["package", "files", "KiB", "packed KiB"], &[1, 2, 3], rows);
    if args.verify {
        faults.extend(verify(&workspace, &folder)?);
    }
    for fault in &faults {
        println!("{fault}");
    }
    table::print_counts(packed, faults.len(), 0);
    Ok(faults.is_empty())
}

/// Builds each package from its extracted archive, with those of the others as dependencies. Returns the
/// failures.
///
/// Cargo's own check would take sources that it has kept from an earlier run, because their version is the
/// same.
fn verify(workspace: &Workspace, folder: &Path) -> Result<Vec<String>> {
    let published = || workspace.packages.iter().filter(|package| package.is_published());
    let path = |package: &Package| format!("{}-{}", package.name, package.version);
    let members: Vec<String> = published().map(|package| format!("{:?}", path(package))).collect();
    let mut manifest =
        format!("[workspace]\nresolver = \"3\"\nmembers = [{}]\n\n[patch.crates-io]\n", members.join(", "));
    for package in published() {
        manifest += &format!("{} = {{ path = {:?} }}\n", package.name, path(package));
    }
    std::fs::write(folder.join("Cargo.toml"), manifest)?;
    // The versions of all other packages that the workspace is tested with.
    std::fs::copy(workspace.root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
    let mut faults = Vec::new();
    for package in published() {
        let start = Instant::now();
        let mut build = cargo(&[]);
        // One after the other: together they would lend each other features.
        build.args(["build", "--quiet", "--package", &package.name]).current_dir(folder);
        build.arg("--target-dir").arg(workspace.target.join("package/build"));
        if build.status()?.success() {
            println!("{}: built, {:.1} s", package.name, start.elapsed().as_secs_f64());
        } else {
            faults.push(format!("{}: not built from its archive", path(package)));
        }
    }
    Ok(faults)
}

/// Extracts an archive by `tar`, which every system with a Rust toolchain has.
fn unpack(archive: &Path, folder: &Path) -> Result<()> {
    let status =
        Command::new("tar").arg("-xzf").arg(archive).arg("-C").arg(folder).stdin(Stdio::null()).status()?;
    if status.success() { Ok(()) } else { Err(format!("tar -xzf {}: {status}", archive.display()).into()) }
}

/// The files of an extracted archive.
struct Contents {
    folder: PathBuf,
    /// The path of each file in the archive, with its size in bytes.
    files: Vec<(PathBuf, u64)>,
}

impl Contents {
    fn read(folder: &Path) -> Result<Self> {
        let (mut files, mut open) = (Vec::new(), vec![folder.to_path_buf()]);
        while let Some(next) = open.pop() {
            for entry in std::fs::read_dir(next)? {
                let entry = entry?;
                if entry.file_type()?.is_dir() {
                    open.push(entry.path());
                } else {
                    let path = entry.path().strip_prefix(folder)?.to_path_buf();
                    files.push((path, entry.metadata()?.len()));
                }
            }
        }
        files.sort();
        Ok(Self { folder: folder.to_path_buf(), files })
    }

    /// Returns everything that is wrong: missing files, licenses other than those in the workspace's root,
    /// missing fields of the manifest, and files that are too large.
    fn faults(&self, root: &Path) -> Result<Vec<String>> {
        let mut faults = Vec::new();
        for name in FILES {
            if !self.files.iter().any(|(path, _)| path == Path::new(name)) {
                faults.push(format!("lacks {name}"));
            } else if name.starts_with("LICENSE")
                && std::fs::read(self.folder.join(name))? != std::fs::read(root.join(name))?
            {
                faults.push(format!("{name} differs from the one in the workspace's root"));
            }
        }
        let manifest = std::fs::read_to_string(self.folder.join("Cargo.toml"))?;
        for field in FIELDS {
            if !has_field(&manifest, field) {
                faults.push(format!("Cargo.toml lacks `{field}`"));
            }
        }
        for (path, size) in &self.files {
            if *size > LARGEST_FILE {
                let path = path.display();
                faults.push(format!("{path} has {} KiB, more than {}", size >> 10, LARGEST_FILE >> 10));
            }
        }
        Ok(faults)
    }
}

/// Returns whether the table `package` of a manifest as cargo writes it has a field.
fn has_field(manifest: &str, field: &str) -> bool {
    let lines = manifest.lines().skip_while(|line| *line != "[package]").skip(1);
    let mut lines = lines.take_while(|line| !line.starts_with('['));
    lines.any(|line| line.split_once(" = ").is_some_and(|(name, _)| name == field))
}

#[cfg(test)]
mod tests {
    use super::{Contents, FIELDS, FILES, has_field};
    use std::path::{Path, PathBuf};

    fn manifest(fields: &[&str]) -> String {
        let fields: String = fields.iter().map(|field| format!("{field} = \"x\"\n")).collect();
        format!("# comment\n[package]\nname = \"a\"\n{fields}[lib]\nname = \"a\"\npath = \"x\"\n")
    }

    #[test]
    fn fields_of_the_package_only() {
        let manifest = manifest(&["readme"]);
        assert!(has_field(&manifest, "readme") && has_field(&manifest, "name"));
        assert!(!has_field(&manifest, "path") && !has_field(&manifest, "read"));
    }

    /// Writes an archive's contents into a folder of the test's own.
    fn contents(name: &str, files: &[(&str, &str)]) -> Contents {
        let folder: PathBuf = std::env::temp_dir().join(format!("xtask-{name}-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("src")).unwrap();
        for (path, text) in files {
            std::fs::write(folder.join(path), text).unwrap();
        }
        let contents = Contents::read(&folder).unwrap();
        assert_eq!(contents.files.len(), files.len());
        contents
    }

    #[test]
    fn complete_archives_have_no_fault_and_others_have() {
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
        let [mit, apache] =
            ["LICENSE-MIT", "LICENSE-APACHE"].map(|name| std::fs::read_to_string(root.join(name)).unwrap());
        let manifest = manifest(&FIELDS);
        let whole = [
            ("Cargo.toml", manifest.as_str()),
            ("src/lib.rs", ""),
            ("README.md", "# a"),
            ("CHANGELOG.md", ""),
            ("LICENSE-MIT", &mit),
            ("LICENSE-APACHE", &apache),
        ];
        let good = contents("good", &whole);
        assert_eq!(good.faults(root).unwrap(), Vec::<String>::new());

        let large = "x".repeat(300 << 10);
        let bad = [
            ("Cargo.toml", "[package]\nname = \"a\"\n"),
            ("LICENSE-MIT", "mine"),
            ("src/data.txt", large.as_str()),
        ];
        let bad = contents("bad", &bad);
        let faults = bad.faults(root).unwrap();
        assert_eq!(faults.len(), FILES.len() + FIELDS.len() + 1, "{faults:?}");
        assert!(faults.contains(&"LICENSE-MIT differs from the one in the workspace's root".to_owned()));
        assert!(faults.contains(&"src/data.txt has 300 KiB, more than 256".to_owned()));
        for folder in [good.folder, bad.folder] {
            std::fs::remove_dir_all(folder).unwrap();
        }
    }
}
