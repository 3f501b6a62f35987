//! `bitcade play 2048`.

use super::advisor::{Advisor, DEPTH, best_move};
use super::arguments::parse_2048_size;
use super::network::{LateArg, Nets};
use super::tiles::Tiles;
use crate::arguments::{parse_seed, parse_time};
use crate::io::output::{Failure, Output};
use crate::play::best_scores::{BestScores, Better};
use crate::play::keys::{Action, Keys, pressed};
use crate::play::line_mode::{self, LineArgs, LineGame};
use crate::play::panel::{Panel, Tone, areas, arrows, least_size};
use crate::play::saved_games::SavedGames;
use crate::play::seed::fresh_seed;
use crate::play::turns::{self, Turns};
use crate::screen::options::ScreenArgs;
use crate::screen::picture::Picture;
use crate::screen::run;
use crate::screen::theme::Theme;
use crate::screen::view::{Flow, Input, Screen};
use crate::screen::widgets::{self, Page, grouped};
use bitcore::Rng;
use clap::Args;
use g2048::{Board, Direction, IllegalMove, Outcome, Size};
use ratatui::Frame;
use serde_json::{Map, Value, json};
use std::convert::Infallible;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args)]
pub(crate) struct PlayArgs {
    /// The board size, 2x2 to 8x8; 5 means 5x5
    #[arg(long, value_name = "NxM", default_value_t = Size::CLASSIC, value_parser = parse_2048_size)]
    size: Size,
    /// The seed of the new tiles [default: a new one for each game]
    #[arg(long, value_parser = parse_seed)]
    seed: Option<u64>,
    /// Give hints with a network for this size, written by `bitcade 2048 train` [default: the
    /// built-in one on 4x4, random play on other boards]
    #[arg(long)]
    net: Option<PathBuf>,
    #[command(flatten)]
    late: LateArg,
    /// Let hints by a network look as far ahead as this time allows, at most 8 moves [default: 3
    /// moves]
    #[arg(long, value_name = "T", value_parser = parse_time)]
    seconds: Option<Duration>,
    #[command(flatten)]
    lines: LineArgs,
    #[command(flatten)]
    screen: ScreenArgs,
}

pub(crate) fn run(arguments: &PlayArgs, output: &mut Output) -> Result<(), Failure> {
    let &PlayArgs { size, ref net, ref late, seconds, ref lines, ref screen, .. } = arguments;
    let advisor = Advisor::of(Nets::new(net.as_deref(), late), size, DEPTH)?;
    let keys = Keys::load("2048").map_err(Failure::Input)?;
    let seed = arguments.seed.unwrap_or_else(fresh_seed);
    let rules = format!("2048 {size}");
    let scores = BestScores::load(&rules, Better::Higher);
    let mut game = Game::new(size, seed, scores, advisor, keys);
    game.time_of_hints = seconds;
    let by_lines = lines.wanted(screen);
    if !by_lines {
        output.refuse_json_of("is played on the screen; with --lines it prints the moves")?;
    }
    if lines.saves(screen, arguments.seed, output) {
        game.save_games(SavedGames::of(&rules), arguments.seed.is_none());
    }
    let played = if by_lines {
        line_mode::run(&mut game, output)
    } else {
        let (shown, recorded) = run::run(screen, || Ok(game))?;
        game = shown;
        recorded
    };
    output.text(game.turns.finish())?;
    played
}

/// The state after a move, with everything the next move depends on.
#[derive(Clone, Debug, PartialEq)]
struct Position {
    game: g2048::Game,
    rng: Rng,
    last: Option<Outcome>,
}

impl Position {
    fn start(size: Size, mut rng: Rng) -> Self {
        Self { game: g2048::Game::new(size, &mut rng), rng, last: None }
    }

    fn after(&self, direction: Direction) -> Result<(Self, Outcome), IllegalMove> {
        let mut next = self.clone();
        let outcome = next.game.play(direction, &mut next.rng)?;
        next.last = Some(outcome);
        Ok((next, outcome))
    }
}

impl turns::Position for Position {
    type Move = Direction;

    fn score(&self) -> u64 {
        self.game.score()
    }

    fn is_over(&self) -> bool {
        self.game.is_over()
    }

    fn after_move(&self, direction: Direction) -> Option<Self> {
        self.after(direction).ok().map(|(next, _)| next)
    }

    fn board_text(&self) -> String {
        self.game.board().to_string()
    }
}

/// A slide in progress, from the board before it.
struct Sliding {
    board: Board,
    direction: Direction,
    start: Duration,
}

