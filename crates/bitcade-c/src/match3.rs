//! Match-3: games of points, and levels.

use crate::border::{Failure, Object, Reply, add, text, with, write};
#[cfg(feature = "saving")]
use crate::saved;
use match3::level::{
    Agent, Content, Cover, Ground, Level, LevelCell, LevelGame, Outcome, Playtest, Target,
};
use match3::{Axis, Cell, Game, Rng, Rules, Swap, ThreadPool};
use std::sync::Arc;

enum Play {
    Points(Box<Game>),
    Level(LevelGame),
}

struct Session {
    play: Play,
    rng: Rng,
}

impl Object for Session {
    const NAME: &str = "a game of match-3";
}

/// A level that was read.
struct Loaded(Arc<Level>);

impl Object for Loaded {
    const NAME: &str = "a level of match-3";
}

fn with_game<T>(handle: i64, use_it: impl FnOnce(&mut Session) -> Reply<T>) -> Reply<T> {
    with(handle, |session, _| use_it(session))
}

fn level(handle: i64) -> Reply<Arc<Level>> {
    with(handle, |level: &mut Loaded, _| Ok(level.0.clone()))
}

/// Returns the number of a cell, in the way of [`LevelBoard::numbers`].
///
/// [`LevelBoard::numbers`]: match3::level::LevelBoard::numbers
fn number(cell: Cell) -> u8 {
    let blocked = if cell == Cell::BLOCKED { 16 } else { 0 };
    cell.color().map_or(blocked, |color| color | u8::from(cell.is_locked()) << 7)
}

/// Returns the layers of a cell: of ice or a crate, and of jelly.
fn layers(cell: LevelCell) -> [u8; 2] {
    let cover = match cell.content {
        Content::Crate(layers) | Content::Piece { cover: Cover::Ice(layers), .. } => layers,
        _ => 0,
    };
    [cover, if cell.ground == Ground::Open { cell.jelly } else { 0 }]
}

fn target_text(target: Target) -> String {
    let name = match target {
        Target::Score => "score",
        Target::Color(color) => return format!("color {color}"),
        Target::Locked => "locked",
        Target::Jelly => "jelly",
        Target::Crates => "crates",
        Target::Ice => "ice",
        Target::Items => "items",
        Target::SetOff => "set off",
        Target::Made => "made",
    };
    name.to_owned()
}

fn no_goal(goal: u32) -> Failure {
    Failure::new(format!("goal {goal}: the game has none of this number"))
}

impl Session {
    fn swaps(&self) -> Vec<Swap> {
        match &self.play {
            Play::Points(game) => game.legal_moves(),
            Play::Level(game) => game.legal_moves().to_vec(),
        }
    }

