//! Monte Carlo tree search for choosing a move: UCT with RAVE.
//!
//! One iteration, as in Gelly and Silver, "Monte-Carlo tree search and rapid action value estimation in
//! computer Go" (Artificial Intelligence 175, 2011):
//!
//! ```text
//! path = [root]                                    selection
//! while the game is not over after path:
//!     node = last of path
//!     if node is the root or was visited before:
//!         give node its children, with priors      expansion (once per node)
//!     if node has no children: stop
//!     path += the legal child of the highest ucb_value
//!     if its position repeats an earlier one (superko): mark it illegal and start again
//! for node in path: node.visits += k               virtual loss: k playouts, counted as lost for now
//! play k playouts from the end of path             evaluation (k = playouts_per_leaf)
//! for node in path, from the leaf to the root:     backpropagation
//!     node.wins += playouts won by the player who moved to node
//!     for child of node: child.amaf += playouts in which the player to move at node
//!                                      was the first of both to play on child's point
//! ```
//!
//! ```text
//! ucb_value = (1 - beta) q + beta q_amaf + c sqrt(log2(visits of the parent) / n)
//! q         = (wins + prior wins) / n,  n = visits + prior visits
//! beta      = a / (a + n + a n / e),    a = playouts in child.amaf
//! ```
//!
//! - Playouts: one heavy playout per leaf (captures and 3 x 3 patterns first), or a batch of uniformly random
//!   playouts, in vector lanes on 9 x 9 and 13 x 13.
//! - Priors: virtual playouts for captures, rescues, ataris, self-ataris, 3 x 3 patterns, the distance to the
//!   last move and empty areas.
//! - Memory: an arena of 32-byte nodes. Playing a move keeps the subtree below it.
//! - Threads share one tree of atomic nodes; virtual loss spreads them over different paths. With one thread,
//!   the same seed and budgets give the same moves on every machine; with several threads the result depends
//!   on timing.

mod arena;
mod heavy;
mod komi;
mod leaf_playouts;
mod pattern;
mod player;
mod prior;
mod search_board;
mod settings;
mod state;
mod sync;
mod tree;

use crate::board::{Board, Color, IllegalMove};
use crate::dead_stones::dead_stones;
use crate::error::Error;
use crate::game::{Game, Move};
use crate::points::Points;
pub use komi::MAX_KOMI;
pub(crate) use komi::is_komi;
pub use player::SearchPlayer;
pub use settings::{Candidate, Choice, PlayoutKind, Settings, Stop, Variation};
use std::vec::Vec;
use tree::Tree;

/// A search for the best move of a game on 5 x 5, 9 x 9, 13 x 13 or 19 x 19. It has no clock: its budget is a
/// number of playouts and a callback that can stop it.
///
/// Multi-stone suicide is considered if the rules allow it; single-stone suicide never is. Moves forbidden by
/// the ko rule are excluded, both at the root and in the tree.
///
/// ```
/// use go_mc::search::{Choice, Search, Settings};
/// use go_mc::{Game, Rules};
/// let game = Game::new(Rules { size: "5x5".parse().unwrap(), ..Rules::default() });
/// let mut search = Search::new(&game, &Settings::default())?;
/// search.run(10_000, &|| false);
/// assert_eq!(search.choose(), Choice::Move("C3".parse().unwrap()));
/// search.play("C3".parse().unwrap()).unwrap();
/// assert!(search.visits() > 1000, "the subtree below the move is kept");
/// # Ok::<(), go_mc::Error>(())
/// ```
pub struct Search {
    game: Game,
    komi: f64,
    settings: Settings,
    tree: Tree,
    /// The root visits carried over from earlier positions.
    kept_visits: u64,
}

/// The minimum visits of the best move, and minimum playouts from the position itself, for a search to
/// [resign](Search::choose).
pub const MIN_RESIGN_VISITS: u64 = 200;

/// The number of consecutive turns in which a search must [choose](Search::choose) to resign before an engine
/// resigns, because a single search can be wrong. Until then the engine plays [`Search::choose_move`].
pub const RESIGN_TURNS: usize = 3;

pub(crate) fn check_komi(komi: f64) -> Result<(), Error> {
    if is_komi(komi) { Ok(()) } else { Err(Error::KomiRange(komi)) }
}

