//! Parses the output of test binaries: testkit's lines and libtest's summaries.

use std::collections::BTreeSet;

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Report {
    pub(super) passed: usize,
    pub(super) failed: usize,
    /// The crates that computed their digest.
    pub(super) digests: BTreeSet<String>,
}

impl Report {
    /// Adds known lines, and ignores all others.
    pub(super) fn add(&mut self, stdout: &str) {
        for line in stdout.lines() {
            if let Some(digest) = line.strip_prefix("matrix: digest ") {
                self.digests.extend(digest.split_once(' ').map(|(name, _)| name.to_owned()));
            } else if let Some((_, counts)) =
                line.strip_prefix("test result: ").and_then(|rest| rest.split_once(". "))
            {
                self.passed += count(counts, "passed");
                self.failed += count(counts, "failed");
            }
        }
    }
}

/// Returns the number before `what` in `10 passed; 0 failed; ..`, or 0.
fn count(counts: &str, what: &str) -> usize {
    let number = counts.split("; ").find_map(|part| part.strip_suffix(what)?.trim().parse().ok());
    number.unwrap_or(0)
}

#[test]
fn lines_of_testkit_and_libtest_are_read_and_no_other() {
    let mut report = Report::default();
    report.add(
        "\nrunning 3 tests\n\nmatrix: levels portable\ntest a ... ok\n\nmatrix: digest go-mc 53838100186593e2\n\
         test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.04s\n\n\
         test result: FAILED. 12 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1s\n",
    );
    report
        .add("test matrix: digest x 1\n matrix: digest x 1\ntruth: a | b | c\ntest result: odd\n");
    let digests = BTreeSet::from(["go-mc".to_owned()]);
    assert_eq!(report, Report { passed: 15, failed: 2, digests });
}
