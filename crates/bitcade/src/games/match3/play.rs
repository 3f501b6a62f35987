//! `bitcade play match3`.

use super::animation::{Animation, At, Change};
use super::pieces::{Grid, Mark};
use crate::arguments::{number_in, parse_seed, parse_sides};
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
use match3::{
    Board, CascadeResult, Error, PlayerKind, Rules, Swap, SwapError, deal, has_swap, ranked_swaps, shuffle,
};
use ratatui::Frame;
use ratatui::crossterm::event::{KeyCode, MouseButton, MouseEvent, MouseEventKind};
use std::cell;
use std::time::Duration;

/// The arguments of `play match3`.
#[derive(Args)]
pub(crate) struct PlayArgs {
    /// The size of the board, 3x3 to 16x16; 9 stands for 9x9
    #[arg(long, value_name = "NxM", default_value = "8x8", value_parser = parse_size)]
    size: (usize, usize),
    /// The number of colors
    #[arg(long, value_name = "C", default_value_t = 6, value_parser = number_in(3u8..=8))]
    colors: u8,
    /// The number of moves
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = number_in(1u32..=100_000))]
    moves: u32,
    /// The points to reach [default: three quarters of the mean of a player who takes the best swap of all]
    #[arg(long, value_name = "POINTS", value_parser = number_in(1..=u64::MAX))]
    goal: Option<u64>,
    /// The seed of the pieces [default: another one in each game]
    #[arg(long, value_parser = parse_seed)]
    seed: Option<u64>,
    #[command(flatten)]
    screen: ScreenArgs,
}

fn parse_size(text: &str) -> Result<(usize, usize), String> {
    parse_sides(text, 3..=16)
}

pub(crate) fn run(arguments: &PlayArgs, output: &mut Output) -> Result<(), Failure> {
    let &PlayArgs { size: (width, height), colors, moves, goal, .. } = arguments;
    let rules = Rules { width, height, colors, moves };
    let seed = arguments.seed.unwrap_or_else(fresh_seed);
    let kind = format!("match3 {width}x{height} {colors} colors {moves} moves");
    let scores = BestScores::load(&kind, Better::Higher);
    let goal = match goal {
        Some(goal) => goal,
        None => usual_goal(rules)?,
    };
    let game = Game::new(rules, goal, seed, scores)?;
    let (mut game, recorded) = run::run(&arguments.screen, || Ok(game))?;
    game.keep_score();
    game.scores.report();
    output.text(format!("score {}\n", game.position.score))?;
    recorded
}

/// The number of games whose mean score makes the goal.
const GAMES: u64 = 20;

/// Returns three quarters of the mean score of a player who always takes the best swap, in hundreds.
fn usual_goal(rules: Rules) -> Result<u64, Failure> {
    // The mean grows with the number of moves; a long game needs no game of its length.
    let moves = rules.moves.min(30);
    let mut sum = 0;
    for score in PlayerKind::Greedy.games(Rules { moves, ..rules }, 1, 0..GAMES) {
        sum += score.map_err(|error| no_board(rules, &error))?;
    }
    let points = sum as f64 / GAMES as f64 * f64::from(rules.moves) / f64::from(moves) * 0.75;
    Ok(((points / 100.0).round() as u64).max(1) * 100)
}

fn no_board(rules: Rules, error: &dyn std::fmt::Display) -> Failure {
    let Rules { width, height, colors, .. } = rules;
    Failure::Input(format!("--size {width}x{height} --colors {colors}: {error}"))
}

/// The state after a move, with all that the next one depends on.
#[derive(Clone, Debug, PartialEq)]
struct Position {
    board: Board,
    rng: Rng,
    score: u64,
    last: CascadeResult,
    /// `true` if the last move left a dead board, which was shuffled.
    shuffled: bool,
}

impl Position {
    fn deal(rules: Rules, mut rng: Rng) -> Result<Self, Error> {
        let board = deal(rules.width, rules.height, rules.colors, &mut rng)?;
        Ok(Self { board, rng, score: 0, last: CascadeResult::default(), shuffled: false })
    }
}

struct Game {
    rules: Rules,
    goal: u64,
    seed: u64,
    /// The number of games begun, each on a stream of its own.
    games: u64,
    position: Position,
    history: Vec<Position>,
    scores: BestScores,
    is_best: bool,
    cursor: At,
    selected: Option<At>,
    /// The best swap and its points, if a hint was asked for.
    hint: Option<(Swap, u64)>,
    refused: Option<SwapError>,
    animation: Option<Animation>,
    /// `true` while the user is asked whether to begin a new game.
    asks: bool,
    now: Duration,
    /// The place of the board in the last picture, for the mouse.
    grid: cell::Cell<Option<Grid>>,
}

