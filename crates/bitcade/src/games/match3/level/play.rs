//! The screen of a level, for `bitcade play match3`.

use super::animation::{Animation, Change, Step};
use super::cells::Cells;
use super::picture::{LevelPicture, symbol_of};
use super::position::Position;
use super::text;
use crate::games::match3::act::{ARROWS, Act, counted_from_1, parse_from_1, reason, told_from_1};
use crate::games::match3::animation::At;
use crate::games::match3::pieces::{Grid, Mark};
use crate::io::output::{Failure, Output};
use crate::play::best_scores::{BestScores, Better};
use crate::play::keys::{Keys, pressed};
use crate::play::line_mode::{self, LineArgs, LineGame};
use crate::play::panel::{Panel, Tone, areas, arrows, least_size};
use crate::play::saved_games::SavedGames;
use crate::play::turns::Turns;
use crate::screen::options::ScreenArgs;
use crate::screen::picture::Picture;
use crate::screen::run;
use crate::screen::theme::Theme;
use crate::screen::view::{Flow, Input, Screen};
use crate::screen::widgets::{self, Page, grouped};
use match3::level::{Goal, Level, LevelEvent, LevelMove, Limit, Outcome, SECONDS_PER_MOVE, Target};
use match3::{Axis, Error, Swap, SwapError};
use ratatui::Frame;
use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use serde_json::{Value, json};
use std::cell;
use std::sync::Arc;
use std::time::Duration;

/// What a swap would do before new pieces fall in.
struct Preview {
    swap: Swap,
    points: u64,
    /// What it takes from the goals.
    goals: u32,
    /// The cells that it hits first.
    hit: Vec<At>,
}

pub(in crate::games::match3) struct LevelScreen {
    level: Arc<Level>,
    turns: Turns<Position>,
    stars: BestScores,
    keys: Keys<Act>,
    cursor: At,
    selected: Option<At>,
    hint: Option<Swap>,
    refused: Option<SwapError>,
    animation: Option<Animation>,
    now: Duration,
    /// The time counted so far, and since when the clock runs.
    spent: Duration,
    runs_since: Option<Duration>,
    /// Whether there is a list of levels to go back to.
    has_list: bool,
    /// The board's position in the last frame, for the mouse.
    grid: cell::Cell<Option<Grid>>,
}

impl LevelScreen {
    pub(super) fn new(
        level: Arc<Level>,
        seed: u64,
        scores: BestScores,
        stars: BestScores,
        keys: Keys<Act>,
    ) -> Result<Self, Error> {
        let turns = Turns::new(seed, scores, |rng| Position::deal(&level, rng))?;
        let cursor = ((level.width() - 1) / 2, (level.height() - 1) / 2);
        Ok(Self {
            level,
            turns,
            stars,
            keys,
            cursor,
            selected: None,
            hint: None,
            refused: None,
            animation: None,
            now: Duration::ZERO,
            spent: Duration::ZERO,
            runs_since: None,
            has_list: false,
            grid: cell::Cell::new(None),
        })
    }

    pub(super) fn with_list(self) -> Self {
        Self { has_list: true, ..self }
    }

    /// Saves unfinished games, except those with a clock.
    pub(super) fn save_games(&mut self, games: SavedGames, offers: bool) {
        if !self.has_clock() {
            let level = self.level.clone();
            self.turns.save_games(games, offers, |rng| Position::deal(&level, rng));
        }
    }

    /// Saves what there is to save. Returns the lines to print last.
    pub(super) fn finish(&mut self) -> String {
        let text = self.turns.finish();
        self.stars.report();
        text
    }

    /// Returns whether nothing is selected or asked, so that the list may be shown.
    pub(super) fn is_left_by(&self, input: Input) -> bool {
        self.has_list
            && self.keys.pressed(input) == Some(Act::Cancel)
            && self.selected.is_none()
            && self.turns.question().is_none()
    }

    fn position(&self) -> &Position {
        self.turns.position()
    }

