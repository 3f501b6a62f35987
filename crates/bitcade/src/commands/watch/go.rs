//! Go by tree search against itself, with its win chance and the ownership of each point.

use super::player::{AnimatedMove, Fact, Picture, Player, Stop, timed};
use crate::screen::theme::{Colors, Rgb, Theme};
use crate::screen::widgets::{self, mixed};
use bitcore::{Level, Rng};
use go_mc::search::{Choice, Settings};
use go_mc::{Color, Game, Ko, Move, Ownership, Point, Points, Rules, Search, Size, Suicide};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::time::Duration;

/// The side of the board, the komi, and the playouts for each move and for the map of owners.
const SIDE: u8 = 9;
const KOMI: f64 = 7.5;
const PLAYOUTS: u64 = 2_000;
const OWNERSHIP_PLAYOUTS: u32 = 256;

/// A board, the last move, and the owner of each point from -1 (White) to 1 (Black), row by row from the top.
struct BoardPicture {
    stones: Vec<Option<Color>>,
    owners: Vec<f64>,
    last: Option<usize>,
}

impl Picture for BoardPicture {
    fn size(&self, scale: u16) -> (u16, u16) {
        (2 * scale * u16::from(SIDE), scale * u16::from(SIDE))
    }

    fn draw(&self, buffer: &mut Buffer, area: Rect, scale: u16, theme: Theme) {
        let side = usize::from(SIDE);
        let full = theme.unicode && theme.colors != Colors::None;
        for (i, stone) in self.stones.iter().enumerate() {
            let (x, y) = (area.x + 2 * scale * (i % side) as u16, area.y + scale * (i / side) as u16);
            let ground = ground_of(self.owners.get(i).copied().unwrap_or_default());
            let ink = match stone {
                Some(Color::Black) => Rgb(0x0a, 0x0a, 0x0c),
                Some(Color::White) => Rgb(0xff, 0xff, 0xff),
                None => mixed(ground, Rgb(0x3a, 0x2c, 0x10), if scale > 1 { 50 } else { 150 }),
            };
            let last = self.last == Some(i);
            // The last stone has a hole in double size, otherwise a mark beside it.
            let rows: [&str; 2] = match (stone, full, scale > 1) {
                (Some(_), true, true) => {
                    if last {
                        ["▟▀▀▙", "▜▄▄▛"]
                    } else {
                        ["▟██▙", "▜██▛"]
                    }
                }
                (Some(_), true, false) => [if last { "●◂" } else { "● " }, ""],
                (Some(Color::Black), false, _) => [if last { "X<" } else { "X " }, ""],
                (Some(Color::White), false, _) => [if last { "O<" } else { "O " }, ""],
                (None, true, true) => [" ▗▖ ", ""],
                (None, true, false) => ["· ", ""],
                (None, false, _) => [". ", ""],
            };
            let style = theme.surface(ink, ground);
            let width = usize::from(2 * scale);
            for (y, row) in (y..y + scale).zip(rows) {
                widgets::text(buffer, area, x, y, &format!("{row:width$}"), style);
            }
        }
    }
}

/// Returns the color of the board at a point: darker where Black owns it, lighter where White does.
fn ground_of(owner: f64) -> Rgb {
    let wood = Rgb(0xc8, 0xa0, 0x5c);
    let shade = (owner.abs() * 150.0) as u8;
    if owner > 0.0 {
        mixed(wood, Rgb(0x50, 0x3a, 0x18), shade)
    } else {
        mixed(wood, Rgb(0xff, 0xf4, 0xdc), shade)
    }
}

/// The player of both colors and its game.
pub(super) struct TreePlayer {
    level: Level,
    seeds: Rng,
    search: Search,
    moves: u64,
    results: [u64; 2],
}

impl TreePlayer {
    pub(super) fn new(level: Level, seed: u64) -> Self {
        let mut seeds = Rng::new(seed);
        let search = start(level, &mut seeds);
        Self { level, seeds, search, moves: 0, results: [0; 2] }
    }

    fn picture(&self, last: Option<Point>) -> Box<dyn Picture> {
        let board = self.search.game().board();
        let points = || (0..SIDE).rev().flat_map(|y| (0..SIDE).map(move |x| Point { x, y }));
        let ownership = Ownership::estimate_any_size(board, OWNERSHIP_PLAYOUTS, self.moves).ok();
        let owner = |point| {
            let index = Points::<19>::index(point)?;
            Some(ownership.as_ref()?.value(index))
        };
        Box::new(BoardPicture {
            stones: points().map(|point| board.at(point)).collect(),
            owners: points().map(|point| owner(point).unwrap_or_default()).collect(),
            last: last.and_then(|last| points().position(|point| point == last)),
        })
    }
}

/// Returns the search of a new game.
fn start(level: Level, seeds: &mut Rng) -> Search {
    let rules = Rules { ko: Ko::Positional, suicide: Suicide::Forbidden };
    let size = Size::new(SIDE.into(), SIDE.into()).expect("a board of 9 x 9");
    let settings = Settings { seed: seeds.next_u64(), max_nodes: 1 << 18, level, ..Settings::default() };
    Search::new(&Game::new(size, rules), KOMI, &settings).expect("a board with playouts")
}

const MOVED: Duration = Duration::from_millis(700);
const OVER: Duration = Duration::from_secs(3);

impl Player for TreePlayer {
    fn next_move(&mut self, stop: Stop<'_>) -> AnimatedMove {
        let color = self.search.game().to_move();
        let before = self.search.visits();
        let ((), thinking) = timed(|| self.search.run(PLAYOUTS, stop));
        let nodes = self.search.visits().saturating_sub(before);
        let rate = self.search.candidates().first().map_or(0.5, |best| best.win_rate);
        let black = if color == Color::Black { rate } else { 1.0 - rate };
        let choice = self.search.choose();
        let (mut last, mut text) = (None, "resigns".to_owned());
        let mut over = true;
        if let Choice::Move(mv) = choice {
            if let Move::Play(point) = mv {
                last = Some(point);
            }
            text = mv.to_string();
            over = self.search.play(mv).is_err() || self.search.game().is_over();
        }
        self.moves += 1;
        let picture = self.picture(last);
        let facts: Vec<Fact> = vec![
            ("black wins", format!("{:.0} %", 100.0 * black)),
            ("move", format!("{} {color} {text}", self.moves)),
            ("komi", KOMI.to_string()),
            ("games", format!("B {} W {}", self.results[0], self.results[1])),
        ];
        if over && !stop() {
            let black_wins = match choice {
                Choice::Resign => color == Color::White,
                Choice::Move(_) => go_mc::search::score(self.search.game().board(), KOMI, false) > 0.0,
            };
            self.results[usize::from(!black_wins)] += 1;
            self.moves = 0;
            self.search = start(self.level, &mut self.seeds);
        }
        let time = if over { OVER } else { MOVED };
        AnimatedMove { pictures: vec![(picture, time)], facts, nodes, thinking }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_end_and_begin_again() {
        let mut player = TreePlayer::new(Level::detect(), 1);
        let moves = (0..200).take_while(|_| {
            player.next_move(&|| false);
            player.results == [0, 0]
        });
        let moves = moves.count();
        assert!((20..199).contains(&moves), "{moves} moves");
        assert_eq!((player.moves, player.search.game().board().empty().len()), (0, 81));
    }
}
