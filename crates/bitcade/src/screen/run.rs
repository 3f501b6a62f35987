//! [`run`]: shows a screen until it ends.

use super::events::{self, Event, Events};
use super::options::ScreenArgs;
use super::record::Recorder;
use super::terminal::{self, TerminalView, has_terminal};
use super::theme::Theme;
use super::view::{self, Flow, Input, Screen};
use super::widgets::{self, Page};
use crate::io::color::moves_cursor;
use crate::io::output::Failure;
use crate::io::stopwatch::Stopwatch;
use crate::io::{interrupt, job};
use ratatui::Frame;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use std::io;
use std::time::Duration;

/// The minimum time between two frames: 30 per second.
const FRAME: Duration = Duration::from_millis(33);

/// The interval between polls for a signal while nothing moves.
const IDLE: Duration = Duration::from_millis(200);

/// How long a terminal may be blocked before the screen's clock stops: nobody can play.
const BLOCKED: Duration = Duration::from_secs(1);

/// How long a vanished terminal takes to send its signal.
const HANGUP: Duration = Duration::from_millis(200);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// Quit, finished, or stopped by a signal.
    Done,
    /// Ended by Control-C, which a terminal without echo sends as a key: exit status 130.
    Interrupted,
}

/// The clock of a screen. It stops while the program is stopped, a question is open, or the
/// terminal is blocked or too small.
struct Clock {
    watch: Stopwatch,
    /// The total stopped time.
    paused: Duration,
    since: Option<Duration>,
}

impl Clock {
    fn now(&self) -> Duration {
        self.since.unwrap_or_else(|| self.watch.elapsed()).saturating_sub(self.paused)
    }

