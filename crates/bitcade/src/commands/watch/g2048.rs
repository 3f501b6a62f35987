//! 2048 by a network: a trained one, or one that learns while it is watched.

use super::player::{AnimatedMove, Fact, Picture, Player, Stop, timed};
use crate::screen::theme::{Colors, Rgb, Theme, palette};
use crate::screen::widgets::{self, grouped, mixed};
use bitcore::{Level, Rng};
use g2048::expectimax::{Evaluate, Expectimax, Limits};
use g2048::{Board, Direction, Learner, Network, Packed, Size};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::time::Duration;

/// The board after a move.
struct BoardPicture(Board);

impl Picture for BoardPicture {
    fn size(&self, scale: u16) -> (u16, u16) {
        if scale == 1 { (24, 12) } else { (40, 20) }
    }

    fn draw(&self, buffer: &mut Buffer, area: Rect, _: u16, theme: Theme) {
        let (width, height) = ((area.width / 4).min(10), (area.height / 4).clamp(1, 5));
        for (i, rank) in (0..).zip(self.0.ranks()) {
            let tile = Rect {
                x: area.x + i % 4 * width,
                y: area.y + i / 4 * height,
                width: width.saturating_sub(u16::from(width > 4)),
                height,
            };
            draw_tile(buffer, area, tile, *rank, theme);
        }
    }
}

/// Draws a tile: its number in the middle of its color.
fn draw_tile(buffer: &mut Buffer, area: Rect, tile: Rect, rank: u8, theme: Theme) {
    // Four characters are enough for 8192 and for 64k. Without gaps and colors, numbers must be shorter.
    let in_thousands = match tile.width {
        ..5 if theme.colors == Colors::None => 10,
        ..6 => 14,
        _ => u8::MAX,
    };
    let number = match rank {
        0 => theme.pick("·", ".").to_owned(),
        rank if rank >= in_thousands => format!("{}k", 1u64 << (rank - 10)),
        _ => (1u64 << rank).to_string(),
    };
    let ground = if rank == 0 { palette::GROUND } else { tile_color(rank) };
    let ink = if rank == 0 { palette::GRID } else { Rgb(0x14, 0x17, 0x1c) };
    let width = usize::from(tile.width);
    for y in tile.y..tile.bottom() {
        let line = if y == tile.y + (tile.height - 1) / 2 { number.as_str() } else { "" };
        let (line, style) = if y + 1 == tile.bottom() && tile.height > 1 && theme.unicode {
            // Half a row stays free between tiles.
            ("▀".repeat(width), theme.text(ground))
        } else {
            (format!("{line:^width$}"), theme.surface(ink, ground))
        };
        if theme.colors == Colors::None && line.contains('▀') {
            continue;
        }
        widgets::text(buffer, area, tile.x, y, &line, style);
    }
}

/// Returns the color of a tile: from pale over yellow and red to violet and blue.
fn tile_color(rank: u8) -> Rgb {
    const STOPS: [Rgb; 6] = [
        Rgb(0xd8, 0xdc, 0xe2),
        Rgb(0xf5, 0xd7, 0x4e),
        Rgb(0xf7, 0x8a, 0x4b),
        Rgb(0xf0, 0x5d, 0x8c),
        Rgb(0xb9, 0x6d, 0xf2),
        Rgb(0x4c, 0xc9, 0xf0),
    ];
    // Three doublings from color to color.
    let place = usize::from(rank.saturating_sub(1)).min(15 - 1);
    let (stop, part) = (place / 3, place % 3);
    mixed(STOPS[stop], STOPS[(stop + 1).min(STOPS.len() - 1)], (part * 85) as u8)
}

/// The source of the values by which moves are chosen.
pub(super) enum Values {
    Trained(Box<Network>),
    Learning(Box<Learner>),
}

impl Evaluate for Values {
    fn value(&self, after: Packed) -> f32 {
        match self {
            Self::Trained(network) => network.value(after),
            Self::Learning(learner) => learner.value(after),
        }
    }
}

/// The player and its game.
pub(super) struct NetworkPlayer {
    level: Level,
    values: Values,
    rng: Rng,
    board: Board,
    score: u64,
    moves: u64,
    last_game: Option<u64>,
}

/// The rounds of learning between two looks for something else to do: some milliseconds.
const ROUNDS: u64 = 2_000;

impl NetworkPlayer {
    pub(super) fn new(level: Level, seed: u64, values: Values) -> Self {
        let mut rng = Rng::new(seed);
        let board = Board::start(Size::CLASSIC, &mut rng);
        Self { level, values, rng, board, score: 0, moves: 0, last_game: None }
    }

    fn facts(&self, chosen: &str) -> Vec<Fact> {
        let mut facts = vec![
            ("score", grouped(self.score)),
            ("moves", grouped(self.moves)),
            ("move", chosen.to_owned()),
            ("last game", self.last_game.map_or_else(|| "-".to_owned(), grouped)),
        ];
        if let Values::Learning(learner) = &self.values {
            facts.push(("learned", grouped(learner.games())));
            let last = learner.curve().last().map(|point| point.score / g2048::network::CurvePoint::GAMES);
            facts.push(("mean", last.map_or_else(|| "-".to_owned(), grouped)));
        }
        facts
    }
}

const MOVED: Duration = Duration::from_millis(160);
const OVER: Duration = Duration::from_secs(2);

impl Player for NetworkPlayer {
    fn next_move(&mut self, stop: Stop<'_>) -> AnimatedMove {
        let depth = if matches!(self.values, Values::Trained(_)) { 2 } else { 1 };
        let (choice, thinking) = timed(|| {
            let mut search = Expectimax::new(&self.values, Limits::depth(depth));
            search.choose(&self.board, stop).ok().flatten()
        });
        let (mut shown, mut time) = ("none", MOVED);
        if let Some(choice) = choice {
            let slide = self.board.slide(choice.direction);
            self.board = slide.board;
            self.board.spawn(&mut self.rng);
            (self.score, self.moves) = (self.score + slide.gain, self.moves + 1);
            shown = match choice.direction {
                Direction::Left => "left",
                Direction::Right => "right",
                Direction::Up => "up",
                Direction::Down => "down",
            };
        }
        let picture = Box::new(BoardPicture(self.board));
        if choice.is_none() && !stop() {
            (self.last_game, time) = (Some(self.score), OVER);
            (self.score, self.moves) = (0, 0);
            self.board = Board::start(Size::CLASSIC, &mut self.rng);
        }
        AnimatedMove { pictures: vec![(picture, time)], facts: self.facts(shown), nodes: 1, thinking }
    }

    fn practice(&mut self) -> bool {
        match &mut self.values {
            Values::Trained(_) => false,
            Values::Learning(learner) => {
                learner.learn_on(self.level, ROUNDS);
                true
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use g2048::network::Settings;

    #[test]
    fn the_player_learns() {
        let learner = Learner::new(1, Settings::default()).expect("the default settings");
        let mut player = NetworkPlayer::new(Level::detect(), 1, Values::Learning(Box::new(learner)));
        for _ in 0..40 {
            player.next_move(&|| false);
            assert!(player.practice());
        }
        let Values::Learning(learner) = &player.values else { panic!("it was given a learner") };
        assert_eq!(learner.rounds(), 40 * ROUNDS);
        assert!(player.moves > 0 && player.score > 0);
        assert!(
            (1..=17).map(tile_color).collect::<Vec<_>>().windows(2).take(13).all(|pair| pair[0] != pair[1])
        );
    }
}