const SLIDE: Duration = Duration::from_millis(110);
/// The time between frames of a slide.
const PICTURE: Duration = Duration::from_millis(33);

const OVER: &str = "the game is over";

/// The rank of the tile 2048.
const GOAL: u8 = 11;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    Slide(Direction),
    Undo,
    Hint,
    New,
}

const SLIDES: [Act; 4] = [
    Act::Slide(Direction::Left),
    Act::Slide(Direction::Up),
    Act::Slide(Direction::Down),
    Act::Slide(Direction::Right),
];

impl Action for Act {
    const TABLE: &'static [(Self, &'static str, &'static str)] = &[
        (SLIDES[0], "left", "left a h"),
        (SLIDES[1], "up", "up w k"),
        (SLIDES[2], "down", "down s j"),
        (SLIDES[3], "right", "right d l"),
        (Self::Undo, "undo", "u backspace"),
        (Self::Hint, "hint", "i"),
        (Self::New, "new", "n"),
    ];
}

struct Game {
    turns: Turns<Position>,
    keys: Keys<Act>,
    advisor: Advisor,
    /// The time of a hint; `None` fixes its lookahead.
    time_of_hints: Option<Duration>,
    /// The move values, if a hint was requested.
    hint: Vec<(Direction, f64)>,
    sliding: Option<Sliding>,
    now: Duration,
}

impl Game {
    fn new(size: Size, seed: u64, scores: BestScores, advisor: Advisor, keys: Keys<Act>) -> Self {
        let Ok(turns) =
            Turns::new(seed, scores, |rng| Ok::<_, Infallible>(Position::start(size, rng)));
        Self {
            turns,
            keys,
            advisor,
            time_of_hints: None,
            hint: Vec::new(),
            sliding: None,
            now: Duration::ZERO,
        }
    }

    fn save_games(&mut self, games: SavedGames, offers: bool) {
        let size = self.board().size();
        self.turns.save_games(games, offers, |rng| Ok::<_, Infallible>(Position::start(size, rng)));
    }

    fn board(&self) -> Board {
        self.turns.position().game.board()
    }

    fn score(&self) -> u64 {
        self.turns.position().game.score()
    }

    fn slide(&mut self, direction: Direction) -> Result<Outcome, IllegalMove> {
        let (next, outcome) = self.turns.position().after(direction)?;
        self.hint.clear();
        self.sliding = Some(Sliding { board: self.board(), direction, start: self.now });
        self.turns.play(direction, next);
        Ok(outcome)
    }

    /// Undoes a move; replaying it brings the same tile. Returns whether there was one.
    fn undo(&mut self) -> bool {
        (self.sliding, self.hint) = (None, Vec::new());
        self.turns.undo()
    }

    fn begin(&mut self) {
        let size = self.board().size();
        (self.sliding, self.hint) = (None, Vec::new());
        let Ok(()) = self.turns.begin(|rng| Ok::<_, Infallible>(Position::start(size, rng)));
    }

    fn show_hint(&mut self) -> Option<Direction> {
        let board = self.board();
        self.hint = match self.time_of_hints {
            Some(time) => self.advisor.deepen(&board, time, &|| false).unwrap_or_default(),
            None => self.advisor.values(&board),
        };
        best_move(&self.hint)
    }

    /// Returns whether the last move made the first 2048.
    fn has_just_won(&self) -> bool {
        let won = |position: &Position| position.game.board().max_rank() >= GOAL;
        won(self.turns.position()) && self.turns.before().is_some_and(|before| !won(before))
    }

    /// A win may come with the last possible move.
    fn ending(&self) -> Option<(String, Tone)> {
        let over = self.board().is_over();
        over.then(|| match self.board().max_rank() {
            GOAL.. => (format!("You made {}! Game over.", self.largest()), Tone::Good),
            _ => ("Game over: no moves left.".to_owned(), Tone::Bad),
        })
    }

    fn largest(&self) -> u64 {
        1 << self.board().max_rank()
    }

