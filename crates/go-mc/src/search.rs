//! Monte Carlo tree search for choosing a move: UCT with RAVE.
//!
//! One iteration, as in Gelly and Silver, "Monte-Carlo tree search and rapid action value
//! estimation in computer Go" (Artificial Intelligence 175, 2011):
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
//!     node.score = mean score of all playouts through node, for that player (steers nothing)
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
//! - Playouts: one heavy playout per leaf (captures and 3 x 3 patterns first), or a batch of
//!   uniformly random playouts, in vector lanes on 9 x 9 and 13 x 13.
//! - Priors: virtual playouts, the more, the likelier a [log-linear model](Prior) of patterns,
//!   tactics, places and distances calls the move.
//! - Memory: an arena of 32-byte nodes. Playing a move keeps the subtree below it.
//! - Threads share one tree of atomic nodes; virtual loss spreads them over different paths. With
//!   one thread, the same seed and budgets give the same moves on every machine; with several
//!   threads the result depends on timing.
//!
//! # Whose numbers
//!
//! | for | number |
//! |---|---|
//! | the color that the caller names | [`Search::win_rate`], [`Search::expected_score`] |
//! | the player to move in the searched position | [`Candidate`] (win rate, score), [`Settings::resign_threshold`]; `winrate` and `scoreLead` of GTP |
//! | Black | [`Ownership`], [`Score`](crate::Score), the win rates in game records |
//!
//! A win rate goes from 0 to 1 and counts a draw as half a win; a score is in points after komi,
//! positive for the player who is ahead.
//!
//! # Passing
//!
//! Two passes begin the counting, so a first pass is often a courtesy or a slip, and an answer to
//! it must not end an open game. A point is *open* if [playouts](crate::is_open) don't settle its
//! owner: in a region that touches both colors once the dead stones are removed, in an empty half
//! of the board, or at a chain that may live or die. When a pass may end the game, by the way it is
//! counted:
//!
//! | counted by | a pass is answered by a pass | the tree's best move is a pass: played |
//! |---|---|---|
//! | agreement on the dead stones (`kgs-rules chinese`, `new_zealand` and every other set) | if no point is open, and it wins or the tree expects to lose as well | if no point is open, or if it wins and no open region has more than three points |
//! | Tromp-Taylor ([`Settings::tromp_taylor`]), where all stones count as alive | if it wins, open or not; or as above | likewise |
//! | `kgs-genmove_cleanup`, after players disagreed | if no point is open | if no point is open |
//!
//! In the last two rows, dead stones of the opponent are open, too, because they have to be
//! captured. Instead of a pass the most visited stone on or beside an open point is played. The
//! tree doesn't count a pass before its root, so that all its moves are compared as if the game
//! went on.
//!
//! With an empty clock about a hundred playouts tell what is open, and all stones count as alive.

mod arena;
mod features;
mod heavy;
mod leaf_playouts;
mod net;
mod pattern;
mod player;
mod prior;
mod prior_learner;
mod search_board;
mod settings;
mod state;
mod sync;
mod tree;

#[cfg(feature = "gtp")]
use crate::playout::dead_stones::dead_stones;
use crate::playout::openness::{Standing, has_open_region};
use crate::playout::ownership::Ownership;
use crate::rules::board::{Board, Color, IllegalMove};
use crate::rules::error::Error;
use crate::rules::game::{Game, Move};
pub use crate::rules::komi_range::MAX_KOMI;
pub(crate) use crate::rules::komi_range::is_komi;
use crate::rules::points::Points;
use bitcade_core::{Stop, Stopped};
pub use net::{Net, NetLearner};
pub use player::SearchPlayer;
pub use prior::{ParsePriorError, Prior};
pub use prior_learner::{PriorFit, PriorLearner};
pub use settings::{Candidate, Choice, PlayoutKind, Settings, Variation};
use std::vec::Vec;
use tree::Tree;

/// A search for the best move of a game on 5 x 5, 9 x 9, 13 x 13 or 19 x 19. It has no clock: its
/// budget is a number of playouts and a callback that can stop it.
///
/// Multi-stone suicide is considered if the rules allow it; single-stone suicide never is. Moves
/// forbidden by the ko rule are excluded, both at the root and in the tree.
///
/// ```
/// use go_mc::search::{Choice, Search, Settings};
/// use go_mc::{Game, Rules};
/// let game = Game::new(Rules { size: "5x5".parse().unwrap(), ..Rules::default() });
/// let mut search = Search::new(&game, &Settings::default())?;
/// search.run(10_000);
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