impl Search {
    /// Creates a search from the position of a game, with the komi of its rules.
    ///
    /// # Errors
    ///
    /// [`Error`] if the board is not a square of 5, 9, 13 or 19, or the komi is not in -361..=361.
    pub fn new(game: &Game, settings: &Settings) -> Result<Self, Error> {
        Self::with_komi(game, game.rules().komi.into(), settings)
    }

    /// Like [`new`](Self::new) with another komi, which may be any number of points, as in protocols and
    /// records.
    ///
    /// # Errors
    ///
    /// As for [`new`](Self::new).
    pub fn with_komi(game: &Game, komi: f64, settings: &Settings) -> Result<Self, Error> {
        check_komi(komi)?;
        let tree = Tree::new(game, komi, settings).ok_or(Error::NoPlayouts(game.board().size()))?;
        Ok(Self { game: game.clone(), komi, settings: settings.clone(), tree, kept_visits: 0 })
    }

    /// Returns the game up to the searched position.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Plays `playouts` more playouts, or fewer if `stop` returns `true`. If no root move has visits yet, at
    /// least one iteration runs to give [`choose`](Self::choose) a move.
    pub fn run(&mut self, playouts: u64, stop: Stop) {
        self.tree.run(playouts, stop);
    }

    /// Plays a move in the game. The subtree below the move becomes the new tree.
    ///
    /// # Errors
    ///
    /// [`IllegalMove`] if the move is illegal; the search is then unchanged.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.game.play(mv)?;
        self.tree.advance(&self.game, mv);
        self.kept_visits = self.tree.visits();
        Ok(())
    }

    /// Returns the legal root moves with their statistics, most visits first; empty before the first run and
    /// after the end of the game.
    pub fn candidates(&self) -> Vec<Candidate> {
        self.tree.candidates(&self.game)
    }

    /// Returns the candidates with visits, or all candidates if none has any. Checking superko for each
    /// unvisited move would take as long as several playouts.
    fn tried_candidates(&self) -> Vec<Candidate> {
        let tried = self.tree.tried_candidates();
        if tried.is_empty() { self.candidates() } else { tried }
    }

    /// Returns the [candidates](Self::candidates), each with its prior and its PV (principal variation). Each
    /// one costs a walk down the tree.
    ///
    /// ```
    /// use go_mc::search::{Search, Settings};
    /// use go_mc::{Game, Rules};
    /// let game = Game::new(Rules { size: "5x5".parse().unwrap(), ..Rules::default() });
    /// let mut search = Search::new(&game, &Settings::default())?;
    /// search.run(10_000, &|| false);
    /// let variations = search.variations();
    /// assert_eq!(variations[0].candidate, search.candidates()[0]);
    /// assert_eq!(variations[0].pv, search.principal_variation());
    /// # Ok::<(), go_mc::Error>(())
    /// ```
    pub fn variations(&self) -> Vec<Variation> {
        self.tree.variations(&self.game)
    }

    /// Returns the principal variation: the most visited move of each node, starting at the root.
    pub fn principal_variation(&self) -> Vec<Move> {
        self.tree.principal_variation()
    }

    /// Returns the visits of the root: all playouts in the tree, including those kept from earlier positions.
    pub fn visits(&self) -> u64 {
        self.tree.visits()
    }

    /// Returns the number of nodes in use, at most [`Settings::max_nodes`].
    pub fn node_count(&self) -> usize {
        self.tree.node_count()
    }

    /// Returns how many of the [`Settings::threads`] the system could not start for the last
    /// [run](Self::run), which continued with the others.
    pub fn missing_threads(&self) -> usize {
        self.tree.missing_threads()
    }

    /// Returns the choice for this turn: resigns if the best move has at least [`MIN_RESIGN_VISITS`] and a
    /// win rate below [`Settings::resign_threshold`], otherwise plays [`choose_move`](Self::choose_move).
    /// Never resigns if a pass wins the game.
    pub fn choose(&self) -> Choice {
        self.choose_in(Pace::Calm)
    }

    pub(crate) fn choose_in(&self, pace: Pace) -> Choice {
        let is_lost = |best: &Candidate| {
            best.visits >= MIN_RESIGN_VISITS
                && self.visits() - self.kept_visits >= MIN_RESIGN_VISITS
                && best.win_rate < self.settings.resign_threshold
                && !self.wins_by_pass(best.win_rate, pace)
        };
        if self.tried_candidates().first().is_some_and(is_lost) {
            Choice::Resign
        } else {
            Choice::Move(self.choose_move_in(pace))
        }
    }

    /// Returns the move for this turn: the most visited one, with two exceptions.
    ///
    /// - A pass in answer to a pass, if ending the game now wins it.
    /// - The most visited stone instead of a pass, if the game would be lost when it ends there.
    ///
    /// Wins and losses are decided by area: of the current board under [`Settings::tromp_taylor`], otherwise
    /// without the stones that [playouts](dead_stones) consider dead.
    pub fn choose_move(&self) -> Move {
        self.choose_move_in(Pace::Calm)
    }

    pub(crate) fn choose_move_in(&self, pace: Pace) -> Move {
        let candidates = self.tried_candidates();
        let Some(best) = candidates.first() else { return Move::Pass };
        if self.wins_by_pass(best.win_rate, pace) {
            return Move::Pass;
        }
        let stone = candidates.iter().find(|candidate| candidate.mv != Move::Pass && candidate.visits > 0);
        match stone {
            Some(stone) if best.mv == Move::Pass && !self.wins_if_game_ends(best.win_rate, pace) => stone.mv,
            _ => best.mv,
        }
    }

    fn wins_by_pass(&self, win_rate: f64, pace: Pace) -> bool {
        self.game.passes() == 1 && self.wins_if_game_ends(win_rate, pace)
    }

    /// `win_rate` is the rate if the game continues.
    fn wins_if_game_ends(&self, win_rate: f64, pace: Pace) -> bool {
        let player = self.game.to_move();
        let wins = |score: f64| if player == Color::Black { score > 0.0 } else { score < 0.0 };
        let (board, tromp_taylor) = (self.game.board(), self.settings.tromp_taylor || pace == Pace::Hurry);
        // Dead stones are an estimate, trusted only if the current board or the tree agrees.
        wins(score(board, self.komi, tromp_taylor))
            && (tromp_taylor || win_rate >= 0.5 || wins(score(board, self.komi, true)))
    }
}