    fn has_clock(&self) -> bool {
        matches!(self.level.spec().limit, Limit::Time(_))
    }

    fn clear_marks(&mut self) {
        (self.selected, self.hint, self.refused, self.animation) = (None, None, None, None);
    }

    /// Brings the clock up to date.
    fn count(&mut self) {
        if !self.has_clock() || self.position().game.is_over() {
            self.runs_since = None;
            return;
        }
        if let Some(since) = self.runs_since {
            self.spent += self.now.saturating_sub(since);
            self.runs_since = Some(self.now);
        }
        let seconds = self.spent.as_secs() as u32;
        self.turns.change(|position| position.spend_until(seconds));
        if self.position().game.is_over() {
            self.selected = None;
            self.runs_since = None;
            self.turns.keep_score();
        }
    }

    fn swap(&mut self, swap: Swap) -> Result<LevelMove, SwapError> {
        self.clear_marks();
        let position = self.position();
        match position.after(swap, self.now) {
            Ok((next, animation)) => {
                self.animation = Some(animation);
                self.turns.play(swap, next);
                let stars = self.position().stars();
                if stars > 0 {
                    self.stars.add(stars);
                }
                Ok(self.position().last.clone())
            }
            Err(error) => {
                let game = &position.game;
                let is_inside = swap
                    .cells()
                    .iter()
                    .all(|at| at.0 < self.level.width() && at.1 < self.level.height());
                self.animation = is_inside.then(|| Animation::refused(game, swap, self.now));
                self.refused = Some(error);
                Err(error)
            }
        }
    }

    /// Undoes a move; replaying the swap brings the same pieces. Seconds don't come back.
    fn undo(&mut self) -> bool {
        self.clear_marks();
        let is_undone = self.turns.undo();
        self.count();
        is_undone
    }

    fn begin(&mut self) -> Result<(), Error> {
        self.clear_marks();
        self.spent = Duration::ZERO;
        self.runs_since = None;
        let level = self.level.clone();
        self.turns.begin(|rng| Position::deal(&level, rng))
    }

    fn show_hint(&mut self) -> Option<Swap> {
        self.clear_marks();
        self.hint = self.position().game.hint();
        self.hint
    }

    fn step(&mut self, (right, down): (isize, isize)) {
        let to = |from: usize, step, side| from.checked_add_signed(step).filter(|&to| to < side);
        let x = to(self.cursor.0, right, self.level.width());
        let y = to(self.cursor.1, down, self.level.height());
        let (Some(x), Some(y)) = (x, y) else { return };
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
        if !self.position().game.is_over() {
            self.selected = if self.selected.is_none() { Some(self.cursor) } else { None };
            self.refused = None;
        }
    }

