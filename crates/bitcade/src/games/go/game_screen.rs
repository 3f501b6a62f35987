//! [`GameScreen`]: a game of Go against the engine, on the screen.

use super::board_view::{BoardLayout, BoardView, NUMBERS, STONES};
use super::opponent::{Chance, Engine, Report, Task};
use super::record_file::{GameFile, Start};
use crate::output::Failure;
use crate::screen::theme::{Colors, Theme, palette};
use crate::screen::view::{Flow, Input, Screen};
use crate::screen::widgets::{self, short};
use go_mc::gtp::Options;
use go_mc::search::Choice;
use go_mc::sgf::Record;
use go_mc::{Color, Game, IllegalMove, Move, Ownership, Point};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEventKind, MouseButton, MouseEventKind};
use ratatui::layout::Rect;
use std::cell::Cell;
use std::path::PathBuf;
use std::time::Duration;

/// The interval between two looks at the engine's reports.
const LOOK: Duration = Duration::from_millis(50);

/// The columns of the board's side panel, and its rows without the list of moves.
const PANEL: u16 = 32;
const PANEL_ROWS: u16 = 12;

#[derive(Clone, Copy, Debug)]
struct Played {
    mv: Move,
    /// Black's chance to win before the next move, where the engine has told it.
    black: Option<f64>,
}

pub(crate) struct GameScreen<E> {
    options: Options,
    user: Color,
    engine: E,
    start: Start,
    game: Game,
    /// The moves since the start.
    moves: Vec<Played>,
    /// The stones that each color has captured, Black's first.
    captures: [u32; 2],
    cursor: Point,
    /// The result of a game that has ended, such as `B+3.5`.
    result: Option<String>,
    chance: Option<Chance>,
    owners: Option<Ownership>,
    shows_owners: bool,
    busy: bool,
    looked: Duration,
    asks_to_resign: bool,
    message: String,
    file: GameFile,
    /// The file of the game and the text that it holds.
    saved: Option<(PathBuf, String)>,
    missing_threads: usize,
    /// The place of the board in the last frame, for the mouse.
    layout: Cell<Option<BoardLayout>>,
}

impl<E: Engine> GameScreen<E> {
    pub(crate) fn new(options: Options, user: Color, engine: E, start: Start, file: GameFile) -> Self {
        let game = start.game().clone();
        let middle = options.rules.size.width() as u8 / 2;
        let mut screen = Self {
            options,
            user,
            engine,
            start,
            game,
            moves: Vec::new(),
            captures: [0; 2],
            cursor: Point { x: middle, y: middle },
            result: None,
            chance: None,
            owners: None,
            shows_owners: false,
            busy: false,
            looked: Duration::ZERO,
            asks_to_resign: false,
            message: String::new(),
            file,
            saved: None,
            missing_threads: 0,
            layout: Cell::new(None),
        };
        screen.ask_engine();
        screen
    }

    pub(crate) fn result(&self) -> Option<&str> {
        self.result.as_deref()
    }

    /// Returns the number of moves, passes too.
    pub(crate) fn move_count(&self) -> usize {
        self.moves.len()
    }

    pub(crate) fn missing_threads(&self) -> usize {
        self.missing_threads
    }

    /// Saves a game that has begun, if it was not saved as it is. Returns the path of its file.
    pub(crate) fn save(&mut self) -> Result<Option<PathBuf>, Failure> {
        if self.moves.is_empty() {
            return Ok(None);
        }
        let record = self.record();
        let text = record.to_string();
        if let Some((path, _)) = self.saved.as_ref().filter(|(_, saved)| *saved == text) {
            return Ok(Some(path.clone()));
        }
        let path = self.file.save(&record)?.map(PathBuf::from);
        self.saved = path.clone().map(|path| (path, text));
        Ok(path)
    }

    pub(crate) fn record(&self) -> Record {
        // A tenth of a percent is more than the playouts know.
        let percent = |black: f64| (1000.0 * black).round() / 10.0;
        let moves = self.moves.iter().map(|played| (played.mv, played.black.map(percent)));
        let result = self.result.as_deref().unwrap_or_default();
        self.start.record_after(self.user, moves, result)
    }