    fn panel(&self, theme: Theme) -> Panel {
        let last = self.turns.position().last.filter(|last| last.gain > 0);
        let figures = vec![
            ("score", grouped(self.score())),
            ("best", grouped(self.turns.best())),
            (
                "last move",
                last.map_or_else(|| "-".to_owned(), |last| format!("+{}", grouped(last.gain))),
            ),
            ("moves", grouped(self.turns.moves() as u64)),
            ("largest", self.largest().to_string()),
        ];
        let mut messages = Vec::new();
        let mut say = |text: &str, tone| messages.push((text.to_owned(), tone));
        if let Some((ending, tone)) = self.ending() {
            say(&ending, tone);
            if self.turns.is_best() {
                say("Your best score!", Tone::Good);
            }
            say("", Tone::Plain);
            let [undo, new] = [Act::Undo, Act::New].map(|act| self.keys.first(act));
            say(&format!("{undo} undoes the move, {new} starts a new game."), Tone::Faint);
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
            if let (Some(_), Advisor::Network(_, depth)) = (self.time_of_hints, &self.advisor) {
                say(&format!("{depth} moves ahead"), Tone::Faint);
            }
        } else if self.has_just_won() {
            say("You made 2048!", Tone::Good);
            say("Keep going for the next one.", Tone::Plain);
        } else if self.turns.moves() == 0 {
            say("Slide all tiles with the arrow keys. Two equal ones merge.", Tone::Plain);
        }
        Panel {
            title: format!("2048 on {}", self.board().size()),
            figures,
            progress: None,
            messages,
        }
    }

    fn draw_game(&self, frame: &mut Frame<'_>, theme: Theme) {
        let least = Tiles::least_size(self.board().size());
        let tiles = match self.sliding {
            Some(Sliding { board, direction, start }) => {
                let part = 256 * self.now.saturating_sub(start).as_millis() / SLIDE.as_millis();
                Tiles { board, slide: Some((direction, part.min(256) as u16)) }
            }
            None => Tiles { board: self.board(), slide: None },
        };
        let areas =
            areas(frame.area(), least.0, |width, height| tiles.size((width, height), theme));
        tiles.draw(frame.buffer_mut(), areas.board, theme);
        let slides = arrows(&SLIDES.map(|act| self.keys.first(act)), theme);
        let [undo, hint, new] = [Act::Undo, Act::Hint, Act::New].map(|act| self.keys.first(act));
        let acts = [(&*slides, "slide"), (&*undo, "undo"), (&*hint, "hint"), (&*new, "new game")];
        let keys = [&acts[..], &[("?", "keys"), ("q", "quit")]].concat();
        self.panel(theme).draw(frame, &areas, &keys, theme);
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

    fn least_size(&self, _: Theme) -> (u16, u16) {
        least_size(Tiles::least_size(self.board().size()))
    }

    fn draw(&self, frame: &mut Frame<'_>, theme: Theme) {
        self.draw_game(frame, theme);
        if let Some(question) = self.turns.question() {
            widgets::question(frame, theme, &question);
        }
    }

    fn input(&mut self, input: Input, now: Duration) -> Flow {
        self.now = now;
        if self.turns.question().is_some() {
            if pressed(input).is_some_and(|code| self.turns.answer(code)) {
                self.begin();
            }
            return Flow::Continue;
        }
        match self.keys.pressed(input) {
            // A slide that moves no tile changes nothing.
            Some(Act::Slide(direction)) => drop(self.slide(direction)),
            Some(Act::Undo) => drop(self.undo()),
            Some(Act::Hint) => drop(self.show_hint()),
            Some(Act::New) if self.turns.can_begin() => self.begin(),
            Some(Act::New) | None => {}
        }
        Flow::Continue
    }

    fn quit_question(&self) -> Option<String> {
        self.turns.quit_question()
    }

    fn page(&self) -> Page {
        self.keys.page()
    }
}

impl LineGame for Game {
    const HELP: &'static str = "left, right, up or down, undo, hint, new";

    fn offer(&self) -> Option<String> {
        self.turns.offer()
    }

    fn resume(&mut self) {
        self.turns.resume();
    }

    fn gives_up(&self, line: &str) -> bool {
        self.turns.is_running() && line_mode::typed(&self.keys, line) == Some(Act::New)
    }

    fn show(&self) -> (Value, String) {
        let board = self.board();
        let score = self.score();
        let best = self.turns.best();
        let moves = self.turns.moves();
        let tiles: Vec<u64> = board.tiles().collect();
        let rows: Vec<&[u64]> = tiles.chunks(board.size().width()).collect();
        let text = format!("score {score}, best {best}, moves {moves}\n{board}\n");
        (json!({ "board": rows, "score": score, "best": best, "moves": moves }), text)
    }

