//! `bitcade play match3`.

use super::act::{ARROWS, Act, counted_from_1, parse_from_1, reason, told_from_1};
use super::animation::{Animation, At, Change, Step};
use super::level;
use super::pieces::{Grid, Mark, Pieces};
use super::position::Position;
use crate::arguments::{number_in, parse_seed, parse_sides};
use crate::io::output::{Failure, Output};
use crate::play::best_scores::{BestScores, Better};
use crate::play::keys::{Keys, pressed};
use crate::play::line_mode::{self, LineArgs, LineGame};
use crate::play::panel::{Panel, Tone, areas, arrows, least_size};
use crate::play::saved_games::SavedGames;
use crate::play::seed::fresh_seed;
use crate::play::turns::Turns;
use crate::screen::options::ScreenArgs;
use crate::screen::picture::Picture;
use crate::screen::run;
use crate::screen::theme::Theme;
use crate::screen::view::{Flow, Input, Screen};
use crate::screen::widgets::{self, Page, grouped};
use clap::Args;
use match3::{Board, CascadeResult, PlayerKind, Rules, Swap, SwapError, ranked_swaps};
use ratatui::Frame;
use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use serde_json::{Value, json};
use std::cell;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args)]
pub(crate) struct PlayArgs {
    /// The file of a level to play
    #[arg(conflicts_with_all = ["size", "colors", "moves", "goal", "levels"])]
    file: Option<PathBuf>,
    /// Choose from the program's levels
    #[arg(long, conflicts_with_all = ["size", "colors", "moves", "goal", "lines"])]
    levels: bool,
    /// The board size, 3x3 to 16x16; 9 means 9x9
    #[arg(long, value_name = "NxM", default_value = "8x8", value_parser = parse_size)]
    size: (usize, usize),
    /// The number of colors
    #[arg(long, value_name = "C", default_value_t = 6, value_parser = number_in(3u8..=8))]
    colors: u8,
    /// The number of moves
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = number_in(1u32..=100_000))]
    moves: u32,
    /// The target score [default: three quarters of the mean of a greedy player]
    #[arg(long, value_name = "POINTS", value_parser = number_in(1..=u64::MAX))]
    goal: Option<u64>,
    /// The seed of the pieces [default: a new one for each game]
    #[arg(long, value_parser = parse_seed)]
    seed: Option<u64>,
    #[command(flatten)]
    lines: LineArgs,
    #[command(flatten)]
    screen: ScreenArgs,
}

fn parse_size(text: &str) -> Result<(usize, usize), String> {
    parse_sides(text, 3..=16)
}