    fn save_now(&mut self) {
        self.message = if self.moves.is_empty() {
            "there is no move to save".to_owned()
        } else if self.file.is_regular() {
            match self.save() {
                Ok(Some(path)) => format!("saved as {}", path.display()),
                Ok(None) => String::new(),
                Err(failure) => format!("not saved: {failure}"),
            }
        } else if matches!(self.file, GameFile::Missing) {
            "not saved: no folder; give a file with --sgf".to_owned()
        } else {
            "the game is saved at the end".to_owned()
        };
    }

    fn ask_engine(&mut self) {
        let task = match self.result {
            None if self.game.is_over() => Task::Score,
            None if self.game.to_move() != self.user => Task::Move,
            _ => Task::Watch,
        };
        let moves: Vec<Move> = self.moves.iter().map(|played| played.mv).collect();
        self.engine.begin(&moves, task);
        self.busy = true;
    }

    fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let color = self.game.to_move();
        let other = |game: &Game| game.board().stones(color.other()).len();
        let before = other(&self.game);
        self.game.play(mv)?;
        self.captures[color as usize] += before - other(&self.game);
        self.moves.push(Played { mv, black: None });
        if let Move::Play(point) = mv {
            self.cursor = point;
        }
        self.ask_engine();
        Ok(())
    }

    fn user_plays(&mut self, mv: Move) {
        self.message = if self.result.is_some() || self.game.is_over() {
            "the game is over: u takes moves back, q quits".to_owned()
        } else if self.game.to_move() != self.user {
            "bitcade is thinking".to_owned()
        } else {
            match self.play(mv) {
                Ok(()) => String::new(),
                Err(error) => format!("{mv}: {error}"),
            }
        };
    }

    /// Takes back the user's last move and the answer to it.
    fn undo(&mut self) {
        let own = |at: &usize| at.is_multiple_of(2) == (self.user == self.start.game().to_move());
        let Some(kept) = (0..self.moves.len()).rev().find(own) else {
            "there is no move of yours to take back".clone_into(&mut self.message);
            return;
        };
        let moves: Vec<Move> = self.moves[..kept].iter().map(|played| played.mv).collect();
        self.message = format!("took back {}", self.moves[kept].mv);
        self.game = self.start.game().clone();
        self.captures = [0; 2];
        for &mv in &moves {
            let (color, before) = (self.game.to_move(), self.game.board().empty().len());
            // The moves were legal before.
            let _ = self.game.play(mv);
            let stones = u32::from(mv != Move::Pass);
            self.captures[color as usize] += self.game.board().empty().len() + stones - before;
        }
        self.moves.truncate(kept);
        (self.result, self.chance) = (None, None);
        self.ask_engine();
    }

    fn end(&mut self, result: String) {
        self.result = Some(result);
        self.save_now();
        self.ask_engine();
    }

    fn resign(&mut self, color: Color) {
        self.end(format!("{}+Resign", initial(color.other())));
    }

    fn take(&mut self, report: Report) {
        match report {
            Report::Owners(owners) => self.owners = Some(owners),
            Report::Chance(chance) => {
                self.missing_threads = self.missing_threads.max(chance.missing_threads);
                if let Some(last) = self.moves.last_mut() {
                    last.black = Some(chance.black);
                }
                self.chance = Some(chance);
            }
            Report::Chosen(Choice::Move(mv)) => {
                self.message = match mv {
                    Move::Pass => "bitcade passes".to_owned(),
                    Move::Play(_) => String::new(),
                };
                if self.play(mv).is_err() {
                    // The engine chooses legal moves only.
                    self.resign(self.user.other());
                }
                if let Some(chance) = &mut self.chance
                    && chance.line.first() == Some(&mv)
                {
                    chance.line.remove(0);
                }
            }
            Report::Chosen(Choice::Resign) => {
                self.resign(self.user.other());
            }
            Report::Score(score) => {
                self.shows_owners = true;
                self.end(score);
            }
            Report::Done => self.busy = false,
        }
    }

    fn move_cursor(&mut self, dx: i32, dy: i32) {
        let last = self.options.rules.size.width() as i32 - 1;
        let moved = |place: u8, by: i32| (i32::from(place) + by).clamp(0, last) as u8;
        let Point { x, y } = self.cursor;
        self.cursor = Point { x: moved(x, dx), y: moved(y, dy) };
    }

    fn press(&mut self, code: KeyCode) {
        if std::mem::take(&mut self.asks_to_resign) {
            if matches!(code, KeyCode::Char('y' | 'Y') | KeyCode::Enter) {
                self.resign(self.user);
            }
            return;
        }
        match code {
            KeyCode::Left | KeyCode::Char('h') => self.move_cursor(-1, 0),
            KeyCode::Right | KeyCode::Char('l') => self.move_cursor(1, 0),
            KeyCode::Up | KeyCode::Char('k') => self.move_cursor(0, 1),
            KeyCode::Down | KeyCode::Char('j') => self.move_cursor(0, -1),
            KeyCode::Enter | KeyCode::Char(' ') => self.user_plays(Move::Play(self.cursor)),
            KeyCode::Char('p') => self.user_plays(Move::Pass),
            KeyCode::Char('u') => self.undo(),
            KeyCode::Char('r') => self.asks_to_resign = self.result.is_none() && !self.game.is_over(),
            KeyCode::Char('o') => self.shows_owners = !self.shows_owners,
            KeyCode::Char('s') => self.save_now(),
            _ => {}
        }
    }

    fn draw_panel(&self, buffer: &mut Buffer, area: Rect, theme: Theme) {
        let mut y = area.y;
        let mut line = |buffer: &mut Buffer, line: &str, style, rows| {
            if y < area.bottom() {
                widgets::text(buffer, area, area.x, y, line, style);
            }
            y += rows;
            y - rows
        };
        let size = self.options.rules.size.width();
        let title = format!("Go {size}x{size}");
        line(buffer, &title, theme.strong(), 1);
        let facts = format!("komi {}   move {}", self.options.komi, self.moves.len());
        line(buffer, &facts, theme.faint(), 2);
        for color in Color::ALL {
            let name = if color == self.user { "you" } else { "bitcade" };
            let to_move = self.result.is_none() && !self.game.is_over() && self.game.to_move() == color;
            let marker = if to_move { theme.pick("▶", ">") } else { " " };
            let text = format!("{marker} {} {name:8}", initial(color));
            let style = if to_move { theme.strong() } else { theme.text(palette::TEXT) };
            let row = line(buffer, &text, style, 1);
            let captured = format!("captured {}", self.captures[color as usize]);
            if row < area.bottom() {
                widgets::text(buffer, area, area.x + 14, row, &captured, theme.faint());
            }
        }
        line(buffer, "", theme.faint(), 1);
        if let Some(result) = &self.result {
            line(buffer, &outcome(result, self.user), theme.text(palette::WARM).patch(theme.strong()), 2);
        }
        if let Some(Chance { black, visits, line: best, .. }) = &self.chance {
            let row = line(buffer, "chance to win", theme.faint(), 1);
            if row + 1 < area.bottom() {
                let bar = Rect { y: row + 1, height: 1, width: area.width.min(PANEL - 4), ..area };
                draw_chance(buffer, bar, *black, theme);
            }
            line(buffer, "", theme.faint(), 1);
            let percent = (100.0 * black).round();
            line(buffer, &format!("B {percent}%   W {}%", 100.0 - percent), theme.text(palette::TEXT), 2);
            let verb = if self.busy && self.result.is_none() { "thinking" } else { "thought" };
            line(buffer, &format!("{verb}: {} playouts", short(*visits as f64)), theme.faint(), 1);
            let moves: Vec<String> = best.iter().take(5).map(ToString::to_string).collect();
            line(buffer, &format!("expects {}", moves.join(" ")), theme.faint(), 2);
        } else {
            let text = if self.busy { "thinking" } else { "" };
            line(buffer, text, theme.faint(), 2);
        }
        let row = line(buffer, "", theme.faint(), 0);
        let rows = usize::from(area.bottom().saturating_sub(row));
        let turns: Vec<&[Played]> = self.moves.chunks(2).collect();
        let from = turns.len().saturating_sub(rows);
        for (i, turn) in turns.iter().enumerate().skip(from) {
            let names: Vec<String> =
                turn.iter().map(|played| format!("{:5}", played.mv.to_string())).collect();
            line(buffer, &format!("{:3}. {}", 2 * i + 1, names.join(" ")), theme.faint(), 1);
        }
    }
}