/// How much time a choice may take.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pace {
    /// Enough to find dead stones by playouts.
    Calm,
    /// None: all stones count as alive, and a pass is never wrong.
    Hurry,
}

const DEAD_STONE_PLAYOUTS: u32 = 1000;

/// Returns Black's area minus White's area minus `komi`, in points. With `tromp_taylor` all stones on the
/// board are alive; otherwise the stones that playouts consider dead are removed first. On boards without
/// playouts (other than 5, 9, 13 and 19) all stones are alive.
pub(crate) fn score(board: &Board, komi: f64, tromp_taylor: bool) -> f64 {
    let dead = if tromp_taylor { Ok(Points::EMPTY) } else { dead_stones(board, DEAD_STONE_PLAYOUTS, 1) };
    let [black, white] = board.without(dead.unwrap_or_default()).area();
    f64::from(black) - f64::from(white) - komi
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::{Rules, Size};

    #[test]
    fn a_search_goes_on_with_the_threads_that_start() {
        let game = Game::new(Rules { size: Size::square(5).unwrap(), ..Rules::default() });
        let settings = Settings { threads: 8, ..Settings::default() };
        for (limit, missing) in [(0, 7), (3, 4), (100, 0)] {
            let mut search = Search::new(&game, &settings).unwrap();
            testkit::thread_limit::with(limit, || search.run(500, &|| false));
            assert_eq!((search.missing_threads(), search.visits()), (missing, 500), "{limit} can start");
        }
    }

    /// In a hurry, no playouts find dead stones: the game continues until the current board wins.
    #[test]
    fn a_hurry_counts_the_stones_as_they_are() {
        let board: Board = ".X...\n.XXXX\n.X.XX\n.XXXX\nOX...".parse().unwrap();
        let mut game = Game::from_board(board, Color::White, Rules::default());
        game.play(Move::Pass).unwrap();
        let choices = |komi| {
            let mut search = Search::with_komi(&game, komi, &Settings::default()).unwrap();
            search.run(1000, &|| false);
            (search.choose_move(), search.choose_move_in(Pace::Hurry), search.choose_in(Pace::Hurry))
        };
        // Black leads by 19 points with the white stone on the board, and by 25 without it.
        let (calm, quick, chosen) = choices(20.0);
        assert_eq!((calm, chosen), (Move::Pass, Choice::Move(quick)));
        assert_ne!(quick, Move::Pass);
        assert_eq!(choices(18.0).1, Move::Pass);
    }
}