impl Game {
    fn new(rules: Rules, goal: u64, seed: u64, scores: BestScores) -> Result<Self, Failure> {
        let position = Position::deal(rules, Rng::new(seed)).map_err(|error| no_board(rules, &error))?;
        Ok(Self {
            rules,
            goal,
            seed,
            games: 1,
            position,
            history: Vec::new(),
            scores,
            is_best: false,
            cursor: ((rules.width - 1) / 2, (rules.height - 1) / 2),
            selected: None,
            hint: None,
            refused: None,
            animation: None,
            asks: false,
            now: Duration::ZERO,
            grid: cell::Cell::new(None),
        })
    }

    fn moves_left(&self) -> u32 {
        self.rules.moves - self.history.len() as u32
    }

    fn is_over(&self) -> bool {
        self.moves_left() == 0
    }

    /// Returns whether ending the game would lose something.
    fn runs(&self) -> bool {
        !self.history.is_empty() && !self.is_over()
    }

    fn clear_marks(&mut self) {
        (self.selected, self.hint, self.refused, self.animation) = (None, None, None, None);
    }

    fn swap(&mut self, swap: Swap) {
        if self.is_over() {
            return;
        }
        self.clear_marks();
        let (before, mut events) = (self.position.clone(), Vec::new());
        let Position { board, rng, score, last, shuffled } = &mut self.position;
        let colors = u32::from(self.rules.colors);
        let result = match3::try_swap(board, swap, || 1 + rng.below(colors) as u8, &mut events);
        match result {
            Ok(result) => {
                *score += result.score;
                *last = result;
                let mut animation = Animation::new(&before.board, &events, before.score, self.now);
                *shuffled = !has_swap(board);
                if *shuffled {
                    // Pieces that have no order with a swap are dealt anew, as the first ones were.
                    if shuffle(board, rng).is_err()
                        && let Ok(dealt) = deal(board.width(), board.height(), self.rules.colors, rng)
                    {
                        *board = dealt;
                    }
                    animation.rest(*score, board);
                }
                self.animation = Some(animation);
                self.history.push(before);
                if self.is_over() {
                    self.keep_score();
                }
            }
            Err(error) => {
                self.refused = Some(error);
                self.animation = Some(Animation::refused(board, swap, *score, self.now));
            }
        }
    }

    /// Takes a move back: the same swap will bring the same pieces.
    fn undo(&mut self) {
        self.clear_marks();
        if let Some(position) = self.history.pop() {
            self.position = position;
        }
    }

    fn begin(&mut self) {
        self.keep_score();
        self.clear_marks();
        // The first deal of these rules succeeded; should another one not, the board stays.
        if let Ok(position) = Position::deal(self.rules, Rng::stream(self.seed, self.games)) {
            self.position = position;
        }
        self.games += 1;
        self.history.clear();
        self.is_best = false;
    }

    fn keep_score(&mut self) {
        let score = self.position.score;
        self.is_best |= score > 0 && self.scores.add(score);
    }

    fn show_hint(&mut self) {
        if !self.is_over() {
            self.clear_marks();
            let ranked = ranked_swaps(&self.position.board);
            self.hint = ranked.first().map(|(swap, result)| (*swap, result.score));
        }
    }

    fn neighbor(&self, (x, y): At, code: KeyCode) -> Option<At> {
        let (x, y) = match code {
            KeyCode::Left => (x.checked_sub(1)?, y),
            KeyCode::Right => (x + 1, y),
            KeyCode::Up => (x, y.checked_sub(1)?),
            _ => (x, y + 1),
        };
        (x < self.rules.width && y < self.rules.height).then_some((x, y))
    }

    fn arrow(&mut self, code: KeyCode) {
        match (self.selected, self.neighbor(self.cursor, code)) {
            (Some(selected), Some(to)) => {
                self.cursor = to;
                self.swap_between(selected, to);
            }
            (None, Some(to)) => self.cursor = to,
            (_, None) => {}
        }
    }

    fn swap_between(&mut self, a: At, b: At) {
        if let Some(swap) = Swap::between(a, b) {
            self.swap(swap);
        }
    }