impl<E: Engine> Screen for GameScreen<E> {
    fn advance(&mut self, now: Duration) {
        self.looked = now;
        while let Some(report) = self.engine.report() {
            self.take(report);
        }
    }

    fn next_change(&self) -> Option<Duration> {
        self.busy.then_some(self.looked + LOOK)
    }

    fn draw(&self, frame: &mut Frame<'_>, theme: Theme) {
        let (width, height) = BoardLayout::least_size(self.options.rules.size.width() as u16);
        if widgets::too_small(frame, theme, (width + 2 + PANEL, height.max(PANEL_ROWS) + 2)) {
            self.layout.set(None);
            return;
        }
        let area = frame.area();
        let rows = area.height.saturating_sub(2);
        let space = Rect { height: rows, width: area.width.saturating_sub(PANEL + 2), ..area };
        let layout = BoardLayout::new(self.options.rules.size.width(), space, NUMBERS, theme);
        self.layout.set(Some(layout));
        let last = self.moves.last().and_then(|played| match played.mv {
            Move::Play(point) => Some(point),
            Move::Pass => None,
        });
        let view = BoardView {
            board: self.game.board(),
            cursor: self.result.is_none().then_some(self.cursor),
            last,
            owners: self.owners.as_ref().filter(|_| self.shows_owners),
        };
        let buffer = frame.buffer_mut();
        view.draw(buffer, &layout, theme);
        let x = layout.area.right() + 2;
        let panel = Rect { x, y: area.y, width: area.width.saturating_sub(x), height: rows };
        self.draw_panel(buffer, panel, theme);
        widgets::text(buffer, area, 1, rows, &self.message, theme.text(palette::WARM));
        let keys = Rect { x: area.x + 1, y: rows + 1, width: area.width.saturating_sub(1), height: 1 };
        let shown = [
            ("arrows", "move"),
            ("enter", "play"),
            ("p", "pass"),
            ("u", "undo"),
            ("o", "owners"),
            ("r", "resign"),
            ("s", "save"),
            ("q", "quit"),
        ];
        if area.height > 2 && area.width > 1 {
            widgets::keys(frame, keys, &shown, theme);
        }
        if self.asks_to_resign {
            widgets::question(frame, theme, "Resign?");
        }
    }