    fn mouse(&mut self, mouse: MouseEvent) {
        let at = self.grid.get().and_then(|grid| grid.cell_at(mouse.column, mouse.row));
        let Some(at) = at else { return };
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

    /// Returns what the legal swaps of the cursor's piece would do, or of the hint.
    fn previews(&self) -> Vec<Preview> {
        let position = self.position();
        let legal = position.game.legal_moves().iter().copied();
        let at_cursor = |swap: &Swap| match self.hint {
            Some(hint) => *swap == hint,
            None => swap.cells().contains(&self.cursor),
        };
        legal.filter(at_cursor).filter_map(|swap| self.preview(swap)).collect()
    }

    fn preview(&self, swap: Swap) -> Option<Preview> {
        let position = self.position();
        let (result, after) = position.game.foresee(swap).ok()?;
        let before = position.game.left().iter();
        let goals = before.zip(after).map(|(before, after)| before - after).sum();
        // Up to the first fall, nothing depends on new pieces.
        let (_, events) = position.played(swap).ok()?;
        let is_fall = |event: &&LevelEvent| {
            !matches!(
                event,
                LevelEvent::Fall { .. } | LevelEvent::Spawn { .. } | LevelEvent::Collect { .. }
            )
        };
        let at = |event: &LevelEvent| match *event {
            LevelEvent::Clear { at, .. } | LevelEvent::Layer { at, .. } => Some(at),
            _ => None,
        };
        // They are seen before the swap: its two pieces trade places.
        let [a, b] = swap.cells();
        let back = |at: At| match at {
            at if at == a => b,
            at if at == b => a,
            at => at,
        };
        let hit = events.iter().take_while(is_fall).filter_map(at).map(back).collect();
        Some(Preview { swap, points: result.score, goals, hit })
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
        if let Some(swap) = self.hint {
            marks.extend(swap.cells().map(|at| (at, Mark::Hint)));
        }
        if !self.position().game.is_over() {
            marks.push((self.cursor, Mark::Cursor));
        }
        marks.extend(self.selected.map(|at| (at, Mark::Selected)));
        marks
    }

    fn limit(&self) -> (&'static str, String) {
        let left = self.position().game.limit_left();
        match self.level.spec().limit {
            Limit::Moves(moves) => ("moves left", format!("{left} of {moves}")),
            Limit::Time(_) => ("time left", format!("{}:{:02}", left / 60, left % 60)),
        }
    }

    fn panel(&self, theme: Theme) -> Panel {
        let spec = self.level.spec();
        let position = self.position();
        let step = self.shown().map(|(step, _)| step);
        let score = step.map_or(position.game.score(), |step| step.score);
        let left = step.map_or(position.game.left(), |step| &step.left);
        let before = self.turns.before().map_or(0, |before| before.game.score());
        let gain = match step {
            Some(step) if step.level > 0 => Some((score.saturating_sub(before), step.level)),
            _ => None,
        };
        let score_text = match gain.filter(|&(gain, _)| gain > 0) {
            Some((gain, 1)) => format!("{} +{}", grouped(score), grouped(gain)),
            Some((gain, levels)) => {
                format!("{} +{} x{levels}", grouped(score), grouped(gain))
            }
            None => grouped(score),
        };
        let stars = self.stars.best().unwrap_or(0);
        let best = format!("{} {}", grouped(self.turns.best_with(score)), stars_text(stars, theme));
        let mut figures = vec![("score", score_text), ("best", best), self.limit()];
        // Open goals come first when there are too many.
        let mut goals: Vec<(&Goal, u32)> = spec.goals.iter().zip(left.iter().copied()).collect();
        if goals.len() > MAX_GOALS {
            goals.sort_by_key(|&(_, left)| left == 0);
        }
        for (goal, left) in goals.into_iter().take(MAX_GOALS) {
            let done = theme.pick("done ●", "done");
            let text = match left {
                0 => done.to_owned(),
                left => format!("{} to go", grouped(left.into())),
            };
            figures.push((label(goal.target, theme), text));
        }
        let part = |(goal, left): (&Goal, &u32)| 1.0 - f64::from(*left) / f64::from(goal.count);
        let parts: Vec<f64> = spec.goals.iter().zip(left).map(part).collect();
        let progress = (!parts.is_empty()).then(|| parts.iter().sum::<f64>() / parts.len() as f64);
        let name = if spec.name.is_empty() { "a level" } else { &spec.name };
        let title = format!("{name}, {}", text::size(spec));
        let messages = self.messages(step.map(|step| &step.change), theme);
        Panel { title, figures, progress, messages }
    }

    fn messages(&self, change: Option<&Change>, theme: Theme) -> Vec<(String, Tone)> {
        let mut messages = Vec::new();
        let mut say = |text: String, tone| messages.push((text, tone));
        if let Some(error) = self.refused {
            say("Can't swap:".to_owned(), Tone::Bad);
            say(reason(error).to_owned(), Tone::Plain);
        } else if let Some(change) = change {
            match change {
                Change::Shuffle { .. } => {
                    say("No swaps left: the pieces are shuffled.".to_owned(), Tone::Bad);
                }
                Change::Limit => {
                    let most = self.level.spec().cascade_limit;
                    let text = format!("The cascade ends after {most} levels.");
                    say(text, Tone::Bad);
                }
                _ => {}
            }
        } else if let Some((ending, tone)) = self.ending_text() {
            let stars = self.position().stars();
            if stars > 0 {
                say(format!("{ending} {}", stars_text(stars, theme)), tone);
                if self.position().last.bonus > 0 {
                    let bonus = grouped(self.position().last.bonus);
                    say(format!("{bonus} points for what was left."), Tone::Plain);
                }
            } else {
                say(ending, tone);
            }
            if self.turns.is_best() {
                say("Your best score!".to_owned(), Tone::Good);
            }
            let [undo, new] = [Act::Undo, Act::New].map(|act| self.keys.first(act));
            say(format!("{undo} undoes, {new} plays again."), Tone::Faint);
        } else {
            let previews = self.previews();
            if self.hint.is_some() {
                say("Hint:".to_owned(), Tone::Good);
            } else if self.selected.is_some() {
                say("Swap with which neighbor?".to_owned(), Tone::Plain);
            } else if self.position().last.is_shuffled {
                say("The pieces were shuffled.".to_owned(), Tone::Plain);
            } else if self.turns.moves() == 0 && previews.is_empty() {
                say("Swap two neighbors to match three or more.".to_owned(), Tone::Plain);
            }
            for Preview { swap, points, goals, .. } in &previews {
                let direction = self.direction(*swap, theme);
                let goals = match goals {
                    0 => String::new(),
                    goals => format!(", goals -{goals}"),
                };
                say(format!("{direction} {points} points{goals}"), Tone::Plain);
            }
        }
        messages
    }

    /// Returns the direction of a swap, from the cursor or of a hint.
    fn direction(&self, swap: Swap, theme: Theme) -> &'static str {
        let is_second = self.hint.is_none() && swap.cells()[1] == self.cursor;
        match (swap.axis, is_second) {
            (Axis::Horizontal, false) => theme.pick("→", "right"),
            (Axis::Horizontal, true) => theme.pick("←", "left"),
            (Axis::Vertical, false) => theme.pick("↓", "down"),
            (Axis::Vertical, true) => theme.pick("↑", "up"),
        }
    }

