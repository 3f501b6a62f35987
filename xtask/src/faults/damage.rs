//! Damaged files: flipped bits and cuts of every form of file that the program reads again. A damaged file is
//! refused with status 2 and one line, or it gives the result of the whole file.

use super::bench::{Bench, Row};
use super::process::{self, Ended, Random, fresh, lasting, succeed};
use crate::Result;
use crate::runner::{cores, pool};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::thread;

/// A form of file.
struct Form {
    name: &'static str,
    /// Writes the file.
    make: &'static str,
    file: &'static str,
    /// Reads the file and prints a JSON object.
    read: &'static str,
}

const FORMS: [Form; 6] = [
    Form {
        name: "contest record",
        make: "contest solve --width 10 --pieces 40 --threads 1 --out game",
        file: "game",
        read: "contest verify game --require-checksum --json",
    },
    Form {
        name: "beam state",
        make: "contest solve --width 10 --pieces 40 --threads 1 --out game",
        file: "game",
        read: "contest solve --resume --width 10 --threads 1 --json --out game",
    },
    Form {
        name: "tree state",
        make: "contest solve --depth 3 --pieces 40 --threads 1 --out game",
        file: "game",
        read: "contest solve --resume --pieces 40 --threads 1 --json --out game",
    },
    Form {
        name: "match results",
        make: "tetris match --bot BOT --bot BOT --games 3 --pieces 3 --milliseconds 0 --out match",
        file: "match",
        read: "tetris match --bot BOT --bot BOT --games 3 --pieces 3 --milliseconds 0 --resume --json --out match",
    },
    Form {
        name: "2048 network",
        make: "2048 train --games 1 --out net",
        file: "net",
        read: "2048 play --net net --games 1 --depth 1 --json",
    },
    Form {
        name: "2048 learner",
        make: "2048 train --games 1 --out net",
        file: "net.learner",
        read: "2048 train --resume --games 1 --json --out net",
    },
];

/// A fault of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Damage {
    /// The number of the bit, from the lowest of the first byte.
    Flip(usize),
    /// The number of bytes that are left.
    Cut(usize),
}

impl Damage {
    /// Returns as many flips as cuts, at random places of a file with `length` bytes.
    fn draw(count: usize, length: usize, random: &mut Random) -> Vec<Self> {
        let mut below = |end: usize| random.below(end as u64) as usize;
        let draw = |i| if i % 2 == 0 { Self::Flip(below(8 * length)) } else { Self::Cut(below(length)) };
        (0..count).map(draw).collect()
    }

    /// Returns the damaged content.
    fn apply(self, content: &[u8]) -> Vec<u8> {
        let mut content = content.to_vec();
        match self {
            Self::Flip(bit) => content[bit / 8] ^= 1 << (bit % 8),
            Self::Cut(length) => content.truncate(length),
        }
        content
    }
}

pub(super) fn run(bench: &mut Bench) -> Vec<Row> {
    FORMS
        .iter()
        .map(|form| run_form(bench, form).unwrap_or_else(|error| Row::broken(form.name, &*error)))
        .collect()
}

fn run_form(bench: &mut Bench, form: &Form) -> Result<Row> {
    let folder = fresh(bench.folder, "flip")?;
    succeed(bench.program.command(&folder, form.make))?;
    let content = fs::read(folder.join(form.file))?;
    let expected = lasting(&succeed(bench.program.command(&folder, form.read))?)?;
    let damages = Damage::draw(bench.flips, content.len(), &mut bench.random);
    let (mut row, mut refused) = (Row::new(form.name), 0);
    let shared = &*bench;
    let work = |&damage: &Damage| read(shared, form, &damage.apply(&content));
    pool(&damages, cores(), work, |damage, ended| {
        let ended = ended?;
        let result = judge(&ended, &expected);
        refused += usize::from(ended.code == Some(2));
        row.count(result.map_err(|why| format!("{damage:?}: {why}")));
        Ok::<(), String>(())
    })?;
    row.note = format!("{refused} refused, of {} bytes", content.len());
    Ok(row)
}

/// Lets the program read a content, in a folder of this thread.
fn read(bench: &Bench, form: &Form, content: &[u8]) -> std::result::Result<Ended, String> {
    let read = |folder: &Path| -> Result<Ended> {
        fs::write(folder.join(form.file), content)?;
        process::run(bench.program.command(folder, form.read))
    };
    let folder = bench.folder.join(format!("flip-{:?}", thread::current().id()));
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    read(&folder).map_err(|error| error.to_string())
}

/// Checks that a damaged file was refused, or gave the result of the whole one.
fn judge(ended: &Ended, expected: &Value) -> std::result::Result<(), String> {
    if ended.code != Some(0) {
        return ended.refused(&[2]);
    }
    match lasting(&ended.stdout) {
        Ok(found) if found == *expected => Ok(()),
        Ok(found) => Err(format!("taken for {found}")),
        Err(error) => Err(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn damage_changes_one_bit_or_the_length() {
        let content = b"0123456789";
        for damage in Damage::draw(500, content.len(), &mut Random::new(3)) {
            let damaged = damage.apply(content);
            match damage {
                Damage::Flip(_) => {
                    let bits = damaged.iter().zip(content).map(|(a, b)| (a ^ b).count_ones()).sum::<u32>();
                    assert_eq!((bits, damaged.len()), (1, content.len()));
                }
                Damage::Cut(length) => assert_eq!(damaged, content[..length]),
            }
        }
    }

    #[test]
    fn damage_is_refused_or_changes_nothing() {
        let expected = json!({ "score": 7 });
        let ended = |code, stdout: &str, stderr: &str| Ended {
            code: Some(code),
            stdout: stdout.to_owned(),
            stderr: stderr.to_owned(),
            stuck: false,
        };
        assert!(judge(&ended(2, "", "bitcade: game: line 1: expected N\n"), &expected).is_ok());
        assert!(judge(&ended(0, "{\"score\":7,\"seconds\":1}\n", ""), &expected).is_ok());
        assert!(judge(&ended(0, "{\"score\":8}\n", ""), &expected).is_err());
        assert!(judge(&ended(1, "", "bitcade: game: No such file\n"), &expected).is_err());
        assert!(judge(&ended(101, "", "panicked\n"), &expected).is_err());
    }
}