    fn select(&mut self) {
        if self.is_over() {
            return;
        }
        self.selected = if self.selected.is_none() { Some(self.cursor) } else { None };
        self.refused = None;
    }

    fn mouse(&mut self, mouse: MouseEvent) {
        let Some(at) = self.grid.get().and_then(|grid| grid.cell_at(mouse.column, mouse.row)) else { return };
        match (mouse.kind, self.selected) {
            // A click on a neighbor of the chosen piece, or a piece dragged there.
            (
                MouseEventKind::Down(MouseButton::Left) | MouseEventKind::Up(MouseButton::Left),
                Some(selected),
            ) if Swap::between(selected, at).is_some() => {
                self.cursor = at;
                self.swap_between(selected, at);
            }
            (MouseEventKind::Down(MouseButton::Left), selected) => {
                self.cursor = at;
                self.selected = None;
                if selected != Some(at) {
                    self.select();
                }
            }
            _ => {}
        }
    }

    fn marks(&self) -> Vec<(At, Mark)> {
        let mut marks = Vec::new();
        if !self.is_over() {
            marks.push((self.cursor, Mark::Cursor));
        }
        if let Some((swap, _)) = self.hint {
            marks.extend(swap.cells().map(|at| (at, Mark::Hint)));
        }
        marks.extend(self.selected.map(|at| (at, Mark::Selected)));
        marks
    }

    fn panel(&self) -> Panel {
        let step = self.animation.as_ref().and_then(|animation| animation.at(self.now));
        let score = step.map_or(self.position.score, |(step, _)| step.score);
        let best = self.scores.best().unwrap_or(0).max(score);
        let Rules { width, height, colors, moves } = self.rules;
        let last = &self.position.last;
        let shown = match step {
            Some((step, _)) => {
                (self.history.last().map_or(0, |before| score - before.score.min(score)), step.level)
            }
            None => (last.score, last.levels),
        };
        let gain = match shown {
            (0, _) => "-".to_owned(),
            (gain, 0 | 1) => format!("+{}", grouped(gain)),
            (gain, levels) => format!("+{} (level {levels})", grouped(gain)),
        };
        let figures = vec![
            ("score", grouped(score)),
            ("best", grouped(best)),
            ("last swap", gain),
            ("moves left", format!("{} of {moves}", self.moves_left())),
            ("goal", grouped(self.goal)),
        ];
        let messages = self.messages(step.map(|(step, _)| &step.change));
        let progress = Some(score as f64 / self.goal as f64);
        Panel { title: format!("match-3 on {width}x{height}, {colors} colors"), figures, progress, messages }
    }

    fn messages(&self, change: Option<&Change>) -> Vec<(String, Tone)> {
        let mut messages = Vec::new();
        let mut say = |text: &str, tone| messages.push((text.to_owned(), tone));
        let moving = change.is_some_and(|change| !matches!(change, Change::Rest));
        let score = self.position.score;
        if let Some(error) = self.refused {
            say("Not a swap:", Tone::Bad);
            say(reason(error), Tone::Plain);
        } else if moving {
        } else if change.is_some() {
            say("No swap is left: the board is shuffled.", Tone::Bad);
        } else if self.is_over() {
            if score >= self.goal {
                say("Goal reached!", Tone::Good);
            } else {
                say(&format!("{} points short of the goal.", grouped(self.goal - score)), Tone::Bad);
            }
            if self.is_best {
                say("Your best score!", Tone::Good);
            }
            say("", Tone::Plain);
            say("u takes the move back, n begins a new game.", Tone::Faint);
        } else if let Some((_, points)) = self.hint {
            say(&format!("Hint: {points} points"), Tone::Good);
            say("and what new pieces bring.", Tone::Plain);
        } else if self.selected.is_some() {
            say("Swap with which neighbor?", Tone::Plain);
        } else if score >= self.goal {
            say("Goal reached!", Tone::Good);
            say("Play on for your best score.", Tone::Plain);
        } else if self.position.shuffled {
            say("No swap was left: the board was shuffled.", Tone::Plain);
        } else if self.history.is_empty() {
            say("Swap two neighbors so that three or more of a kind make a row or a column.", Tone::Plain);
        }
        messages
    }
}

fn reason(error: SwapError) -> &'static str {
    match error {
        SwapError::SameColor(_) => "both are of a kind.",
        SwapError::NoRun(_) => "it makes no three in a row.",
        _ => "these pieces cannot be swapped.",
    }
}

