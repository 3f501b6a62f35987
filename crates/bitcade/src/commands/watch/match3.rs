//! Match-3 by rollouts: each swap with its cascade, level by level.

use super::player::{AnimatedMove, Fact, Picture, Player, Stop, timed};
use crate::screen::theme::{Theme, palette};
use crate::screen::widgets::{self, grouped};
use bitcore::{Level, Rng};
use match3::agent::{Agent, Rollout};
use match3::colors::{Colors, RandomColors};
use match3::planes::{AnyBoard, Layout};
use match3::{Board, Cell, Event, has_swap, try_swap};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::time::Duration;

/// The side of the board, its colors and the moves of a game.
const SIDE: usize = 8;
const COLORS: u8 = 6;
const MOVES: u32 = 30;
/// The rollouts for each move.
const BUDGET: u32 = 256;

/// A board; some cells are marked.
struct BoardPicture {
    board: Board,
    marked: Vec<(usize, usize)>,
}

impl Picture for BoardPicture {
    fn size(&self, scale: u16) -> (u16, u16) {
        (2 * scale * self.board.width() as u16, scale * self.board.height() as u16)
    }

    /// Draws the board. Marked cells are shown in brackets.
    fn draw(&self, buffer: &mut Buffer, area: Rect, scale: u16, theme: Theme) {
        for (y, row) in self.board.rows().enumerate() {
            for (x, cell) in row.iter().enumerate() {
                let (left, top) = (area.x + 2 * scale * x as u16, area.y + scale * y as u16);
                let (text, style) = match cell.color() {
                    None => (" ".to_owned(), theme.surface(palette::GRID, palette::GROUND)),
                    Some(color) => {
                        let kind = palette::KINDS[usize::from(color - 1) % palette::KINDS.len()];
                        let letter = char::from(b'A' + (color - 1) % 26);
                        if self.marked.contains(&(x, y)) {
                            let text = format!("{}{letter}", theme.pick("▐", "<"));
                            (text, theme.surface(palette::TEXT, widgets::shaded(kind)))
                        } else {
                            (format!("{letter} "), theme.surface(widgets::shaded(kind), kind))
                        }
                    }
                };
                let width = usize::from(2 * scale);
                for row in 0..scale {
                    let text = if row == 0 { text.as_str() } else { "" };
                    widgets::text(buffer, area, left, top + row, &format!("{text:^width$}"), style);
                }
            }
        }
    }
}

/// The player and its game.
pub(super) struct RolloutPlayer {
    level: Level,
    seeds: Rng,
    board: Board,
    colors: RandomColors,
    agent: Rollout,
    moves_left: u32,
    score: u64,
    games: u64,
    best: u64,
}

impl RolloutPlayer {
    pub(super) fn new(level: Level, seed: u64) -> Self {
        let mut seeds = Rng::new(seed);
        let (board, colors, agent) = start(&mut seeds);
        Self { level, seeds, board, colors, agent, moves_left: MOVES, score: 0, games: 0, best: 0 }
    }

    fn facts(&self, last: &str) -> Vec<Fact> {
        vec![
            ("score", grouped(self.score)),
            ("moves left", self.moves_left.to_string()),
            ("swap", last.to_owned()),
            ("games", self.games.to_string()),
            ("best game", grouped(self.best)),
        ]
    }

    fn picture(&self, marked: Vec<(usize, usize)>) -> Box<dyn Picture> {
        Box::new(BoardPicture { board: self.board.clone(), marked })
    }

    /// Ends the game and begins the next one.
    fn restart(&mut self) {
        self.games += 1;
        self.best = self.best.max(self.score);
        (self.moves_left, self.score) = (MOVES, 0);
        (self.board, self.colors, self.agent) = start(&mut self.seeds);
    }
}

/// Returns the board, the refills and the player of a new game.
fn start(seeds: &mut Rng) -> (Board, RandomColors, Rollout) {
    let mut stream = || Rng::new(seeds.next_u64());
    let board = match3::deal(SIDE, SIDE, COLORS, &mut stream()).expect("six colors fit on 8 x 8 cells");
    let colors = RandomColors::new(COLORS, stream()).expect("six colors");
    let agent = Rollout::new(BUDGET, COLORS, stream()).expect("six colors");
    (board, colors, agent)
}

const PAUSE: Duration = Duration::from_millis(450);
const SWAPPED: Duration = Duration::from_millis(250);
const CLEARED: Duration = Duration::from_millis(220);
const FALLEN: Duration = Duration::from_millis(220);