    fn input(&mut self, input: Input, _: Duration) -> Flow {
        match input {
            Input::Key(key) if key.kind != KeyEventKind::Release => self.press(key.code),
            Input::Mouse(mouse)
                if mouse.kind == MouseEventKind::Down(MouseButton::Left) && !self.asks_to_resign =>
            {
                let layout = self.layout.get();
                if let Some(point) = layout.and_then(|layout| layout.point(mouse.column, mouse.row)) {
                    self.cursor = point;
                    self.user_plays(Move::Play(point));
                }
            }
            _ => {}
        }
        Flow::Continue
    }

    fn quit_question(&self) -> Option<String> {
        let question = match self.file {
            GameFile::Missing => "Quit this game?",
            _ => "Quit this game? It is saved.",
        };
        (self.result.is_none() && !self.moves.is_empty()).then(|| question.to_owned())
    }

    fn wants_mouse(&self) -> bool {
        true
    }
}

/// Draws both chances as one bar, Black's part first.
fn draw_chance(buffer: &mut Buffer, area: Rect, black: f64, theme: Theme) {
    let filled = (black * f64::from(area.width)).round() as u16;
    for x in 0..area.width {
        let color = Color::ALL[usize::from(x >= filled)];
        let letter = if color == Color::Black { "#" } else { "." };
        let symbol = if theme.colors == Colors::None { letter } else { " " };
        // Black would not be seen on a dark screen.
        let ground = if color == Color::Black { palette::GRID } else { STONES[1] };
        let style = theme.surface(palette::FAINT, ground);
        widgets::text(buffer, area, area.x + x, area.y, symbol, style);
    }
}

fn initial(color: Color) -> char {
    if color == Color::Black { 'B' } else { 'W' }
}

fn outcome(result: &str, user: Color) -> String {
    let Some((winner, by)) = result.split_once('+') else { return "a draw".to_owned() };
    let won = if winner.starts_with(initial(user)) { "you win" } else { "bitcade wins" };
    if by == "Resign" { format!("{result}: {won}") } else { format!("{result}: {won} by {by}") }
}

