//! 2048.

use crate::border::{Failure, Object, Reply, add, bytes, text, with, write};
#[cfg(feature = "saving")]
use crate::saved;
use g2048::expectimax::Limits;
use g2048::posted::{Turn, boards, turns};
use g2048::{Board, Direction, Expectimax, Game, Rng, Size, SmallNetwork};
use std::sync::OnceLock;

/// The most moves that a search looks ahead; more would take hours.
const MAX_DEPTH: u32 = 8;

/// The network of all games. Searches refer to it, so it never changes.
static NETWORK: OnceLock<SmallNetwork> = OnceLock::new();

fn network() -> Reply<&'static SmallNetwork> {
    #[cfg(feature = "builtin")]
    NETWORK.get_or_init(SmallNetwork::builtin);
    NETWORK.get().ok_or_else(|| Failure::new("no network: load one first"))
}

/// Returns a bit for each direction.
fn bits<'a>(directions: impl IntoIterator<Item = &'a Direction>) -> u32 {
    directions.into_iter().fold(0, |set, direction| set | 1 << direction.action())
}

struct Session {
    game: Game,
    rng: Rng,
    /// The values of the four directions; all `None` until the position is evaluated.
    values: [Option<f32>; 4],
    /// The last search and its depth. Its table is worth keeping.
    search: Option<(u32, Expectimax<'static>)>,
}

impl Object for Session {
    const NAME: &str = "a game of 2048";
}

fn new(game: Game, rng: Rng) -> Reply {
    add(Session { game, rng, values: [None; 4], search: None })
}

fn with_game<T>(handle: i64, use_it: impl FnOnce(&mut Session) -> Reply<T>) -> Reply<T> {
    with(handle, |session, _| use_it(session))
}

fn direction(number: u32) -> Reply<Direction> {
    let found = Direction::from_action(number);
    found.ok_or_else(|| Failure::new(format!("direction {number}: expected 0 to 3")))
}

exports! {
    /// Starts a game.
    fn bitcade_2048_new(width: u32, height: u32, seed: u64) -> i64 {
        let mut rng = Rng::new(seed);
        let size = Size::new(width as usize, height as usize)?;
        new(Game::new(size, &mut rng), rng)
    }

    /// Starts a game from the text of a board.
    fn bitcade_2048_from_board(length: i64, seed: u64) -> i64 {
        new(text(length)?.parse::<Board>()?.into(), Rng::new(seed))
    }

    /// Reads the boards of a text, and the moves between them.
    fn bitcade_2048_read(length: i64) -> i64 {
        let boards = boards(&text(length)?, false)?;
        let mut turns = turns(&boards)?;
        let last = boards[boards.len() - 1].board;
        turns.push(Turn { board: last, moves: Vec::new() });
        let size = last.size();
        let mut bytes = vec![size.width() as u8, size.height() as u8];
        for Turn { board, moves } in &turns {
            bytes.extend(board.ranks());
            bytes.push(bits(moves) as u8);
        }
        write(&bytes)?;
        Ok(turns.len() as i64)
    }

    /// Goes on with a saved game.
    #[cfg(feature = "saving")]
    fn bitcade_2048_resume(length: i64) -> i64 {
        let (game, rng) = saved::load(length)?;
        new(game, rng)
    }

    /// Writes the game as JSON.
    #[cfg(feature = "saving")]
    fn bitcade_2048_save(game: i64) -> i64 {
        with_game(game, |session| saved::save(&session.game, &session.rng))
    }

    /// Writes the board as text.
    fn bitcade_2048_board(game: i64) -> i64 {
        with_game(game, |session| write(session.game.board().to_string().as_bytes()))
    }

    /// Writes the rank of each cell.
    fn bitcade_2048_ranks(game: i64) -> i64 {
        with_game(game, |session| write(session.game.board().ranks()))
    }

    /// Returns the legal moves, a bit for each direction.
    fn bitcade_2048_legal_moves(game: i64) -> i64 {
        with_game(game, |session| {
            Ok(bits(session.game.legal_moves()).into())
        })
    }

    /// Plays a move and returns its gain.
    fn bitcade_2048_play(game: i64, direction: u32) -> i64 {
        let direction = self::direction(direction)?;
        with_game(game, |session| {
            let outcome = session.game.play(direction, &mut session.rng)?;
            session.values = [None; 4];
            Ok(outcome.gain as i64)
        })
    }

    /// Plays random moves to the end and returns the score.
    fn bitcade_2048_play_out(game: i64) -> i64 {
        with_game(game, |session| {
            session.game.play_out(&mut session.rng);
            session.values = [None; 4];
            Ok(session.game.score() as i64)
        })
    }

    /// Returns the score.
    fn bitcade_2048_score(game: i64) -> i64 {
        with_game(game, |session| Ok(session.game.score() as i64))
    }

    /// Returns the number of moves played.
    fn bitcade_2048_moves(game: i64) -> i64 {
        with_game(game, |session| Ok(session.game.moves() as i64))
    }

    /// Reads the network of all games.
    fn bitcade_2048_read_network(length: i64) -> i64 {
        let network = SmallNetwork::load(&bytes(length)?)?;
        NETWORK.set(network).map_err(|_| Failure::new("a network is already in use"))?;
        Ok(0)
    }

    /// Evaluates the moves and returns the best direction.
    fn bitcade_2048_evaluate(game: i64, depth: u32) -> i64 {
        with(game, |session: &mut Session, stop| {
            let board = session.game.board();
            let size = board.size();
            if size != Size::CLASSIC {
                return Err(Failure::new(format!("a board of {size}: the network is for 4x4")));
            }
            if !(1..=MAX_DEPTH).contains(&depth) {
                return Err(Failure::new(format!("depth {depth}: expected 1 to {MAX_DEPTH}")));
            }
            let network = network()?;
            let kept = session.search.take().filter(|&(kept, _)| kept == depth);
            let new = || (depth, Expectimax::new(network, Limits::depth(depth)));
            let (_, search) = session.search.insert(kept.unwrap_or_else(new));
            let values = search.values_until(&board, stop)?;
            let legal = Direction::ALL.into_iter().zip(values);
            let legal = legal.filter_map(|(direction, value)| Some((direction, value?)));
            // The first of equals, like the search's own choice.
            let best = legal.reduce(|best, next| if next.1 > best.1 { next } else { best });
            let (best, _) = best.ok_or_else(|| Failure::new("the game is over"))?;
            session.values = values;
            Ok(best.action().into())
        })
    }

    /// Returns the value of a move.
    fn bitcade_2048_value(game: i64, direction: u32) -> f64 {
        let number = self::direction(direction)?.action() as usize;
        with_game(game, |session| {
            let value = session.values[number];
            let text = || format!("direction {direction}: illegal, or not evaluated");
            value.map(f64::from).ok_or_else(|| Failure::new(text()))
        })
    }
}

#[cfg(feature = "digests")]
exports! {
    /// Writes the crate's digest.
    fn bitcade_2048_digest() -> i64 {
        write(format!("{:016x}", g2048::digest()).as_bytes())
    }
}
