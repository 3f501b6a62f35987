//! [`GameScreen`]: a game of Go against the engine, on the screen.

use super::act::{self, Act};
use super::board_layout::BoardLayout;
use super::board_picture::BoardPicture;
use super::engine::may_end_open;
use super::game_file::GameFile;
use super::game_state::GameState;
use super::opponent::Engine;
use super::side_panel::{self, ABOVE, MIN_WIDTH, ROWS, SidePanel, WIDTH};
use super::thinker::{Chance, Report, Task};
use crate::io::output::Failure;
use crate::play::keys::{Keys, pressed};
use crate::screen::picture::Picture;
use crate::screen::theme::{Theme, palette};
use crate::screen::view::{Flow, Input, Screen};
use crate::screen::widgets::{self, Page};
use go_mc::gtp::Options;
use go_mc::search::Choice;
use go_mc::{Color, Move, Ownership, Point};
use ratatui::Frame;
use ratatui::crossterm::event::{KeyCode, MouseButton, MouseEventKind};
use ratatui::layout::Rect;
use std::cell::Cell;
use std::path::PathBuf;
use std::time::Duration;

/// The interval between polls of the engine's reports.
const LOOK: Duration = Duration::from_millis(50);

/// The columns between the board and its panel, and the rows of the message and of the keys.
const GAP: u16 = 2;
const BELOW: u16 = 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Question {
    Resign,
    NewGame,
    Pass,
}

pub(crate) struct GameScreen<E> {
    state: GameState,
    komi: f64,
    tromp_taylor: bool,
    keys: Keys<Act>,
    engine: E,
    cursor: Point,
    chance: Option<Chance>,
    owners: Option<Ownership>,
    shows_owners: bool,
    is_busy: bool,
    looked: Duration,
    question: Option<Question>,
    message: String,
    file: GameFile,
    missing_threads: usize,
    /// The board's position in the last frame, for the mouse.
    layout: Cell<Option<BoardLayout>>,
}

impl<E: Engine> GameScreen<E> {
    pub(crate) fn new(
        state: GameState,
        options: &Options,
        keys: Keys<Act>,
        engine: E,
        file: GameFile,
    ) -> Self {
        let middle = state.game().board().size().width() as u8 / 2;
        let mut screen = Self {
            state,
            komi: options.komi,
            tromp_taylor: options.search.tromp_taylor,
            keys,
            engine,
            cursor: Point { x: middle, y: middle },
            chance: None,
            owners: None,
            shows_owners: false,
            is_busy: false,
            looked: Duration::ZERO,
            question: None,
            message: String::new(),
            file,
            missing_threads: 0,
            layout: Cell::new(None),
        };
        if screen.state.ends_record() {
            screen.message = screen.how_to_go_on("the record is finished");
        }
        screen.ask_engine();
        screen
    }

    fn how_to_go_on(&self, fact: &str) -> String {
        let [undo, new] = [Act::Undo, Act::NewGame].map(|act| self.keys.first(act));
        format!("{fact}: {undo} undoes moves, {new} plays on")
    }

    pub(crate) fn state(&self) -> &GameState {
        &self.state
    }

    pub(crate) fn missing_threads(&self) -> usize {
        self.missing_threads
    }

    pub(crate) fn save(&mut self) -> Result<Option<PathBuf>, Failure> {
        if self.state.played().is_empty() {
            return Ok(None);
        }
        Ok(self.file.save(&self.state.record())?.map(PathBuf::from))
    }

