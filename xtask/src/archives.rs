//! What a registry would receive: each released package's files, and the fields of its manifest.

use crate::workspace::{cargo, is_released};
use serde_json::Value;
use std::path::Path;

/// The files in every archive besides its sources.
const FILES: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];
/// The manifest fields that a registry displays.
const FIELDS: [&str; 8] = [
    "description",
    "license",
    "readme",
    "repository",
    "documentation",
    "keywords",
    "categories",
    "rust_version",
];
/// The README's advice: unoptimized kernels are up to hundreds of times slower.
const DEVELOPMENT: &str = "[profile.dev.package.\"*\"]\nopt-level = 1\n";
/// The maximum size of a file in an archive. The registry refuses archives of 10 MiB.
const LARGEST_FILE: u64 = 256 << 10;
/// The built-in network of 2048, and its limit.
const NETWORK: (&str, u64) = ("src/network/builtin.net", 2_000_000);

fn printed(arguments: &[&str]) -> String {
    let output = cargo(&[]).args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn metadata() -> Value {
    serde_json::from_str(&printed(&["metadata", "--format-version=1", "--no-deps"])).unwrap()
}

fn manifest(package: &Value) -> &Path {
    Path::new(package["manifest_path"].as_str().unwrap())
}

/// The registry would keep the crates below `tetris` for ever, and refuse `tetris`, which has
/// another owner.
#[test]
fn nothing_is_published_while_a_name_is_taken() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().unwrap();
    let has_taken_name = packages.iter().any(|package| package["name"] == "tetris");
    for package in packages {
        let is_refused = package["publish"].as_array().is_some_and(Vec::is_empty);
        assert!(
            is_refused || !has_taken_name,
            "{} can be published, `tetris` can't",
            package["name"]
        );
    }
}

#[test]
fn archives_are_complete_and_hold_no_large_file() {
    let metadata = metadata();
    let root = Path::new(metadata["workspace_root"].as_str().unwrap());
    let packages = metadata["packages"].as_array().unwrap().iter();
    let packages: Vec<&Value> = packages.filter(|package| is_released(manifest(package))).collect();
    assert!(packages.len() >= 9, "{} packages", packages.len());
    for package in packages {
        let name = package["name"].as_str().unwrap();
        let folder = manifest(package).parent().unwrap();
        let list = printed(&["package", "--list", "--allow-dirty", "--package", name]);
        for file in FILES {
            assert!(list.lines().any(|line| line == file), "{name} lacks {file}");
            if file == "README.md" && !["bitcade", "bitcade-files"].contains(&name) {
                let text = std::fs::read_to_string(folder.join(file)).unwrap();
                assert!(
                    text.contains(DEVELOPMENT),
                    "{name}: {file} doesn't say how to develop with it"
                );
            }
            if file.starts_with("LICENSE") {
                let [own, common] =
                    [folder, root].map(|folder| std::fs::read(folder.join(file)).unwrap());
                assert!(
                    own == common,
                    "{name}: {file} differs from the one in the workspace's root"
                );
            }
        }
        for field in FIELDS {
            let empty =
                package[field].is_null() || package[field].as_array().is_some_and(Vec::is_empty);
            assert!(!empty, "{name}: Cargo.toml lacks `{field}`");
        }
        // Files that cargo generates are not in the folder.
        for (file, data) in
            list.lines().filter_map(|file| Some((file, folder.join(file).metadata().ok()?)))
        {
            let limit = if file == NETWORK.0 { NETWORK.1 } else { LARGEST_FILE };
            assert!(data.len() <= limit, "{name}: {file} has {} bytes", data.len());
            assert!(
                !file.starts_with("tests/"),
                "{name}: {file} needs testkit, which is never published"
            );
        }
    }
}