/// The minimum visits of the best move, and minimum playouts from the position itself, for a search
/// to [resign](Search::choose).
pub const MIN_RESIGN_VISITS: u64 = 200;

/// The number of consecutive turns in which a search must [choose](Search::choose) to resign before
/// an engine resigns, because a single search can be wrong. Until then the engine plays
/// [`Search::choose_move`].
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

    /// Like [`new`](Self::new) with another komi, which may be any number of points, as in
    /// protocols and records.
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

    #[cfg(feature = "gtp")]
    pub(crate) fn has_komi(&self, komi: f64) -> bool {
        self.komi.to_bits() == komi.to_bits()
    }

    /// Plays `playouts` more playouts. If no root move has visits yet, at least one iteration runs
    /// to give [`choose`](Self::choose) a move.
    #[allow(clippy::missing_panics_doc, reason = "only `stop` ends it early")]
    pub fn run(&mut self, playouts: u64) {
        self.run_until(playouts, &|| false).expect("nothing stops it");
    }

    /// Does the same, unless `stop` ends it.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if `stop` returned `true`. The playouts until then count; the next call goes on
    /// from there.
    pub fn run_until(&mut self, playouts: u64, stop: Stop<'_>) -> Result<(), Stopped> {
        self.tree.run(playouts, stop)
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

    /// Returns the legal root moves with their statistics, most visits first; empty before the
    /// first run and after the end of the game.
    pub fn candidates(&self) -> Vec<Candidate> {
        self.tree.candidates(&self.game)
    }

    /// Returns the candidates with visits, or all candidates if none has any. Checking superko for
    /// each unvisited move would take as long as several playouts.
    fn tried_candidates(&self) -> Vec<Candidate> {
        let tried = self.tree.tried_candidates();
        if tried.is_empty() { self.candidates() } else { tried }
    }

    /// Returns the [candidates](Self::candidates), each with its prior and its PV (principal
    /// variation). Each one costs a walk down the tree.
    ///
    /// ```
    /// use go_mc::search::{Search, Settings};
    /// use go_mc::{Game, Rules};
    /// let game = Game::new(Rules { size: "5x5".parse().unwrap(), ..Rules::default() });
    /// let mut search = Search::new(&game, &Settings::default())?;
    /// search.run(10_000);
    /// let variations = search.variations();
    /// assert_eq!(variations[0].candidate, search.candidates()[0]);
    /// assert_eq!(variations[0].pv, search.principal_variation());
    /// # Ok::<(), go_mc::Error>(())
    /// ```
    pub fn variations(&self) -> Vec<Variation> {
        self.tree.variations(&self.game)
    }

    /// Returns the win rate of `color`, from 0 to 1: the share of the playouts that it won of those
    /// that began with the most visited move. `None` before the first run and after the end of the
    /// game.
    ///
    /// ```
    /// use go_mc::search::{Search, Settings};
    /// use go_mc::{Color, Game, Rules};
    /// let game = Game::new(Rules { size: "5x5".parse().unwrap(), ..Rules::default() });
    /// let mut search = Search::new(&game, &Settings::default())?;
    /// assert_eq!(search.win_rate(Color::Black), None);
    /// search.run(10_000);
    /// // With good play Black owns the whole board; playouts are less sure.
    /// assert!(search.win_rate(Color::Black) > Some(0.6) && search.win_rate(Color::White) < Some(0.4));
    /// assert!(search.expected_score(Color::Black) > Some(0.0));
    /// # Ok::<(), go_mc::Error>(())
    /// ```
    pub fn win_rate(&self, color: Color) -> Option<f64> {
        let win_rate = self.best_candidate()?.win_rate;
        Some(if color == self.game.to_move() { win_rate } else { 1.0 - win_rate })
    }

    /// Returns the mean score of the playouts that began with the most visited move, in points
    /// after komi, positive if `color` is ahead. The search itself counts only wins: a player who
    /// leads plays safely, not for points. `None` before the first run and after the end of the
    /// game.
    pub fn expected_score(&self, color: Color) -> Option<f64> {
        let score = self.best_candidate()?.score;
        Some(if color == self.game.to_move() { score } else { -score })
    }

    fn best_candidate(&self) -> Option<Candidate> {
        self.tree.tried_candidates().into_iter().next()
    }

    /// Returns the principal variation: the most visited move of each node, starting at the root.
    pub fn principal_variation(&self) -> Vec<Move> {
        self.tree.principal_variation()
    }

    /// Returns the visits of the root: all playouts in the tree, including those kept from earlier
    /// positions.
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

    /// Returns the choice for this turn: resigns if the best move has at least
    /// [`MIN_RESIGN_VISITS`], and the move to be played a win rate below
    /// [`Settings::resign_threshold`]; otherwise plays [`choose_move`](Self::choose_move). Never
    /// resigns where a pass wins the game.
    pub fn choose(&self) -> Choice {
        let Decision { mv, is_hopeless } = self.decide(Pace::Calm, Ending::of(&self.settings));
        if is_hopeless { Choice::Resign } else { Choice::Move(mv) }
    }

    /// Returns the move for this turn: the most visited one, unless it is a pass or answers a pass;
    /// then a pass or a stone, as described under [Passing](self#passing).
    pub fn choose_move(&self) -> Move {
        self.decide(Pace::Calm, Ending::of(&self.settings)).mv
    }

    pub(crate) fn decide(&self, pace: Pace, ending: Ending) -> Decision {
        let tried = self.tried_candidates();
        let Some(&best) = tried.first() else {
            return Decision { mv: Move::Pass, is_hopeless: false };
        };
        let Verdict { mv, wins } = self.verdict(&tried, best, pace, ending);
        let is_known = |candidate: &Candidate| candidate.visits >= MIN_RESIGN_VISITS;
        // Few playouts with a move say less about it than many with the best one.
        let played = tried.iter().find(|candidate| candidate.mv == mv && is_known(candidate));
        let played = played.unwrap_or(&best);
        let is_hopeless = is_known(played)
            && self.visits() - self.kept_visits >= MIN_RESIGN_VISITS
            && played.win_rate < self.settings.resign_threshold
            && !wins;
        Decision { mv, is_hopeless }
    }

    /// Decides by the table of the section [Passing](self#passing).
    fn verdict(&self, tried: &[Candidate], best: Candidate, pace: Pace, ending: Ending) -> Verdict {
        let board = self.game.board();
        let answers = self.game.passes() == 1;
        let expected = Verdict { mv: best.mv, wins: false };
        let passes = best.mv == Move::Pass;
        if !passes && !answers && ending != Ending::Cleanup {
            return expected;
        }
        let wins_as_is = self.is_won(board);
        if ending == Ending::TrompTaylor && wins_as_is {
            return Verdict { mv: Move::Pass, wins: answers };
        }
        let Ok(ownership) = Ownership::estimate(board, pace.playouts(board), 1) else {
            return expected;
        };
        let standing = Standing::new(board, &ownership);
        let wins = if ending == Ending::Agreement && pace == Pace::Calm {
            // Dead stones are an estimate, trusted only if the current board or the tree agrees.
            self.is_won(&board.without(standing.dead)) && (wins_as_is || best.win_rate >= 0.5)
        } else {
            wins_as_is
        };
        let open = match ending {
            Ending::Agreement => standing.open,
            Ending::TrompTaylor | Ending::Cleanup => {
                standing.open_with_dead(board, self.game.to_move().other())
            }
        };
        let may_end = if ending == Ending::Cleanup {
            open.is_empty()
        } else if passes {
            open.is_empty() || wins && !has_open_region(open)
        } else {
            open.is_empty() && (wins || best.win_rate < 0.5)
        };
        if may_end {
            return Verdict { mv: Move::Pass, wins: wins && answers };
        }
        if !passes && ending != Ending::Cleanup {
            return expected;
        }
        let stone = stone_near(open, tried).or_else(|| stone_near(open, &self.candidates()));
        Verdict { mv: stone.unwrap_or(best.mv), wins: false }
    }

    fn is_won(&self, board: &Board) -> bool {
        let [black, white] = board.area().map(f64::from);
        let score = black - white - self.komi;
        if self.game.to_move() == Color::Black { score > 0.0 } else { score < 0.0 }
    }
}