    fn save_now(&mut self) {
        self.message = if self.state.played().is_empty() {
            "no moves to save yet".to_owned()
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
        let task = match self.state.result() {
            None if self.state.is_over() => Task::Score,
            None if !self.state.is_users_turn() => Task::Move,
            _ => Task::Watch,
        };
        self.engine.begin(&self.state.moves(), task);
        self.is_busy = true;
    }

    fn play(&mut self, mv: Move) -> Result<(), String> {
        self.state.play(mv).map_err(|error| format!("{mv}: {error}"))?;
        self.ask_engine();
        Ok(())
    }

    fn user_plays(&mut self, mv: Move) {
        if self.state.ends_record() && self.state.game().to_move() == self.state.user {
            return self.play_on(mv);
        }
        self.message = if self.state.ends_record() {
            self.how_to_go_on(&format!("{} is to move", self.state.user.other()))
        } else if self.state.is_over() {
            let [undo, new] = [Act::Undo, Act::NewGame].map(|act| self.keys.first(act));
            format!("game over: {undo} undoes moves, {new} starts a new game")
        } else if !self.state.is_users_turn() {
            "bitcade is thinking".to_owned()
        } else if mv == Move::Pass && may_end_open(self.state.game(), self.tromp_taylor) {
            self.question = Some(Question::Pass);
            String::new()
        } else {
            self.play(mv).err().unwrap_or_default()
        };
    }

    /// Plays the first move after a finished record.
    fn play_on(&mut self, mv: Move) {
        let before = self.state.clone();
        self.state.restart();
        self.engine.restart(self.state.start().clone());
        self.message = self.play(mv).err().unwrap_or_default();
        if !self.message.is_empty() {
            self.engine.restart(before.start().clone());
            self.state = before;
        }
    }

    fn undo(&mut self) {
        let ended = self.state.result().is_some();
        let in_record = self.state.start().record().nodes.len();
        let Some(undone) = self.state.undo() else {
            "no move of yours to undo".clone_into(&mut self.message);
            return;
        };
        if ended {
            self.file.keep();
        }
        if self.state.start().record().nodes.len() != in_record {
            self.engine.restart(self.state.start().clone());
        }
        self.message = format!("undid {undone}");
        self.chance = None;
        self.ask_engine();
    }

    /// Shows the PV until the next message.
    fn show_hint(&mut self) {
        let line = self.chance.iter().flat_map(|chance| &chance.line).take(5);
        let moves: String = line.map(|mv| format!(" {mv}")).collect();
        self.message = if moves.is_empty() || !self.state.is_users_turn() {
            "no hint yet".to_owned()
        } else {
            format!("PV{moves}")
        };
    }

    fn end(&mut self, result: String) {
        self.state.end(result);
        self.question = None;
        if self.state.ends_record() {
            self.message = self.how_to_go_on("the record is finished");
        } else {
            self.save_now();
        }
        self.ask_engine();
    }

    /// Starts another game from the same position. The current one is saved, if it has a file of
    /// its own.
    fn begin(&mut self) {
        if !self.file.is_regular() {
            "the last game is not saved".clone_into(&mut self.message);
        } else if let Err(failure) = self.save() {
            self.message = format!("not saved: {failure}");
            return;
        } else {
            self.message.clear();
        }
        self.file.keep();
        self.state.restart();
        self.engine.restart(self.state.start().clone());
        (self.chance, self.owners, self.shows_owners) = (None, None, false);
        self.ask_engine();
    }

    fn is_running(&self) -> bool {
        self.state.result().is_none() && !self.state.played().is_empty()
    }

    fn resign(&mut self, color: Color) {
        self.end(format!("{}+Resign", side_panel::initial(color.other())));
    }

    fn take(&mut self, report: Report) {
        match report {
            Report::Owners(owners) => self.owners = Some(owners),
            Report::Chance(chance) => {
                self.missing_threads = self.missing_threads.max(chance.missing_threads);
                self.state.set_chance(Some(chance.black));
                self.chance = Some(chance);
            }
            Report::Chosen(Choice::Move(mv)) => {
                if self.play(mv).is_err() {
                    // The engine only chooses legal moves.
                    return self.resign(self.state.user.other());
                }
                self.message = if mv == Move::Pass && !self.state.is_over() {
                    format!("bitcade passes: {} ends the game", self.keys.first(Act::Pass))
                } else {
                    String::new()
                };
                if let Some(Chance { line, .. }) = &mut self.chance {
                    // The PV of another move says nothing about this position.
                    let kept = line.strip_prefix(&[mv]).unwrap_or_default();
                    *line = kept.to_vec();
                }
            }
            Report::Chosen(Choice::Resign) => self.resign(self.state.user.other()),
            Report::Score(score) => {
                self.shows_owners = true;
                self.end(score);
            }
            Report::Done => self.is_busy = false,
        }
    }

    fn move_cursor(&mut self, dx: i32, dy: i32) {
        let last = self.state.game().board().size().width() as i32 - 1;
        let moved = |place: u8, by: i32| (i32::from(place) + by).clamp(0, last) as u8;
        let Point { x, y } = self.cursor;
        self.cursor = Point { x: moved(x, dx), y: moved(y, dy) };
    }

    fn act(&mut self, act: Act) {
        match act {
            Act::Left => self.move_cursor(-1, 0),
            Act::Right => self.move_cursor(1, 0),
            Act::Up => self.move_cursor(0, 1),
            Act::Down => self.move_cursor(0, -1),
            Act::Play => self.user_plays(Move::Play(self.cursor)),
            Act::Pass => self.user_plays(Move::Pass),
            Act::Undo => self.undo(),
            Act::Hint => self.show_hint(),
            Act::Owners => self.shows_owners = !self.shows_owners,
            Act::Resign => self.question = (!self.state.is_over()).then_some(Question::Resign),
            Act::NewGame if self.is_running() => self.question = Some(Question::NewGame),
            Act::NewGame => self.begin(),
            Act::Save => self.save_now(),
        }
    }

    fn click(&mut self, column: u16, row: u16) {
        let layout = self.layout.get();
        if let Some(point) = layout.and_then(|layout| layout.point(column, row)) {
            self.cursor = point;
            self.user_plays(Move::Play(point));
        }
    }

    fn draw_game(&self, frame: &mut Frame<'_>, theme: Theme) {
        let area = frame.area();
        let board = self.state.game().board();
        let side = board.size().width();
        let (width, height) = BoardLayout::least_size(side);
        let beside = area.width >= width + GAP + WIDTH && area.height >= height.max(ROWS) + BELOW;
        let (above, right, below) = if beside { (0, WIDTH + GAP, BELOW) } else { (ABOVE, 0, 1) };
        let width = area.width - right;
        let height = area.height - above - below;
        let room = Rect { x: area.x, y: area.y + above, width, height };
        let layout = BoardLayout::new(side, room, theme);
        self.layout.set(Some(layout));
        let picture = BoardPicture {
            board: board.clone(),
            cursor: (!self.state.is_over()).then_some(self.cursor),
            last: self.state.last_point(),
            owners: self.owners.clone().filter(|_| self.shows_owners),
        };
        let buffer = frame.buffer_mut();
        picture.draw(buffer, room, theme);
        let state = &self.state;
        let chance = self.chance.as_ref();
        let panel = SidePanel { state, komi: self.komi, chance, is_busy: self.is_busy };
        let last = area.bottom() - 1;
        if beside {
            let x = layout.area.right() + GAP;
            panel.draw(buffer, Rect { x, width: area.right() - x, ..room }, theme);
            widgets::text(
                buffer,
                area,
                area.x + 1,
                last - 1,
                &self.message,
                theme.text(palette::WARM),
            );
        } else {
            panel.draw_above(buffer, Rect { height: ABOVE, ..area }, &self.message, theme);
        }
        let keys = act::shown(&self.keys, self.state.is_over(), theme);
        let keys: Vec<(&str, &str)> =
            keys.iter().map(|(key, effect)| (key.as_str(), *effect)).collect();
        let bottom = Rect { x: area.x + 1, y: last, width: area.width - 1, height: 1 };
        widgets::keys(frame, bottom, &keys, theme);
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
        self.is_busy.then_some(self.looked + LOOK)
    }

    fn least_size(&self, _: Theme) -> (u16, u16) {
        let (width, height) = BoardLayout::least_size(self.state.game().board().size().width());
        (width.max(MIN_WIDTH), height + ABOVE + 1)
    }

    fn draw(&self, frame: &mut Frame<'_>, theme: Theme) {
        self.draw_game(frame, theme);
        if let Some(question) = self.question {
            let question = match question {
                Question::Resign => "Resign?",
                Question::NewGame => "Start a new game?",
                Question::Pass => "The game is still open. Pass and end it?",
            };
            widgets::question(frame, theme, question);
        }
    }

    fn input(&mut self, input: Input, _: Duration) -> Flow {
        if let Some(code) = pressed(input)
            && let Some(question) = self.question.take()
        {
            let yes = matches!(code, KeyCode::Char('y') | KeyCode::Enter);
            match question {
                Question::Resign if yes => self.resign(self.state.user),
                Question::NewGame if yes => self.begin(),
                Question::Pass if yes => {
                    self.message = self.play(Move::Pass).err().unwrap_or_default();
                }
                _ => {}
            }
        } else if let Some(act) = self.keys.pressed(input).filter(|_| self.question.is_none()) {
            self.act(act);
        } else if let Input::Mouse(mouse) = input
            && mouse.kind == MouseEventKind::Down(MouseButton::Left)
            && self.question.is_none()
        {
            self.click(mouse.column, mouse.row);
        }
        Flow::Continue
    }

    fn pause(&mut self, _: Duration) {
        // One question at a time.
        self.question = None;
    }

    fn quit_question(&self) -> Option<String> {
        let question = match self.file {
            GameFile::Missing => "Quit this game?",
            _ => "Quit this game? It will be saved.",
        };
        self.is_running().then(|| question.to_owned())
    }

    fn page(&self) -> Page {
        self.keys.page()
    }

    fn wants_mouse(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::instant_engine::{InstantEngine, game, game_from, game_with, options};
    use super::super::start::Start;
    use super::*;
    use crate::screen::testing::{
        Driver, check_screen, check_sizes, drawn, has_all, press_random_keys, text_of,
    };
    use go_mc::gtp::{NullHost, Session};
    use go_mc::sgf::Record;
    use ratatui::crossterm::event::{KeyModifiers, MouseEvent};

    /// A game that splits a small board in two, with the final passes.
    const HALVES: &str = "C1 D1 C2 D2 C3 D3 C4 D4 C5 D5 pass pass";

    impl Driver<GameScreen<InstantEngine>> {
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
            self.state.moves().iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
        }

        #[track_caller]
        fn check_message(&mut self, vertex: &str, message: &str) {
            self.user_plays(vertex.parse().expect("a vertex"));
            assert_eq!(self.message, message);
        }
    }

    fn driver(size: usize, playouts: u64, user: Color) -> Driver<GameScreen<InstantEngine>> {
        Driver::new(game(size, playouts, user))
    }

    fn played(size: usize, user: Color, vertices: &str) -> Driver<GameScreen<InstantEngine>> {
        let mut game = driver(size, 10, Color::Black);
        for vertex in vertices.split_whitespace() {
            game.state.user = game.state.game().to_move();
            game.check_message(vertex, "");
        }
        game.state.user = user;
        game.ask_engine();
        game
    }

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
        for vertex in ["E5", "A9", "J1"] {
            game.play_at(vertex);
            assert_eq!(gtp.ask(&format!("play b {vertex}")), "=\n\n");
            let answer = format!("= {}\n\n", game.state.moves().last().expect("a move"));
            assert_eq!(gtp.ask("genmove w"), answer);
        }
        assert_eq!(game.state.played().len(), 6);
        let chance = game.chance.as_ref().expect("a search");
        assert!((0.0..=1.0).contains(&chance.black) && chance.visits >= 200, "{chance:?}");
    }