mod at_once {
    use super::super::opponent::Thinker;
    use super::{Color, Duration, Engine, GameFile, GameScreen, Move, Options, Report, Screen, Start, Task};
    use go_mc::gtp::Budget;
    use go_mc::search::Settings;
    use std::collections::VecDeque;

    /// The engine without a thread: a task is done when it begins.
    pub(super) struct AtOnce {
        pub(super) thinker: Thinker,
        reports: VecDeque<Report>,
    }

    impl Engine for AtOnce {
        fn begin(&mut self, moves: &[Move], task: Task) {
            self.reports.clear();
            self.thinker.work(moves, task, &|| false, &mut |report| self.reports.push_back(report));
        }

        fn report(&mut self) -> Option<Report> {
            self.reports.pop_front()
        }
    }

    pub(super) fn options(size: usize, playouts: u64) -> Options {
        let search = Settings { max_nodes: 1 << 14, ..Settings::default() };
        let rules = go_mc::Size::square(size).expect("a size").into();
        Options { rules, budget: Budget::Playouts(playouts), search, ..Options::default() }
    }

    pub(super) fn game(size: usize, playouts: u64, user: Color) -> GameScreen<AtOnce> {
        let options = options(size, playouts);
        let start = Start::empty(&options).expect("a size");
        game_from(options, start, user)
    }

    pub(super) fn game_from(options: Options, start: Start, user: Color) -> GameScreen<AtOnce> {
        let thinker = Thinker::new(options.clone(), start.clone());
        let engine = AtOnce { thinker, reports: VecDeque::new() };
        let mut game = GameScreen::new(options, user, engine, start, GameFile::Missing);
        game.advance(Duration::ZERO);
        game
    }
}

pub(crate) fn fuzzed(seed: u64) -> Box<dyn Screen> {
    let color = if seed.is_multiple_of(2) { Color::Black } else { Color::White };
    Box::new(at_once::game([5, 9][seed as usize / 2 % 2], 2, color))
}

#[cfg(test)]
mod tests {
    use super::at_once::{AtOnce, game, options};
    use super::*;
    use crate::screen::testing::{
        Driver, check_screen, check_sizes, drawn, has_all, press_random_keys, text_of,
    };
    use bitcade_files::{Existing, OutputFile};
    use go_mc::gtp::{NullHost, Session};
    use ratatui::crossterm::event::{KeyModifiers, MouseEvent};

    /// A game of two halves of a small board, and the passes that end it.
    const HALVES: &str = "C1 D1 C2 D2 C3 D3 C4 D4 C5 D5 pass pass";

    impl Driver<GameScreen<AtOnce>> {
        /// Presses keys, each of which the engine answers.
        fn press_all(&mut self, keys: &str) {
            for key in keys.chars() {
                self.press(&key.to_string());
                self.run_to_rest();
            }
        }

        fn play_at(&mut self, vertex: &str) {
            self.cursor = vertex.parse().expect("a vertex");
            self.press_all("\n");
        }

        fn names(&self) -> String {
            self.moves.iter().map(|played| played.mv.to_string()).collect::<Vec<_>>().join(" ")
        }

        /// Plays a move of the user, and checks what is said about it.
        #[track_caller]
        fn check_message(&mut self, vertex: &str, message: &str) {
            self.user_plays(vertex.parse().expect("a vertex"));
            assert_eq!(self.message, message);
        }
    }

    fn driver(size: usize, playouts: u64, user: Color) -> Driver<GameScreen<AtOnce>> {
        Driver::new(game(size, playouts, user))
    }

    fn played(size: usize, user: Color, vertices: &str) -> Driver<GameScreen<AtOnce>> {
        let mut game = driver(size, 10, Color::Black);
        for vertex in vertices.split_whitespace() {
            game.user = game.game.to_move();
            game.check_message(vertex, "");
        }
        game.user = user;
        game.ask_engine();
        game
    }

    /// A session that answers lines of GTP.
    struct Gtp(Session);

    impl Gtp {
        fn new(size: usize, playouts: u64) -> Self {
            Self(Session::new(options(size, playouts)).expect("a size"))
        }

