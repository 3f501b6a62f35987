//! [`GameFile`]: the SGF file of a game.

use crate::input::read_bytes;
use crate::output::{Failure, remark};
use bitcade_files::{Existing, OutputFile};
use etcetera::BaseStrategy;
use go_mc::gtp::Options;
use go_mc::search::MAX_KOMI;
use go_mc::sgf::{Action, Node, Property, Reading, Record};
use go_mc::{Color, Game, Ko, Move, Rules};
use std::fmt::Display;
use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

#[derive(Clone, Debug)]
pub(crate) enum GameFile {
    Named(NamedFile),
    /// A file with the next free number in a folder. It is chosen when the game is first saved.
    Numbered(PathBuf),
    /// No file: the system has no folder for data of the user.
    Missing,
}

#[derive(Clone, Debug)]
pub(crate) struct NamedFile {
    path: PathBuf,
    file: OutputFile,
    /// The text of the file.
    saved: String,
    is_numbered: bool,
}

/// Where a game begins: an empty board, or the end of another record.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    /// The record that the moves of the game are added to.
    record: Record,
    game: Game,
}

impl Start {
    /// Returns the empty board; `None` if there is none of this size.
    pub(crate) fn empty(options: &Options) -> Option<Self> {
        let mut record = Record::new(options.rules.size);
        record.komi = Some(options.komi);
        let game = record.new_game(options.rules);
        let root = record.nodes.first_mut()?;
        let properties = [
            ("AP", format!("bitcade:{}", env!("CARGO_PKG_VERSION"))),
            ("DT", today()),
            ("RU", rules_name(options.rules).to_owned()),
        ];
        let property =
            |(name, value): (&str, String)| Property { name: name.to_owned(), values: vec![value] };
        root.properties = properties.map(property).to_vec();
        Some(Self { record, game })
    }

    /// Reads a record, says what of it can't be read, and sets the size and the komi of the game.
    pub(crate) fn load(path: &Path, options: &mut Options) -> Result<Self, Failure> {
        let (name, bytes) = read_bytes(Some(path.to_owned()))?;
        let failure = |error: &dyn Display| Failure::Input(format!("{name}: {error}"));
        let reading = Record::from_bytes(&bytes).map_err(|error| failure(&error))?;
        let Reading { mut record, remarks, has_variations } = reading;
        for found in remarks {
            remark(format_args!("{name}: {found}"));
        }
        if has_variations {
            remark(format_args!("{name}: variations are left out"));
        }
        let (side, height) = (record.size.width(), record.size.height());
        if side != height || ![5, 9, 13, 19].contains(&side) {
            return Err(failure(&format_args!(
                "a board of {side} x {height}: expected a side of 5, 9, 13 or 19"
            )));
        }
        options.rules.size = record.size;
        options.komi = record.komi.filter(|komi| komi.abs() <= MAX_KOMI.into()).unwrap_or(options.komi);
        record.komi = record.komi.or(Some(options.komi));
        let mut game = record.new_game(options.rules);
        for node in &record.nodes {
            node.play(&mut game);
        }
        if game.is_over() {
            // It goes on all the same.
            let node = Node { to_move: Some(game.to_move()), ..Node::default() };
            node.play(&mut game);
            record.nodes.push(node);
        }
        Ok(Self { record, game })
    }

    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    pub(crate) fn record(&self) -> &Record {
        &self.record
    }

    /// Returns the record of the game after these moves, with Black's win rate in percent after each if known.
    pub(crate) fn record_after(
        &self,
        user: Color,
        moves: impl IntoIterator<Item = (Move, Option<f64>)>,
        result: &str,
    ) -> Record {
        let mut record = self.record.clone();
        for (name, color) in record.player_names.iter_mut().zip(Color::ALL) {
            if name.is_empty() {
                (if color == user { "you" } else { "bitcade" }).clone_into(name);
            }
        }
        result.clone_into(&mut record.result);
        let colors = [self.game.to_move(), self.game.to_move().other()].into_iter().cycle();
        record.nodes.extend(moves.into_iter().zip(colors).map(|((mv, black_win_percent), color)| Node {
            action: Action::Move(color, mv),
            black_win_percent,
            ..Node::default()
        }));
        record
    }
}

/// Returns the name that SGF has for rules of area scoring.
fn rules_name(rules: Rules) -> &'static str {
    if rules.ko == Ko::Situational { "AGA" } else { "Chinese" }
}

/// Returns the date of today in UTC, as `DT` has it.
fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    date_of(seconds / 86_400)
}

