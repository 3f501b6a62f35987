//! Tetris: the guideline game, and the bot as its player.

use crate::border::{Failure, Object, Reply, add, with, write};
use crate::saved;
use serde::Serialize;
use tetris::{Attack, Game, Move, Piece, Rng, Rules, movegen};
use tetris_ai::bot::{BotWeights, GameState, PerfectClear, Search};
use tetris_ai::{Bot, Player};

/// The most placements of a search: a few hundred megabytes of memory.
pub(crate) const MAX_NODES: u64 = 4_000_000;

struct Session {
    game: Game,
    rng: Rng,
}

impl Object for Session {
    const NAME: &str = "a game of Tetris";
}

fn with_game<T>(handle: i64, use_it: impl FnOnce(&mut Session) -> Reply<T>) -> Reply<T> {
    with(handle, |session, _| use_it(session))
}

/// Returns a turn: hold, piece, orientation, x, y, spin, then x and y of each cell.
fn bytes(turn: Move) -> [u8; 14] {
    let at = turn.placement.at;
    let mut bytes = [0; 14];
    bytes[0] = turn.hold.into();
    bytes[1] = at.piece as u8;
    bytes[2] = at.orientation as u8;
    bytes[3] = at.x as u8;
    bytes[4] = at.y as u8;
    bytes[5] = turn.placement.spin as u8;
    for (pair, (x, y)) in bytes[6..].chunks_exact_mut(2).zip(at.cells()) {
        pair.copy_from_slice(&[x as u8, y as u8]);
    }
    bytes
}

fn turn(game: &Game, index: u32) -> Reply<Move> {
    let turns = game.legal_moves();
    let found = turns.get(index as usize).copied();
    let count = turns.len();
    found.ok_or_else(|| Failure::new(format!("turn {index}: the game has {count} legal ones")))
}

/// A turn as the bot values it.
#[derive(Serialize)]
struct Ranked {
    turn: usize,
    depth: usize,
    value: i32,
}

pub(crate) fn check_nodes(nodes: u64) -> Reply<u64> {
    if (1..=MAX_NODES).contains(&nodes) {
        Ok(nodes)
    } else {
        Err(Failure::new(format!("{nodes} nodes: expected 1 to {MAX_NODES}")))
    }
}