        fn ask(&mut self, line: &str) -> String {
            self.0.respond(line.as_bytes(), &NullHost).expect("an answer").text
        }
    }

    #[test]
    fn the_engine_answers_as_it_does_by_gtp() {
        let mut gtp = Gtp::new(9, 200);
        let mut game = driver(9, 200, Color::Black);
        for vertex in ["E5", "C3", "G7"] {
            game.play_at(vertex);
            assert_eq!(gtp.ask(&format!("play b {vertex}")), "=\n\n");
            let answer = format!("= {}\n\n", game.moves.last().expect("a move").mv);
            assert_eq!(gtp.ask("genmove w"), answer);
        }
        assert_eq!(game.moves.len(), 6);
        let chance = game.chance.as_ref().expect("a search");
        assert!((0.0..=1.0).contains(&chance.black) && chance.visits >= 200, "{chance:?}");
    }

    #[test]
    fn undo_takes_back_a_move_and_its_answer() {
        let mut black = driver(5, 20, Color::Black);
        black.press_all("u");
        assert_eq!(black.message, "there is no move of yours to take back");
        black.play_at("C3");
        let two = black.names();
        let free = black.game.board().empty().iter().map(go_mc::Points::<19>::point).next();
        black.play_at(&free.expect("a free point").to_string());
        assert_eq!(black.moves.len(), 4);
        black.press_all("u");
        assert_eq!((black.names(), black.game.to_move()), (two, Color::Black));
        black.press_all("u");
        assert_eq!((black.moves.len(), black.game.board().empty().len()), (0, 25));
        // The engine's first move stays.
        let mut white = driver(5, 20, Color::White);
        for _ in 0..2 {
            assert_eq!(white.moves.len(), 1);
            white.press_all("u");
        }
        // A capture is taken back, too.
        let mut game = played(5, Color::Black, "A2 A1 C3 E5 B1");
        assert_eq!((game.captures, game.game.board().empty().len()), ([1, 0], 21));
        game.undo();
        assert_eq!((game.captures, game.names().as_str()), ([0, 0], "A2 A1 C3 E5"));
        let mut game = played(5, Color::Black, "A2 A1 C3 E5 B1 E4 D4 D5");
        game.undo();
        assert_eq!((game.captures, game.moves.len()), ([1, 0], 6));
    }

    #[test]
    fn illegal_moves_are_told_in_words() {
        // Black takes the ko on C3; White may not take back at once.
        let mut game = played(5, Color::White, "B3 D4 C4 D2 C2 E3 A1 C3 D3");
        assert_eq!(game.captures, [1, 0]);
        game.check_message("C3", "C3: the move repeats a position");
        game.check_message("C4", "C4: the point is occupied");
        game.check_message("D2", "D2: the point is occupied");
        let mut game = played(5, Color::White, "A2 E5 B2 E4 B1 E3 C1");
        game.check_message("A1", "A1: the move is suicide");
        game.user = Color::Black;
        game.check_message("D1", "bitcade is thinking");
    }

    #[test]
    fn two_passes_end_the_game_with_the_score_of_gtp() {
        let mut game = played(5, Color::Black, HALVES);
        let mut gtp = Gtp::new(5, 10);
        for (mv, color) in HALVES.split(' ').zip(["b", "w"].into_iter().cycle()) {
            gtp.ask(&format!("play {color} {mv}"));
        }
        game.press_all("o");
        assert_eq!((game.result(), gtp.ask("final_score").as_str()), (Some("W+2.5"), "= W+2.5\n\n"));
        assert_eq!(game.quit_question(), None);
        game.press_all("p");
        assert!(game.message.starts_with("the game is over"), "{}", game.message);
        // A finished game can be taken back and ended in another way.
        game.press_all("u");
        assert_eq!((game.result(), game.moves.len()), (None, 10));
        assert!(game.quit_question().is_some());
        game.press_all("rn");
        assert_eq!(game.result(), None);
        game.press_all("ry");
        assert_eq!(game.result(), Some("W+Resign"));
    }