    /// Plays a swap and returns its points, with what happened, an event per line.
    fn play(&mut self, swap: Swap) -> Reply<(u64, String)> {
        let rng = &mut self.rng;
        match &mut self.play {
            Play::Points(game) => Ok((game.play(swap, rng)?.score, String::new())),
            Play::Level(game) => {
                let mut events = Vec::new();
                let played = game.play(swap, rng, &mut events)?;
                let lines = events.iter().map(|event| format!("{event}\n")).collect();
                Ok((played.cascade.score + played.bonus, lines))
            }
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        match &self.play {
            Play::Level(game) => game.outcome(),
            Play::Points(game) if !game.is_over() => None,
            Play::Points(game) if game.moves_left() == 0 => Some(Outcome::OutOfMoves),
            Play::Points(_) => Some(Outcome::Dead),
        }
    }
}

exports! {
    /// Starts a game of points.
    fn bitcade_match3_new(width: u32, height: u32, colors: u32, moves: u32, seed: u64) -> i64 {
        // The game refuses 255 colors.
        let colors = u8::try_from(colors).unwrap_or(u8::MAX);
        let rules = Rules { width: width as usize, height: height as usize, colors, moves };
        let mut rng = Rng::new(seed);
        let play = Play::Points(Game::new(rules, &mut rng)?.into());
        add(Session { play, rng })
    }

    /// Goes on with a saved game of points.
    #[cfg(feature = "saving")]
    fn bitcade_match3_resume(length: i64) -> i64 {
        let (game, rng) = saved::load(length)?;
        add(Session { play: Play::Points(game), rng })
    }

    /// Reads the text of a level file.
    fn bitcade_match3_level(length: i64) -> i64 {
        add(Loaded(Level::from_toml(&text(length)?)?.into()))
    }

    /// Starts a game of a level.
    fn bitcade_match3_level_new(level: i64, seed: u64) -> i64 {
        let mut rng = Rng::new(seed);
        let play = Play::Level(LevelGame::new(self::level(level)?, &mut rng)?);
        add(Session { play, rng })
    }

    /// Goes on with a saved game of a level.
    #[cfg(feature = "saving")]
    fn bitcade_match3_level_resume(level: i64, length: i64) -> i64 {
        let (save, rng) = saved::load::<match3::level::LevelSave>(length)?;
        let play = Play::Level(LevelGame::restore(self::level(level)?, &save)?);
        add(Session { play, rng })
    }

    /// Lets an agent play games of a level, and returns the number of those it won.
    fn bitcade_match3_playtest(level: i64, length: i64, games: u32, seed: u64) -> i64 {
        let agent: Agent = text(length)?.parse()?;
        with(level, |level: &mut Loaded, stop| {
            let mut playtest = Playtest::new(level.0.clone(), agent, seed);
            let threads = ThreadPool::single();
            let report = playtest.play_until(&threads, games.into(), stop, |_| {})?;
            write(&serde_json::to_vec(&report)?)?;
            Ok(report.won as i64)
        })
    }

    /// Writes the game as JSON.
    #[cfg(feature = "saving")]
    fn bitcade_match3_save(game: i64) -> i64 {
        with_game(game, |session| match &session.play {
            Play::Points(game) => saved::save(game, &session.rng),
            Play::Level(game) => saved::save(game.save(), &session.rng),
        })
    }

    /// Writes the board as text.
    fn bitcade_match3_board(game: i64) -> i64 {
        with_game(game, |session| {
            let text = match &session.play {
                Play::Points(game) => game.board().to_string(),
                Play::Level(game) => game.board().plain().to_string(),
            };
            write(text.as_bytes())
        })
    }

    /// Writes a number for each cell.
    fn bitcade_match3_cells(game: i64) -> i64 {
        with_game(game, |session| match &session.play {
            Play::Points(game) => {
                let cells: Vec<u8> = game.board().cells().iter().copied().map(number).collect();
                write(&cells)
            }
            Play::Level(game) => write(&game.board().numbers()),
        })
    }

    /// Writes the layers of each cell.
    fn bitcade_match3_layers(game: i64) -> i64 {
        with_game(game, |session| match &session.play {
            Play::Points(game) => write(&vec![0; 2 * game.board().cells().len()]),
            Play::Level(game) => write(&game.board().cells().flat_map(layers).collect::<Vec<u8>>()),
        })
    }

    /// Writes the legal swaps, three bytes each, and returns their number.
    fn bitcade_match3_legal_swaps(game: i64) -> i64 {
        with_game(game, |session| {
            let swaps = session.swaps();
            let bytes = swaps.iter().flat_map(|swap| {
                [swap.x as u8, swap.y as u8, u8::from(swap.axis == Axis::Vertical)]
            });
            write(&bytes.collect::<Vec<u8>>())?;
            Ok(swaps.len() as i64)
        })
    }

    /// Plays a swap and returns its points.
    fn bitcade_match3_play(game: i64, x: u32, y: u32, down: u32) -> i64 {
        let axis = match down {
            0 => Axis::Horizontal,
            1 => Axis::Vertical,
            _ => return Err(Failure::new(format!("down {down}: expected 0 or 1"))),
        };
        with_game(game, |session| {
            let (points, events) = session.play(Swap { x: x as usize, y: y as usize, axis })?;
            write(events.as_bytes())?;
            Ok(points as i64)
        })
    }

    /// Returns the score.
    fn bitcade_match3_score(game: i64) -> i64 {
        with_game(game, |session| Ok(match &session.play {
            Play::Points(game) => game.score() as i64,
            Play::Level(game) => game.score() as i64,
        }))
    }

    /// Returns the moves or seconds left.
    fn bitcade_match3_limit_left(game: i64) -> i64 {
        with_game(game, |session| Ok(match &session.play {
            Play::Points(game) => game.moves_left().into(),
            Play::Level(game) => game.limit_left().into(),
        }))
    }

    /// Returns what a goal of the level lacks.
    fn bitcade_match3_goal_left(game: i64, goal: u32) -> i64 {
        with_game(game, |session| {
            let left = match &session.play {
                Play::Points(_) => None,
                Play::Level(game) => game.left().get(goal as usize),
            };
            Ok((*left.ok_or_else(|| no_goal(goal))?).into())
        })
    }

    /// Writes what a goal of the level counts.
    fn bitcade_match3_goal_text(game: i64, goal: u32) -> i64 {
        with_game(game, |session| {
            let goals = match &session.play {
                Play::Points(_) => &[][..],
                Play::Level(game) => &game.level().spec().goals,
            };
            let goal = goals.get(goal as usize).ok_or_else(|| no_goal(goal))?;
            write(target_text(goal.target).as_bytes())
        })
    }

    /// Counts seconds.
    fn bitcade_match3_spend(game: i64, seconds: u32) -> i64 {
        with_game(game, |session| match &mut session.play {
            Play::Points(_) => Err(Failure::new("a game of points has no clock")),
            Play::Level(game) => {
                game.spend(seconds);
                Ok(game.limit_left().into())
            }
        })
    }

    /// Returns how the game ended.
    fn bitcade_match3_outcome(game: i64) -> i64 {
        with_game(game, |session| Ok(match session.outcome() {
            None => 0,
            Some(Outcome::Won) => 1,
            Some(Outcome::OutOfMoves) => 2,
            Some(Outcome::OutOfTime) => 3,
            Some(Outcome::Dead) => 4,
        }))
    }
}

#[cfg(feature = "digests")]
exports! {
    /// Writes the crate's digest.
    fn bitcade_match3_digest() -> i64 {
        write(format!("{:016x}", match3::digest()).as_bytes())
    }
}
