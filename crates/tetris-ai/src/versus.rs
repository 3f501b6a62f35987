//! [`Match`]: two players against each other.

use bitcore::Rng;
use tetris::garbage::{Attack, GarbageTiming};
use tetris::{Game, GameError, LockResult, Move, Rules};

/// Two guideline games with the same pieces, a turn of each at a time; what one sends the other receives.
///
/// In a turn both lock a piece. Lines sent first cancel what waits to enter one's own field; the rest goes to the
/// opponent, all of a turn's lines with their hole in one random column, and enters after the opponent's next lock.
/// Both see five pieces ahead and may hold.
///
/// ```
/// use tetris_ai::versus::{Match, Verdict};
/// let mut game = Match::new(1);
/// while game.verdict(50).is_none() {
///     // The lowest place against the first.
///     let lowest = game.sides()[0].legal_moves().into_iter().min_by_key(|turn| turn.placement.at.y).unwrap();
///     let first = game.sides()[1].legal_moves()[0];
///     game.turn([lowest, first])?;
/// }
/// assert_eq!(game.verdict(50), Some(Verdict::Wins(0)));
/// # Ok::<(), tetris_ai::versus::IllegalMove>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    sides: [Game; 2],
    /// Equal, so that the pieces are.
    pieces: [Rng; 2],
    columns: Rng,
    turns: u64,
    attack: [u64; 2],
}

/// How a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// That side, 0 or 1.
    Wins(usize),
    /// Neither.
    Draw,
}

/// A turn that one side can't make. Nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("side {side}: {error}")]
pub struct IllegalMove {
    /// Whose turn, 0 or 1.
    pub side: usize,
    /// What is wrong.
    pub error: GameError,
}

impl Match {
    /// The rules of both sides.
    pub fn rules() -> Rules {
        Rules { garbage_timing: GarbageTiming::AfterEveryLock, ..Rules::default() }
    }

    /// A match of that seed: pieces and columns of garbage are fixed by it.
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

    /// Both games.
    pub fn sides(&self) -> &[Game; 2] {
        &self.sides
    }

    /// Turns played: pieces locked on each side.
    pub fn turns(&self) -> u64 {
        self.turns
    }

    /// Lines of attack that each side has made, canceled ones included.
    pub fn attack(&self) -> [u64; 2] {
        self.attack
    }

    /// Plays a turn of both.
    ///
    /// # Errors
    ///
    /// [`IllegalMove`], of the first side that has one, also if the match is over.
    pub fn turn(&mut self, turns: [Move; 2]) -> Result<[LockResult; 2], IllegalMove> {
        let illegal = |side| move |error| IllegalMove { side, error };
        let (mut sides, mut pieces) = (self.sides.clone(), self.pieces.clone());
        let outcomes = [
            sides[0].step(turns[0], &mut pieces[0]).map_err(illegal(0))?,
            sides[1].step(turns[1], &mut pieces[1]).map_err(illegal(1))?,
        ];
        (self.sides, self.pieces) = (sides, pieces);
        self.turns += 1;
        for (side, outcome) in outcomes.iter().enumerate() {
            self.attack[side] += u64::from(outcome.attack);
            let attack = Attack { lines: outcome.sent, column: self.columns.below(10) as u8 };
            // A game that is over needs no garbage.
            let _ = self.sides[1 - side].receive(attack);
        }
        Ok(outcomes)
    }

    /// Who has won, if the match is over: at the latest after `turns` of them. Who alone is left wins; else, both left or
    /// both gone in the same turn, who has made more attack; else it is a draw.
    pub fn verdict(&self, turns: u64) -> Option<Verdict> {
        let left = self.sides.each_ref().map(|side| side.over().is_none());
        match left {
            [true, false] => return Some(Verdict::Wins(0)),
            [false, true] => return Some(Verdict::Wins(1)),
            [true, true] if self.turns < turns => return None,
            _ => {}
        }
        Some(match self.attack[0].cmp(&self.attack[1]) {
            std::cmp::Ordering::Greater => Verdict::Wins(0),
            std::cmp::Ordering::Less => Verdict::Wins(1),
            std::cmp::Ordering::Equal => Verdict::Draw,
        })
    }
}

/// The 95 % interval of a share, by E. B. Wilson's score (1927): of `games` that were won `wins` times.
///
/// ```
/// let (low, high) = tetris_ai::versus::wilson(6, 10);
/// assert!((low - 0.3127).abs() < 1e-4 && (high - 0.8318).abs() < 1e-4);
/// ```
pub fn wilson(wins: u64, games: u64) -> (f64, f64) {
    if games == 0 {
        return (0.0, 1.0);
    }
    let (n, share, z) = (games as f64, wins as f64 / games as f64, 1.959_964f64);
    let middle = share + z * z / (2.0 * n);
    let spread = z * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z * z / n;
    ((middle - spread) / scale, (middle + spread) / scale)
}