/// Returns the date of a day, counted from 1970-01-01.
fn date_of(days: u64) -> String {
    // Years begin in March here, so that the odd day is their last.
    let day = days + 719_468;
    let (era, day_of_era) = (day / 146_097, day % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day_of_month = day_of_year - (153 * month + 2) / 5 + 1;
    let (year, month) = (400 * era + year_of_era, if month < 10 { month + 3 } else { month - 9 });
    format!("{:04}-{month:02}-{day_of_month:02}", year + u64::from(month <= 2))
}

const MAX_NUMBER: u32 = 1_000_000;

impl GameFile {
    /// Returns the file of this name, or one in the user's data folder.
    pub(crate) fn new(path: Option<&Path>, force: bool) -> Result<Self, Failure> {
        if let Some(path) = path {
            let file = OutputFile::check(path, Existing::forced(force))?;
            return Ok(Self::named(path, file, false));
        }
        let base = etcetera::choose_base_strategy().ok();
        Ok(base.map_or(Self::Missing, |base| Self::Numbered(base.data_dir().join("bitcade/games"))))
    }

    fn named(path: &Path, file: OutputFile, is_numbered: bool) -> Self {
        Self::Named(NamedFile { path: path.to_owned(), file, saved: String::new(), is_numbered })
    }

    /// Returns whether the file can be written more than once, and while a screen is shown.
    pub(crate) fn is_regular(&self) -> bool {
        match self {
            Self::Named(named) => named.file.is_regular(),
            Self::Numbered(_) => true,
            Self::Missing => false,
        }
    }

    /// Writes a game, unless it was saved as it is. Returns the path of the file, or `None` without a file.
    pub(crate) fn save(&mut self, record: &Record) -> Result<Option<&Path>, Failure> {
        if let Self::Numbered(folder) = self {
            let failed = |error: io::Error| Failure::Check(format!("{}: {error}", folder.display()));
            let path = next_free(folder).map_err(failed)?;
            let file = OutputFile::check(&path, Existing::Replace)?;
            *self = Self::named(&path, file, true);
        }
        let Self::Named(NamedFile { path, file, saved, .. }) = self else { return Ok(None) };
        let text = format!("{record}\n");
        if *saved != text {
            file.write(|sink| sink(text.as_bytes()))?;
            *saved = text;
        }
        Ok(Some(path))
    }

    /// Leaves the file as it is: another game is saved under the next number. A file that the user named is replaced.
    pub(crate) fn keep(&mut self) {
        if let Self::Named(NamedFile { path, is_numbered: true, .. }) = self
            && let Some(folder) = path.parent()
        {
            *self = Self::Numbered(folder.to_owned());
        }
    }
}

/// Creates an empty file with the first number that is free, so that no other game takes it.
fn next_free(folder: &Path) -> io::Result<PathBuf> {
    fs::create_dir_all(folder)?;
    for number in 1..MAX_NUMBER {
        let path = folder.join(format!("go-{number}.sgf"));
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(_) => return Ok(path),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use go_mc::Size;

    #[test]
    fn dates() {
        for (days, date) in [
            (0, "1970-01-01"),
            (58, "1970-02-28"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (20_783, "2026-11-26"),
            (47_540, "2100-02-28"),
            (47_541, "2100-03-01"),
        ] {
            assert_eq!(date_of(days), date);
        }
    }

    #[test]
    fn each_game_has_a_number_of_its_own() {
        let folder = tempfile::tempdir().expect("a folder");
        let games = folder.path().join("new/games");
        let mut record = Record::new(Size::new(5, 5).expect("a size"));
        let names: Vec<PathBuf> = (0..3)
            .map(|_| {
                let mut file = GameFile::Numbered(games.clone());
                let first = file.save(&record).expect("saved").map(Path::to_owned);
                record.result = "B+1".to_owned();
                assert_eq!(file.save(&record).expect("saved").map(Path::to_owned), first);
                first.expect("a file")
            })
            .collect();
        assert_eq!(names, [1, 2, 3].map(|number| games.join(format!("go-{number}.sgf"))));
        let text = fs::read_to_string(&names[0]).expect("a file");
        assert!(text.contains("RE[B+1]") && text.ends_with(")\n"), "{text}");
        // A game that was kept is not written again.
        let mut file = GameFile::Numbered(games.clone());
        file.save(&record).expect("saved");
        file.keep();
        assert_eq!(file.save(&record).expect("saved"), Some(games.join("go-5.sgf").as_path()));
        let mut file =
            GameFile::new(Some(&games.join("own.sgf")), false).unwrap_or_else(|_| panic!("a folder"));
        file.keep();
        assert_eq!(file.save(&record).expect("saved"), Some(games.join("own.sgf").as_path()));
        assert_eq!(GameFile::Missing.save(&record).expect("no file"), None);
    }
}
