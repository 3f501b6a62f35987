//! `bitcade play 2048`.

use super::advisor::{Advisor, best_move};
use super::network::read_network;
use super::parse_size;
use super::tiles::{Grid, Movement, Tint, movements};
use crate::arguments::parse_seed;
use crate::output::{Failure, Output};
use crate::play::best_scores::{BestScores, Better};
use crate::play::keys::pressed;
use crate::play::panel::{Panel, Tone, areas, least_size};
use crate::play::seed::fresh_seed;
use crate::screen::options::ScreenArgs;
use crate::screen::run;
use crate::screen::theme::Theme;
use crate::screen::view::{Flow, Input, Screen};
use crate::screen::widgets::{self, grouped};
use bitcore::Rng;
use clap::Args;
use g2048::{Board, Direction, Size};
use ratatui::Frame;
use ratatui::crossterm::event::KeyCode;
use std::path::PathBuf;
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
    /// Give hints by a network that `bitcade 2048 train` wrote, on 4x4, instead of by random play
    #[arg(long)]
    net: Option<PathBuf>,
    #[command(flatten)]
    screen: ScreenArgs,
}

pub(crate) fn run(arguments: &PlayArgs, output: &mut Output) -> Result<(), Failure> {
    let size = arguments.size;
    let advisor = match &arguments.net {
        Some(_) if size != Size::CLASSIC => {
            return Err(Failure::Input(format!("--net plays on 4x4, found --size {size}")));
        }
        Some(path) => Advisor::Network(Box::new(read_network(path)?)),
        None => Advisor::Playouts,
    };
    let seed = arguments.seed.unwrap_or_else(fresh_seed);
    let scores = BestScores::load(&format!("2048 {size}"), Better::Higher);
    let (mut game, recorded) = run::run(&arguments.screen, || Ok(Game::new(size, seed, scores, advisor)))?;
    game.keep_score();
    game.scores.report();
    output.text(format!("score {}\n", game.position.score))?;
    recorded
}

/// The state after a move, with all that the next one depends on.
#[derive(Clone, Debug, PartialEq)]
struct Position {
    board: Board,
    rng: Rng,
    score: u64,
    /// The gain of the last move.
    gain: u64,
}

impl Position {
    fn start(size: Size, mut rng: Rng) -> Self {
        Self { board: Board::start(size, &mut rng), rng, score: 0, gain: 0 }
    }
}

struct Sliding {
    movements: Vec<Movement>,
    start: Duration,
}

const SLIDE: Duration = Duration::from_millis(110);
/// The time between two pictures of a slide.
const PICTURE: Duration = Duration::from_millis(33);

/// The rank of the tile 2048.
const GOAL: u8 = 11;

struct Game {
    seed: u64,
    /// The number of games begun, each on a stream of its own.
    games: u64,
    position: Position,
    history: Vec<Position>,
    scores: BestScores,
    is_best: bool,
    advisor: Advisor,
    /// The values of the moves, if a hint was asked for.
    hint: Vec<(Direction, f64)>,
    sliding: Option<Sliding>,
    /// `true` while the user is asked whether to begin a new game.
    asks: bool,
    now: Duration,
}

impl Game {
    fn new(size: Size, seed: u64, scores: BestScores, advisor: Advisor) -> Self {
        Self {
            seed,
            games: 1,
            position: Position::start(size, Rng::new(seed)),
            history: Vec::new(),
            scores,
            is_best: false,
            advisor,
            hint: Vec::new(),
            sliding: None,
            asks: false,
            now: Duration::ZERO,
        }
    }

    fn is_over(&self) -> bool {
        self.position.board.is_over()
    }

    /// Returns whether ending the game would lose something.
    fn runs(&self) -> bool {
        !self.history.is_empty() && !self.is_over()
    }

    fn slide(&mut self, direction: Direction) {
        let slide = self.position.board.slide(direction);
        if !slide.changed {
            return;
        }
        let movements = movements(&self.position.board, direction);
        self.sliding = Some(Sliding { movements, start: self.now });
        self.hint.clear();
        self.history.push(self.position.clone());
        let Position { board, rng, score, gain } = &mut self.position;
        *board = slide.board;
        board.spawn(rng);
        *score += slide.gain;
        *gain = slide.gain;
        if self.is_over() {
            self.keep_score();
        }
    }

    /// Takes a move back: the same move will bring the same tile.
    fn undo(&mut self) {
        if let Some(position) = self.history.pop() {
            self.position = position;
            self.sliding = None;
            self.hint.clear();
        }
    }

