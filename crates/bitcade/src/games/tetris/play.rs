//! `bitcade play tetris`: guideline Tetris in real time.

pub(super) mod act;
mod draw;
mod names;
mod opponent;
mod repeats;
mod session;

use crate::arguments::{number_in, parse_seed, parse_time};
use crate::io::output::{Failure, Output};
use crate::play::best_scores::{BestScores, Better};
use crate::play::keys::{Keys, pressed};
use crate::play::seed::fresh_seed;
use crate::screen::options::ScreenArgs;
use crate::screen::run;
use crate::screen::theme::Theme;
use crate::screen::view::{Flow, Input, Screen};
use crate::screen::widgets::{Page, grouped};
pub(super) use act::Act;
use clap::Args;
use ratatui::Frame;
use ratatui::crossterm::event::{KeyCode, KeyEventKind};
use session::{Mode, Phase, Session, Settings, TICKS};
use std::time::Duration;
use tetris::RotationSystem;
use tetris::real_time::{Goal, Handling, RealTimeRules, Timing};

/// The placements that the bot searches for each piece.
const NODES: u64 = 5_000;
/// The seconds of an ultra.
const ULTRA: u32 = 120;
/// The flash time of cleared lines in milliseconds, in modes not timed by the clock.
const FLASH: u32 = 200;

#[derive(Args)]
pub(crate) struct PlayArgs {
    /// The game mode
    #[arg(long, value_enum, default_value_t = Mode::Marathon)]
    mode: Mode,
    /// The lines of a sprint: 20, 40 or 100, say
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = number_in(1..=1000u32))]
    lines: u32,
    /// The rotation system
    #[arg(long, value_enum, default_value_t = Rotations::Srs)]
    rotation: Rotations,
    /// The starting level, 1 to 20, which sets the gravity
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number_in(1..=20u32))]
    level_start: u32,
    /// The bot's speed in pieces per second (PPS), 0.1 to 20
    #[arg(long, value_name = "N", default_value_t = 1.0, value_parser = number_in(0.1..=20.0))]
    bot_speed: f64,
    /// The delay before held left and right keys repeat (DAS), if the terminal reports releases
    #[arg(long, value_name = "T", default_value = "167ms", value_parser = parse_delay)]
    das: u32,
    /// The time between two repeats (ARR); 0 moves to the wall instantly
    #[arg(long, value_name = "T", default_value = "33ms", value_parser = parse_delay)]
    arr: u32,
    /// The soft drop factor (SDF), a multiple of the gravity, or max for instant drops
    #[arg(long, value_name = "N", default_value = "20", value_parser = parse_factor)]
    soft_drop: u32,
    /// The seed of the pieces [default: a new one for each game]
    #[arg(long, value_parser = parse_seed)]
    seed: Option<u64>,
    #[command(flatten)]
    screen: ScreenArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Rotations {
    /// The guideline's, without half turns
    Srs,
    /// TETR.IO's, with half turns
    SrsPlus,
    /// SRS, with more kicks for half turns
    SrsX,
}

impl Rotations {
    /// Returns the system, and how a list of best scores is named after it.
    const fn system(self) -> (RotationSystem, &'static str) {
        match self {
            Self::Srs => (RotationSystem::Srs, ""),
            Self::SrsPlus => (RotationSystem::SrsPlus, " srs-plus"),
            Self::SrsX => (RotationSystem::SrsX, " srs-x"),
        }
    }
}

/// Parses a time in milliseconds.
fn parse_delay(text: &str) -> Result<u32, String> {
    let is_whole = |time: &Duration| time.subsec_nanos().is_multiple_of(1_000_000);
    let delay =
        parse_time(text).ok().filter(|time| is_whole(time) && *time <= Duration::from_secs(2));
    let expected = "expected a time up to 2s in whole milliseconds, such as 167ms";
    delay.map(|time| time.as_millis() as u32).ok_or_else(|| expected.to_owned())
}

fn parse_factor(text: &str) -> Result<u32, String> {
    if text == "max" {
        return Ok(u32::MAX);
    }
    number_in(1..=1000)(text).map_err(|error| error + ", or max")
}