/// Returns the first stone among candidates that is on or beside one of the points.
fn stone_near(points: Points<19>, candidates: &[Candidate]) -> Option<Move> {
    let near = points | points.neighbors();
    let is_near = |mv: &Move| match *mv {
        Move::Play(point) => Points::<19>::index(point).is_some_and(|index| near.contains(index)),
        Move::Pass => false,
    };
    candidates.iter().map(|candidate| candidate.mv).find(is_near)
}

/// A move, and whether the search would rather resign.
pub(crate) struct Decision {
    pub(crate) mv: Move,
    pub(crate) is_hopeless: bool,
}

/// A move, and whether it is a pass that ends and wins the game.
struct Verdict {
    mv: Move,
    wins: bool,
}

/// How the game ends, which decides when to [pass](self#passing).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The players agree which stones are dead.
    Agreement,
    /// After two passes, all stones count as alive.
    TrompTaylor,
    /// The players disagreed and go on until no dead stone is left on the board.
    Cleanup,
}

impl Ending {
    pub(crate) fn of(settings: &Settings) -> Self {
        if settings.tromp_taylor { Self::TrompTaylor } else { Self::Agreement }
    }
}

/// How much time a choice may take.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pace {
    /// Enough to find dead stones by playouts.
    Calm,
    /// None: few playouts tell whether the game is open, and all stones count as alive.
    #[cfg_attr(not(feature = "gtp"), allow(dead_code, reason = "only a session has a clock"))]
    Hurry,
}

