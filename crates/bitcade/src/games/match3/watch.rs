//! Match-3 by rollouts: each swap with its cascade, level by level.

use super::animation::{Animation, At, PICTURE, Step};
use super::pieces::{Grid, Mark};
use crate::output::Failure;
use crate::screen::picture::Picture;
use crate::screen::theme::Theme;
use crate::screen::widgets::grouped;
use crate::watch::player::{AnimatedMove, Fact, Player, Stop, timed};
use crate::watch::watched::PlayerOptions;
use bitcore::Rng;
use match3::player::Rollout;
use match3::{Board, Colors, Game, Player as _, RandomColors, Rules, has_swap, try_swap};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::time::Duration;

/// The side of the board, its colors and the moves of a game.
const SIDE: usize = 8;
const COLORS: u8 = 6;
const MOVES: u32 = 30;
/// The rollouts for each move.
const BUDGET: u32 = 256;

/// A board at rest with marks, or a step of a swap at a part of its time.
struct BoardPicture {
    board: Board,
    marks: Vec<(At, Mark)>,
    step: Option<(Step, f64)>,
}

impl Picture for BoardPicture {
    fn size(&self, room: (u16, u16), theme: Theme) -> (u16, u16) {
        let scale = 1 + u16::from(room.0 >= 40 && room.1 >= 20 && !theme.needs_letters());
        Grid::extent((SIDE, SIDE), scale)
    }

    fn draw(&self, buffer: &mut Buffer, area: Rect, theme: Theme) {
        let grid = Grid::new((SIDE, SIDE), area);
        match &self.step {
            Some((step, part)) => grid.draw_step(buffer, step, *part, &self.marks, theme),
            None => grid.draw(buffer, &self.board, &self.marks, theme),
        }
    }
}

pub(super) fn player(options: &PlayerOptions) -> Result<Box<dyn Player>, Failure> {
    Ok(Box::new(RolloutPlayer::new(options.seed)))
}

struct RolloutPlayer {
    seeds: Rng,
    board: Board,
    colors: RandomColors,
    rollout: Rollout,
    moves_left: u32,
    score: u64,
    games: u64,
    best: u64,
}

impl RolloutPlayer {
    fn new(seed: u64) -> Self {
        let mut seeds = Rng::new(seed);
        let (board, colors, rollout) = start(&mut seeds);
        Self { seeds, board, colors, rollout, moves_left: MOVES, score: 0, games: 0, best: 0 }
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

    fn picture(&self, marked: &[At], step: Option<(Step, f64)>) -> Box<dyn Picture> {
        let marks = marked.iter().map(|&at| (at, Mark::Selected)).collect();
        Box::new(BoardPicture { board: self.board.clone(), marks, step })
    }

    fn restart(&mut self) {
        self.games += 1;
        self.best = self.best.max(self.score);
        (self.moves_left, self.score) = (MOVES, 0);
        (self.board, self.colors, self.rollout) = start(&mut self.seeds);
    }
}

fn start(seeds: &mut Rng) -> (Board, RandomColors, Rollout) {
    let mut stream = || Rng::new(seeds.next_u64());
    let board = match3::deal(SIDE, SIDE, COLORS, &mut stream()).expect("six colors fit on 8 x 8 cells");
    let colors = RandomColors::new(COLORS, stream()).expect("six colors");
    (board, colors, Rollout::new(BUDGET, stream()))
}

/// Returns the game that the player sees.
fn game(board: &Board, moves: u32) -> Game {
    let rules = Rules { width: SIDE, height: SIDE, colors: COLORS, moves };
    Game::with_board(rules, board).expect("a board of these rules")
}

const PAUSE: Duration = Duration::from_millis(450);
const REST: Duration = Duration::from_millis(250);

impl Player for RolloutPlayer {
    fn next_move(&mut self, stop: Stop<'_>) -> AnimatedMove {
        if self.moves_left == 0 || !has_swap(&self.board) {
            let score = self.score;
            self.restart();
            let facts = self.facts(&format!("last game {}", grouped(score)));
            return AnimatedMove {
                pictures: vec![(self.picture(&[], None), PAUSE)],
                facts,
                nodes: 0,
                thinking: Duration::ZERO,
            };
        }
        let game = game(&self.board, self.moves_left);
        let (swap, thinking) = timed(|| self.rollout.choose_until(&game, stop));
        let mut pictures = Vec::new();
        let mut last = "none".to_owned();
        if let Some(swap) = swap {
            pictures.push((self.picture(&swap.cells(), None), PAUSE));
            let (before, mut events, colors) = (self.board.clone(), Vec::new(), &mut self.colors);
            if let Ok(result) = try_swap(&mut self.board, swap, || colors.next(), &mut events) {
                self.moves_left -= 1;
                self.score += result.score;
                last = format!("{swap} +{}", result.score);
                let animation = Animation::new(&before, &events, 0, Duration::ZERO);
                let steps = (0..).map_while(|i| animation.at(PICTURE * i));
                pictures.extend(
                    steps.map(|(step, part)| (self.picture(&[], Some((step.clone(), part))), PICTURE)),
                );
            }
        }
        pictures.push((self.picture(&[], None), REST));
        AnimatedMove { pictures, facts: self.facts(&last), nodes: u64::from(BUDGET), thinking }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_those_of_the_rules() {
        let mut player = RolloutPlayer::new(3);
        for _ in 0..20 {
            let (mut expected, mut colors) = (player.board.clone(), player.colors.clone());
            let swap = player.rollout.clone().choose(&game(&expected, player.moves_left));
            let made = player.next_move(&|| false);
            // On a dead board the next game begins.
            let Some(swap) = swap else { continue };
            try_swap(&mut expected, swap, || colors.next(), &mut ()).expect("legal");
            assert_eq!(player.board, expected);
            assert!(made.pictures.len() >= 5, "swap, match, holes, fall, rest");
        }
    }
}
