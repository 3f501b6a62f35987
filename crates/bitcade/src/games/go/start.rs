//! [`Start`]: a game's initial position and record.

use crate::io::input::read_bytes;
use crate::io::output::{Failure, printable, remark};
use go_mc::gtp::Options;
use go_mc::search::MAX_KOMI;
use go_mc::sgf::{Action, Node, Property, Reading, Record};
use go_mc::{Color, Game, Move, RuleSet};
use std::fmt::Display;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// The initial position: an empty board, or the end of another record.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    /// The record to which the game's moves are added.
    record: Record,
    game: Game,
    /// Whether the record's game is finished and was not resumed.
    is_finished: bool,
}

impl Start {
    /// `None` for an unsupported size.
    pub(crate) fn empty(options: &Options) -> Option<Self> {
        let mut record = Record::new(options.rules.size);
        record.komi = Some(options.komi);
        let game = record.new_game(options.rules);
        let root = record.nodes.first_mut()?;
        let properties =
            [("AP", format!("bitcade:{}", env!("CARGO_PKG_VERSION"))), ("DT", today())].into_iter();
        // Rules with the simple ko have no name.
        let rules = RuleSet::of(options.rules).map(|set| ("RU", set.to_string()));
        let property =
            |(name, value): (&str, String)| Property { name: name.to_owned(), values: vec![value] };
        root.properties = properties.chain(rules).map(property).collect();
        Some(Self { record, game, is_finished: false })
    }

    /// Reads a record, reports what it can't read, and sets the size, komi and rules of the game.
    pub(crate) fn load(path: &Path, options: &mut Options) -> Result<Self, Failure> {
        let (name, bytes) = read_bytes(Some(path.to_owned()))?;
        let failure = |error: &dyn Display| Failure::Input(format!("{name}: {error}"));
        let reading = Record::from_bytes(&bytes).map_err(|error| failure(&error))?;
        let Reading { mut record, remarks } = reading;
        for found in remarks {
            remark(format_args!("{name}: {found}"));
        }
        if !record.variations.is_empty() {
            remark(format_args!("{name}: the main line is played; variations are kept"));
        }
        let side = record.size.width();
        let height = record.size.height();
        if side != height || ![5, 9, 13, 19].contains(&side) {
            return Err(failure(&format_args!(
                "a board of {side} x {height}: expected a side of 5, 9, 13 or 19"
            )));
        }
        options.rules.size = record.size;
        let komi = record.komi.filter(|komi| komi.abs() <= MAX_KOMI.into());
        if komi.is_none() && record.komi.is_some() {
            remark(format_args!("{name}: the komi is out of range: {} is used", options.komi));
        }
        options.komi = komi.unwrap_or(options.komi);
        record.komi = record.komi.or(Some(options.komi));
        if let Some(set) = record.rule_set() {
            options.rules = set.applied_to(options.rules);
        } else if let Some(rules) = record.other_rules() {
            remark(format_args!("{name}: RU[{rules}]: not played; the score is the area"));
        }
        let mut game = record.new_game(options.rules);
        for node in &record.nodes {
            node.play(&mut game);
        }
        let is_finished = game.is_over() || is_result(&record.result);
        Ok(Self { record, game, is_finished })
    }

    /// Returns whether the record's game is finished: the last position is shown until the user
    /// plays on.
    pub(crate) fn is_finished(&self) -> bool {
        self.is_finished
    }

    /// Returns the result of a finished record, if it has one.
    pub(crate) fn result(&self) -> Option<String> {
        (self.is_finished && is_result(&self.record.result))
            .then(|| printable(self.record.result.trim()))
    }

    /// Returns the same position in a game that goes on.
    pub(crate) fn resumed(&self) -> Self {
        let mut start = Self { is_finished: false, ..self.clone() };
        if start.game.is_over() {
            start.give_turn(start.game.to_move());
        }
        start
    }

    /// Returns the position before the last move of a player in the record, and that move.
    pub(crate) fn before_last_move_of(&self, user: Color) -> Option<(Self, Move)> {
        let is_users = |node: &Node| matches!(node.action, Action::Move(color, _) if color == user);
        let at = self.record.nodes.iter().rposition(is_users)?;
        let Action::Move(_, mv) = self.record.nodes[at].action else { return None };
        let mut record = self.record.clone();
        record.truncate(at);
        record.result.clear();
        let mut game = record.new_game(self.game.rules());
        for node in &record.nodes {
            node.play(&mut game);
        }
        let mut start = Self { record, game, is_finished: false };
        if start.game.to_move() != user || start.game.is_over() {
            start.give_turn(user);
        }
        Some((start, mv))
    }

    fn give_turn(&mut self, color: Color) {
        let node = Node { to_move: Some(color), ..Node::default() };
        node.play(&mut self.game);
        self.record.nodes.push(node);
    }

    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    /// Returns the points that White gets for a handicap, besides the komi.
    pub(crate) fn handicap_bonus(&self) -> u32 {
        self.record.handicap_bonus()
    }

    pub(crate) fn record(&self) -> &Record {
        &self.record
    }

    /// Returns the record of the game after these moves, with Black's win rate in percent after
    /// each, if known.
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
        let length = record.nodes.len();
        let colors = [self.game.to_move(), self.game.to_move().other()].into_iter().cycle();
        record.nodes.extend(moves.into_iter().zip(colors).map(
            |((mv, black_win_percent), color)| Node {
                action: Action::Move(color, mv),
                black_win_percent,
                ..Node::default()
            },
        ));
        // The record's own result is valid until a move is played.
        if record.nodes.len() > length || !result.is_empty() {
            result.clone_into(&mut record.result);
        }
        record
    }
}

/// Returns whether a result ends a game: `?` is unknown, and `Void` is none.
fn is_result(result: &str) -> bool {
    !["", "?", "void"].contains(&result.trim().to_ascii_lowercase().as_str())
}

/// Returns today's date in UTC, in the format of `DT`.
fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    date_of(seconds / 86_400)
}

/// Returns the date of a day counted from 1970-01-01.
fn date_of(days: u64) -> String {
    // Years begin in March here, which makes the leap day the last of the year.
    let day = days + 719_468;
    let era = day / 146_097;
    let day_of_era = day % 146_097;
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day_of_month = day_of_year - (153 * month + 2) / 5 + 1;
    let year = 400 * era + year_of_era;
    let month = if month < 10 { month + 3 } else { month - 9 };
    format!("{:04}-{month:02}-{day_of_month:02}", year + u64::from(month <= 2))
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