impl Screen for Game {
    fn advance(&mut self, now: Duration) {
        self.now = now;
        if self.animation.as_ref().is_some_and(|animation| animation.end_time() <= now) {
            self.animation = None;
        }
    }

    fn next_change(&self) -> Option<Duration> {
        self.animation.as_ref().map(|animation| animation.next_change(self.now))
    }

    fn wants_mouse(&self) -> bool {
        true
    }

    fn draw(&self, frame: &mut Frame<'_>, theme: Theme) {
        let size = (self.rules.width, self.rules.height);
        let fit = |width, height| Grid::fit(size, width, height);
        let least = Grid::least_size(size);
        if widgets::too_small(frame, theme, least_size(least)) {
            self.grid.set(None);
            return;
        }
        let areas = areas(frame.area(), least.0, fit);
        let grid = Grid::new(size, areas.board);
        self.grid.set(Some(grid));
        let buffer = frame.buffer_mut();
        let mut marks = self.marks();
        match self.animation.as_ref().and_then(|animation| animation.at(self.now)) {
            Some((step, part)) => {
                if let Change::Swap { cells, refused: true } = &step.change {
                    marks = cells.map(|at| (at, Mark::Refused)).to_vec();
                }
                grid.draw_step(buffer, step, part, &marks, theme);
            }
            None => grid.draw(buffer, &self.position.board, &marks, theme),
        }
        let keys = [
            (theme.pick("←↑↓→ wasd", "arrows wasd"), "move"),
            ("space", "take"),
            ("h", "hint"),
            ("u", "undo"),
            ("n", "new game"),
            ("q", "quit"),
        ];
        self.panel().draw(frame, &areas, &keys, theme);
        if self.asks {
            widgets::question(frame, theme, "Start a new game?");
        }
    }