impl Player for RolloutPlayer {
    fn next_move(&mut self, stop: Stop<'_>) -> AnimatedMove {
        if self.moves_left == 0 || !has_swap(&self.board) {
            let score = self.score;
            self.restart();
            let facts = self.facts(&format!("last game {}", grouped(score)));
            return AnimatedMove {
                pictures: vec![(self.picture(Vec::new()), PAUSE)],
                facts,
                nodes: 0,
                thinking: Duration::ZERO,
            };
        }
        let layout = Layout::smallest(SIDE, SIDE, COLORS);
        let any = AnyBoard::new(layout, &self.board).expect("a board of this layout");
        let (swap, thinking) = timed(|| self.agent.choose_until_on(self.level, &any, self.moves_left, stop));
        let mut pictures = Vec::new();
        let mut last = "none".to_owned();
        if let Some(swap) = swap {
            let [a, b] = swap.cells();
            pictures.push((self.picture(vec![a, b]), PAUSE));
            let mut journal = Vec::new();
            let mut after = self.board.clone();
            let colors = &mut self.colors;
            if let Ok(result) = try_swap(&mut after, swap, || colors.next(), &mut journal) {
                self.moves_left -= 1;
                self.score += result.score;
                last = format!("{swap} +{}", result.score);
                self.animate(&journal, &mut pictures);
            }
            self.board = after;
        }
        pictures.push((self.picture(Vec::new()), SWAPPED));
        AnimatedMove { pictures, facts: self.facts(&last), nodes: u64::from(BUDGET), thinking }
    }
}

impl RolloutPlayer {
    /// Adds a picture of each step of a cascade: the swap, then for each level the matched cells, the holes,
    /// and the board after falls and refills. The board is then that after the journal.
    fn animate(&mut self, journal: &[Event], pictures: &mut Vec<(Box<dyn Picture>, Duration)>) {
        let mut marked: Vec<(usize, usize)> = Vec::new();
        let mut events = journal.iter().peekable();
        while let Some(event) = events.next() {
            match event {
                Event::Swap(swap) => {
                    let [a, b] = swap.cells();
                    self.board.exchange(a, b);
                    pictures.push((self.picture(vec![a, b]), SWAPPED));
                }
                Event::Match { group, .. } => {
                    marked.extend(group.cells());
                    if !matches!(events.peek(), Some(Event::Match { .. })) {
                        pictures.push((self.picture(std::mem::take(&mut marked)), CLEARED));
                    }
                }
                Event::Clear { at, .. } => self.board.set(at.0, at.1, Cell::EMPTY),
                Event::Fall { from, to } => {
                    let cell = self.board.get(from.0, from.1);
                    self.board.set(from.0, from.1, Cell::EMPTY);
                    self.board.set(to.0, to.1, cell);
                }
                Event::Spawn { at, cell } => self.board.set(at.0, at.1, *cell),
            }
            let next = events.peek();
            let clears = matches!(event, Event::Clear { .. });
            let level_ends = !matches!(event, Event::Swap(_) | Event::Match { .. } | Event::Clear { .. })
                && matches!(next, Some(Event::Match { .. }) | None);
            if clears && !matches!(next, Some(Event::Clear { .. })) {
                pictures.push((self.picture(Vec::new()), CLEARED));
            } else if level_ends {
                pictures.push((self.picture(Vec::new()), FALLEN));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_animation_ends_on_the_board_of_the_rules() {
        let mut player = RolloutPlayer::new(Level::detect(), 3);
        for _ in 0..20 {
            let (before, colors, mut agent) =
                (player.board.clone(), player.colors.clone(), player.agent.clone());
            let any = AnyBoard::new(Layout::smallest(8, 8, 6), &before).expect("8 x 8");
            let Some(swap) = agent.choose(&any, player.moves_left) else {
                // A dead board: the next game begins.
                player.next_move(&|| false);
                continue;
            };
            let mut expected = before.clone();
            let mut colors = colors;
            try_swap(&mut expected, swap, || colors.next(), &mut ()).expect("legal");
            let mut animated = RolloutPlayer { board: before, ..RolloutPlayer::new(Level::detect(), 3) };
            let mut journal = Vec::new();
            let mut again = player.colors.clone();
            try_swap(&mut animated.board.clone(), swap, || again.next(), &mut journal).expect("legal");
            animated.animate(&journal, &mut Vec::new());
            let made = player.next_move(&|| false);
            assert_eq!((&player.board, &animated.board), (&expected, &expected));
            assert!(made.pictures.len() >= 5, "swap, match, holes, fall, rest");
        }
    }
}