    #[test]
    fn undo_takes_back_a_move_and_its_answer() {
        let mut black = driver(5, 20, Color::Black);
        black.press_all("u");
        assert_eq!(black.message, "no move of yours to undo");
        black.play_at("C3");
        let two = black.names();
        let free = black.state.game().board().empty().iter().map(go_mc::Points::<19>::point).next();
        black.play_at(&free.expect("a free point").to_string());
        assert_eq!(black.state.played().len(), 4);
        black.press_all("u");
        assert_eq!(black.names(), two);
        assert_eq!(black.state.game().to_move(), Color::Black);
        black.press_all("u");
        assert_eq!(black.state.played().len(), 0);
        assert_eq!(black.state.game().board().empty().len(), 25);
        // The engine's first move stays.
        let mut white = driver(5, 20, Color::White);
        for _ in 0..2 {
            assert_eq!(white.state.played().len(), 1);
            white.press_all("u");
        }
    }

    fn loaded(user: Color, record: &str) -> Driver<GameScreen<InstantEngine>> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("record.sgf");
        std::fs::write(&path, record).expect("a file");
        let mut options = options(9, 10);
        let start = Start::load(&path, &mut options).unwrap_or_else(|_| panic!("a record"));
        Driver::new(game_from(&options, start, user))
    }

    #[test]
    fn a_finished_record_waits() {
        let resigned = "(;GM[1]SZ[9]KM[6.5]PB[A]PW[B]RE[W+R];B[ee];W[cc];B[gg])";
        let mut game = loaded(Color::Black, resigned);
        game.shows("the record is finished: u undoes moves, n plays on");
        game.shows("record: W+R");
        assert_eq!(game.names(), "");
        assert_eq!(game.quit_question(), None);
        assert_eq!(game.state.record().result, "W+R");
        game.play_at("A1");
        game.shows("white is to move: u undoes moves, n plays on");
        assert_eq!(game.names(), "");
        // Undo takes back moves of the record.
        game.press_all("u");
        game.shows("undid G3");
        assert_eq!(game.state.result(), None);
        assert_eq!(game.names().as_str(), "");
        game.play_at("A1");
        assert_eq!(game.state.played().len(), 2);
        assert_eq!(game.state.record().result, "");
        game.press_all("uu");
        game.shows("undid E5");
        assert_eq!(game.state.game().board().empty().len(), 81);
        game.press_all("u");
        game.shows("no move of yours to undo");
        // The engine's turn.
        let mut game = loaded(Color::Black, resigned);
        game.press_all("n");
        assert_eq!(game.state.played().len(), 1);
        assert_eq!(game.state.record().moves().count(), 4);
        assert_eq!(game.state.record().result, "");
        // Two passes without a result are scored, and a move on the user's turn goes on.
        let passed = "(;GM[1]SZ[9]KM[6.5];B[ee];W[];B[])";
        let mut game = loaded(Color::White, passed);
        game.shows("record: B+74.5");
        game.play_at("E5");
        assert_eq!(game.message, "E5: the point is occupied");
        assert!(game.state.ends_record());
        game.play_at("A1");
        assert_eq!(game.state.played().len(), 2);
        assert!(game.state.record().to_string().contains("W[];B[];PL[W];W[ai]"));
    }

    #[test]
    fn illegal_moves_are_told_in_words() {
        // Black takes the ko at C3; White may not retake it immediately.
        let mut game = played(5, Color::White, "B3 D4 C4 D2 C2 E3 A1 C3 D3");
        assert_eq!(game.state.captures(Color::Black), 1);
        game.check_message("C3", "C3: the move repeats a position");
        game.check_message("C4", "C4: the point is occupied");
        game.check_message("D2", "D2: the point is occupied");
        let mut game = played(5, Color::White, "A2 E5 B2 E4 B1 E3 C1");
        game.check_message("A1", "A1: the move is suicide");
        game.state.user = Color::Black;
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
        assert_eq!(game.state.result(), Some("W+2.5"));
        assert_eq!(gtp.ask("final_score").as_str(), "= W+2.5\n\n");
        assert_eq!(game.quit_question(), None);
        game.press_all("p");
        assert!(game.message.starts_with("game over"), "{}", game.message);
        // Moves of a finished game can be undone, and the game can end differently.
        game.press_all("u");
        assert_eq!(game.state.result(), None);
        assert_eq!(game.state.played().len(), 10);
        assert!(game.quit_question().is_some());
        game.press_all("rn");
        assert_eq!(game.state.result(), None);
        game.press_all("ry");
        assert_eq!(game.state.result(), Some("W+Resign"));
    }

    #[test]
    fn a_question_ends_with_the_game() {
        let mut game = played(5, Color::Black, HALVES.trim_end_matches(" pass pass"));
        // While the engine is thinking.
        game.press("pr");
        game.shows("Resign?");
        game.run_to_rest();
        assert_eq!(game.state.result(), Some("W+2.5"));
        assert_eq!(game.question, None);
        game.press_all("ry");
        assert_eq!(game.state.result(), Some("W+2.5"));
        game.press_all("ur");
        game.pause(Duration::ZERO);
        game.press_all("y");
        assert_eq!(game.state.result(), None);
    }

    #[test]
    fn a_pass_that_ends_an_open_game_asks() {
        // All stones count as alive: the engine answers by a pass, which wins the empty board.
        let mut alive = options(5, 50);
        alive.search.tromp_taylor = true;
        let mut game = Driver::new(game_with(&alive, Color::Black));
        game.press_all("p");
        game.shows("The game is still open. Pass and end it?");
        game.press_all("x");
        assert_eq!(game.names().as_str(), "");
        assert_eq!(game.question, None);
        game.press_all("py");
        assert_eq!(game.names().as_str(), "pass pass");
        assert_eq!(game.state.result(), Some("W+7.5"));
        // By agreement, only the second pass ends a game.
        let mut game = played(5, Color::Black, "C3 pass");
        game.press_all("p");
        game.press_all("n");
        assert_eq!(game.names(), "C3 pass");
        game.press_all("py");
        assert_eq!(game.names().as_str(), "C3 pass pass");
        assert_eq!(game.state.result(), Some("B+17.5"));
    }

    #[test]
    fn a_pass_of_the_engine_is_told() {
        let mut game = driver(5, 10, Color::Black);
        game.user_plays("C3".parse().expect("a vertex"));
        game.take(Report::Chosen(Choice::Move(Move::Pass)));
        assert_eq!(game.message, "bitcade passes: p ends the game");
    }

    #[test]
    fn keys_move_the_cursor() {
        let mut game = driver(9, 10, Color::Black);
        for (keys, vertex) in
            [("←←↑", "C6"), ("ll", "E6"), ("jK", "E6"), ("↓↓h", "D4"), ("hhhh→", "B4")]
        {
            game.press(keys);
            assert_eq!(game.cursor.to_string(), vertex, "{keys}");
        }
        game.press(" ");
        assert_eq!(game.names(), "B4");
        game.press("\x7f");
        assert_eq!(game.names(), "");
        assert!(game.page().contains(&("left", vec!["left".to_owned(), "h".to_owned()])));
    }

    #[test]
    fn the_record_reads_back_as_the_same_game() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("game.sgf");
        let mut game = driver(5, 30, Color::Black);
        game.file = GameFile::new(Some(&path), false).unwrap_or_else(|_| panic!("a folder"));
        game.press_all("s");
        assert_eq!(game.message.as_str(), "no moves to save yet");
        assert!(!path.exists());
        game.play_at("C3");
        game.press_all("s");
        assert!(game.message.starts_with("saved as "), "{}", game.message);
        let read = || -> Record {
            std::fs::read_to_string(&path).expect("a file").parse().expect("a record")
        };
        assert_eq!(read().moves().count(), 2);
        assert_eq!(read().result.as_str(), "");
        game.play_at("C2");
        game.press_all("pry");
        let record = read();
        assert_eq!(record, game.state.record());
        assert_eq!(record.result.as_str(), "W+Resign");
        assert_eq!(record.komi, Some(7.5));
        assert_eq!(record.player_names, ["you", "bitcade"]);
        let moves: Vec<String> = record.moves().map(|(_, mv)| mv.to_string()).collect();
        assert_eq!(moves.join(" "), game.names());
        assert!(record.nodes.iter().any(|node| node.black_win_percent.is_some()));
        assert_eq!(record.board().to_string(), game.state.game().board().to_string());
    }

    #[test]
    fn a_click_plays() {
        let mut game = driver(9, 20, Color::Black);
        drawn(&*game, Theme::FULL, 80, 24);
        let area = game.layout.get().expect("drawn").area;
        // Outside the wood, and on its lower left corner.
        for (column, row, moves) in
            [(area.right() + 5, 3, ""), (area.x + 4, area.bottom() - 2, "A1")]
        {
            let kind = MouseEventKind::Down(MouseButton::Left);
            game.input(Input::Mouse(MouseEvent {
                kind,
                column,
                row,
                modifiers: KeyModifiers::NONE,
            }));
            assert_eq!(game.names(), moves);
        }
    }

    #[test]
    fn every_game_is_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut game = driver(5, 10, Color::Black);
        game.file = GameFile::Numbered(folder.path().to_owned(), "go".to_owned());
        game.press_all("n");
        game.play_at("C3");
        let first = game.names();
        // At any size in which the game fits. In a smaller one, no key answers.
        for (width, height) in [(24, 9), (30, 9), (24, 24), (40, 20), (80, 24)] {
            game.press_all("n");
            let text = text_of(&drawn(&*game, Theme::PLAIN, width, height));
            assert!(text.contains("y / n") && !text.contains("small"), "{text}");
            game.press_all("x");
            assert_eq!(game.names(), first.clone());
            assert_eq!(game.question, None);
        }
        game.press_all("ny");
        assert_eq!(game.names().as_str(), "");
        assert_eq!(game.message.as_str(), "");
        game.play_at("B2");
        game.press_all("ryu");
        game.play_at("C4");
        game.press_all("ryn");
        assert_eq!(game.names().as_str(), "");
        assert_eq!(game.quit_question(), None);
        let saved = |number: u32| {
            let text = std::fs::read_to_string(folder.path().join(format!("go-{number}.sgf")))
                .expect("a file");
            let record: Record = text.parse().expect("a record");
            let first = record.moves().map(|(_, mv)| mv.to_string()).next();
            (first, record.result)
        };
        let of = |mv: &str, result: &str| (Some(mv.to_owned()), result.to_owned());
        assert_eq!(
            [1, 2, 3].map(saved),
            [of("C3", ""), of("B2", "W+Resign"), of("C4", "W+Resign")]
        );
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 3);
    }

    #[test]
    fn a_hint_is_for_one_position() {
        let mut game = driver(9, 200, Color::Black);
        game.play_at("E5");
        assert!(!game.text().contains("PV"));
        game.press("i");
        let line = game.chance.as_ref().expect("a search").line.clone();
        game.shows(&format!("PV {} {}", line[0], line[1]));
        game.user_plays(line[0]);
        // The engine's PV began with another move.
        game.chance.as_mut().expect("a search").line = vec![Move::Pass; 3];
        game.take(Report::Chosen(Choice::Move(line[1])));
        assert!(!game.text().contains("PV"));
        game.press("i");
        game.shows("no hint yet");
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
        let text = text_of(&drawn(&*middle, Theme::PLAIN, 40, 20));
        assert!(
            text.starts_with("  B bitcade 2> W you 0 captured\nE4: the point is occupied\n"),
            "{text}"
        );
        let mut end = played(5, Color::Black, "C1 D1 C2 D2 C3 D3 C4 D4 C5 D5 A1 E3 pass pass");
        end.press_all("x");
        end.looks_as("go-end");
        check_sizes(&*end, (24, 9), |text, _| {
            has_all(text, &["W+2.5: bitcade wins", "q quit"]) && text.matches("X ").count() >= 6
        });
        let mut question = played(13, Color::Black, "D4 K10 K4 D10 C7 G7 G11 L7 G3");
        question.press_all("or");
        question.looks_as("go-resign");
        let text = text_of(&drawn(&*middle, Theme { unicode: false, ..Theme::FULL }, 80, 24));
        assert!(text.is_ascii(), "{text}");
    }

    #[test]
    fn sizes() {
        for (size, least) in [(9, (24, 13)), (19, (42, 23))] {
            let labels: Vec<String> = (1..=size).map(|row| format!("{row:2} ")).collect();
            let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
            check_sizes(&game(size, 10, Color::Black), least, |text, (width, _)| {
                let points = text.matches(['.', '+']).count() >= size * size;
                let beside = usize::from(width) >= 2 * size + 38;
                let words = ["B you", "W bitcade", "q quit"];
                points
                    && has_all(text, &labels)
                    && has_all(text, &words)
                    && beside == text.contains("komi")
            });
        }
    }

    #[test]
    fn stones_are_seen_without_colors() {
        let game = played(9, Color::Black, "E5 E3 C4 F5 F4 G4 E4 G6 D7 C3");
        game.check_without_colors(&[(80, 24), (160, 50), (24, 13)], |text, theme| {
            let stones = [theme.pick("●", "X"), theme.pick("○", "O")];
            assert_eq!(stones.map(|stone| text.matches(stone).count()), [5, 5], "{text}");
        });
    }

    #[test]
    fn random_keys() {
        let mut colors = Color::ALL.into_iter().cycle();
        let make = || game(5, 8, colors.next().expect("endless"));
        press_random_keys(make, "←→↑↓\n\n puorsyni\x1b\t", 5_000, 20);
    }
}
