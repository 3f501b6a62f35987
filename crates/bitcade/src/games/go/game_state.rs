//! [`GameState`]: a user's game against the engine: its moves and its end.

use super::start::Start;
use go_mc::sgf::Record;
use go_mc::{Color, Game, IllegalMove, Move, Point};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Played {
    pub(crate) mv: Move,
    /// Black's win rate before the next move, if the engine has reported it.
    pub(crate) black: Option<f64>,
}

#[derive(Clone)]
pub(crate) struct GameState {
    start: Start,
    pub(crate) user: Color,
    game: Game,
    moves: Vec<Played>,
    /// The stones captured by each color, Black first.
    captures: [u32; 2],
    /// The result of a finished game, such as `B+3.5`.
    result: Option<String>,
}

impl GameState {
    pub(crate) fn new(start: Start, user: Color) -> Self {
        let game = start.game().clone();
        let result = start.result();
        Self { start, user, game, moves: Vec::new(), captures: [0; 2], result }
    }

    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    pub(crate) fn handicap_bonus(&self) -> u32 {
        self.start.handicap_bonus()
    }

    pub(crate) fn played(&self) -> &[Played] {
        &self.moves
    }

    pub(crate) fn moves(&self) -> Vec<Move> {
        self.moves.iter().map(|played| played.mv).collect()
    }

    pub(crate) fn captures(&self, color: Color) -> u32 {
        self.captures[color as usize]
    }

    pub(crate) fn result(&self) -> Option<&str> {
        self.result.as_deref()
    }

    /// Returns whether no move can be played: after a resignation or two passes.
    pub(crate) fn is_over(&self) -> bool {
        self.result.is_some() || self.game.is_over()
    }

    pub(crate) fn is_users_turn(&self) -> bool {
        !self.is_over() && self.game.to_move() == self.user
    }

    pub(crate) fn last_point(&self) -> Option<Point> {
        match self.moves.last()?.mv {
            Move::Play(point) => Some(point),
            Move::Pass => None,
        }
    }

    pub(crate) fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let color = self.game.to_move();
        let others = |game: &Game| game.board().stones(color.other()).len();
        let before = others(&self.game);
        self.game.play(mv)?;
        self.captures[color as usize] += before - others(&self.game);
        self.moves.push(Played { mv, black: None });
        Ok(())
    }

    pub(crate) fn start(&self) -> &Start {
        &self.start
    }

    /// Returns whether the position is the last one of a finished record.
    pub(crate) fn ends_record(&self) -> bool {
        self.start.is_finished() && self.moves.is_empty()
    }

    /// Starts another game from the same position, also from the end of a finished record.
    pub(crate) fn restart(&mut self) {
        *self = Self::new(self.start.resumed(), self.user);
    }

    /// Undoes the user's last move, also one of the record, the answer to it, and the end of the
    /// game. Returns the user's move, if any.
    pub(crate) fn undo(&mut self) -> Option<Move> {
        let own = |at: &usize| at.is_multiple_of(2) == (self.user == self.start.game().to_move());
        let Some(kept) = (0..self.moves.len()).rev().find(own) else {
            let (start, undone) = self.start.before_last_move_of(self.user)?;
            *self = Self::new(start, self.user);
            return Some(undone);
        };
        let mut before = Self::new(self.start.clone(), self.user);
        for played in &self.moves[..kept] {
            // The moves were legal before.
            let _ = before.play(played.mv);
            before.set_chance(played.black);
        }
        let undone = self.moves[kept].mv;
        *self = before;
        Some(undone)
    }

    pub(crate) fn end(&mut self, result: String) {
        self.result = Some(result);
    }

    pub(crate) fn set_chance(&mut self, black: Option<f64>) {
        if let Some(last) = self.moves.last_mut() {
            last.black = black;
        }
    }

    pub(crate) fn record(&self) -> Record {
        // Playouts are no more precise than a tenth of a percent.
        let percent = |black: f64| (1000.0 * black).round() / 10.0;
        let moves = self.moves.iter().map(|played| (played.mv, played.black.map(percent)));
        self.start.record_after(self.user, moves, self.result().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use go_mc::gtp::Options;

    fn played(user: Color, vertices: &str) -> GameState {
        let rules = go_mc::Size::square(5).expect("a size").into();
        let options = Options { rules, ..Options::default() };
        let mut state = GameState::new(Start::empty(&options).expect("a size"), user);
        for vertex in vertices.split(' ') {
            state.play(vertex.parse().expect("a vertex")).expect("a legal move");
            state.set_chance(Some(0.25));
        }
        state
    }

    #[test]
    fn what_is_taken_back_was_never_played() {
        for (vertices, undone, kept) in [
            ("A2 A1 C3 E5 B1", "B1", "A2 A1 C3 E5"),
            ("A2 A1 C3 E5 B1 E4 D4 D5", "D4", "A2 A1 C3 E5 B1 E4"),
            ("A2 A1 pass pass", "pass", "A2 A1"),
        ] {
            let mut state = played(Color::Black, vertices);
            state.end("W+1".to_owned());
            assert!(state.is_over() && !state.is_users_turn());
            assert_eq!(state.undo(), Some(undone.parse().expect("a move")));
            let expected = played(Color::Black, kept);
            assert_eq!(state.game(), expected.game());
            assert_eq!(state.result(), None);
            assert_eq!(state.captures, expected.captures);
            assert_eq!(state.record(), expected.record());
        }
        assert_eq!(played(Color::Black, "A2 A1 C3 E5 B1").captures, [1, 0]);
        assert_eq!(played(Color::White, "A2").undo(), None);
    }
}