    fn set_running(&mut self, runs: bool) {
        match (runs, self.since) {
            (true, Some(since)) => {
                self.paused += self.watch.elapsed().saturating_sub(since);
                self.since = None;
            }
            (false, None) => self.since = Some(self.watch.elapsed()),
            _ => {}
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Shown {
    pub(crate) frames: u64,
    pub(crate) time: Duration,
}

/// The result of a recording, if one was requested, or the failure of a vanished terminal. It is
/// reported at the end of the command: the game counts and is saved without it.
pub(crate) type Recorded = Result<(), Failure>;

pub(crate) fn run<S: Screen>(
    arguments: &ScreenArgs,
    make: impl FnOnce() -> Result<S, Failure>,
) -> Result<(S, Recorded), Failure> {
    run_counted(arguments, arguments.recorder()?, make)
        .map(|(screen, _, recorded)| (screen, recorded))
}

/// Shows the screen created by `make` in the terminal or, without one, only in a recording. Errors:
/// [`Failure::Input`] without a terminal and without a recording that ends by itself, and failures
/// to open the terminal or to start the recording.
pub(crate) fn run_counted<S: Screen>(
    arguments: &ScreenArgs,
    mut recorder: Option<Recorder>,
    make: impl FnOnce() -> Result<S, Failure>,
) -> Result<(S, Shown, Recorded), Failure> {
    let real = has_terminal();
    if !real && (arguments.time.is_none() || recorder.is_none()) {
        let expected = if moves_cursor() { "a terminal" } else { "a terminal, and not TERM=dumb" };
        return Err(Failure::Input(format!(
            "expected {expected}; without one, use --record FILE and --time T to record the screen"
        )));
    }
    let interrupted = interrupt::install_handler();
    let theme = arguments.theme(real);
    let failed = |error: io::Error| Failure::Check(format!("terminal: {error}"));
    let (mut screen, ending, shown);
    // A failure is printed after the terminal is restored.
    {
        let opened = if real { TerminalView::open(&interrupted).map_err(failed)? } else { None };
        // A signal arrived before the terminal was opened.
        let ends = real && opened.is_none();
        let events = if opened.is_some() { Some(Events::open().map_err(failed)?) } else { None };
        let mut view = opened.unwrap_or_else(|| TerminalView::hidden(arguments.screen));
        screen = make()?;
        if screen.wants_mouse() {
            view.enable_mouse().map_err(failed)?;
        }
        let recorder = recorder.as_mut();
        let mut show =
            Show::new(&mut screen, view, events, theme, recorder, arguments.time, &interrupted);
        ending = if ends { Ok(Ending::Done) } else { show.run() };
        shown = Shown { frames: show.frames, time: show.begin.elapsed() };
    }
    // The terminal is restored; a recording is kept in any case.
    let mut recorded = recorder.map_or(Ok(()), Recorder::finish);
    match ending {
        // A vanished terminal sends a signal, which says more than the failed write.
        Err(_) if interrupted() => {}
        Err(error) => recorded = Err(failed(error)),
        Ok(Ending::Interrupted) => interrupt::raise(),
        Ok(Ending::Done) => {}
    }
    Ok((screen, shown, recorded))
}

/// A screen on display, with events if it is in a terminal. The recorder gets each frame.
struct Show<'a> {
    screen: &'a mut dyn Screen,
    view: TerminalView,
    events: Option<Events>,
    theme: Theme,
    recorder: Option<&'a mut Recorder>,
    limit: Option<Duration>,
    interrupted: &'a dyn Fn() -> bool,
    begin: Stopwatch,
    clock: Clock,
    overlay: Option<Overlay>,
    room: Room,
    /// The time since the last frame.
    drawn: Option<Stopwatch>,
    /// `true` if the screen has changed since.
    stale: bool,
    frames: u64,
}

impl<'a> Show<'a> {
    fn new(
        screen: &'a mut dyn Screen,
        view: TerminalView,
        events: Option<Events>,
        theme: Theme,
        recorder: Option<&'a mut Recorder>,
        limit: Option<Duration>,
        interrupted: &'a dyn Fn() -> bool,
    ) -> Self {
        let begin = Stopwatch::start();
        let clock = Clock { watch: begin, paused: Duration::ZERO, since: None };
        let overlay = None;
        let room = Room::Enough;
        let drawn = None;
        let stale = true;
        let frames = 0;
        Self {
            screen,
            view,
            events,
            theme,
            recorder,
            limit,
            interrupted,
            begin,
            clock,
            overlay,
            room,
            drawn,
            stale,
            frames,
        }
    }

    fn run(&mut self) -> io::Result<Ending> {
        loop {
            self.set_clock();
            if (self.interrupted)() || self.screen.ended() || self.left() == Some(Duration::ZERO) {
                return Ok(Ending::Done);
            }
            if self.next_change().is_some_and(|next| next <= self.clock.now()) {
                self.screen.advance(self.clock.now());
                self.stale = true;
            }
            self.draw()?;
            if let Some(ending) = self.take_events(self.pause())? {
                return Ok(ending);
            }
        }
    }

    fn set_clock(&mut self) {
        let is_seen = self.overlay.is_none() && self.room == Room::Enough;
        self.clock.set_running(is_seen && self.view.blocked() < BLOCKED);
    }

    /// Pauses the screen when the terminal becomes too small for it.
    fn measure(&mut self) {
        let least = self.screen.least_size(self.theme);
        // A terminal that is gone reports no size, and ends the screen.
        let Ok((width, height)) = self.view.size() else { return };
        let room = if width < least.0 || height < least.1 { Room::TooSmall } else { Room::Enough };
        if self.room == Room::Enough && room == Room::TooSmall {
            self.screen.pause(self.clock.now());
        }
        self.room = room;
        self.set_clock();
    }

    fn left(&self) -> Option<Duration> {
        self.limit.map(|limit| limit.saturating_sub(self.begin.elapsed()))
    }

    fn next_change(&self) -> Option<Duration> {
        if self.clock.since.is_none() { self.screen.next_change() } else { None }
    }

    fn until_frame(&self) -> Duration {
        self.drawn.map_or(Duration::ZERO, |drawn| FRAME.saturating_sub(drawn.elapsed()))
    }

    fn draw(&mut self) -> io::Result<()> {
        if !self.stale || !self.until_frame().is_zero() || !self.view.is_ready() {
            return Ok(());
        }
        self.measure();
        let screen = &*self.screen;
        let overlay = self.overlay.as_ref();
        let theme = self.theme;
        let buffer = self.view.draw(|frame| {
            view::draw(screen, frame, theme);
            if let Some(overlay) = overlay {
                overlay.draw(frame, theme);
            }
        })?;
        if let Some(recorder) = &mut self.recorder {
            recorder.frame(self.begin.elapsed(), buffer);
        }
        (self.drawn, self.stale) = (Some(Stopwatch::start()), false);
        self.frames += 1;
        Ok(())
    }

    fn pause(&self) -> Duration {
        let until = |next: Duration| interrupt::POLL.min(next.saturating_sub(self.clock.now()));
        let mut pause = self.next_change().map_or(IDLE, until).min(self.left().unwrap_or(IDLE));
        if self.stale {
            // A frame that is due waits for its terminal.
            pause = pause.min(self.until_frame().max(Duration::from_millis(2)));
        }
        pause
    }

    /// Waits for an event, and takes all that have arrived, but only for the time of one frame: an
    /// endless stream of events must not stop the drawing.
    fn take_events(&mut self, pause: Duration) -> io::Result<Option<Ending>> {
        let Some(events) = &mut self.events else {
            interrupt::sleep(pause, self.interrupted);
            return Ok(None);
        };
        let mut next = events.next(pause);
        let first = Stopwatch::start();
        while let Some(event) = next {
            self.stale = true;
            if let Some(ending) = self.take_event(event)? {
                return Ok(Some(ending));
            }
            let Some(events) = self.events.as_mut().filter(|_| first.elapsed() < FRAME) else {
                break;
            };
            next = events.next(Duration::ZERO);
        }
        Ok(None)
    }

    fn take_event(&mut self, event: Event) -> io::Result<Option<Ending>> {
        match event {
            Event::Resized => self.measure(),
            Event::Suspended | Event::Resumed => {
                self.screen.pause(self.clock.now());
                if event == Event::Suspended {
                    terminal::restore();
                    events::suspend();
                }
                if !self.view.enter_again(self.interrupted)? {
                    return Ok(Some(Ending::Done));
                }
            }
            Event::Closed => {
                interrupt::sleep(HANGUP, self.interrupted);
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            Event::Input(input) => {
                let input = match input {
                    Input::KeyboardFlags(flags) => {
                        Input::KeyReleases(self.view.set_keyboard(flags)?)
                    }
                    Input::Ground { light } => {
                        self.theme.light = light;
                        self.recorder.iter_mut().for_each(|recorder| recorder.set_light(light));
                        input
                    }
                    input => input,
                };
                match take(self.screen, &mut self.overlay, self.room, input, self.clock.now()) {
                    Effect::None => {}
                    Effect::Covered | Effect::Uncovered => self.set_clock(),
                    Effect::Redrawn => self.view.clear()?,
                    Effect::Suspended => job::stop_group(),
                    Effect::Ended => return Ok(Some(Ending::Done)),
                    Effect::Interrupted => return Ok(Some(Ending::Interrupted)),
                }
            }
        }
        Ok(None)
    }
}

/// An overlay that covers a screen and takes its keys. The screen's clock is stopped.
pub(crate) enum Overlay {
    /// A question before quitting: yes ends the screen.
    Question(String),
    /// The page of keys: any key closes it.
    Keys(Page),
}

impl Overlay {
    fn draw(&self, frame: &mut Frame<'_>, theme: Theme) {
        match self {
            Self::Question(question) => widgets::question(frame, theme, question),
            Self::Keys(page) => widgets::page(frame, theme, page),
        }
    }
}

/// Whether a terminal has the [minimum size](Screen::least_size) of its screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Room {
    Enough,
    TooSmall,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    None,
    /// A question or a page opened: the clock stops.
    Covered,
    /// It was answered with no, or closed: the clock resumes.
    Uncovered,
    Ended,
    /// Control-C.
    Interrupted,
    /// Control-Z.
    Suspended,
    /// Control-L: other programs' output on the screen goes away.
    Redrawn,
}

pub(crate) fn take(
    screen: &mut dyn Screen,
    overlay: &mut Option<Overlay>,
    room: Room,
    input: Input,
    now: Duration,
) -> Effect {
    match input {
        Input::Key(key) if is_control(key, 'c') => return Effect::Interrupted,
        Input::Key(key) if is_control(key, 'z') => return Effect::Suspended,
        Input::Key(key) if is_control(key, 'l') => return Effect::Redrawn,
        Input::Key(key) if overlay.is_some() => {
            if key.kind == KeyEventKind::Release || matches!(key.code, KeyCode::Modifier(_)) {
                return Effect::None;
            }
            if matches!(overlay, Some(Overlay::Question(_))) && confirms(key) {
                return Effect::Ended;
            }
            *overlay = None;
            return Effect::Uncovered;
        }
        Input::Mouse(_) if overlay.is_some() => return Effect::None,
        Input::Ground { .. } | Input::KeyboardFlags(_) => return Effect::None,
        Input::Key(key) if is_press(key, 'q') => {
            *overlay = screen.quit_question().map(Overlay::Question);
            if overlay.is_none() {
                return Effect::Ended;
            }
        }
        Input::Key(key) if is_press(key, '?') => {
            *overlay = Some(screen.page()).filter(|page| !page.is_empty()).map(Overlay::Keys);
        }
        Input::Key(_) | Input::Mouse(_) if room == Room::TooSmall => return Effect::None,
        _ => {}
    }
    if overlay.is_some() {
        screen.pause(now);
        return Effect::Covered;
    }
    if screen.input(input, now) == Flow::End { Effect::Ended } else { Effect::None }
}

fn is_control(key: KeyEvent, letter: char) -> bool {
    key.code == KeyCode::Char(letter)
        && key.modifiers.contains(KeyModifiers::CONTROL)
        && key.kind != KeyEventKind::Release
}

fn is_press(key: KeyEvent, letter: char) -> bool {
    matches!(key.code, KeyCode::Char(pressed) if pressed.eq_ignore_ascii_case(&letter))
        && key.kind == KeyEventKind::Press
        && !key.modifiers.contains(KeyModifiers::CONTROL)
}

/// Returns whether a key answers a question with yes. A second `q` does.
fn confirms(key: KeyEvent) -> bool {
    matches!(key.code, KeyCode::Char('y' | 'Y' | 'q' | 'Q') | KeyCode::Enter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::testing::{code_of, key};
    use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};

    struct Counter {
        inputs: u32,
        pauses: u32,
        asks: bool,
    }

    impl Screen for Counter {
        fn advance(&mut self, _: Duration) {}

        fn draw(&self, _: &mut Frame<'_>, _: Theme) {}

        fn input(&mut self, _: Input, _: Duration) -> Flow {
            self.inputs += 1;
            Flow::Continue
        }

        fn next_change(&self) -> Option<Duration> {
            None
        }

        fn quit_question(&self) -> Option<String> {
            self.asks.then(|| "Quit?".to_owned())
        }

        fn page(&self) -> Page {
            vec![("jump", vec!["j".to_owned()])]
        }

        fn pause(&mut self, _: Duration) {
            self.pauses += 1;
        }
    }

    #[test]
    fn what_covers_a_screen_takes_its_keys_and_pauses_it() {
        use Effect::{Covered, Ended, None as Nothing, Uncovered};
        for (asks, keys, effects, inputs, pauses) in [
            (false, "jq", vec![Nothing, Ended], 1, 0),
            (true, "jqjq\n", vec![Nothing, Covered, Uncovered, Covered, Ended], 1, 2),
            (true, "?qjqq", vec![Covered, Uncovered, Nothing, Covered, Ended], 1, 2),
            (false, "??j", vec![Covered, Uncovered, Nothing], 1, 1),
        ] {
            let mut screen = Counter { inputs: 0, pauses: 0, asks };
            let mut overlay = None;
            let mut give =
                |c| take(&mut screen, &mut overlay, Room::Enough, key(code_of(c)), Duration::ZERO);
            assert_eq!(keys.chars().map(&mut give).collect::<Vec<_>>(), effects, "{keys}");
            assert_eq!(screen.inputs, inputs, "{keys}");
            assert_eq!(screen.pauses, pauses, "{keys}");
        }
    }

    #[test]
    fn a_screen_gets_no_keys_while_its_terminal_is_too_small() {
        use Effect::{Covered, Ended, Interrupted, None as Nothing, Redrawn, Uncovered};
        let mut screen = Counter { inputs: 0, pauses: 0, asks: true };
        let mut overlay = None;
        let mut give =
            |input| take(&mut screen, &mut overlay, Room::TooSmall, input, Duration::ZERO);
        let control =
            |letter| Input::Key(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL));
        let click = MouseEvent {
            kind: MouseEventKind::Down(MouseButton::Left),
            column: 0,
            row: 0,
            modifiers: KeyModifiers::NONE,
        };
        for (input, effect) in [
            // A report of the terminal is no key.
            (Input::KeyReleases(true), Nothing),
            (key(code_of('j')), Nothing),
            (Input::Mouse(click), Nothing),
            (control('l'), Redrawn),
            (key(code_of('q')), Covered),
            (control('l'), Redrawn),
            (key(code_of('n')), Uncovered),
            (key(code_of('?')), Covered),
            (key(code_of('j')), Uncovered),
            (control('c'), Interrupted),
            (key(code_of('q')), Covered),
            (key(code_of('y')), Ended),
        ] {
            assert_eq!(give(input), effect, "{input:?}");
        }
        assert_eq!(screen.inputs, 1);
    }
}
