//! [`SearchPlayer`]: a player that searches each move.

use super::{Search, Settings};
use crate::rules::error::Error;
use crate::rules::game::{Game, Move, Rules};
use crate::rules::points::Points;
use bitcade_core::{Player, Stop, Stopped};

/// A player that searches each move with a fixed number of playouts. It reuses the subtree below
/// the moves played since its last choice.
///
/// It plays for [`Game::score`], which counts all stones as alive, whatever
/// [`Settings::tromp_taylor`] says. It never resigns; it passes if that wins, or if no stone is
/// better. On one thread it plays the same game on every machine, unless its tree outgrows
/// [`Settings::max_nodes`].
///
/// ```
/// use go_mc::search::{SearchPlayer, Settings};
/// use go_mc::{Game, Player, Rules};
/// let rules = Rules { size: "5x5".parse()?, ..Rules::default() };
/// let mut player = SearchPlayer::new(rules, Settings::default(), 100)?;
/// let mut game = Game::new(rules);
/// while let Some(mv) = player.choose(&game) {
///     game.play(mv)?;
/// }
/// println!("{}{}", game.board(), game.score());
/// # assert!(game.is_over());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SearchPlayer {
    settings: Settings,
    playouts: u64,
    search: Option<Search>,
}

impl SearchPlayer {
    /// The playouts of one run: the size is part of the player's moves.
    const PORTION: u64 = 200;

    /// Creates a player for games with these rules, searching `playouts` playouts per move.
    ///
    /// # Errors
    ///
    /// Same as [`Search::new`].
    pub fn new(rules: Rules, mut settings: Settings, playouts: u64) -> Result<Self, Error> {
        settings.tromp_taylor = true;
        let search = Search::new(&Game::new(rules), &settings)?;
        Ok(Self { settings, playouts, search: Some(search) })
    }

    /// Returns the search of the last choice: its candidates, visits and variations.
    pub const fn search(&self) -> Option<&Search> {
        self.search.as_ref()
    }

    /// Returns a search of the position: the last one advanced by the moves since, or a new one.
    fn search_of(&mut self, game: &Game) -> Option<Search> {
        let kept = self.search.take().and_then(|mut search| {
            // The player's own move and the answer.
            for _ in 0..2 {
                if search.game() == game {
                    break;
                }
                let mv = next_move(search.game(), game)?;
                search.play(mv).ok()?;
            }
            (search.game() == game).then_some(search)
        });
        kept.or_else(|| Search::new(game, &self.settings).ok())
    }
}

/// Returns the move that may lead from a game to a later position: the only new stone of the player
/// to move, or a pass if there is none.
fn next_move(game: &Game, later: &Game) -> Option<Move> {
    if game.board().size() != later.board().size() {
        return None;
    }
    let stones = |game: &Game, color| game.board().stones(color);
    let color = game.to_move();
    let new = stones(later, color) - stones(game, color);
    let mut new = new.iter().map(|index| Move::Play(Points::<19>::point(index)));
    match (new.next(), new.next()) {
        (None, _) => Some(Move::Pass),
        (Some(mv), None) => Some(mv),
        _ => None,
    }
}

impl Player<Game> for SearchPlayer {
    /// Searches a move. Also returns `None` for a game that [`Search::new`] rejects.
    fn choose(&mut self, game: &Game) -> Option<Move> {
        self.choose_until(game, &|| false).unwrap_or_default()
    }

    fn choose_until(&mut self, game: &Game, stop: Stop<'_>) -> Result<Option<Move>, Stopped> {
        if game.is_over() {
            return Ok(None);
        }
        let Some(search) = self.search_of(game) else { return Ok(None) };
        let search = self.search.insert(search);
        let mut left = self.playouts;
        while left > 0 {
            let portion = left.min(Self::PORTION);
            search.run_until(portion, stop)?;
            left -= portion;
        }
        Ok(Some(search.choose_move()))
    }
}