    fn input(&mut self, input: Input, now: Duration) -> Flow {
        self.now = now;
        if let Input::Mouse(mouse) = input
            && !self.asks
        {
            self.mouse(mouse);
        }
        let Some(code) = pressed(input) else { return Flow::Continue };
        if self.asks {
            self.asks = false;
            if matches!(code, KeyCode::Char('y') | KeyCode::Enter) {
                self.begin();
            }
            return Flow::Continue;
        }
        match code {
            KeyCode::Left | KeyCode::Right | KeyCode::Up | KeyCode::Down => self.arrow(code),
            KeyCode::Char(' ') | KeyCode::Enter => self.select(),
            KeyCode::Esc => self.selected = None,
            KeyCode::Char('h') => self.show_hint(),
            KeyCode::Char('u') | KeyCode::Backspace => self.undo(),
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
    let rules =
        Rules { width: 3 + seed as usize % 14, height: 3 + seed as usize / 14 % 14, colors: 5, moves: 9 };
    let scores = BestScores::at(None, "match3", Better::Higher);
    Box::new(Game::new(rules, 500, seed, scores).unwrap_or_else(|_| panic!("no board")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::testing::{
        Driver, check_screen, check_sizes, drawn, has_all, press_random_keys, text_of,
    };
    use match3::{is_stable, swaps};
    use ratatui::crossterm::event::KeyModifiers;

    const RULES: Rules = Rules { width: 8, height: 8, colors: 6, moves: 30 };

    fn game(rules: Rules, seed: u64) -> Game {
        let scores = BestScores::at(None, "match3", Better::Higher);
        Game::new(rules, 2000, seed, scores).unwrap_or_else(|_| panic!("no board"))
    }

    fn driver(rules: Rules, seed: u64) -> Driver<Game> {
        Driver::new(game(rules, seed))
    }

    fn first_swap(board: &Board) -> Swap {
        swaps(board).iter().next().expect("a swap")
    }

    impl Driver<Game> {
        fn move_to(&mut self, (x, y): At) {
            let (from, times) = (self.cursor, |a: usize, b: usize| a.saturating_sub(b));
            self.press(&"→".repeat(times(x, from.0)));
            self.press(&"←".repeat(times(from.0, x)));
            self.press(&"↓".repeat(times(y, from.1)));
            self.press(&"↑".repeat(times(from.1, y)));
        }

        fn play(&mut self, swap: Swap) {
            let [from, to] = swap.cells();
            self.move_to(from);
            self.press(" ");
            assert_eq!(self.selected, Some(from));
            self.press(if to.0 > from.0 { "d" } else { "↓" });
            assert_eq!((self.selected, self.cursor), (None, to));
        }

        fn play_first(&mut self) {
            self.play(first_swap(&self.position.board));
        }

        fn play_best(&mut self) {
            self.play(ranked_swaps(&self.position.board)[0].0);
        }
    }

    /// Returns a swap of two colors that makes no run.
    fn no_run(board: &Board) -> Swap {
        let mut pairs = (0..Swap::actions(8, 8)).filter_map(|action| Swap::from_action(action, 8, 8));
        let differs = |swap: &Swap| {
            let [a, b] = swap.cells();
            board[a] != board[b]
        };
        pairs.find(|swap| differs(swap) && !swaps(board).contains(*swap)).expect("a swap")
    }

    #[test]
    fn screens() {
        let mut game = driver(RULES, 1);
        game.looks_as("match3-start");
        game.press("h");
        game.looks_as("match3-hint");
        game.move_to((2, 1));
        game.press("\n");
        game.looks_as("match3-selected");
        game.press("\x1b");
        game.play(no_run(&game.position.board));
        game.looks_as("match3-refused");
        game.run_to_rest();
        game.play_best();
        game.advance_by(260);
        game.looks_as("match3-clear");
        game.advance_by(220);
        game.looks_as("match3-fall");
        game.run_to_rest();
        while !game.is_over() {
            game.play_best();
            game.run_to_rest();
            if game.moves_left() == 15 {
                game.looks_as("match3-middle");
            }
        }
        game.looks_as("match3-end");
    }

    #[test]
    fn large_and_narrow_screens() {
        let game = game(Rules { width: 16, height: 16, colors: 8, moves: 9 }, 1);
        check_screen(&game, "match3-16x16");
        let text = text_of(&drawn(&game, Theme::PLAIN, 40, 20));
        assert!(text.starts_with("match-3 on 16x16, 8 colors  score 0"), "{text}");
    }

    #[test]
    fn a_swap_plays_by_the_rules() {
        let mut game = driver(RULES, 5);
        let mut rng = Rng::new(5);
        let mut board = deal(8, 8, 6, &mut rng).expect("a board");
        let mut score = 0;
        for _ in 0..RULES.moves {
            let swap = swaps(&board).iter().last().expect("a swap");
            score +=
                match3::try_swap(&mut board, swap, || 1 + rng.below(6) as u8, &mut ()).expect("legal").score;
            if !has_swap(&board) {
                shuffle(&mut board, &mut rng).expect("an order");
            }
            game.play(swap);
            assert_eq!((&game.position.board, game.position.score), (&board, score));
            game.run_to_rest();
        }
        assert!(game.is_over());
        assert_eq!((game.scores.best(), game.quit_question()), (Some(score), None));
        // Nothing more is played.
        game.move_to(first_swap(&board).cells()[0]);
        game.press(" ");
        assert_eq!((game.selected, game.moves_left()), (None, 0));
    }

    #[test]
    fn undo_brings_back_board_score_and_random_numbers() {
        let mut game = driver(RULES, 2);
        let mut states = vec![game.position.clone()];
        for _ in 0..10 {
            game.play_first();
            states.push(game.position.clone());
        }
        let last = states.pop().expect("a state");
        for state in states.into_iter().rev() {
            game.press("u");
            assert_eq!(game.position, state);
            assert!(game.animation.is_none());
        }
        assert_eq!(game.moves_left(), 30);
        game.press("u");
        for _ in 0..10 {
            game.press("h");
            game.play_first();
        }
        assert_eq!(game.position, last);
    }

    #[test]
    fn an_illegal_swap_changes_nothing() {
        let mut game = driver(RULES, 1);
        let before = game.position.clone();
        game.play(no_run(&before.board));
        assert_eq!(game.position, before);
        assert!(matches!(game.refused, Some(SwapError::NoRun(_))) && game.history.is_empty());
        game.shows("Not a swap:");
        game.run_to_rest();
        game.shows("Not a swap:");
        game.press("h");
        assert_eq!(game.refused, None);
    }

    #[test]
    fn a_dead_board_is_shuffled() {
        let mut shuffled = 0;
        for seed in 0..40 {
            let mut game = driver(Rules { width: 4, height: 4, colors: 5, moves: 30 }, seed);
            for _ in 0..30 {
                let board = &game.position.board;
                assert!(is_stable(board) && has_swap(board));
                game.play_first();
                if game.position.shuffled {
                    shuffled += 1;
                    let animation = game.animation.as_ref().expect("it is shown");
                    let before_end = animation.end_time().saturating_sub(Duration::from_millis(1));
                    let (step, _) = animation.at(before_end).expect("the last step");
                    assert!(!has_swap(&step.board));
                    game.advance(before_end);
                    game.shows("No swap is left");
                }
                game.run_to_rest();
            }
        }
        assert!(shuffled > 10, "{shuffled}");
    }

    #[test]
    fn the_mouse_swaps_by_two_clicks_and_by_dragging() {
        for second in [MouseEventKind::Down(MouseButton::Left), MouseEventKind::Up(MouseButton::Left)] {
            let mut game = driver(RULES, 1);
            drawn(&*game, Theme::FULL, 80, 24);
            let grid = game.grid.get().expect("drawn");
            let [from, to] = first_swap(&game.position.board).cells();
            for (at, kind) in [(from, MouseEventKind::Down(MouseButton::Left)), (to, second)] {
                let mut places = (0..24).flat_map(|y| (0..80).map(move |x| (x, y)));
                let place = places.find(|&(x, y)| grid.cell_at(x, y) == Some(at));
                let (column, row) = place.expect("on the screen");
                game.input(Input::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }));
            }
            assert_eq!((game.history.len(), game.selected, game.cursor), (1, None, to));
        }
    }

    /// Returns the number of pieces in a text: each is the character of its color.
    fn pieces(text: &str, theme: Theme) -> usize {
        let shapes = theme.pick("●■▲◆○▼□◇", "ABCDEFGH");
        let words = text.split([' ', '\n', '[', ']']);
        words.filter(|word| word.chars().count() == 1 && shapes.contains(word)).count()
    }

    #[test]
    fn sizes() {
        let rules = |width, height| Rules { width, height, ..RULES };
        for (rules, least) in [(RULES, (20, 11)), (rules(3, 3), (20, 6)), (rules(16, 16), (33, 19))] {
            let mut game = game(rules, 1);
            game.position.score = 1_234_567;
            let all = rules.width * rules.height;
            check_sizes(&game, least, |text, _| {
                pieces(text, Theme::PLAIN) >= all && has_all(text, &["score", "1,234,567", "q quit"])
            });
        }
    }

    #[test]
    fn pieces_are_seen_without_colors() {
        driver(RULES, 1).check_without_colors(&[(80, 24), (160, 50), (60, 15), (30, 12)], |text, theme| {
            assert_eq!(pieces(text, theme), 64, "{text}");
        });
    }

    #[test]
    fn a_hint_is_the_best_swap() {
        let mut game = driver(RULES, 1);
        game.press("h");
        let (swap, result) = ranked_swaps(&game.position.board)[0];
        assert_eq!(game.hint, Some((swap, result.score)));
        game.shows(&format!("Hint: {} points", result.score));
        assert_eq!(game.text().matches('(').count(), 2, "{}", game.text());
    }

    #[test]
    fn the_usual_goal_grows_with_the_game() {
        let goal = |moves| usual_goal(Rules { moves, ..RULES }).unwrap_or(0);
        assert!(goal(60).abs_diff(2 * goal(30)) <= 100);
        assert!((1500..4000).contains(&goal(30)), "{}", goal(30));
        assert!(goal(1) >= 100);
    }

    #[test]
    fn a_game_is_left_by_one_question() {
        let mut game = driver(RULES, 1);
        assert_eq!(game.quit_question(), None);
        game.press("n");
        assert!(!game.asks && game.games == 2);
        game.play_first();
        assert_eq!(game.quit_question().as_deref(), Some("Quit this game?"));
        game.press("nx");
        assert!(!game.asks && game.history.len() == 1);
        game.press("n\n");
        assert_eq!(game.position, Position::deal(RULES, Rng::stream(1, 2)).expect("a board"));
        assert!(game.scores.best() > Some(0));
    }

    #[test]
    fn random_keys() {
        let keys = "←→↑↓←→↑↓wasdWASD     hhuunynxqQ\n\n\x1b\x7f\t";
        let rules = |width, height, colors, moves| Rules { width, height, colors, moves };
        for (rules, seed) in
            [RULES, rules(3, 3, 3, 5), rules(16, 5, 8, 100_000), rules(5, 16, 4, 7)].into_iter().zip(0..)
        {
            press_random_keys(|| game(rules, seed), keys, 25_000, seed);
        }
    }
}