    fn act(&mut self, line: &str) -> Result<(Value, String), String> {
        match line_mode::typed(&self.keys, line) {
            Some(Act::Slide(_)) if self.board().is_over() => Err(OVER.to_owned()),
            Some(Act::Slide(direction)) => {
                let Outcome { gain, new_tile, .. } =
                    self.slide(direction).map_err(|error| error.to_string())?;
                let width = self.board().size().width();
                let won = self.has_just_won();
                let x = new_tile % width;
                let y = new_tile / width;
                let scored = if gain > 0 { format!(" +{gain}") } else { String::new() };
                let tile =
                    format!("a {} in column {}, row {}", self.board().tile(x, y), x + 1, y + 1);
                let told = if won { ": you made 2048!" } else { "" };
                let text = format!("{direction}{scored}, {tile}{told}");
                Ok((json!({ "move": direction.to_string(), "gain": gain, "won": won }), text))
            }
            Some(Act::Undo) if self.undo() => {
                Ok((json!({ "undo": true }), "move undone".to_owned()))
            }
            Some(Act::Undo) => Err("no move to undo".to_owned()),
            Some(Act::Hint) => {
                let best = self.show_hint().ok_or(OVER)?.to_string();
                let values: Map<String, Value> = self
                    .hint
                    .iter()
                    .map(|&(direction, value)| (direction.to_string(), json!(value)))
                    .collect();
                let texts: Vec<String> = self
                    .hint
                    .iter()
                    .map(|(direction, value)| format!("{direction} {value:.0}"))
                    .collect();
                let source = self.advisor.description();
                let text = format!("hint: {best} ({source}: {})", texts.join(", "));
                Ok((json!({ "hint": best, "values": values }), text))
            }
            Some(Act::New) => {
                self.begin();
                Ok((json!({ "new": true }), "new game".to_owned()))
            }
            None => Err(format!("expected {}", Self::HELP)),
        }
    }