impl PlayArgs {
    fn settings(&self, key_releases: bool) -> Settings {
        let mut rules = match self.mode {
            Mode::Marathon => RealTimeRules::MARATHON,
            Mode::Sprint => {
                RealTimeRules { goal: Goal::Lines(self.lines), ..RealTimeRules::SPRINT }
            }
            Mode::Ultra => {
                RealTimeRules { goal: Goal::Ticks(ULTRA * TICKS), ..RealTimeRules::SPRINT }
            }
            Mode::Survival | Mode::Practice | Mode::Battle => {
                RealTimeRules { lines_per_level: 0, ..RealTimeRules::MARATHON }
            }
        };
        rules.start_level = self.level_start;
        rules.game.rotation_system = self.rotation.system().0;
        let guideline = Timing { ticks_per_second: TICKS, ..Timing::GUIDELINE };
        rules.timing = Timing {
            lock_delay: guideline.ticks(500),
            line_clear_delay: guideline.ticks(if self.mode.is_timed() { 0 } else { FLASH }),
            ..guideline
        };
        let [das, arr] = [self.das, self.arr].map(|delay| guideline.ticks(delay));
        let handling =
            Handling { das, arr, soft_drop_factor: self.soft_drop, ..Handling::default() };
        let interval = (f64::from(TICKS) / self.bot_speed).round() as u32;
        Settings { mode: self.mode, rules, handling, nodes: NODES, interval, key_releases }
    }

    fn best(&self) -> BestScores {
        let (name, better) = self.score_list();
        if self.mode == Mode::Practice {
            BestScores::at(None, &name, better)
        } else {
            BestScores::load(&name, better)
        }
    }

    /// Returns the name of the list of best scores: one for each game that is another task.
    fn score_list(&self) -> (String, Better) {
        let of = |number: u32, usual: u32, word: &str| {
            if number == usual { String::new() } else { format!("{word} {number}") }
        };
        let (_, rotation) = self.rotation.system();
        let (mode, better) = match self.mode {
            Mode::Marathon => ("marathon".to_owned(), Better::Higher),
            Mode::Sprint => (format!("sprint{}", of(self.lines, 40, "")), Better::Lower),
            Mode::Ultra => ("ultra".to_owned(), Better::Higher),
            Mode::Survival => ("survival".to_owned(), Better::Higher),
            Mode::Practice => ("practice".to_owned(), Better::Higher),
            Mode::Battle => (format!("versus {}", self.bot_speed), Better::Lower),
        };
        let level = of(self.level_start, 1, " level");
        (format!("tetris {mode}{level}{rotation}"), better)
    }
}

pub(crate) fn run(arguments: &PlayArgs, output: &mut Output) -> Result<(), Failure> {
    output.refuse_json_of("is played on the screen")?;
    let seed = arguments.seed.unwrap_or_else(fresh_seed);
    let keys = Keys::load("tetris").map_err(Failure::Input)?;
    let best = arguments.best();
    let (mut session, recorded) = run::run(&arguments.screen, || {
        Ok(Session::new(arguments.settings(false), keys, seed, best))
    })?;
    session.keep_score();
    session.best.report();
    let score = grouped(session.game.score());
    let lines = session.game.lines();
    output.text(format!(
        "score {score}, {lines} lines, {}\n",
        draw::minutes(session.milliseconds())
    ))?;
    recorded
}

impl Screen for Session {
    fn advance(&mut self, now: Duration) {
        Session::advance(self, now);
    }

    fn next_change(&self) -> Option<Duration> {
        Session::next_change(self)
    }

    fn least_size(&self, _: Theme) -> (u16, u16) {
        draw::size(self, 1)
    }

    fn draw(&self, frame: &mut Frame<'_>, theme: Theme) {
        draw::draw(self, frame, theme);
    }

    fn input(&mut self, input: Input, now: Duration) -> Flow {
        Session::advance(self, now);
        if let Input::KeyReleases(reported) = input {
            self.settings.key_releases = reported;
        }
        let event = self.keys.event(input);
        match (pressed(input), event) {
            // On terminals that report releases, the game repeats held keys itself.
            (_, Some((_, KeyEventKind::Repeat))) if self.settings.key_releases => {}
            (Some(code), _) if self.phase == Phase::Asking => {
                self.answer(matches!(code, KeyCode::Char('y') | KeyCode::Enter));
            }
            (Some(KeyCode::Enter), _) if self.phase == Phase::Paused => self.toggle_pause(),
            (_, Some((Act::Play(key), KeyEventKind::Release))) => self.release(key),
            (None, _) | (_, None) => {}
            (_, Some((Act::Play(key), _))) => self.press(key),
            (_, Some((Act::Pause, _))) => self.toggle_pause(),
            (_, Some((Act::Restart, _))) => self.restart(),
            (_, Some((Act::Undo, _))) => self.undo(),
        }
        Flow::Continue
    }

    fn quit_question(&self) -> Option<String> {
        self.in_play().then(|| "Quit this game?".to_owned())
    }

    fn pause(&mut self, now: Duration) {
        Session::advance(self, now);
        if self.phase == Phase::Running {
            self.stop(Phase::Paused);
        }
    }

    fn page(&self) -> Page {
        self.keys.page()
    }
}