    fn begin(&mut self) {
        self.keep_score();
        let rng = Rng::stream(self.seed, self.games);
        self.games += 1;
        self.position = Position::start(self.position.board.size(), rng);
        self.history.clear();
        self.hint.clear();
        (self.sliding, self.is_best) = (None, false);
    }

    fn keep_score(&mut self) {
        let score = self.position.score;
        self.is_best |= score > 0 && self.scores.add(score);
    }

    /// Returns whether the last move made the first 2048.
    fn has_just_won(&self) -> bool {
        let won = |position: &Position| position.board.max_rank() >= GOAL;
        won(&self.position) && self.history.last().is_some_and(|last| !won(last))
    }

    fn panel(&self, theme: Theme) -> Panel {
        let position = &self.position;
        let size = position.board.size();
        let best = self.scores.best().unwrap_or(0).max(position.score);
        let gain = if position.gain > 0 { format!("+{}", grouped(position.gain)) } else { "-".to_owned() };
        let figures = vec![
            ("score", grouped(position.score)),
            ("best", grouped(best)),
            ("last move", gain),
            ("moves", grouped(self.history.len() as u64)),
            ("largest", (1u64 << position.board.max_rank()).to_string()),
        ];
        let mut messages = Vec::new();
        let mut say = |text: &str, tone| messages.push((text.to_owned(), tone));
        if self.is_over() {
            say("Game over: no move is left.", Tone::Bad);
            if self.is_best {
                say("Your best score!", Tone::Good);
            }
            say("", Tone::Plain);
            say("u takes the move back, n begins a new game.", Tone::Faint);
        } else if let Some(direction) = best_move(&self.hint) {
            say(&format!("Hint: {direction}"), Tone::Good);
            say("", Tone::Plain);
            for &(other, value) in &self.hint {
                let mark = if other == direction { theme.pick("◀", "<") } else { "" };
                let tone = if other == direction { Tone::Good } else { Tone::Plain };
                let value = grouped(value.max(0.0).round() as u64);
                say(&format!("{:<6}{value:>9} {mark}", other.to_string()), tone);
            }
            say(self.advisor.name(), Tone::Faint);
        } else if self.has_just_won() {
            say("You made 2048!", Tone::Good);
            say("Play on for the next one.", Tone::Plain);
        } else if self.history.is_empty() {
            say("Slide all tiles with the arrow keys. Two equal ones become one.", Tone::Plain);
        }
        Panel { title: format!("2048 on {size}"), figures, progress: None, messages }
    }
}

impl Screen for Game {
    fn advance(&mut self, now: Duration) {
        self.now = now;
        if self.sliding.as_ref().is_some_and(|sliding| now >= sliding.start + SLIDE) {
            self.sliding = None;
        }
    }

    fn next_change(&self) -> Option<Duration> {
        self.sliding.as_ref().map(|sliding| (self.now + PICTURE).min(sliding.start + SLIDE))
    }

    fn draw(&self, frame: &mut Frame<'_>, theme: Theme) {
        let board = &self.position.board;
        let size = board.size();
        let fit = |width, height| Grid::fit(size, width, height).size(size);
        let least = Grid::least_size(size);
        if widgets::too_small(frame, theme, least_size(least)) {
            return;
        }
        let areas = areas(frame.area(), least.0, fit);
        let (area, buffer) = (areas.board, frame.buffer_mut());
        let grid = Grid::fit(size, area.width, area.height);
        if let Some(Sliding { movements, start }) = &self.sliding {
            let part = 256 * self.now.saturating_sub(*start).as_millis() / SLIDE.as_millis();
            grid.draw_slide(buffer, area, size, movements, part.min(256) as u16, theme);
        } else {
            let tint = if self.is_over() { Tint::Faded } else { Tint::Full };
            grid.draw(buffer, area, board, tint, theme);
        }
        let keys = [
            (theme.pick("←↑↓→ wasd", "arrows wasd"), "slide"),
            ("u", "undo"),
            ("h", "hint"),
            ("n", "new game"),
            ("q", "quit"),
        ];
        self.panel(theme).draw(frame, &areas, &keys, theme);
        if self.asks {
            widgets::question(frame, theme, "Start a new game?");
        }
    }

