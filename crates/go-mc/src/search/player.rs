//! [`SearchPlayer`]: a player that searches.

use super::{Search, Settings};
use crate::error::Error;
use crate::game::{Game, Move, Rules};
use crate::player::Player;
use crate::points::Points;

/// A player that searches each move by a number of playouts. It keeps the part of its tree below the moves that were
/// played since its last choice.
///
/// It plays for [`Game::score`], in which all stones are alive, whatever [`Settings::tromp_taylor`] says. It never
/// resigns; it passes where that wins, or where no stone is better. On one thread it plays the same game on every
/// machine, unless its tree outgrows [`Settings::max_nodes`].
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
    /// The playouts between two looks at `stop`.
    const PORTION: u64 = 200;

    /// Creates a player of games by these rules, with `playouts` playouts for each move.
    ///
    /// # Errors
    ///
    /// The same as for [`Search::new`].
    pub fn new(rules: Rules, mut settings: Settings, playouts: u64) -> Result<Self, Error> {
        settings.tromp_taylor = true;
        let search = Search::new(&Game::new(rules), &settings)?;
        Ok(Self { settings, playouts, search: Some(search) })
    }

    /// Returns the search of the last choice: its candidates, visits and variations.
    pub const fn search(&self) -> Option<&Search> {
        self.search.as_ref()
    }

    /// Returns the search of a position: the last one, with the moves that were played since, or a new one.
    fn search_of(&mut self, game: &Game) -> Option<Search> {
        let kept = self.search.take().and_then(|mut search| {
            // One's own move and the answer.
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

/// Returns the move that a game could go on with to reach a later position: a stone of the player to move that was
/// not there before, or else a pass.
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

impl Player for SearchPlayer {
    /// Searches a move. Returns `None` also for a game that [`Search::new`] refuses.
    fn choose(&mut self, game: &Game) -> Option<Move> {
        self.choose_until(game, &|| false)
    }

    fn choose_until(&mut self, game: &Game, stop: &dyn Fn() -> bool) -> Option<Move> {
        if game.is_over() {
            return None;
        }
        let search = self.search_of(game)?;
        let search = self.search.insert(search);
        let mut left = self.playouts;
        // Each portion ends on its own, since other threads can't call `stop`.
        while left > 0 {
            if stop() {
                return None;
            }
            let portion = left.min(Self::PORTION);
            search.run(portion, &|| false);
            left -= portion;
        }
        Some(search.choose_move())
    }
}