fn arguments(text: &str) -> PlayArgs {
    #[derive(clap::Parser)]
    struct Arguments {
        #[command(flatten)]
        play: PlayArgs,
    }
    let words = ["play"].into_iter().chain(text.split_whitespace());
    <Arguments as clap::Parser>::try_parse_from(words).expect("valid arguments").play
}

/// Returns a game that saves no score, for tests, against a weak and quick bot.
fn session(text: &str, key_releases: bool) -> Session {
    let arguments = arguments(text);
    let settings = Settings { nodes: 300, ..arguments.settings(key_releases) };
    let (name, better) = arguments.score_list();
    let best = BestScores::at(None, &name, better);
    Session::new(settings, Keys::usual(), arguments.seed.unwrap_or(1), best)
}

pub(crate) fn fuzzed(seed: u64) -> Box<dyn Screen> {
    let modes = ["marathon", "sprint", "ultra", "survival", "practice", "versus"];
    let mode = modes[seed as usize % 6];
    Box::new(session(
        &format!("--mode {mode} --seed {seed} --level-start {}", 1 + seed % 15),
        seed.is_multiple_of(2),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::testing::{
        Driver, check_sizes, code_of, drawn, has_all, press_random_keys, text_of,
    };
    use ratatui::buffer::Cell;
    use ratatui::crossterm::event::{KeyEvent, KeyModifiers};
    use session::GameResult;
    use tetris::real_time::Input::Receive;
    use tetris::real_time::RealTimeGame;
    use tetris::{Attack, Orientation, Piece, movegen};
    use tetris_ai::{Bot, Player};

    fn driver(arguments: &str) -> Driver<Session> {
        Driver::new(session(arguments, false))
    }

    impl Driver<Session> {
        /// Plays pieces as the bot would, with a tap for each key.
        fn play(&mut self, pieces: u64) {
            let end = self.game.game().pieces() + pieces;
            while self.phase == Phase::Running && self.game.game().pieces() < end {
                self.advance_by(110);
                if self.countdown().is_some() || self.game.falling().is_none() {
                    continue;
                }
                let mut bot = Bot { nodes: 1500, ..Bot::default() };
                let turn = bot.choose(self.game.game()).expect("a running game");
                if turn.hold {
                    self.press("c");
                }
                let game = self.game.game();
                let way = movegen::path(game.board(), turn.placement, game.rules());
                for pressed in way.expect("a reachable placement") {
                    self.press(match pressed {
                        movegen::Movement::Left => "←",
                        movegen::Movement::Right => "→",
                        movegen::Movement::SoftDrop => "↓",
                        movegen::Movement::Cw => "↑",
                        movegen::Movement::Ccw => "z",
                        movegen::Movement::Half => unreachable!("SRS has no half turns"),
                        movegen::Movement::HardDrop => " ",
                    });
                }
            }
        }

        /// Sends a key event of a terminal that reports releases.
        fn report(&mut self, milliseconds: u64, key: char, kind: KeyEventKind) {
            self.press_at(milliseconds, "");
            self.input(Input::Key(KeyEvent::new_with_kind(code_of(key), KeyModifiers::NONE, kind)));
        }

        fn counts(&self) -> (u64, u64) {
            (self.game.ticks(), self.game.game().pieces())
        }

        #[track_caller]
        fn check_replay(&self) {
            let Settings { rules, handling, .. } = self.settings;
            let recording = self.game.recording().to_string().parse().expect("a recording");
            assert!(RealTimeGame::new(rules, handling, self.seed).replay(&recording) == self.game);
        }
    }

    #[test]
    fn a_terminal_may_stop_to_report_releases() {
        let mut session = driver("--seed 1");
        for reported in [true, false] {
            session.input(Input::KeyReleases(reported));
            assert_eq!(session.settings.key_releases, reported);
        }
    }

    #[test]
    fn screens_of_all_modes() {
        for mode in ["marathon", "sprint", "ultra", "survival", "practice", "versus"] {
            let mut session = driver(&format!("--mode {mode} --seed 12 --bot-speed 5"));
            if mode == "marathon" {
                session.looks_as("play-tetris-ready");
            }
            session.play(33);
            session.advance_by(200);
            session.press("x→");
            session.advance_by(100);
            session.looks_as(&format!("play-tetris-{mode}"));
            assert!(session.game.lines() > 4);
            session.check_replay();
        }
    }

    #[test]
    fn sizes() {
        let words = [
            "hold",
            "next",
            "score",
            "time",
            "best",
            "level",
            "lines",
            "PPS",
            "arrows move",
            "q quit",
        ];
        for (mode, width, fields) in [("marathon", 44, 1), ("versus", 77, 2)] {
            let mut session = driver(&format!("--mode {mode}"));
            session.advance_to(1500);
            check_sizes(&*session, (width, 23), |text, _| {
                // All cells except the falling piece and its ghost.
                text.matches(". ").count() >= fields * 192 && has_all(text, &words)
            });
        }
    }

    /// Draws a session with and without a box over the field. Checks that they differ only in the
    /// field.
    fn check_box(session: &mut Session, phase: Phase, expected: &str) {
        let sizes = [
            (44, 24),
            (60, 24),
            (77, 24),
            (80, 24),
            (81, 25),
            (100, 40),
            (100, 50),
            (160, 50),
            (300, 90),
        ];
        let has_room = |&(width, _): &(u16, u16)| width >= 77 || session.opponent.is_none();
        let sizes: Vec<(u16, u16)> = sizes.into_iter().filter(has_room).collect();
        for (theme, (width, height)) in [Theme::PLAIN, Theme::FULL]
            .into_iter()
            .flat_map(|theme| sizes.iter().map(move |&size| (theme, size)))
        {
            let [without, with] = [Phase::Running, phase].map(|phase| {
                session.phase = phase;
                drawn(session, theme, width, height)
            });
            let hides = matches!(phase, Phase::Paused | Phase::Asking);
            let text = text_of(&with);
            assert!(text.contains(expected), "{text}");
            // The floors show the position of the fields.
            let is_corner =
                |&(x, y): &(u16, u16)| ["+", "╰", "╯"].contains(&without[(x, y)].symbol());
            let floor = (0..height)
                .rev()
                .find(|&y| (0..width).any(|x| is_corner(&(x, y))))
                .expect("a floor");
            let corners: Vec<u16> = (0..width).filter(|&x| is_corner(&(x, floor))).collect();
            let in_field = |x| corners.chunks(2).any(|field| (field[0]..=field[1]).contains(&x));
            for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
                let hidden = hides && with[(x, y)] == Cell::default();
                let same = with[(x, y)] == without[(x, y)] || hidden;
                assert!(same || in_field(x) && y < floor, "{width}x{height}: {x} {y}\n{text}");
            }
        }
    }

    #[test]
    fn no_box_covers_a_figure() {
        for (mode, outcome, expected) in [
            ("marathon", GameResult::ToppedOut, "Game over"),
            ("sprint", GameResult::ToppedOut, "Game over"),
            ("sprint", GameResult::Finished, "lines in 0:"),
            ("versus", GameResult::Won, "You win in 0:"),
            ("versus", GameResult::Lost, "The bot wins"),
        ] {
            let mut session = driver(&format!("--mode {mode} --seed 12 --bot-speed 5"));
            session.play(12);
            session.is_best = true;
            for (phase, expected) in [
                (Phase::Over(outcome), expected),
                (Phase::Over(outcome), "Your best result"),
                (Phase::Paused, "Paused"),
                (Phase::Asking, "Start a new game?"),
            ] {
                check_box(&mut session, phase, expected);
            }
        }
    }

    #[test]
    fn blocks_are_seen_without_colors() {
        let mut session = driver("--seed 12");
        session.play(7);
        session.check_without_colors(&[(80, 24)], |text, _| {
            // Five preview pieces and the locked ones.
            assert!(text.matches("[]").count() >= 20 + 4, "{text}");
        });
    }

    #[test]
    fn cleared_lines_flash_until_the_next_piece() {
        let mut session = driver("--seed 12");
        while session.cleared.1.count_ones() <= 1 {
            session.play(1);
            session.advance_by(20);
        }
        assert_eq!(session.game.falling(), None);
        session.looks_as("play-tetris-flash");
        session.advance_by(220);
        assert!(session.game.falling().is_some());
    }

    #[test]
    fn games_end() {
        // After its pieces the player presses no more keys and is at the mercy of the bot.
        for (arguments, pieces, result, name) in [
            ("--mode sprint --seed 3", 200, GameResult::Finished, "play-tetris-finished"),
            ("--mode ultra --seed 3", 600, GameResult::Finished, "play-tetris-time"),
            ("--mode survival --seed 3", 20, GameResult::ToppedOut, "play-tetris-survived"),
            ("--mode versus --bot-speed 9 --seed 5", 40, GameResult::Lost, "play-tetris-lost"),
            ("--mode versus --bot-speed 0.5 --seed 5", 2000, GameResult::Won, ""),
        ] {
            let mut session = driver(arguments);
            session.settings.nodes =
                if result == GameResult::Won { 1 } else { session.settings.nodes };
            session.play(pieces);
            let inputs = session.game.recording().inputs().iter();
            let attacks = inputs.filter(|(_, input)| matches!(input, Receive(_))).count();
            assert!(result != GameResult::Lost || attacks > 2, "{attacks}");
            for _ in 0..6000 {
                session.advance_by(100);
            }
            let counts = session.counts();
            session.advance_by(9000);
            assert_eq!(session.counts(), counts);
            let is_best = result != GameResult::Lost;
            assert_eq!(session.phase, Phase::Over(result));
            assert_eq!(session.is_best, is_best);
            let is_ultra = arguments.contains("ultra");
            let result = if is_ultra { session.game.score() } else { session.milliseconds() };
            assert_eq!(session.best.best(), is_best.then_some(result));
            assert_eq!(session.quit_question(), None);
            assert_eq!(Screen::next_change(&*session), None);
            session.check_replay();
            assert!(!arguments.contains("sprint") || session.game.lines() >= 40);
            assert!(!is_ultra || session.milliseconds() == 120_000);
            if !name.is_empty() {
                session.looks_as(name);
            }
            // A new game begins without a question.
            session.press("r");
            assert!(session.countdown().is_some() && session.game.lines() == 0);
            assert_eq!(session.counts(), (0, 0));
        }
    }

    #[test]
    fn practice_takes_pieces_back() {
        let mut session = driver("--mode practice --seed 5");
        session.press_at(1100, "u");
        session.advance_to(1200);
        let mut came = Vec::new();
        for pieces in 0..3 {
            session.advance_by(20);
            assert_eq!(session.counts().1, pieces);
            let game = &session.game;
            came.push((*game.board(), game.falling(), game.next().to_vec(), game.held()));
            session.press("c←x");
            session.advance_by(20);
            session.press(" ");
        }
        session.advance_by(20);
        for (pieces, (board, falling, next, held)) in came.into_iter().enumerate().rev() {
            session.press("u");
            let game = &session.game;
            assert_eq!(game.game().pieces(), pieces as u64);
            assert_eq!(*game.board(), board);
            assert_eq!(game.falling().map(|at| at.x), falling.map(|at| at.x));
            assert_eq!(game.next(), next);
            assert_eq!(game.held(), held);
            session.check_replay();
        }
        // Not while the clock stands.
        session.advance_by(500);
        session.press(" ");
        session.advance_by(20);
        session.press("pu");
        assert_eq!(session.counts().1, 1);
        session.press("pu");
        assert_eq!(session.counts().1, 1);
        session.advance_by(3100);
        // The first piece begins again, and the clock goes on from there.
        session.press("u");
        let counts = session.counts();
        session.advance_by(50);
        assert_eq!(session.counts(), (counts.0 + 51, 0));
        // Also after the end.
        for _ in 0..20 {
            session.press(" ");
            session.advance_by(110);
        }
        assert_eq!(session.phase, Phase::Over(GameResult::ToppedOut));
        let pieces = session.counts().1;
        session.press("u");
        assert_eq!(session.phase, Phase::Running);
        assert!(session.counts().1 < pieces);
        assert_eq!(session.best.best(), None);
        let mut marathon = driver("--seed 5");
        marathon.press_at(1100, " ");
        marathon.press_at(1200, "u");
        marathon.advance_by(20);
        assert_eq!(marathon.counts().1, 1);
    }

    #[test]
    fn garbage_rises_faster_and_faster_in_survival() {
        let mut session = driver("--mode survival --seed 5");
        session.run_to(60_000);
        let inputs = session.game.recording().inputs().iter();
        let is_row = |(_, input): &&(u64, _)| matches!(input, Receive(Attack { lines: 1, .. }));
        let ticks: Vec<u64> = inputs.filter(is_row).map(|&(tick, _)| tick).collect();
        assert_eq!(ticks[..4], [5000, 9960, 14_880, 19_760]);
    }

    #[test]
    fn pauses_and_questions_stop_the_clock() {
        let mut session = driver("--seed 2");
        session.press_at(999, " ");
        session.advance_to(1000);
        assert_eq!(session.counts(), (1, 0));
        // A long sleep of the machine costs a quarter of a second.
        session.advance_to(60_000);
        assert_eq!(session.counts(), (252, 0));
        session.press("p");
        session.looks_as("play-tetris-paused");
        assert_eq!(Screen::next_change(&*session), None);
        session.press_at(70_000, " ");
        session.press_at(80_000, "\x1b");
        session.shows(" 3 ");
        // Nothing falls until the countdown is over.
        for (at, ticks, next) in
            [(80_000, 252, 81_000), (81_500, 252, 82_000), (83_100, 353, 83_116)]
        {
            session.advance_to(at);
            assert_eq!(session.counts(), (ticks, 0));
            assert_eq!(session.quit_question(), None);
            assert_eq!(Screen::next_change(&*session).map(|next| next.as_millis()), Some(next));
        }
        session.press(" ");
        session.advance_to(83_200);
        assert_eq!(session.counts(), (453, 1));
        assert!(session.quit_question().is_some());
        // The loop does this before it asks whether to quit.
        Screen::pause(&mut *session, Duration::from_millis(83_250));
        assert_eq!(session.phase, Phase::Paused);
        assert_eq!(session.counts(), (503, 1));
        session.press("\n");
        for (answer, counts) in [("n", (503, 1)), ("y", (0, 0))] {
            session.press("r");
            assert_eq!(session.phase, Phase::Asking);
            session.press(answer);
            assert_eq!(session.phase, Phase::Running);
            assert_eq!(session.counts(), counts);
        }
        session.check_replay();
    }

    #[test]
    fn a_pause_hides_what_helps_to_think() {
        for (mode, hiding) in
            [("marathon", &["p", "r"][..]), ("sprint", &["p"]), ("versus", &["p", "r"])]
        {
            let mut session = driver(&format!("--mode {mode} --seed 12 --bot-speed 5"));
            session.play(7);
            session.press("c");
            session.advance_by(240);
            for hides in hiding {
                assert!(session.game.held().is_some() && session.text().contains("[]"));
                session.press(hides);
                let text = session.text();
                assert!(!["[]", "::"].iter().any(|cell| text.contains(cell)), "{text}");
                let is_shown =
                    |piece: Piece| text.contains(&String::from_iter([piece.letter(); 2]));
                assert!(!Piece::ALL.into_iter().any(is_shown), "{text}");
                session.press("p");
                assert_eq!(session.phase, Phase::Running);
                // In the countdown too, where the time counts.
                assert_eq!(session.text().contains("[]"), mode == "marathon", "{}", session.text());
                assert!(session.countdown().is_some());
                session.advance_by(3001);
            }
        }
    }

    #[test]
    fn short_games_restart_with_one_key() {
        for (mode, phase, pieces) in [
            ("sprint", Phase::Running, 0),
            ("ultra", Phase::Running, 0),
            ("practice", Phase::Running, 0),
            ("marathon", Phase::Asking, 3),
            ("versus", Phase::Asking, 3),
        ] {
            let mut session = driver(&format!("--mode {mode} --seed 5"));
            session.play(3);
            session.press("r");
            assert_eq!(session.phase, phase, "{mode}");
            assert_eq!(session.game.game().pieces(), pieces, "{mode}");
        }
    }

    #[test]
    fn an_instant_soft_drop_is_on_the_stack_at_once() {
        for releases in [false, true] {
            let mut session = Driver::new(session("--seed 2 --soft-drop max", releases));
            session.advance_to(1001);
            // Press and release come in one tick.
            session.report(1100, '↓', KeyEventKind::Press);
            if releases {
                session.report(1100, '↓', KeyEventKind::Release);
            }
            session.advance_to(1102);
            assert_eq!(session.game.falling(), session.game.ghost(), "{releases}");
            session.check_replay();
        }
    }

    #[test]
    fn repeats_are_exact_to_the_millisecond() {
        let mut session = Driver::new(session("--seed 2 --das 100ms --arr 5ms", true));
        session.advance_to(1000);
        session.report(1050, '→', KeyEventKind::Press);
        for (at, x) in [(1051, 5), (1150, 5), (1151, 6), (1155, 6), (1156, 7), (1161, 8)] {
            session.advance_to(at);
            assert_eq!(session.game.falling().map(|at| at.x), Some(x), "{at}");
        }
        assert_eq!(session.milliseconds(), 162);
    }

    #[test]
    fn keys_held_at_a_pause_are_released() {
        let mut session = Driver::new(session("--seed 5", true));
        session.report(1100, '←', KeyEventKind::Press);
        session.report(1120, 'p', KeyEventKind::Press);
        session.report(5000, 'p', KeyEventKind::Press);
        session.advance_to(9000);
        let x = |session: &Driver<Session>| session.game.falling().map(|at| at.x);
        assert_eq!(x(&session), Some(3));
        // A key pressed during the countdown and held moves the piece afterwards.
        session.report(9010, 'p', KeyEventKind::Press);
        session.report(9500, 'p', KeyEventKind::Press);
        session.report(10_000, '→', KeyEventKind::Press);
        session.advance_to(12_499);
        assert_eq!(x(&session), Some(3));
        session.run_to(14_000);
        assert!(x(&session) > Some(6));
        session.check_replay();
    }

    #[test]
    fn a_marathon_counts_however_it_ends() {
        for (mode, counts) in [("marathon", true), ("sprint", false), ("versus", false)] {
            let mut session = driver(&format!("--mode {mode} --seed 5"));
            session.play(4);
            let score = session.game.score();
            session.press("r");
            assert_eq!(session.best.best(), None);
            session.press("y");
            assert_eq!(session.best.best(), counts.then_some(score), "{mode}");
            // As at the end of the screen.
            session.play(12);
            let better = session.game.score();
            session.keep_score();
            assert_eq!(session.best.best(), counts.then_some(better), "{mode}");
            assert!(better > score && session.is_best == counts);
        }
    }

    #[test]
    fn keys_of_the_ready_second_act_at_the_first_spawn() {
        let new = driver("--seed 5");
        let [first, next] = [new.game.game().piece(), new.game.game().next()[0]];
        let [north, east, west] = [Orientation::North, Orientation::East, Orientation::West];
        for (keys, expected, held) in [
            ("x", (first, east), None),
            ("c", (next, north), Some(first)),
            // The hold comes first, then one rotation, the last one pressed, in any order and
            // however often.
            ("xc", (next, east), Some(first)),
            ("czzxcx", (next, east), Some(first)),
            ("xxzz", (first, west), None),
            // No other key is kept: an unseen hard drop would be a loss.
            (" ←→↓", (first, north), None),
        ] {
            let mut session = driver("--seed 5");
            for (at, key) in (400..).step_by(50).zip(keys.chars()) {
                session.press_at(at, &key.to_string());
            }
            session.advance_to(999);
            assert_eq!(session.counts(), (0, 0));
            session.advance_to(1001);
            let falling = session.game.falling().expect("a piece");
            let found = ((falling.piece, falling.orientation), session.game.held());
            assert_eq!(found, (expected, held), "{keys}");
            assert_eq!(session.game.game().pieces(), 0);
            assert_eq!(falling.x, 4);
            session.check_replay();
            // They act once, and not in the next game.
            session.press_at(1100, "r");
            session.advance_to(3000);
            assert_eq!(session.game.held(), None);
        }
        // On terminals that report releases, a key that is still held moves the piece.
        for (kind, x) in [(KeyEventKind::Repeat, 3), (KeyEventKind::Release, 4)] {
            let mut session = Driver::new(session("--seed 5", true));
            session.report(500, '←', KeyEventKind::Press);
            session.report(600, '←', kind);
            session.advance_to(1001);
            assert_eq!(session.game.falling().map(|at| at.x), Some(x));
            session.check_replay();
        }
    }

    #[test]
    fn keys_of_a_line_clear_act_at_the_spawn() {
        // L, J and I fill the bottom row.
        for (key, orientation, holds) in
            [("x", Orientation::East, false), ("c", Orientation::North, true)]
        {
            let mut session = driver("--seed 17");
            let mut now = 1100;
            for drop in " ←←← →→→ ".chars() {
                session.press_at(now, &drop.to_string());
                now += 150;
            }
            session.advance_to(now - 130);
            assert_eq!(session.game.lines(), 1);
            assert_eq!(session.game.falling(), None);
            let next = session.game.game().piece();
            session.press_at(now - 100, key);
            session.advance_to(now + 150);
            let falling = session.game.falling().expect("a piece");
            assert_eq!(falling.orientation, orientation);
            assert_eq!(session.game.held(), holds.then_some(next));
            session.check_replay();
        }
    }

    #[test]
    fn held_keys_repeat_by_their_times_if_releases_are_reported() {
        let mut session =
            Driver::new(session("--seed 2 --das 100ms --arr 50ms --soft-drop max", true));
        session.advance_to(1001);
        session.report(1001, '←', KeyEventKind::Press);
        for (at, x) in [(1020, 3), (1100, 3), (1130, 2), (2000, 2)] {
            match at {
                1100 => session.report(1050, '←', KeyEventKind::Repeat),
                2000 => session.report(1131, '←', KeyEventKind::Release),
                _ => {}
            }
            session.advance_to(at);
            assert_eq!(session.game.falling().map(|at| at.x), Some(x), "{at}");
        }
        session.report(2000, '↓', KeyEventKind::Press);
        session.advance_to(2020);
        assert_eq!(session.game.falling(), session.game.ghost());
    }

    #[test]
    fn each_hard_drop_counts_that_is_no_repeat() {
        let pieces = |keys: &mut dyn Iterator<Item = (u64, &str)>| {
            let mut session = driver("--seed 17");
            keys.for_each(|(time, key)| session.press_at(time, key));
            session.advance_by(20);
            session.game.game().pieces()
        };
        assert_eq!(pieces(&mut (1100..).step_by(95).map(|time| (time, " ")).take(6)), 6);
        // Held for two seconds, and again after another key.
        let held =
            |from: u64| (from + 400..from + 2000).step_by(33).chain([from]).map(|time| (time, " "));
        let mut keys: Vec<_> = held(1100).chain([(3100, "←")]).chain(held(3110)).collect();
        keys.sort_unstable();
        assert_eq!(pieces(&mut keys.into_iter()), 4);
        assert_eq!(pieces(&mut [(1100, " "), (1120, "←"), (1140, " ")].into_iter()), 2);
    }

    #[test]
    fn vi_keys_play() {
        let falling = |keys: &str| {
            let mut session = driver("--seed 5");
            session.press_at(1100, keys);
            session.advance_to(1120);
            session.game.falling().expect("a piece")
        };
        for (vi, arrows) in [("h", "←"), ("ll", "→→"), ("jjj", "↓↓↓"), ("k", "↑"), ("K", "x")]
        {
            assert_eq!(falling(vi), falling(arrows));
            assert_ne!(falling(vi), falling(""));
        }
    }

    #[test]
    fn random_keys_do_no_harm_and_replay() {
        let keys = "←→↓↑ zcpryn\thjkl\n";
        for (seed, mode) in
            (1..).zip(["marathon --level-start 9", "sprint --arr 0s", "versus --bot-speed 2"])
        {
            let arguments = format!("--mode {mode}");
            for key_releases in [false, true] {
                let make = || {
                    let mut session = session(&arguments, key_releases);
                    session.settings.nodes = 20;
                    session
                };
                assert_eq!(press_random_keys(make, keys, 10_000, seed), 1);
            }
            let mut session = driver(&arguments);
            let mut rng = bitcore::Rng::new(seed);
            for i in 0..2000 {
                let key = keys.chars().nth(rng.below(7) as usize).expect("seven keys");
                session.press_at(i * 37, &key.to_string());
            }
            assert!(session.game.game().pieces() > 5, "{mode}");
            session.check_replay();
        }
    }

    #[test]
    fn a_key_turns_by_180_degrees() {
        for (text, expected) in
            [("", Orientation::North), ("--rotation srs-plus", Orientation::South)]
        {
            let mut session = driver(&format!("--seed 1 {text}"));
            session.advance_to(3500);
            session.press("v");
            session.advance_by(20);
            assert_eq!(session.game.falling().unwrap().orientation, expected);
        }
    }

    #[test]
    fn settings_come_from_the_arguments() {
        let settings =
            arguments("--das 0s --arr 17ms --soft-drop max --level-start 7").settings(true);
        assert_eq!(
            settings.handling,
            Handling { das: 0, arr: 17, soft_drop_factor: u32::MAX, ..Handling::default() }
        );
        assert_eq!(settings.rules.start_level, 7);
        let usual = Handling { das: 167, arr: 33, soft_drop_factor: 20, ..Handling::default() };
        assert_eq!(arguments("").settings(false).handling, usual);
        assert_eq!(arguments("--arr 1ms").settings(false).handling, Handling { arr: 1, ..usual });
        assert_eq!(arguments("").settings(false).rules.timing.lock_delay, 500);
        let rotation = |text| arguments(text).settings(false).rules.game.rotation_system;
        assert_eq!(rotation(""), RotationSystem::Srs);
        assert_eq!(rotation("--rotation srs-plus"), RotationSystem::SrsPlus);
        assert_eq!(rotation("--rotation srs-x"), RotationSystem::SrsX);
        let goal = |text| arguments(text).settings(false).rules.goal;
        assert_eq!(goal("--mode sprint"), Goal::Lines(40));
        assert_eq!(goal("--mode sprint --lines 100"), Goal::Lines(100));
        assert_eq!(goal("--lines 100"), Goal::Endless);
        assert_eq!(goal("--mode ultra"), Goal::Ticks(120_000));
        for (text, expected) in [
            ("", "tetris marathon"),
            ("--level-start 7 --rotation srs-x", "tetris marathon level 7 srs-x"),
            ("--mode sprint", "tetris sprint"),
            ("--mode sprint --lines 20", "tetris sprint 20"),
            ("--mode ultra", "tetris ultra"),
            ("--mode survival", "tetris survival"),
            ("--mode versus --rotation srs-plus", "tetris versus 1 srs-plus"),
        ] {
            assert_eq!(arguments(text).score_list().0, expected);
        }
        assert_eq!(arguments("--bot-speed 1.5").settings(false).interval, 667);
        assert!(parse_delay("0.5ms").is_err());
        assert!(
            parse_delay("3s").is_err()
                && parse_factor("0").is_err()
                && parse_factor("fast").is_err()
        );
        // The field of a new game is empty, and the first piece comes with the first tick.
        assert_eq!(driver("").game.falling(), None);
    }
}
