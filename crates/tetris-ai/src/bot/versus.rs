//! Versus games: two players who send each other garbage.

use bitcore::Rng;
use std::cmp::Ordering;
pub use tetris::real_time::VersusResult;
use tetris::{Attack, Game, GameError, GarbageTiming, LockResult, Move, Rules};

/// A versus game: two guideline games that receive the same pieces and send each other garbage.
///
/// In each turn both players lock a piece. A player's attack first cancels their own pending
/// garbage; the rest is sent to the opponent and enters the opponent's board after the next lock.
/// All garbage rows of one turn share a random hole column. Both players have five preview pieces
/// and hold.
///
/// ```
/// use tetris_ai::bot::versus::{VersusGame, VersusResult};
/// let mut game = VersusGame::new(1);
/// while game.result(50).is_none() {
///     // Side 0 plays the lowest placement, side 1 the first legal one.
///     let [left, right] = game.sides();
///     let lowest = left.legal_moves().into_iter().min_by_key(|mv| mv.placement.at.y).unwrap();
///     let first = right.legal_moves()[0];
///     game.play([lowest, first])?;
/// }
/// assert_eq!(game.result(50), Some(VersusResult::Wins(0)));
/// # Ok::<(), tetris_ai::bot::versus::IllegalMove>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersusGame {
    sides: [Game; 2],
    /// One generator per side, seeded equally to deal both sides the same pieces.
    pieces: [Rng; 2],
    columns: Rng,
    turns: u64,
    attack: [u64; 2],
}

/// The error of an illegal move. The game is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("side {side}: {error}")]
#[non_exhaustive]
pub struct IllegalMove {
    /// The side that made the move, 0 or 1.
    pub side: usize,
    /// The error reported by that side's game.
    pub error: GameError,
}

impl VersusGame {
    /// Returns the rules for both sides.
    pub fn rules() -> Rules {
        Rules { garbage_timing: GarbageTiming::AfterEveryLock, ..Rules::default() }
    }

    /// Creates a game. The seed determines the pieces and the columns of the garbage holes.
    pub fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let first = Game::new(Self::rules(), &mut rng);
        Self {
            sides: [first.clone(), first],
            pieces: [rng.clone(), rng],
            columns: Rng::stream(seed, 1),
            turns: 0,
            attack: [0; 2],
        }
    }

    /// Returns both games.
    pub fn sides(&self) -> &[Game; 2] {
        &self.sides
    }

    /// Returns the number of turns played, which is the number of pieces locked on each side.
    pub fn turns(&self) -> u64 {
        self.turns
    }

    /// Returns the lines of attack made by each side, including canceled lines.
    pub fn attack(&self) -> [u64; 2] {
        self.attack
    }

    /// Plays one turn, a move for each side, and returns the result of each lock.
    ///
    /// # Errors
    ///
    /// [`IllegalMove`] for the first side whose move is illegal or whose game is over.
    pub fn play(&mut self, moves: [Move; 2]) -> Result<[LockResult; 2], IllegalMove> {
        let illegal = |side| move |error| IllegalMove { side, error };
        let mut sides = self.sides.clone();
        let mut pieces = self.pieces.clone();
        let results = [
            sides[0].play(moves[0], &mut pieces[0]).map_err(illegal(0))?,
            sides[1].play(moves[1], &mut pieces[1]).map_err(illegal(1))?,
        ];
        (self.sides, self.pieces) = (sides, pieces);
        self.turns += 1;
        for (side, result) in results.iter().enumerate() {
            self.attack[side] += u64::from(result.attack);
            let attack = Attack { lines: result.sent, column: self.columns.below(10) as u8 };
            // A finished game refuses garbage.
            let _ = self.sides[1 - side].receive(attack);
        }
        Ok(results)
    }

    /// Returns the result, or `None` while the game is not over. The game ends when a side tops out
    /// or after `turns` turns. If exactly one side topped out, the other side wins; otherwise the
    /// side with more attack wins, and equal attack is a draw.
    pub fn result(&self, turns: u64) -> Option<VersusResult> {
        let left = self.sides.each_ref().map(|side| !side.is_over());
        if left == [true, true] && self.turns < turns {
            return None;
        }
        let rank = |side: usize| (left[side], self.attack[side]);
        Some(match rank(0).cmp(&rank(1)) {
            Ordering::Greater => VersusResult::Wins(0),
            Ordering::Less => VersusResult::Wins(1),
            Ordering::Equal => VersusResult::Draw,
        })
    }
}

/// Returns the 95 % confidence interval of the win rate after `wins` wins in `games` games, as E.
/// B. Wilson's score interval (1927).
///
/// ```
/// let (low, high) = tetris_ai::bot::versus::wilson_interval(6, 10);
/// assert!((low - 0.3127).abs() < 1e-4 && (high - 0.8318).abs() < 1e-4);
/// ```
///
/// # Panics
///
/// If there are more wins than games.
pub fn wilson_interval(wins: u64, games: u64) -> (f64, f64) {
    assert!(wins <= games, "{wins} wins in {games} games");
    if games == 0 {
        return (0.0, 1.0);
    }
    let n = games as f64;
    let share = wins as f64 / games as f64;
    let z = 1.959_964f64;
    let middle = share + z * z / (2.0 * n);
    let spread = z * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z * z / n;
    ((middle - spread) / scale, (middle + spread) / scale)
}