exports! {
    /// Starts a game.
    fn bitcade_tetris_new(seed: u64) -> i64 {
        let mut rng = Rng::new(seed);
        add(Session { game: Game::new(Rules::default(), &mut rng), rng })
    }

    /// Goes on with a saved game.
    fn bitcade_tetris_resume(length: i64) -> i64 {
        let (game, rng) = saved::load(length)?;
        add(Session { game, rng })
    }

    /// Writes the game as JSON.
    fn bitcade_tetris_save(game: i64) -> i64 {
        with_game(game, |session| saved::save(&session.game, &session.rng))
    }

    /// Writes the board as text.
    fn bitcade_tetris_board(game: i64) -> i64 {
        with_game(game, |session| write(session.game.board().to_string().as_bytes()))
    }

    /// Writes the letters of the known pieces.
    fn bitcade_tetris_queue(game: i64) -> i64 {
        with_game(game, |session| {
            let game = &session.game;
            let pieces = std::iter::once(game.piece()).chain(game.next().iter().copied());
            let letters: String = pieces.map(Piece::letter).collect();
            write(letters.as_bytes())
        })
    }

    /// Returns the letter of the held piece.
    fn bitcade_tetris_held(game: i64) -> i64 {
        with_game(game, |session| {
            Ok(session.game.held().map_or(0, |piece| u32::from(piece.letter()).into()))
        })
    }

    /// Writes the legal turns, 14 bytes each, and returns their number.
    fn bitcade_tetris_legal_turns(game: i64) -> i64 {
        with_game(game, |session| {
            let turns = session.game.legal_moves();
            write(&turns.iter().copied().flat_map(bytes).collect::<Vec<u8>>())?;
            Ok(turns.len() as i64)
        })
    }

    /// Writes a legal turn as text.
    fn bitcade_tetris_turn_text(game: i64, turn: u32) -> i64 {
        with_game(game, |session| {
            write(self::turn(&session.game, turn)?.to_string().as_bytes())
        })
    }

    /// Writes the keys of a turn.
    fn bitcade_tetris_keys(game: i64, turn: u32) -> i64 {
        with_game(game, |session| {
            let game = &session.game;
            let Move { hold, placement } = self::turn(game, turn)?;
            let path = movegen::path(game.board(), placement, game.rules());
            let missing = || Failure::new(format!("turn {turn}: no keys lead there"));
            let keys = path.ok_or_else(missing)?;
            let held = hold.then(|| "hold".to_owned());
            let keys = held.into_iter().chain(keys.iter().map(ToString::to_string));
            write(keys.collect::<Vec<_>>().join(" ").as_bytes())
        })
    }

    /// Plays a turn and returns the lines it cleared.
    fn bitcade_tetris_play(game: i64, turn: u32) -> i64 {
        with_game(game, |session| {
            let turn = self::turn(&session.game, turn)?;
            let result = session.game.play(turn, &mut session.rng)?;
            write(&serde_json::to_vec(&result)?)?;
            Ok(result.clear.lines.into())
        })
    }

    /// Receives lines of garbage.
    fn bitcade_tetris_receive(game: i64, lines: u32, column: u32) -> i64 {
        // The game refuses column 255.
        let attack = Attack { lines, column: u8::try_from(column).unwrap_or(u8::MAX) };
        with_game(game, |session| Ok(session.game.receive(attack)?.into()))
    }

    /// Returns the number of pieces locked.
    fn bitcade_tetris_pieces(game: i64) -> i64 {
        with_game(game, |session| Ok(session.game.pieces() as i64))
    }

    /// Returns whether the game is over.
    fn bitcade_tetris_is_over(game: i64) -> i64 {
        with_game(game, |session| Ok(session.game.is_over().into()))
    }

    /// Returns the turn that the bot chooses.
    fn bitcade_tetris_best(game: i64, nodes: u64) -> i64 {
        let mut bot = Bot { nodes: check_nodes(nodes)?, ..Bot::default() };
        with(game, |session: &mut Session, stop| {
            let game = &session.game;
            let best = bot.choose_until(game, stop)?;
            let best = best.ok_or_else(|| Failure::new("the game is over"))?;
            let index = game.legal_moves().iter().position(|&turn| turn == best);
            Ok(index.ok_or_else(|| Failure::new(format!("the bot chose {best}")))? as i64)
        })
    }

    /// Writes the turns as the bot ranks them.
    fn bitcade_tetris_rank(game: i64, nodes: u64) -> i64 {
        let nodes = check_nodes(nodes)?;
        with(game, |session: &mut Session, stop| {
            let game = &session.game;
            if game.is_over() {
                return Err(Failure::new("the game is over"));
            }
            let mut search = Search::new(&GameState::from(game), BotWeights::default());
            search.run_until(nodes, stop)?;
            let turns = game.legal_moves();
            let ranked = search.values().into_iter().filter_map(|(turn, depth, value)| {
                let turn = turns.iter().position(|&legal| legal == turn)?;
                Some(Ranked { turn, depth, value })
            });
            let ranked: Vec<Ranked> = ranked.collect();
            write(&serde_json::to_vec(&ranked)?)?;
            Ok(ranked.len() as i64)
        })
    }

    /// Writes the turns of a perfect clear.
    fn bitcade_tetris_perfect_clear(game: i64, lines: u32, nodes: u64) -> i64 {
        let nodes = check_nodes(nodes)?;
        with(game, |session: &mut Session, stop| {
            let start = GameState::from(&session.game);
            let moves = match PerfectClear::find_until(&start, lines, nodes, stop)? {
                PerfectClear::Found(moves) => moves,
                PerfectClear::None => Vec::new(),
                PerfectClear::Unknown => {
                    return Err(Failure::new(format!("undecided after {nodes} placements")));
                }
            };
            let mut played = session.game.clone();
            let mut rng = session.rng.clone();
            let mut turns = Vec::new();
            for mv in moves {
                let index = played.legal_moves().iter().position(|&turn| turn == mv);
                turns.push(index.ok_or_else(|| Failure::new(format!("the search found {mv}")))?);
                played.play(mv, &mut rng)?;
            }
            write(&serde_json::to_vec(&turns)?)?;
            Ok(turns.len() as i64)
        })
    }
}

#[cfg(feature = "digests")]
exports! {
    /// Writes the digest of the rules.
    fn bitcade_tetris_digest() -> i64 {
        write(format!("{:016x}", tetris::digest()).as_bytes())
    }

    /// Writes the digest of the searches.
    fn bitcade_tetris_ai_digest() -> i64 {
        write(format!("{:016x}", tetris_ai::digest()).as_bytes())
    }
}