    fn input(&mut self, input: Input, now: Duration) -> Flow {
        self.now = now;
        let Some(code) = pressed(input) else { return Flow::Continue };
        if self.asks {
            self.asks = false;
            if matches!(code, KeyCode::Char('y') | KeyCode::Enter) {
                self.begin();
            }
            return Flow::Continue;
        }
        match code {
            KeyCode::Left => self.slide(Direction::Left),
            KeyCode::Right => self.slide(Direction::Right),
            KeyCode::Up => self.slide(Direction::Up),
            KeyCode::Down => self.slide(Direction::Down),
            KeyCode::Char('u') | KeyCode::Backspace => self.undo(),
            KeyCode::Char('h') => self.hint = self.advisor.values(&self.position.board),
            KeyCode::Char('n') if self.runs() => self.asks = true,
            KeyCode::Char('n') => self.begin(),
            _ => {}
        }
        Flow::Continue
    }

    fn quit_question(&self) -> Option<String> {
        self.runs().then(|| "Quit this game?".to_owned())
    }
}

pub(crate) fn fuzzed(seed: u64) -> Box<dyn Screen> {
    let size = Size::new(2 + seed as usize % 7, 2 + seed as usize / 7 % 7).expect("2 to 8");
    Box::new(Game::new(size, seed, BestScores::at(None, "2048", Better::Higher), Advisor::Playouts))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::testing::{
        Driver, check_screen, check_sizes, drawn, has_all, press_random_keys, text_of,
    };

    /// The arrow keys, in the order in which [`Driver::play`] tries them.
    const ARROWS: [(&str, Direction); 4] =
        [("←", Direction::Left), ("↓", Direction::Down), ("→", Direction::Right), ("↑", Direction::Up)];

    fn sized(width: usize, height: usize) -> Size {
        Size::new(width, height).expect("a size")
    }

    fn game(size: Size, seed: u64) -> Game {
        Game::new(size, seed, BestScores::at(None, "2048", Better::Higher), Advisor::Playouts)
    }

    fn driver(size: Size, seed: u64) -> Driver<Game> {
        Driver::new(game(size, seed))
    }

    fn driver_on(board: &str) -> Driver<Game> {
        let mut game = driver(Size::CLASSIC, 1);
        game.position.board = board.parse().expect("a board");
        game
    }

    impl Driver<Game> {
        /// Plays some moves, or fewer if the game ends.
        fn play(&mut self, moves: usize) {
            for _ in 0..moves {
                self.move_once();
            }
            self.run_to_rest();
        }

        /// Plays to the end of the game.
        fn play_out(&mut self) {
            while !self.is_over() {
                self.move_once();
            }
            self.run_to_rest();
        }

        /// Plays a move, if there is one.
        fn move_once(&mut self) {
            let board = self.position.board;
            if let Some((key, _)) = ARROWS.into_iter().find(|arrow| board.is_legal(arrow.1)) {
                self.press(key);
            }
        }
    }

    #[test]
    fn screens() {
        let mut start = driver(Size::CLASSIC, 1);
        start.looks_as("2048-start");
        start.play(60);
        start.looks_as("2048-middle");
        start.press("h");
        start.looks_as("2048-hint");
        start.press("n");
        start.looks_as("2048-new");
        start.press("x");
        start.play_out();
        start.looks_as("2048-over");
        let mut large = game(sized(8, 8), 1);
        let ranks: Vec<u8> = (0..64).map(|cell| (cell * 7 % 19) as u8).collect();
        large.position.board = Board::from_ranks(sized(8, 8), &ranks).expect("64 ranks");
        check_screen(&large, "2048-8x8");
    }

    #[test]
    fn the_figures_stand_above_a_board_on_a_narrow_screen() {
        let text = text_of(&drawn(&game(Size::CLASSIC, 1), Theme::PLAIN, 30, 16));
        assert!(text.starts_with("2048 on 4x4  score 0  best 0"), "{text}");
        assert!(text.contains('2') && text.contains("slide"), "{text}");
    }

    #[test]
    fn sizes() {
        for ((width, height), least) in [((4, 4), (20, 7)), ((8, 8), (39, 11)), ((5, 3), (24, 6))] {
            let mut game = game(sized(width, height), 1);
            game.position.score = 1_234_567;
            let ranks = game.position.board.ranks();
            let tiles = ranks.iter().filter(|&&rank| rank > 0).map(|&rank| (1u64 << rank).to_string());
            let tiles: Vec<String> = tiles.collect();
            check_sizes(&game, least, |text, _| {
                let dots = text.split_whitespace().filter(|word| *word == ".").count();
                dots + 2 * tiles.len() >= width * height
                    && has_all(text, &["score", "1,234,567", "q quit", &tiles[0], &tiles[1]])
            });
        }
    }

    #[test]
    fn tiles_are_seen_without_colors() {
        let game = driver_on("2 4 8 16\n32 64 128 256\n512 1024 2048 4096\n8192 16384 32768 .");
        game.check_without_colors(&[(80, 24), (160, 50), (60, 15)], |text, _| {
            assert!((1..=15).all(|rank| text.contains(&(1u64 << rank).to_string())), "{text}");
        });
    }

    #[test]
    fn a_move_plays_by_the_rules() {
        let mut game = driver(Size::CLASSIC, 7);
        let mut rng = Rng::new(7);
        let mut board = Board::start(Size::CLASSIC, &mut rng);
        let mut score = 0;
        let keys =
            [("←", Direction::Left), ("↑", Direction::Up), ("d", Direction::Right), ("S", Direction::Down)];
        for (key, direction) in keys.repeat(50) {
            game.press(key);
            let slide = board.slide(direction);
            if slide.changed {
                (board, score) = (slide.board, score + slide.gain);
                board.spawn(&mut rng);
            }
            assert_eq!((game.position.board, game.position.score), (board, score));
        }
        assert!(score > 0);
    }

    #[test]
    fn undo_brings_back_board_score_and_random_numbers() {
        let mut game = driver(Size::CLASSIC, 3);
        game.play(40);
        let end = game.position.clone();
        for moves in (0..40).rev() {
            let last = game.history[moves].clone();
            game.press("u");
            assert_eq!((&game.position, game.history.len()), (&last, moves));
        }
        assert_eq!(game.position, Position::start(Size::CLASSIC, Rng::new(3)));
        // The same moves bring the same tiles, also after a hint.
        game.press("uh");
        assert!(!game.hint.is_empty());
        game.play(40);
        assert_eq!(game.position, end);
    }

    #[test]
    fn a_game_ends_and_another_begins() {
        let mut game = driver(sized(3, 3), 1);
        assert_eq!(game.quit_question(), None);
        game.press("n");
        assert!(!game.asks && game.games == 2);
        game.play_out();
        let score = game.position.score;
        assert_eq!((game.scores.best(), game.is_best, game.quit_question()), (Some(score), true, None));
        game.press("u");
        assert_eq!(game.quit_question().as_deref(), Some("Quit this game?"));
        game.press("n");
        assert!(game.asks);
        game.press("n");
        assert!(!game.asks && !game.history.is_empty());
        game.press("ny");
        assert!(!game.asks && game.history.is_empty() && game.games == 3);
        assert_eq!(game.position, Position::start(sized(3, 3), Rng::stream(1, 2)));
    }

    #[test]
    fn the_goal_is_told_once() {
        let mut game = driver_on("1024 1024 . .\n. . . .\n. . . .\n. . . .");
        assert!(!game.has_just_won());
        game.press("←");
        assert!(game.has_just_won() && !game.is_over());
        game.shows("You made 2048!");
        for (key, won) in [("↓", false), ("u", true)] {
            game.press(key);
            assert_eq!(game.has_just_won(), won, "{key}");
        }
    }

    #[test]
    fn a_slide_takes_its_time() {
        let mut game = driver_on(". . . 2\n. . . .\n. . . .\n. . . .");
        assert_eq!(game.next_change(), None);
        game.press("←");
        let start = game.now();
        assert_eq!(game.next_change(), Some(start + PICTURE));
        let column = |game: &Driver<Game>| {
            let text = game.text();
            let column = text.lines().find_map(|line| line.chars().take(45).position(|letter| letter == '2'));
            column.expect("a tile")
        };
        let first = column(&game);
        game.advance(start + SLIDE / 2);
        let middle = column(&game);
        assert!(middle < first && game.sliding.is_some(), "{middle} {first}");
        game.advance(start + SLIDE);
        assert!(column(&game) < middle && game.sliding.is_none());
        assert_eq!(game.next_change(), None);
    }

    #[test]
    fn random_keys() {
        let keys = "←→↑↓←→↑↓←→↑↓wasdWASDuuunynxqQ\n\x1b\x7f\t";
        for ((width, height), seed) in [(4, 4), (2, 2), (3, 5), (8, 8)].into_iter().zip(0..) {
            press_random_keys(|| game(sized(width, height), seed), keys, 25_000, seed);
        }
        // Hints take longer.
        press_random_keys(|| game(Size::CLASSIC, 9), &format!("{keys}h"), 2_000, 9);
    }
}