    fn ending_text(&self) -> Option<(String, Tone)> {
        let outcome = self.position().game.outcome()?;
        Some(match outcome {
            Outcome::Won => ("All goals reached!".to_owned(), Tone::Good),
            Outcome::OutOfMoves => ("No moves left.".to_owned(), Tone::Bad),
            Outcome::OutOfTime => ("The time is up.".to_owned(), Tone::Bad),
            Outcome::Dead => ("No swap is left.".to_owned(), Tone::Bad),
        })
    }

    fn draw_game(&self, frame: &mut Frame<'_>, theme: Theme) {
        let least = Grid::least_size((self.level.width(), self.level.height()));
        let step = self.shown().map(|(step, part)| (step.clone(), part));
        let cells = Cells::of(self.position().game.board());
        let previews =
            if self.selected.is_some() || self.hint.is_some() { self.previews() } else { vec![] };
        let hit = previews.into_iter().flat_map(|preview| preview.hit).collect();
        let level = self.level.clone();
        let picture = LevelPicture { level, cells, step, marks: self.marks(), hit };
        let areas =
            areas(frame.area(), least.0, |width, height| picture.size((width, height), theme));
        self.grid.set(Some(picture.grid(areas.board)));
        picture.draw(frame.buffer_mut(), areas.board, theme);
        let moves = arrows(&ARROWS.map(|act| self.keys.first(act)), theme);
        let [take, hint, undo, new, cancel] =
            [Act::Take, Act::Hint, Act::Undo, Act::New, Act::Cancel]
                .map(|act| self.keys.first(act));
        let levels = if self.has_list { &*cancel } else { "" };
        let keys = [
            (&*moves, "move"),
            (&*take, "select"),
            (&*hint, "hint"),
            (&*undo, "undo"),
            (&*new, "again"),
            (levels, "levels"),
            ("?", "keys"),
            ("q", "quit"),
        ];
        self.panel(theme).draw(frame, &areas, &keys, theme);
    }
}