impl Pace {
    /// Returns the number of playouts that estimate ownership: in a hurry about a millisecond's
    /// worth.
    fn playouts(self, board: &Board) -> u32 {
        match self {
            Self::Calm => DEAD_STONE_PLAYOUTS,
            Self::Hurry if board.size().width() > 13 => 32,
            Self::Hurry => 128,
        }
    }
}

const DEAD_STONE_PLAYOUTS: u32 = 1000;

/// Returns Black's area minus White's area minus `komi`, in points. With `tromp_taylor` all stones
/// on the board are alive; otherwise the stones that playouts consider dead are removed first. On
/// boards without playouts (other than 5, 9, 13 and 19) all stones are alive.
#[cfg(feature = "gtp")]
pub(crate) fn score(board: &Board, komi: f64, tromp_taylor: bool) -> f64 {
    let dead =
        if tromp_taylor { Ok(Points::EMPTY) } else { dead_stones(board, DEAD_STONE_PLAYOUTS, 1) };
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
            testkit::thread_limit::with(limit, || search.run(500));
            assert_eq!(search.missing_threads(), missing, "{limit} can start");
            assert_eq!(search.visits(), 500, "{limit} can start");
        }
    }

    #[test]
    fn tried_candidates_have_visits() {
        let game = Game::new(Rules { size: Size::square(9).unwrap(), ..Rules::default() });
        let mut search = Search::new(&game, &Settings::default()).unwrap();
        search.run(40);
        let tried = search.tried_candidates();
        assert!(tried.iter().all(|candidate| candidate.visits > 0));
        assert!((1..search.candidates().len()).contains(&tried.len()));
    }

    /// In a hurry, dead stones count as they stand, and an open game goes on.
    #[test]
    fn a_hurry_counts_the_stones_as_they_are() {
        let answer = |board: &str, komi, pace| {
            let board: Board = board.parse().unwrap();
            let mut game = Game::from_board(board, Color::White, Rules::default());
            game.play(Move::Pass).unwrap();
            let mut search = Search::with_komi(&game, komi, &Settings::default()).unwrap();
            search.run(1000);
            search.decide(pace, Ending::Agreement).mv
        };
        // Black leads by 19 points with the white stone on the board, and by 25 without it.
        let dead_stone = ".X...\n.XXXX\n.X.XX\n.XXXX\nOX...";
        assert_eq!(answer(dead_stone, 18.0, Pace::Calm), Move::Pass);
        assert_eq!(answer(dead_stone, 20.0, Pace::Calm), Move::Pass);
        assert_eq!(answer(dead_stone, 18.0, Pace::Hurry), Move::Pass);
        let open = ".....\n.....\n..X..\n.....\n.....";
        assert_ne!(answer(open, 18.0, Pace::Calm), Move::Pass);
        assert_ne!(answer(open, 18.0, Pace::Hurry), Move::Pass);
    }
}