    fn ending(&self) -> Option<(Value, String)> {
        let (text, _) = Self::ending(self)?;
        let won = self.board().max_rank() >= GOAL;
        let best = self.turns.is_best();
        let text = if best { text + " Your best score!" } else { text };
        Some((json!({ "over": true, "score": self.score(), "won": won, "is_best": best }), text))
    }
}

pub(crate) fn fuzzed(seed: u64) -> Box<dyn Screen> {
    let size = Size::new(2 + seed as usize % 7, 2 + seed as usize / 7 % 7).expect("2 to 8");
    let scores = BestScores::at(None, "2048", Better::Higher);
    Box::new(Game::new(size, seed, scores, Advisor::Playouts, Keys::usual()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::turns::testing::check_goes_on;
    use crate::screen::testing::{
        Driver, check_contrast, check_screen, check_sizes, drawn, has_all, press_random_keys,
        text_of,
    };

    /// The arrow keys, in the order in which [`Driver::play`] tries them.
    const ARROWS: [(&str, Direction); 4] = [
        ("←", Direction::Left),
        ("↓", Direction::Down),
        ("→", Direction::Right),
        ("↑", Direction::Up),
    ];

    fn sized(width: usize, height: usize) -> Size {
        Size::new(width, height).expect("a size")
    }

    fn scores() -> BestScores {
        BestScores::at(None, "2048", Better::Higher)
    }

    fn game(size: Size, seed: u64) -> Game {
        Game::new(size, seed, scores(), Advisor::Playouts, Keys::usual())
    }

    fn driver(size: Size, seed: u64) -> Driver<Game> {
        Driver::new(game(size, seed))
    }

    fn game_on(board: Board) -> Game {
        let deal = |rng| Ok::<_, Infallible>(Position { game: board.into(), rng, last: None });
        let Ok(turns) = Turns::new(1, scores(), deal);
        Game { turns, ..game(board.size(), 1) }
    }

    fn driver_on(board: &str) -> Driver<Game> {
        Driver::new(game_on(board.parse().expect("a board")))
    }

    impl Driver<Game> {
        fn play(&mut self, moves: usize) {
            for _ in 0..moves {
                self.move_once();
            }
            self.run_to_rest();
        }

        fn play_out(&mut self) {
            while !self.board().is_over() {
                self.move_once();
            }
            self.run_to_rest();
        }

        fn move_once(&mut self) {
            let board = self.board();
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
        start.press("i");
        start.looks_as("2048-hint");
        start.press("n");
        start.looks_as("2048-new");
        start.press("x");
        start.play_out();
        start.looks_as("2048-over");
        check_contrast(&*start, true);
        let ranks: Vec<u8> = (0..64).map(|cell| (cell * 7 % 19) as u8).collect();
        let large = Board::from_ranks(sized(8, 8), &ranks).expect("64 ranks");
        check_screen(&game_on(large), "2048-8x8");
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
            let mut ranks = vec![0; width * height];
            ranks[..2].fill(19);
            let mut game = game_on(Board::from_ranks(sized(width, height), &ranks).expect("ranks"));
            game.slide(Direction::Left).expect("two equal tiles");
            game.sliding = None;
            check_sizes(&game, least, |text, _| {
                let dots = text.split_whitespace().filter(|word| *word == ".").count();
                let large =
                    text.contains("1024K") || text.contains("1048576") || text.contains("1M");
                dots + 2 >= width * height
                    && large
                    && has_all(text, &["score", "1,048,576", "q quit"])
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
        let keys = [
            ("←", Direction::Left),
            ("↑", Direction::Up),
            ("d", Direction::Right),
            ("S", Direction::Down),
        ];
        for (key, direction) in keys.repeat(50) {
            game.press(key);
            let slide = board.slide(direction);
            if slide.changed {
                (board, score) = (slide.board, score + slide.gain);
                board.spawn(&mut rng);
            }
            assert_eq!(game.board(), board);
            assert_eq!(game.score(), score);
        }
        assert!(score > 0);
    }

    #[test]
    fn an_undone_or_saved_game_goes_on_as_if_never_left() {
        check_goes_on(
            |rng| Position::start(Size::CLASSIC, rng),
            |position| position.game.board().legal_moves()[0],
        );
    }

    #[test]
    fn a_question_stands_on_any_terminal_and_takes_the_next_key() {
        let folder = tempfile::tempdir().expect("a folder");
        let saves = || SavedGames::at(Some(folder.path().to_owned()), "2048");
        let mut left = driver(Size::CLASSIC, 4);
        left.save_games(saves(), true);
        left.press("n");
        left.play(60);
        left.turns.finish();
        let mut game = driver(Size::CLASSIC, 5);
        game.save_games(saves(), true);
        game.looks_as("2048-saved");
        // Narrow terminals have room for the question, too.
        for (width, height) in [(46, 22), (20, 7)] {
            let text = text_of(&drawn(&*game, Theme::PLAIN, width, height));
            let words: Vec<&str> = text.split_whitespace().collect();
            assert!(has_all(&words.join(" "), &["Continue", "game", "points?", "y / n"]), "{text}");
        }
        // Arrows are no answer, and play no move.
        game.press("←↑↓→ ");
        assert!(game.offer().is_some());
        game.press("\n");
        assert_eq!(game.turns.position(), left.turns.position());
        for (answer, moves) in [("n", 60), ("y", 0)] {
            game.press("n");
            game.shows("y / n");
            // A terminal in which the board doesn't fit says so, and takes no answer.
            assert!(!text_of(&drawn(&*game, Theme::PLAIN, 20, 5)).contains("y / n"));
            game.press(answer);
            assert_eq!(game.turns.question(), None);
            assert_eq!(game.turns.moves(), moves);
        }
        // A new game asks nothing.
        let first = game.turns.position().clone();
        game.press("n");
        assert_eq!(game.turns.question(), None);
        assert_ne!(game.turns.position(), &first);
    }

    #[test]
    fn the_goal_is_told_once() {
        let mut game = driver_on("1024 1024 . .\n. . . .\n. . . .\n. . . .");
        assert!(!game.has_just_won());
        game.press("←");
        assert!(game.has_just_won() && !game.board().is_over());
        game.shows("You made 2048!");
        for (key, won) in [("↓", false), ("u", true)] {
            game.press(key);
            assert_eq!(game.has_just_won(), won, "{key}");
        }
    }

    /// The keys of a game that makes 2048 with its last possible move, and its final board.
    const WIN: &str = include_str!("../../../tests/data/2048-win-with-last-move.txt");

    #[test]
    fn a_win_by_the_last_move_is_told() {
        let mut parts = WIN.splitn(3, '\n').skip(1);
        let keys = parts.next().expect("a line of keys");
        let board: Board = parts.next().and_then(|rows| rows.parse().ok()).expect("a board");
        let mut game = driver(Size::CLASSIC, 1);
        game.press(&keys[..keys.len() - 1]);
        assert!(!game.text().contains("2048!"));
        game.press(&keys[keys.len() - 1..]);
        game.run_to_rest();
        assert_eq!(game.board(), board);
        assert_eq!(game.turns.moves(), keys.len());
        game.check_without_colors(&[(80, 24), (30, 16)], |text, _| {
            assert!(text.contains("You made 2048! Game over."), "{text}");
        });
        let (object, text) = LineGame::ending(&*game).expect("over");
        assert_eq!(&object["won"], &json!(true));
        assert_eq!(&object["score"], &json!(game.score()));
        assert!(text.starts_with("You made 2048! Game over."), "{text}");
        // The last move again, in line mode.
        game.press("u");
        let (object, text) = game.act(&keys[keys.len() - 1..]).expect("legal");
        assert!(object["won"] == true && text.ends_with(": you made 2048!"), "{text}");
    }

    #[test]
    fn keys_of_the_user_are_named() {
        let mut game = game(Size::CLASSIC, 1);
        let row = |game: &Game| {
            let text = text_of(&drawn(game, Theme::NO_COLOR, 80, 24));
            text.lines().last().unwrap_or_default().to_owned()
        };
        assert_eq!(row(&game), "←↑↓→ slide  u undo  i hint  n new game  ? keys  q quit");
        let changes = json!({ "left": ["4"], "up": ["8"], "down": ["2"], "right": ["6"], "undo": ["z"], "hint": [] });
        game.keys = game.keys.changed(&changes).expect("valid keys");
        assert_eq!(row(&game), "4 8 2 6 slide  z undo  n new game  ? keys  q quit");
    }

    #[test]
    fn lines_are_moves() {
        let mut game = game_on("2 2 4\n. . .\n. . .".parse().expect("a board"));
        let start = game.turns.position().clone();
        for (line, expected) in [
            ("up", Err("up: expected a direction in which a tile moves")),
            ("undo", Err("no move to undo")),
            ("d", Ok("right +4, a ")),
            ("u", Ok("move undone")),
            ("left", Ok("left +4, a ")),
            ("hint", Ok("hint: ")),
            ("backspace", Ok("move undone")),
            ("north", Err("expected left, right, up or down, undo, hint, new")),
        ] {
            let found = game.act(line);
            match (&found, expected) {
                (Ok((_, text)), Ok(expected)) => {
                    assert!(text.starts_with(expected), "{line}: {text}");
                }
                (found, expected) => {
                    assert_eq!(found.as_ref().err().map(String::as_str), expected.err(), "{line}");
                }
            }
        }
        assert_eq!(game.turns.position(), &start);
        let (object, text) = game.act("left").expect("legal");
        assert_eq!(object, json!({ "move": "left", "gain": 4, "won": false }));
        let outcome = game.turns.position().last.expect("a move");
        let place =
            format!(" in column {}, row {}", outcome.new_tile % 3 + 1, outcome.new_tile / 3 + 1);
        assert!(text.ends_with(&place), "{text}");
        let (object, text) = game.show();
        let score = &object["score"];
        let moves = &object["moves"];
        assert_eq!(score, &json!(4));
        assert_eq!(moves, &json!(1));
        assert!(text.starts_with("score 4, best 4, moves 1\n"), "{text}");
        let (hint, _) = game.act("hint").expect("not over");
        let legal: Vec<String> =
            game.board().legal_moves().iter().map(ToString::to_string).collect();
        assert!(hint["values"].as_object().is_some_and(|values| values.len() == legal.len()));
        assert!(hint["hint"].as_str().is_some_and(|hint| legal.iter().any(|mv| mv == hint)));
        game.act("new").expect("a new game");
        assert_eq!(game.turns.moves(), 0);
        assert_eq!(game.score(), 0);
        let mut over = game_on("2 4\n4 2".parse().expect("a board"));
        assert_eq!(
            ["hint", "left"].map(|line| over.act(line)),
            [Err(OVER.to_owned()), Err(OVER.to_owned())]
        );
        assert!(LineGame::ending(&over).is_some_and(|(object, _)| object["won"] == false));
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
            let column = text
                .lines()
                .find_map(|line| line.chars().take(45).position(|letter| letter == '2'));
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
        let keys = "←→↑↓←→↑↓←→↑↓wasdhjklWASDuuunynxqQ\n\x1b\x7f\t";
        for ((width, height), seed) in [(4, 4), (2, 2), (3, 5), (8, 8)].into_iter().zip(0..) {
            press_random_keys(|| game(sized(width, height), seed), keys, 10_000, seed);
        }
        // Hints take longer.
        press_random_keys(|| game(Size::CLASSIC, 9), &format!("{keys}i"), 2_000, 9);
    }
}