/// The most goals in the panel.
const MAX_GOALS: usize = 6;

/// Returns the stars of a level, of three.
pub(super) fn stars_text(stars: u64, theme: Theme) -> String {
    let star = |i: u64| if i < stars { theme.pick("◆", "*") } else { theme.pick("◇", "-") };
    (0..3).map(star).collect()
}

/// Returns the panel's label of a target.
fn label(target: Target, theme: Theme) -> &'static str {
    const SHAPES: [&str; 8] =
        ["clear ●", "clear ■", "clear ▲", "clear ◆", "clear ○", "clear ▼", "clear □", "clear ◇"];
    const LETTERS: [&str; 15] = [
        "clear A", "clear B", "clear C", "clear D", "clear E", "clear F", "clear G", "clear H",
        "clear I", "clear J", "clear K", "clear L", "clear M", "clear N", "clear O",
    ];
    match target {
        Target::Score => "points",
        Target::Color(color) => {
            let index = usize::from(color).saturating_sub(1);
            let letter = LETTERS[index.min(LETTERS.len() - 1)];
            let shape = SHAPES.get(index).copied().unwrap_or(letter);
            let label = theme.pick(shape, letter);
            debug_assert!(label.ends_with(symbol_of(color, theme)));
            label
        }
        Target::Locked => "locks",
        Target::Jelly => "jelly",
        Target::Crates => "crates",
        Target::Ice => "ice",
        Target::Items => "items",
        Target::SetOff => "set off",
        Target::Made => "made",
    }
}

impl Screen for LevelScreen {
    fn advance(&mut self, now: Duration) {
        self.now = now;
        self.count();
        if self.animation.as_ref().is_some_and(|animation| animation.end_time() <= now) {
            self.animation = None;
        }
    }

    fn next_change(&self) -> Option<Duration> {
        let animation = self.animation.as_ref().map(|animation| animation.next_change(self.now));
        // The next whole second.
        let clock = self.runs_since.map(|since| {
            let spent = self.spent + self.now.saturating_sub(since);
            self.now + Duration::from_secs(spent.as_secs() + 1).saturating_sub(spent)
        });
        animation.into_iter().chain(clock).min()
    }

    fn pause(&mut self, now: Duration) {
        self.now = now;
        self.count();
        self.runs_since = None;
    }

    fn wants_mouse(&self) -> bool {
        true
    }

    fn least_size(&self, _: Theme) -> (u16, u16) {
        least_size(Grid::least_size((self.level.width(), self.level.height())))
    }

    fn draw(&self, frame: &mut Frame<'_>, theme: Theme) {
        self.draw_game(frame, theme);
        if let Some(question) = self.turns.question() {
            widgets::question(frame, theme, &question);
        }
    }