    #[test]
    fn the_record_reads_back_as_the_same_game() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("game.sgf");
        let file = OutputFile::check(&path, Existing::Replace).expect("a folder");
        let mut game = driver(5, 30, Color::Black);
        game.file = GameFile::Named(path.clone(), file);
        game.press_all("s");
        assert_eq!((game.message.as_str(), path.exists()), ("there is no move to save", false));
        game.play_at("C3");
        game.press_all("s");
        assert!(game.message.starts_with("saved as "), "{}", game.message);
        let read =
            || -> Record { std::fs::read_to_string(&path).expect("a file").parse().expect("a record") };
        assert_eq!((read().moves().count(), read().result.as_str()), (2, ""));
        game.play_at("C2");
        game.press_all("pry");
        let record = read();
        assert_eq!(record, game.record());
        assert_eq!((record.result.as_str(), record.komi), ("W+Resign", Some(7.5)));
        assert_eq!(record.player_names, ["you", "bitcade"]);
        let moves: Vec<String> = record.moves().map(|(_, mv)| mv.to_string()).collect();
        assert_eq!(moves.join(" "), game.names());
        assert!(record.nodes.iter().any(|node| node.black_win_percent.is_some()));
        assert_eq!(record.board().to_string(), game.game.board().to_string());
    }

    #[test]
    fn a_click_plays() {
        let mut game = driver(9, 20, Color::Black);
        drawn(&*game, Theme::FULL, 80, 24);
        let area = game.layout.get().expect("drawn").area;
        // Beside the wood, and on its lower left corner.
        for (column, row, moves) in [(area.right() + 5, 3, ""), (area.x + 4, area.bottom() - 2, "A1")] {
            let kind = MouseEventKind::Down(MouseButton::Left);
            game.input(Input::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }));
            assert_eq!(game.names(), moves);
        }
    }

    #[test]
    fn screens() {
        check_screen(&game(19, 10, Color::Black), "go-start");
        let opening = "E5 E3 C4 F5 F4 G4 E4 G6 D7 C3 D3 D2 B3 B2 C2 B4 E2 C1";
        let mut middle = played(9, Color::White, opening);
        middle.chance = Some(Chance {
            black: 0.634,
            visits: 12_345,
            line: vec!["F6".parse().expect("a vertex"), Move::Pass],
            missing_threads: 0,
        });
        middle.press_all("oX");
        middle.user_plays("E4".parse().expect("a vertex"));
        middle.looks_as("go-middle");
        let mut end = played(5, Color::Black, "C1 D1 C2 D2 C3 D3 C4 D4 C5 D5 A1 E3 pass pass");
        end.press_all("x");
        end.looks_as("go-end");
        check_sizes(&*end, (48, 14), |text, _| {
            let words = ["Go 5x5", "komi", "B you", "W bitcade", "captured", "W+2.5: bitcade wins", "q quit"];
            has_all(text, &words) && text.matches("X ").count() >= 6
        });
        let mut question = played(13, Color::Black, "D4 K10 K4 D10 C7 G7 G11 L7 G3");
        question.press_all("or");
        question.looks_as("go-resign");
        let text = text_of(&drawn(&*middle, Theme { unicode: false, ..Theme::FULL }, 80, 24));
        assert!(text.is_ascii(), "{text}");
    }

    #[test]
    fn sizes() {
        for (size, least) in [(9, (56, 14)), (19, (76, 22))] {
            let labels: Vec<String> = (1..=size).map(|row| format!("{row:2} ")).collect();
            let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
            check_sizes(&game(size, 10, Color::Black), least, |text, _| {
                let points = text.matches(['.', '+']).count() >= size * size;
                points && has_all(text, &labels) && has_all(text, &["komi", "B you", "W bitcade", "q quit"])
            });
        }
    }

    #[test]
    fn stones_are_seen_without_colors() {
        let game = played(9, Color::Black, "E5 E3 C4 F5 F4 G4 E4 G6 D7 C3");
        game.check_without_colors(&[(80, 24), (160, 50), (60, 15)], |text, theme| {
            let stones = [theme.pick("●", "X"), theme.pick("○", "O")];
            assert_eq!(stones.map(|stone| text.matches(stone).count()), [5, 5], "{text}");
        });
    }

    #[test]
    fn random_keys() {
        let mut colors = Color::ALL.into_iter().cycle();
        let make = || game(5, 8, colors.next().expect("endless"));
        press_random_keys(make, "←→↑↓\n\n puorsyn\x1b\t", 100_000, 20);
    }
}
