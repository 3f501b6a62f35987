//! [`Search`]: a tree search that chooses a move.
//!
//! UCT with all moves as first (RAVE), the way of Gelly and Silver (Monte-Carlo tree search and rapid action value
//! estimation in computer Go, 2011). Each leaf is judged by a heavy playout, whose players answer captures and known
//! shapes, or by a batch of light ones, uniformly random, on 9 x 9 and 13 x 13 all of them at once in vector lanes. A
//! move that wasn't tried yet is as urgent as simple knowledge says: captures, rescues, ataris, `MoGo`'s shapes of 3 x
//! 3 points, the distance to the last move, empty quarters of the board.
//!
//! Threads share one tree: those that are under way count as lost for the others, so that they spread. With one thread the
//! same seed and the same budgets give the same moves on every machine; with several the order in which they come decides.

mod heavy;
mod pattern;
mod pool;
mod prior;
mod rollout;
mod settings;
mod state;
mod tree;
mod walker;

use crate::board::{Board, Color, IllegalMove};
use crate::dead_stones::dead_stones;
use crate::game::{Game, Move};
use crate::points::Points;
use crate::results::UnsupportedSize;
pub use settings::{Candidate, Choice, Settings, Stop, Style, Variation};
use std::vec::Vec;
use tree::Tree;

/// A search for the best move of a game, on boards of 5 x 5, 9 x 9, 13 x 13 and 19 x 19. It knows no clock: budgets are
/// playouts and whatever `stop` says.
///
/// Suicide of several stones is considered where the rules allow it, that of a single stone never. Moves that would repeat
/// a position are left out by the rules of the game, at the root and in the tree.
///
/// ```
/// use go_mc::search::{Choice, Settings};
/// use go_mc::{Game, Ko, Move, Rules, Search, Size, Suicide};
/// let rules = Rules { ko: Ko::Positional, suicide: Suicide::Forbidden };
/// let game = Game::new(Size::new(5, 5).unwrap(), rules);
/// let mut search = Search::new(&game, 7.5, &Settings::default())?;
/// search.run(10_000, &|| false);
/// assert_eq!(search.choose(), Choice::Move("C3".parse().unwrap()));
/// search.play("C3".parse().unwrap()).unwrap();
/// assert!(search.playouts() > 1000, "what was found out below the move is kept");
/// # Ok::<(), go_mc::UnsupportedSize>(())
/// ```
pub struct Search {
    game: Game,
    komi: f64,
    settings: Settings,
    tree: Tree,
}

impl Search {
    /// A search from a position of a game, in which White gets `komi` points.
    ///
    /// # Errors
    ///
    /// If the board isn't a square of 5, 9, 13 or 19.
    pub fn new(game: &Game, komi: f64, settings: &Settings) -> Result<Self, UnsupportedSize> {
        let size = game.board().size();
        let tree = Tree::of(game, komi, settings).ok_or(UnsupportedSize(size.width().max(size.height())))?;
        Ok(Self { game: game.clone(), komi, settings: settings.clone(), tree })
    }

    /// The game up to the position that is searched.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Plays so many more playouts, or until `stop` says so. Where no move was tried yet, one is in any case.
    pub fn run(&mut self, playouts: u64, stop: Stop) {
        self.tree.run(playouts, stop);
    }

    /// The game goes on with a move. What is known of the positions after it is kept.
    ///
    /// # Errors
    ///
    /// Every [`IllegalMove`]; the search is then as it was.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.game.play(mv)?;
        self.tree.advance(&self.game, mv);
        Ok(())
    }

    /// The moves with what is thought of them, those that were tried most first. Empty after the end of the game and
    /// before the first run.
    pub fn candidates(&self) -> Vec<Candidate> {
        self.tree.candidates()
    }

    /// The [candidates](Self::candidates), each with the moves that are expected after it: what an analysis shows. It
    /// costs a walk down the tree for each.
    ///
    /// ```
    /// use go_mc::search::Settings;
    /// use go_mc::{Game, Ko, Rules, Search, Size, Suicide};
    /// let rules = Rules { ko: Ko::Positional, suicide: Suicide::Forbidden };
    /// let game = Game::new(Size::new(5, 5).unwrap(), rules);
    /// let mut search = Search::new(&game, 7.5, &Settings::default())?;
    /// search.run(10_000, &|| false);
    /// let variations = search.variations();
    /// assert_eq!(variations[0].candidate, search.candidates()[0]);
    /// assert_eq!(variations[0].line, search.expected());
    /// # Ok::<(), go_mc::UnsupportedSize>(())
    /// ```
    pub fn variations(&self) -> Vec<Variation> {
        self.tree.variations()
    }

    /// The moves that it expects, from the best one on.
    pub fn expected(&self) -> Vec<Move> {
        self.tree.expected()
    }

    /// Playouts from this position that are known, those too of earlier searches.
    pub fn playouts(&self) -> u64 {
        self.tree.playouts()
    }

    /// Nodes in the tree: never more than [`Settings::nodes`].
    pub fn nodes(&self) -> usize {
        self.tree.nodes()
    }

    /// What to do in this turn: the move that was tried most, with these exceptions.
    ///
    /// - It passes after the opponent's pass if it wins the game thereby.
    /// - It doesn't pass if a pass of the opponent's could then end the game and it would be lost, as long as there is
    ///   another move.
    /// - It resigns below [`Settings::resign`].
    ///
    /// Wins are counted by area: of the board as it is, or, unless [`Settings::tromp_taylor`] says otherwise, without the
    /// stones that [playouts](dead_stones) find dead.
    pub fn choose(&self) -> Choice {
        let candidates = self.candidates();
        let Some(best) = candidates.first() else { return Choice::Move(Move::Pass) };
        if self.game.passes() == 1 && self.ends_well(best.value) {
            return Choice::Move(Move::Pass);
        }
        if best.value < self.settings.resign {
            return Choice::Resign;
        }
        let other = candidates.iter().find(|candidate| candidate.mv != Move::Pass && candidate.playouts > 0);
        match other {
            Some(other) if best.mv == Move::Pass && !self.ends_well(best.value) => Choice::Move(other.mv),
            _ => Choice::Move(best.mv),
        }
    }

    /// Whether the player to move wins if the game ends here; `value` is its chance if it goes on.
    fn ends_well(&self, value: f64) -> bool {
        let player = self.game.to_move();
        let wins = |score: f64| if player == Color::Black { score > 0.0 } else { score < 0.0 };
        let (board, tromp_taylor) = (self.game.board(), self.settings.tromp_taylor);
        // A verdict on dead stones is believed only if the board as it is or the whole tree says the same.
        wins(score(board, self.komi, tromp_taylor))
            && (tromp_taylor || value >= 0.5 || wins(score(board, self.komi, true)))
    }
}

/// Playouts that tell which stones are dead.
const JUDGES: u32 = 1000;

/// Black's area less White's and less `komi`: of the board as it is, or, unless by Tromp-Taylor, without the stones that
/// playouts find dead. Playouts exist for boards of 5, 9, 13 and 19; on any other all stones are alive.
///
/// ```
/// let board: go_mc::Board = ".X.\n.XO\n.X.".parse().unwrap();
/// assert_eq!(go_mc::search::score(&board, 7.5, true), 5.0 - 7.5);
/// ```
pub fn score(board: &Board, komi: f64, tromp_taylor: bool) -> f64 {
    let dead = if tromp_taylor { Ok(Points::EMPTY) } else { dead_stones(board, JUDGES, 1) };
    let [black, white] = board.without(dead.unwrap_or_default()).area();
    f64::from(black) - f64::from(white) - komi
}
