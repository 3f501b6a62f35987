//! `bitcade play 2048`.

use super::best_scores::{BestScores, Better};
use super::fresh_seed;
use crate::arguments::{parse_seed, parse_sides};
use crate::output::{Failure, Output};
use crate::screen::options::ScreenArgs;
use crate::screen::run;
use crate::screen::theme::{Rgb, Theme, palette};
use crate::screen::view::{Flow, Input, Screen};
use crate::screen::widgets::{self, grouped};
use bitcore::Rng;
use clap::Args;
use g2048::{Board, Direction, Size};
use ratatui::Frame;
use ratatui::crossterm::event::{KeyCode, KeyEventKind};
use std::time::Duration;

/// The arguments of `play 2048`.
#[derive(Args)]
pub(crate) struct PlayArgs {
    /// The size of the board, 2x2 to 8x8; 5 stands for 5x5
    #[arg(long, value_name = "NxM", default_value_t = Size::CLASSIC, value_parser = parse_size)]
    size: Size,
    /// The seed of the new tiles [default: another one in each game]
    #[arg(long, value_parser = parse_seed)]
    seed: Option<u64>,
    #[command(flatten)]
    screen: ScreenArgs,
}

fn parse_size(text: &str) -> Result<Size, String> {
    let (width, height) = parse_sides(text, 2..=8)?;
    Size::new(width, height).map_err(|error| error.to_string())
}

pub(crate) fn run(arguments: &PlayArgs, output: &mut Output) -> Result<(), Failure> {
    let size = arguments.size;
    let seed = arguments.seed.unwrap_or_else(fresh_seed);
    let best = BestScores::load(&format!("2048 {size}"), Better::Higher);
    let game = run::run(&arguments.screen, |_| Ok(Game::new(size, seed, best)))?;
    output.text(format!("score {}\n", game.score))
}

/// A game that is being played.
struct Game {
    board: Board,
    rng: Rng,
    score: u64,
    best: BestScores,
}

impl Game {
    fn new(size: Size, seed: u64, best: BestScores) -> Self {
        let mut rng = Rng::new(seed);
        Self { board: Board::start(size, &mut rng), rng, score: 0, best }
    }

    /// Slides the tiles, if that changes the board.
    fn slide(&mut self, direction: Direction) {
        let slide = self.board.slide(direction);
        if slide.changed {
            self.board = slide.board;
            self.board.spawn(&mut self.rng);
            self.score += u64::from(slide.gain);
            self.best.add(self.score);
        }
    }
}

impl Screen for Game {
    fn advance(&mut self, _: Duration) {}

    fn next_change(&self) -> Option<Duration> {
        None
    }

    fn draw(&self, frame: &mut Frame<'_>, theme: &Theme) {
        let area = frame.area();
        let buffer = frame.buffer_mut();
        let best = self.best.best().map_or_else(|| "none".to_owned(), grouped);
        let line = format!("2048   score {}   best {best}", grouped(self.score));
        widgets::text(buffer, area, 1, 0, &line, theme.strong());
        for (y, row) in (2..).zip(self.board.to_string().lines()) {
            widgets::text(buffer, area, 1, y, row, theme.surface(palette::TEXT, Rgb(0, 0, 0)));
        }
    }

    fn input(&mut self, input: Input, _: Duration) -> Flow {
        if let Input::Key(key) = input
            && key.kind != KeyEventKind::Release
        {
            match key.code {
                KeyCode::Left => self.slide(Direction::Left),
                KeyCode::Right => self.slide(Direction::Right),
                KeyCode::Up => self.slide(Direction::Up),
                KeyCode::Down => self.slide(Direction::Down),
                _ => {}
            }
        }
        Flow::Continue
    }

    fn quit_question(&self) -> Option<String> {
        (self.score > 0).then(|| "Quit this game?".to_owned())
    }
}