    fn input(&mut self, input: Input, now: Duration) -> Flow {
        self.now = now;
        self.count();
        if self.turns.question().is_some() {
            if pressed(input).is_some_and(|code| self.turns.answer(code)) {
                // The level was dealt before, and can be dealt again.
                let _ = self.begin();
            }
            return Flow::Continue;
        }
        // The clock begins with the first key or click.
        let is_used = matches!(input, Input::Mouse(_)) || self.keys.pressed(input).is_some();
        if is_used && self.has_clock() && !self.position().game.is_over() {
            self.runs_since.get_or_insert(now);
        }
        if let Input::Mouse(mouse) = input {
            self.mouse(mouse);
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

impl LineGame for LevelScreen {
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
        let spec = self.level.spec();
        let game = &self.position().game;
        let score = game.score();
        let best = self.turns.best();
        let (name, left) = self.limit();
        let goals = spec.goals.iter().zip(game.left());
        let goals: Vec<(String, u32)> =
            goals.map(|(goal, &left)| (text::goal(*goal), left)).collect();
        let told = goals.iter().map(|(goal, left)| match left {
            0 => format!("{goal}: done"),
            left => format!("{goal}: {left} to go"),
        });
        let told: Vec<String> = told.collect();
        let columns: String = (1..=spec.width).map(|x| format!("{x:>2} ")).collect();
        let mut text = format!("score {score}, best {best}, {name} {left}\n{}\n", told.join("; "));
        text += &format!("   {}\n", columns.trim_end());
        let rows = text::drawn(spec, &Cells::of(game.board()));
        for (y, row) in (1..).zip(&rows) {
            text += &format!("{y:>2} {row}\n");
        }
        let goals: Vec<Value> =
            goals.into_iter().map(|(goal, left)| json!({ "goal": goal, "left": left })).collect();
        let object = json!({
            "board": rows, "score": score, "best": best, "left": game.limit_left(),
            "goals": goals,
        });
        (object, text)
    }

    fn act(&mut self, line: &str) -> Result<(Value, String), String> {
        match line_mode::typed(&self.keys, line) {
            Some(Act::Undo) if self.undo() => {
                Ok((json!({ "undo": true }), "move undone".to_owned()))
            }
            Some(Act::Undo) => Err("no move to undo".to_owned()),
            Some(Act::Hint) => {
                let swap = self.show_hint().ok_or("the game is over")?;
                let preview = self.preview(swap).ok_or("the game is over")?;
                let Preview { points, goals, .. } = preview;
                let swap = counted_from_1(swap);
                let text = format!(
                    "hint: {swap}, {points} points and {goals} towards the goals, plus any from new pieces"
                );
                Ok((json!({ "hint": swap, "score": points, "goals": goals }), text))
            }
            Some(Act::New) => {
                self.begin().map_err(|error| error.to_string())?;
                Ok((json!({ "new": true }), "new game".to_owned()))
            }
            _ => {
                let swap = parse_from_1(line).ok_or_else(|| format!("expected {}", Self::HELP))?;
                let played = self.swap(swap).map_err(|error| told_from_1(error).to_string())?;
                self.spent += Duration::from_secs(SECONDS_PER_MOVE.into());
                self.count();
                let levels = played.cascade.levels;
                let score = played.cascade.score;
                let swap = counted_from_1(swap);
                let object = json!({
                    "swap": swap, "score": score, "cleared": played.cascade.cleared,
                    "levels": levels, "shuffled": played.is_shuffled, "bonus": played.bonus,
                });
                let mut text = format!("{swap} +{score}");
                if levels > 1 {
                    text += &format!(", chain x{levels}");
                }
                if played.is_limited {
                    text += ", which is the most";
                }
                if played.is_shuffled {
                    text += "; there were no swaps left: the pieces are shuffled";
                }
                if played.bonus > 0 {
                    text += &format!("; bonus +{}", played.bonus);
                }
                Ok((object, text))
            }
        }
    }

    fn ending(&self) -> Option<(Value, String)> {
        let (mut text, _) = self.ending_text()?;
        let stars = self.position().stars();
        if stars > 0 {
            text += &format!(" Stars: {stars} of 3.");
        }
        let best = self.turns.is_best();
        if best {
            text += " Your best score!";
        }
        let score = self.position().game.score();
        let won = stars > 0;
        Some((
            json!({ "over": true, "score": score, "won": won, "stars": stars, "is_best": best }),
            text,
        ))
    }
}

/// Returns the names under which the results of a level are kept: it, as far as it is the same.
pub(super) fn kept_as(level: &Level) -> (String, BestScores, BestScores) {
    let text = level.to_toml();
    let name: String =
        level.spec().name.chars().filter(char::is_ascii_alphanumeric).take(20).collect();
    let kind = format!("match3 level {name} {:08x}", crc32fast::hash(text.as_bytes()));
    let scores = BestScores::load(&kind, Better::Higher);
    let stars = BestScores::load(&format!("{kind} stars"), Better::Higher);
    (kind, scores, stars)
}

/// Plays a level, on the screen or line by line.
pub(in crate::games::match3) fn run_level(
    level: Level,
    keys: Keys<Act>,
    seed: u64,
    saves: Option<bool>,
    (lines, screen): (&LineArgs, &ScreenArgs),
    output: &mut Output,
) -> Result<(), Failure> {
    let (kind, scores, stars) = kept_as(&level);
    let game = LevelScreen::new(Arc::new(level), seed, scores, stars, keys);
    let mut game = game.map_err(|error| Failure::Input(error.to_string()))?;
    let by_lines = lines.wanted(screen);
    if !by_lines {
        output.refuse_json_of("is played on the screen; with --lines it prints the moves")?;
    }
    if let Some(offers) = saves {
        game.save_games(SavedGames::of(&kind), offers);
    }
    let played = if by_lines {
        line_mode::run(&mut game, output)
    } else {
        let (shown, recorded) = run::run(screen, || Ok(game))?;
        game = shown;
        recorded
    };
    output.text(game.finish())?;
    played
}

/// Returns a screen that keeps nothing.
pub(super) fn unsaved(level: Arc<Level>, seed: u64) -> LevelScreen {
    let kept = || BestScores::at(None, "match3", Better::Higher);
    LevelScreen::new(level, seed, kept(), kept(), Keys::usual())
        .unwrap_or_else(|error| panic!("{error}"))
}

#[cfg(test)]
mod tests {
    use super::super::animation::Effect;
    use super::super::list::examples;
    use super::*;
    use crate::screen::testing::{Driver, check_sizes, has_all, press_random_keys};
    use bitcore::Rng;

    fn driver(index: usize, seed: u64) -> Driver<LevelScreen> {
        Driver::new(unsaved(examples()[index].clone(), seed))
    }

    impl Driver<LevelScreen> {
        fn play(&mut self, swap: Swap) {
            let [from, to] = swap.cells();
            let cursor = self.cursor;
            let times = |a: usize, b: usize| a.saturating_sub(b);
            self.press(&"→".repeat(times(from.0, cursor.0)));
            self.press(&"←".repeat(times(cursor.0, from.0)));
            self.press(&"↓".repeat(times(from.1, cursor.1)));
            self.press(&"↑".repeat(times(cursor.1, from.1)));
            self.press(" ");
            assert_eq!(self.selected, Some(from));
            self.press(if to.0 > from.0 { "→" } else { "↓" });
            assert_eq!(self.cursor, to);
        }

        /// Plays by hints until a step is of a kind. Returns whether one was.
        fn play_until(&mut self, is_it: impl Fn(&Change) -> bool) -> bool {
            while let Some(swap) = self.position().game.hint() {
                self.play(swap);
                while let Some(next) = self.next_change().filter(|_| self.animation.is_some()) {
                    self.advance(next);
                    if self.shown().is_some_and(|(step, part)| part > 0.3 && is_it(&step.change)) {
                        return true;
                    }
                }
            }
            false
        }
    }

    #[test]
    fn screens() {
        for (index, name) in [
            "meadow",
            "shelf",
            "frost",
            "warehouse",
            "jam",
            "harvest",
            "tunnels",
            "river",
            "fountain",
            "keep",
        ]
        .iter()
        .enumerate()
        {
            let game = driver(index, 1);
            game.looks_as(&format!("level-{name}"));
        }
        let mut game = driver(2, 1);
        game.press("i");
        game.looks_as("level-hint");
        let swap = game.position().game.hint().expect("a swap");
        game.play(swap);
        game.run_to_end();
        game.press(" ");
        game.looks_as("level-selected");
        let has = |change: &Change, wanted: fn(&Effect) -> bool| matches!(change, Change::Hit { effects, .. } if effects.iter().any(wanted));
        let mut game = driver(4, 2);
        assert!(
            game.play_until(|change| has(change, |effect| {
                matches!(effect, Effect::Area { .. })
            }))
        );
        game.looks_as("level-effect");
        assert!(game.play_until(|change| has(change, |effect| {
            matches!(effect, Effect::Flight { .. })
        })));
        game.looks_as("level-flight");
        let mut game = driver(1, 1);
        assert!(game.play_until(|change| matches!(change, Change::Fall { .. })));
        game.looks_as("level-fall");
        let mut game = driver(0, 1);
        game.play_until(|_| false);
        game.run_to_end();
        game.looks_as("level-won");
        assert!(game.position().stars() > 0);
    }

    impl Driver<LevelScreen> {
        fn run_to_end(&mut self) {
            while let Some(end) = self.animation.as_ref().map(Animation::end_time) {
                self.advance(end);
            }
        }
    }

    #[test]
    fn a_clock_counts_from_the_first_key_and_undo_brings_no_time_back() {
        let mut game = driver(7, 1);
        let all = game.position().game.limit_left();
        game.advance_by(5000);
        assert_eq!(game.position().game.limit_left(), all);
        let swap = game.position().game.hint().expect("a swap");
        game.play(swap);
        game.advance_by(3000);
        assert_eq!(game.position().game.limit_left(), all - 3);
        game.press("u");
        assert_eq!(game.turns.moves(), 0);
        assert_eq!(game.position().game.limit_left(), all - 3);
        let now = game.now();
        game.pause(now);
        game.advance_by(60_000);
        assert_eq!(game.position().game.limit_left(), all - 3);
        game.press("i");
        game.advance_by(1000 * u64::from(all));
        assert_eq!(game.position().game.outcome(), Some(Outcome::OutOfTime));
        game.shows("The time is up.");
        assert_eq!(game.next_change(), None);
    }

    #[test]
    fn undo_brings_back_everything() {
        let mut game = driver(5, 3);
        let start = game.position().clone();
        for _ in 0..4 {
            let swap = game.position().game.hint().expect("a swap");
            game.play(swap);
        }
        let end = game.position().clone();
        game.press("uuuu");
        assert_eq!(game.position(), &start);
        for _ in 0..4 {
            let swap = game.position().game.hint().expect("a swap");
            game.play(swap);
        }
        assert_eq!(game.position(), &end);
    }

    #[test]
    fn lines_are_moves() {
        let mut game = unsaved(examples()[0].clone(), 1);
        let (object, text) = game.show();
        assert_eq!(object["goals"][0], json!({ "goal": "25 of color 1", "left": 25 }));
        assert!(text.contains("moves left 20 of 20\n25 of color 1: 25 to go;"), "{text}");
        assert_eq!(game.act("undo"), Err("no move to undo".to_owned()));
        let (hint, _) = game.act("hint").expect("a hint");
        let swap = hint["hint"].as_str().expect("a swap").to_owned();
        let (played, _) = game.act(&swap.to_lowercase()).expect("legal");
        assert_eq!(played["swap"], json!(swap));
        assert!(played["score"].as_u64() >= hint["score"].as_u64());
        while LineGame::ending(&game).is_none() {
            let (hint, _) = game.act("hint").expect("a hint");
            game.act(&hint["hint"].as_str().expect("a swap").to_lowercase()).expect("legal");
        }
        let (end, text) = LineGame::ending(&game).expect("over");
        assert_eq!(end["won"], json!(true));
        assert!(text.starts_with("All goals reached! Stars: "), "{text}");
        game.act("new").expect("a new game");
        assert_eq!(game.turns.moves(), 0);
    }

    #[test]
    fn sizes() {
        let game = driver(0, 1);
        check_sizes(&*game, (20, 11), |text, _| has_all(text, &["score", "q quit"]));
    }

    #[test]
    fn random_keys() {
        let keys = "←→↑↓←→↑↓wasdhjkl     iiuunynx\n\n\x1b\x7f\t";
        for (index, level) in examples().into_iter().enumerate() {
            let seed = index as u64;
            press_random_keys(|| unsaved(level.clone(), seed), keys, 3000, seed);
        }
        // The moves of a level are those of its game.
        let level = examples()[9].clone();
        assert!(Position::deal(&level, Rng::new(1)).is_ok());
    }
}