pub(crate) fn run(arguments: &PlayArgs, output: &mut Output) -> Result<(), Failure> {
    let &PlayArgs { size: (width, height), colors, moves, goal, ref lines, ref screen, .. } =
        arguments;
    let rules = Rules { width, height, colors, moves };
    let keys = Keys::load("match3").map_err(Failure::Input)?;
    let seed = arguments.seed.unwrap_or_else(fresh_seed);
    let offers = arguments.seed.is_none();
    let saves = lines.saves(screen, arguments.seed, output).then_some(offers);
    if arguments.levels {
        return level::run_list(keys, seed, saves, screen, output);
    }
    if let Some(file) = &arguments.file {
        let level = level::read(file.clone())?;
        return level::run_level(level, keys, seed, saves, (lines, screen), output);
    }
    let kind = format!("match3 {width}x{height} {colors} colors {moves} moves");
    let scores = BestScores::load(&kind, Better::Higher);
    // A goal of one's own belongs to the game that is continued.
    let (goal, saved_as) = match goal {
        Some(goal) => (goal, format!("{kind} goal {goal}")),
        None => (usual_goal(rules)?, kind),
    };
    let mut game = Game::new(rules, goal, seed, scores, keys)?;
    let by_lines = lines.wanted(screen);
    if !by_lines {
        output.refuse_json_of("is played on the screen; with --lines it prints the moves")?;
    }
    if let Some(offers) = saves {
        game.save_games(SavedGames::of(&saved_as), offers);
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

/// The number of games whose mean score determines the goal.
const GAMES: u64 = 20;

/// Returns three quarters of the mean score of a player who always makes the best swap, rounded to
/// hundreds.
fn usual_goal(rules: Rules) -> Result<u64, Failure> {
    // The mean grows with the number of moves, so a long game does not need samples of its full
    // length.
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

struct Game {
    turns: Turns<Position>,
    goal: u64,
    keys: Keys<Act>,
    cursor: At,
    selected: Option<At>,
    /// The best swap and its points, if a hint was requested.
    hint: Option<(Swap, u64)>,
    refused: Option<SwapError>,
    animation: Option<Animation>,
    now: Duration,
    /// The board's position in the last frame, for the mouse.
    grid: cell::Cell<Option<Grid>>,
}

impl Game {
    fn new(
        rules: Rules,
        goal: u64,
        seed: u64,
        scores: BestScores,
        keys: Keys<Act>,
    ) -> Result<Self, Failure> {
        let turns = Turns::new(seed, scores, |rng| Position::deal(rules, rng));
        Ok(Self {
            turns: turns.map_err(|error| no_board(rules, &error))?,
            goal,
            keys,
            cursor: ((rules.width - 1) / 2, (rules.height - 1) / 2),
            selected: None,
            hint: None,
            refused: None,
            animation: None,
            now: Duration::ZERO,
            grid: cell::Cell::new(None),
        })
    }

    fn save_games(&mut self, games: SavedGames, offers: bool) {
        let rules = self.game().rules();
        self.turns.save_games(games, offers, |rng| Position::deal(rules, rng));
    }

    fn game(&self) -> &match3::Game {
        &self.turns.position().game
    }

    fn board(&self) -> Board {
        self.game().board()
    }

    fn score(&self) -> u64 {
        self.game().score()
    }

    fn clear_marks(&mut self) {
        (self.selected, self.hint, self.refused, self.animation) = (None, None, None, None);
    }

    fn swap(&mut self, swap: Swap) -> Result<CascadeResult, SwapError> {
        self.clear_marks();
        match self.turns.position().after(swap, self.now) {
            Ok((next, animation)) => {
                self.animation = Some(animation);
                self.turns.play(swap, next);
                Ok(self.turns.position().last)
            }
            Err(error) => {
                self.animation =
                    Some(Animation::refused(&self.board(), swap, self.score(), self.now));
                self.refused = Some(error);
                Err(error)
            }
        }
    }

    /// Undoes a move; replaying the swap brings the same pieces. Returns whether there was one.
    fn undo(&mut self) -> bool {
        self.clear_marks();
        self.turns.undo()
    }

    fn begin(&mut self) -> Result<(), match3::Error> {
        self.clear_marks();
        let rules = self.game().rules();
        self.turns.begin(|rng| Position::deal(rules, rng))
    }

    fn show_hint(&mut self) -> Option<(Swap, u64)> {
        if !self.game().is_over() {
            self.clear_marks();
            let ranked = ranked_swaps(&self.board());
            self.hint = ranked.first().map(|(swap, result)| (*swap, result.score));
        }
        self.hint
    }

    fn step(&mut self, (right, down): (isize, isize)) {
        let Rules { width, height, .. } = self.game().rules();
        let to = |from: usize, step, side| from.checked_add_signed(step).filter(|&to| to < side);
        let (Some(x), Some(y)) = (to(self.cursor.0, right, width), to(self.cursor.1, down, height))
        else {
            return;
        };
        self.cursor = (x, y);
        if let Some(selected) = self.selected {
            self.swap_between(selected, self.cursor);
        }
    }

    fn swap_between(&mut self, a: At, b: At) {
        if let Some(swap) = Swap::between(a, b) {
            // A refusal is shown on the screen.
            let _ = self.swap(swap);
        }
    }

    fn select(&mut self) {
        if self.game().is_over() {
            return;
        }
        self.selected = if self.selected.is_none() { Some(self.cursor) } else { None };
        self.refused = None;
    }

    fn mouse(&mut self, mouse: MouseEvent) {
        let Some(at) = self.grid.get().and_then(|grid| grid.cell_at(mouse.column, mouse.row))
        else {
            return;
        };
        match (mouse.kind, self.selected) {
            // A click on a neighbor of the selected piece, or a piece dragged there.
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

    fn shown(&self) -> Option<(&Step, f64)> {
        self.animation.as_ref()?.at(self.now)
    }

    fn marks(&self) -> Vec<(At, Mark)> {
        if let Some((Step { change: Change::Swap { cells, refused: true }, .. }, _)) = self.shown()
        {
            return cells.map(|at| (at, Mark::Refused)).to_vec();
        }
        let mut marks = Vec::new();
        if !self.game().is_over() {
            marks.push((self.cursor, Mark::Cursor));
        }
        if let Some((swap, _)) = self.hint {
            marks.extend(swap.cells().map(|at| (at, Mark::Hint)));
        }
        marks.extend(self.selected.map(|at| (at, Mark::Selected)));
        marks
    }

    fn panel(&self) -> Panel {
        let step = self.shown().map(|(step, _)| step);
        let score = step.map_or(self.score(), |step| step.score);
        let Rules { width, height, colors, moves } = self.game().rules();
        let last = self.turns.position().last;
        let (gain, levels) = step.map_or((last.score, last.levels), |step| {
            let before = self.turns.before().map_or(0, |before| before.game.score());
            (score.saturating_sub(before), step.level)
        });
        let gain = match (gain, levels) {
            (0, _) => "-".to_owned(),
            (gain, 0 | 1) => format!("+{}", grouped(gain)),
            (gain, levels) => format!("+{} chain x{levels}", grouped(gain)),
        };
        let figures = vec![
            ("score", grouped(score)),
            ("best", grouped(self.turns.best_with(score))),
            ("last swap", gain),
            ("moves left", format!("{} of {moves}", self.game().moves_left())),
            ("goal", grouped(self.goal)),
        ];
        let messages = self.messages(step.map(|step| &step.change));
        let progress = Some(score as f64 / self.goal as f64);
        Panel {
            title: format!("match-3 on {width}x{height}, {colors} colors"),
            figures,
            progress,
            messages,
        }
    }

    fn ending(&self) -> Option<(String, Tone)> {
        let short = self.goal.saturating_sub(self.score());
        self.game().is_over().then(|| match short {
            0 => ("Goal reached!".to_owned(), Tone::Good),
            _ => (format!("{} points short of the goal.", grouped(short)), Tone::Bad),
        })
    }

    fn messages(&self, change: Option<&Change>) -> Vec<(String, Tone)> {
        let mut messages = Vec::new();
        let mut say = |text: &str, tone| messages.push((text.to_owned(), tone));
        if let Some(error) = self.refused {
            say("Can't swap:", Tone::Bad);
            say(reason(error), Tone::Plain);
        } else if let Some(change) = change {
            if matches!(change, Change::Rest) {
                say("No swaps left: a new board is dealt.", Tone::Bad);
            }
        } else if let Some((ending, tone)) = self.ending() {
            say(&ending, tone);
            if self.turns.is_best() {
                say("Your best score!", Tone::Good);
            }
            say("", Tone::Plain);
            let [undo, new] = [Act::Undo, Act::New].map(|act| self.keys.first(act));
            say(&format!("{undo} undoes the move, {new} starts a new game."), Tone::Faint);
        } else if let Some((_, points)) = self.hint {
            say(&format!("Hint: {points} points"), Tone::Good);
            say("plus any from new pieces.", Tone::Plain);
        } else if self.selected.is_some() {
            say("Swap with which neighbor?", Tone::Plain);
        } else if self.turns.position().is_redealt {
            say("There were no swaps left: this is a new board.", Tone::Plain);
        } else if self.score() >= self.goal {
            say("Goal reached!", Tone::Good);
            say("Keep going for your best score.", Tone::Plain);
        } else if self.turns.moves() == 0 {
            say("Swap two neighbors to match three or more.", Tone::Plain);
        }
        messages
    }

    fn draw_game(&self, frame: &mut Frame<'_>, theme: Theme) {
        let Rules { width, height, .. } = self.game().rules();
        let least = Grid::least_size((width, height));
        let step = self.shown().map(|(step, part)| (step.clone(), part));
        let pieces = Pieces { board: self.board(), step, marks: self.marks() };
        let areas =
            areas(frame.area(), least.0, |width, height| pieces.size((width, height), theme));
        self.grid.set(Some(pieces.grid(areas.board)));
        pieces.draw(frame.buffer_mut(), areas.board, theme);
        let moves = arrows(&ARROWS.map(|act| self.keys.first(act)), theme);
        let [take, hint, undo, new] =
            [Act::Take, Act::Hint, Act::Undo, Act::New].map(|act| self.keys.first(act));
        let keys = [
            (&*moves, "move"),
            (&*take, "select"),
            (&*hint, "hint"),
            (&*undo, "undo"),
            (&*new, "new game"),
            ("?", "keys"),
            ("q", "quit"),
        ];
        self.panel().draw(frame, &areas, &keys, theme);
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

    fn least_size(&self, _: Theme) -> (u16, u16) {
        let Rules { width, height, .. } = self.game().rules();
        least_size(Grid::least_size((width, height)))
    }

    fn draw(&self, frame: &mut Frame<'_>, theme: Theme) {
        self.draw_game(frame, theme);
        if let Some(question) = self.turns.question() {
            widgets::question(frame, theme, &question);
        }
    }

    fn input(&mut self, input: Input, now: Duration) -> Flow {
        self.now = now;
        if let Input::Mouse(mouse) = input
            && self.turns.question().is_none()
        {
            self.mouse(mouse);
        }
        if self.turns.question().is_some() {
            if pressed(input).is_some_and(|code| self.turns.answer(code)) {
                // If no other board is possible, the game goes on.
                let _ = self.begin();
            }
            return Flow::Continue;
        }
        match self.keys.pressed(input) {
            Some(Act::Left) => self.step((-1, 0)),
            Some(Act::Right) => self.step((1, 0)),
            Some(Act::Up) => self.step((0, -1)),
            Some(Act::Down) => self.step((0, 1)),
            Some(Act::Take) => self.select(),
            Some(Act::Cancel) => self.selected = None,
            Some(Act::Hint) => drop(self.show_hint()),
            Some(Act::Undo) => drop(self.undo()),
            Some(Act::New) if self.turns.can_begin() => drop(self.begin()),
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
    const HELP: &'static str = "a swap such as 3 4 H (column 3, row 4, with the right neighbor) or \
                                3 4 V (with the cell below), undo, hint, new";

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
        let game = self.game();
        let goal = self.goal;
        let best = self.turns.best();
        let board = game.board();
        let score = game.score();
        let left = game.moves_left();
        let columns: String = (1..=board.width()).map(|x| format!("{x:>3}")).collect();
        let mut text =
            format!("score {score}, best {best}, moves left {left}, goal {goal}\n  {columns}\n");
        for (y, row) in (1..).zip(board.rows()) {
            let row: String = row.iter().map(|cell| format!("  {cell}")).collect();
            text += &format!("{y:>2}{row}\n");
        }
        let board = board.to_string();
        (
            json!({ "board": board, "score": score, "best": best, "moves_left": left, "goal": goal }),
            text,
        )
    }

    fn act(&mut self, line: &str) -> Result<(Value, String), String> {
        match line_mode::typed(&self.keys, line) {
            Some(Act::Undo) if self.undo() => {
                Ok((json!({ "undo": true }), "move undone".to_owned()))
            }
            Some(Act::Undo) => Err("no move to undo".to_owned()),
            Some(Act::Hint) => {
                let (swap, points) = self.show_hint().ok_or("the game is over")?;
                let swap = counted_from_1(swap);
                let text = format!("hint: {swap}, {points} points plus any from new pieces");
                Ok((json!({ "hint": swap, "score": points }), text))
            }
            Some(Act::New) => {
                self.begin().map_err(|error| error.to_string())?;
                Ok((json!({ "new": true }), "new game".to_owned()))
            }
            _ => {
                let swap = parse_from_1(line).ok_or_else(|| format!("expected {}", Self::HELP))?;
                let CascadeResult { score, cleared, levels, .. } =
                    self.swap(swap).map_err(|error| told_from_1(error).to_string())?;
                let redealt = self.turns.position().is_redealt;
                let swap = counted_from_1(swap);
                let object = json!({
                    "swap": swap, "score": score, "cleared": cleared, "levels": levels,
                    "redealt": redealt,
                });
                let level = if levels > 1 { format!(", chain x{levels}") } else { String::new() };
                let new =
                    if redealt { "; there were no swaps left: this is a new board" } else { "" };
                Ok((object, format!("{swap} +{score}{level}{new}")))
            }
        }
    }

    fn ending(&self) -> Option<(Value, String)> {
        let (text, _) = Self::ending(self)?;
        let reached = self.score() >= self.goal;
        let best = self.turns.is_best();
        let text = if best { text + " Your best score!" } else { text };
        Some((
            json!({ "over": true, "score": self.score(), "reached": reached, "is_best": best }),
            text,
        ))
    }
}

pub(crate) fn fuzzed(seed: u64) -> Box<dyn Screen> {
    let rules = Rules {
        width: 3 + seed as usize % 14,
        height: 3 + seed as usize / 14 % 14,
        colors: 5,
        moves: 9,
    };
    let scores = BestScores::at(None, "match3", Better::Higher);
    Box::new(
        Game::new(rules, 500, seed, scores, Keys::usual()).unwrap_or_else(|_| panic!("no board")),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::turns::testing::check_goes_on;
    use crate::screen::testing::{
        Driver, check_screen, check_sizes, drawn, has_all, press_random_keys, text_of,
    };
    use match3::swaps;
    use ratatui::crossterm::event::KeyModifiers;

    const RULES: Rules = Rules { width: 8, height: 8, colors: 6, moves: 30 };

    fn game(rules: Rules, seed: u64) -> Game {
        let scores = BestScores::at(None, "match3", Better::Higher);
        Game::new(rules, 2000, seed, scores, Keys::usual()).unwrap_or_else(|_| panic!("no board"))
    }

    fn driver(rules: Rules, seed: u64) -> Driver<Game> {
        Driver::new(game(rules, seed))
    }

    fn first_swap(board: &Board) -> Swap {
        swaps(board).iter().next().expect("a swap")
    }

    impl Driver<Game> {
        fn move_to(&mut self, (x, y): At) {
            let from = self.cursor;
            let times = |a: usize, b: usize| a.saturating_sub(b);
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
            assert_eq!(self.selected, None);
            assert_eq!(self.cursor, to);
        }

        fn play_first(&mut self) {
            self.play(first_swap(&self.board()));
        }

        fn play_best(&mut self) {
            self.play(ranked_swaps(&self.board())[0].0);
        }
    }

    /// Returns a swap of two colors that makes no run.
    fn no_run(board: &Board) -> Swap {
        let mut pairs =
            (0..Swap::actions(8, 8)).filter_map(|action| Swap::from_action(action, 8, 8));
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
        game.press("i");
        game.looks_as("match3-hint");
        game.move_to((2, 1));
        game.press("\n");
        game.looks_as("match3-selected");
        game.press("\x1b");
        game.play(no_run(&game.board()));
        game.looks_as("match3-refused");
        game.run_to_rest();
        game.play_best();
        game.advance_by(260);
        game.looks_as("match3-clear");
        game.advance_by(220);
        game.looks_as("match3-fall");
        game.run_to_rest();
        while !game.game().is_over() {
            game.play_best();
            game.run_to_rest();
            if game.game().moves_left() == 15 {
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
    fn keys_play_the_swap() {
        let mut game = driver(RULES, 5);
        while let Some(swap) = game.game().legal_moves().pop() {
            let (expected, _) = game.turns.position().after(swap, Duration::ZERO).expect("legal");
            game.play(swap);
            assert_eq!(game.turns.position(), &expected);
            game.run_to_rest();
        }
        game.shows("Your best score!");
        assert_eq!(game.turns.moves(), 30);
        assert_eq!(game.turns.best(), game.score());
        assert_eq!(game.quit_question(), None);
        // No further move is played.
        game.press(" ");
        assert_eq!(game.selected, None);
    }

    #[test]
    fn an_undone_or_saved_game_goes_on_as_if_never_left() {
        check_goes_on(
            |rng| Position::deal(RULES, rng).expect("a board"),
            |position| first_swap(&position.game.board()),
        );
    }

    #[test]
    fn an_illegal_swap_changes_nothing() {
        let mut game = driver(RULES, 1);
        let before = game.turns.position().clone();
        game.play(no_run(&before.game.board()));
        assert_eq!(game.turns.position(), &before);
        assert_eq!(game.turns.moves(), 0);
        assert!(matches!(game.refused, Some(SwapError::NoRun(_))));
        game.shows("Can't swap:");
        game.run_to_rest();
        game.shows("Can't swap:");
        game.press("i");
        assert_eq!(game.refused, None);
    }

    #[test]
    fn a_dead_board_is_shown_before_the_new_one() {
        let rules = Rules { width: 4, height: 4, colors: 5, moves: 30 };
        let mut games = (0..40).map(|seed| driver(rules, seed));
        let dead = games.find_map(|mut game| {
            while !game.game().is_over() {
                game.play_first();
                if game.turns.position().is_redealt {
                    return Some(game);
                }
            }
            None
        });
        let mut game = dead.expect("a dead board");
        let end = game.animation.as_ref().expect("it is shown").end_time();
        game.advance(end.saturating_sub(Duration::from_millis(1)));
        game.shows("No swaps left");
        game.run_to_rest();
        game.shows("There were no swaps left:");
    }

    #[test]
    fn lines_are_moves() {
        let mut game = game(RULES, 1);
        let start = game.turns.position().clone();
        let (swap, result) = ranked_swaps(&game.board())[0];
        // Columns and rows count from 1.
        let swap = Swap { x: swap.x + 1, y: swap.y + 1, ..swap }.to_string();
        let lower = swap.to_lowercase();
        let hint = format!("hint: {swap}, {} points plus any from new pieces", result.score);
        assert_eq!(
            game.act("hint").expect("a hint"),
            (json!({ "hint": swap, "score": result.score }), hint)
        );
        let outside = "(9, 1) is outside the board";
        let no_run = no_run(&game.board());
        let no_run_told =
            format!("({}, {}) and its neighbor would make no run", no_run.x + 1, no_run.y + 1);
        let expected = format!("expected {}", Game::HELP);
        for (line, error) in [
            ("undo", "no move to undo"),
            ("8 1 h", outside),
            (&counted_from_1(no_run), &no_run_told),
            ("18446744073709551615 1 v", "(18446744073709551615, 1) is outside the board"),
            ("0 1 h", &expected),
            ("1 0 h", &expected),
            ("left", &expected),
            ("3 4", &expected),
            ("3 4 x", &expected),
        ] {
            assert_eq!(game.act(line), Err(error.to_owned()), "{line}");
        }
        let (object, text) = game.act(&lower).expect("legal");
        let CascadeResult { score, cleared, levels, .. } = game.turns.position().last;
        assert!(score >= result.score && text.starts_with(&format!("{swap} +{score}")), "{text}");
        let expected = json!({
            "swap": swap, "score": score, "cleared": cleared, "levels": levels, "redealt": false,
        });
        assert_eq!(object, expected);
        let (shown, text) = game.show();
        assert_eq!(&shown["score"], &json!(score));
        assert_eq!(&shown["moves_left"], &json!(29));
        // The board as `match3 swaps` reads it, and with column and row numbers.
        assert_eq!(
            shown["board"].as_str().and_then(|board| board.parse().ok()),
            Some(game.board())
        );
        let mut lines = text.lines();
        assert_eq!(
            lines.next(),
            Some(&*format!("score {score}, best {score}, moves left 29, goal 2000"))
        );
        assert_eq!(lines.next(), Some("    1  2  3  4  5  6  7  8"));
        let rows: Vec<(&str, &str)> = lines.map(|line| line.split_at(2)).collect();
        assert!((1..9).eq(rows.iter().map(|(y, _)| y.trim().parse().unwrap_or(99))), "{text}");
        let cells: String = rows.iter().map(|(_, row)| format!("{row}\n")).collect();
        assert_eq!(cells.parse(), Ok(game.board()));
        game.act("u").expect("a move");
        assert_eq!(game.turns.position(), &start);
        game.act(&lower).expect("legal");
        game.act("new").expect("a new game");
        assert_eq!(game.turns.moves(), 0);
        assert_eq!(game.score(), 0);
    }

    #[test]
    fn the_last_line_tells_the_end() {
        let rules = Rules { moves: 1, ..RULES };
        let swap = first_swap(&game(rules, 1).board());
        let (after, _) =
            game(rules, 1).turns.position().after(swap, Duration::ZERO).expect("legal");
        let score = after.game.score();
        for (goal, reached) in [(score, true), (score + 1, false)] {
            let mut game = Game { goal, ..game(rules, 1) };
            assert_eq!(LineGame::ending(&game), None);
            game.act(&counted_from_1(swap)).expect("legal");
            let (object, text) = LineGame::ending(&game).expect("over");
            assert_eq!(
                object,
                json!({ "over": true, "score": score, "reached": reached, "is_best": true })
            );
            let ending = if reached {
                "Goal reached! Your best"
            } else {
                "1 points short of the goal. Your best"
            };
            assert!(text.contains(ending), "{text}");
            assert_eq!(game.act("1 1 h"), Err("the game is over".to_owned()));
            assert_eq!(game.act("hint"), Err("the game is over".to_owned()));
        }
    }

    #[test]
    fn the_mouse_swaps_by_two_clicks_and_by_dragging() {
        for second in
            [MouseEventKind::Down(MouseButton::Left), MouseEventKind::Up(MouseButton::Left)]
        {
            let mut game = driver(RULES, 1);
            drawn(&*game, Theme::FULL, 80, 24);
            let grid = game.grid.get().expect("drawn");
            let [from, to] = first_swap(&game.board()).cells();
            for (at, kind) in [(from, MouseEventKind::Down(MouseButton::Left)), (to, second)] {
                let mut places = (0..24).flat_map(|y| (0..80).map(move |x| (x, y)));
                let place = places.find(|&(x, y)| grid.cell_at(x, y) == Some(at));
                let (column, row) = place.expect("on the screen");
                game.input(Input::Mouse(MouseEvent {
                    kind,
                    column,
                    row,
                    modifiers: KeyModifiers::NONE,
                }));
            }
            assert_eq!(game.turns.moves(), 1);
            assert_eq!(game.selected, None);
            assert_eq!(game.cursor, to);
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
        for (rules, least) in [(RULES, (20, 11)), (rules(3, 3), (20, 6)), (rules(16, 16), (33, 19))]
        {
            let all = rules.width * rules.height;
            check_sizes(&game(rules, 1), least, |text, _| {
                pieces(text, Theme::PLAIN) >= all && has_all(text, &["score", "q quit"])
            });
        }
    }

    #[test]
    fn pieces_are_seen_without_colors() {
        driver(RULES, 1).check_without_colors(
            &[(80, 24), (160, 50), (60, 15), (30, 12)],
            |text, theme| {
                assert_eq!(pieces(text, theme), 64, "{text}");
            },
        );
    }

    #[test]
    fn a_hint_is_the_best_swap() {
        let mut game = driver(RULES, 1);
        game.press("i");
        let (swap, result) = ranked_swaps(&game.board())[0];
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
    fn random_keys() {
        let keys = "←→↑↓←→↑↓wasdhjklWASD     iiuunynxqQ\n\n\x1b\x7f\t";
        let rules = |width, height, colors, moves| Rules { width, height, colors, moves };
        for (rules, seed) in
            [RULES, rules(3, 3, 3, 5), rules(16, 5, 8, 100_000), rules(5, 16, 4, 7)]
                .into_iter()
                .zip(0..)
        {
            press_random_keys(|| game(rules, seed), keys, 5_000, seed);
        }
    }
}
