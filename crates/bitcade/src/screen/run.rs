//! [`run`]: shows a screen until it ends.

use super::events::{self, Event, Events};
use super::options::ScreenArgs;
use super::record::Recorder;
use super::terminal::{self, TerminalView, has_terminal};
use super::theme::Theme;
use super::view::{Flow, Input, Screen};
use super::widgets;
use crate::color::moves_cursor;
use crate::output::Failure;
use crate::stopwatch::Stopwatch;
use crate::{interrupt, job};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use std::io;
use std::time::Duration;

/// The shortest time between two frames: 30 a second.
const FRAME: Duration = Duration::from_millis(33);

/// The time between two looks for a signal while nothing moves.
const IDLE: Duration = Duration::from_millis(200);

/// The time in which a terminal may take no bytes. After it the clock of the screen stands still: nobody can play.
const BLOCKED: Duration = Duration::from_secs(1);

/// The time in which a terminal that is gone sends its signal.
const HANGUP: Duration = Duration::from_millis(200);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// An end by the user, by the screen itself, or by a signal.
    Done,
    /// An end by Control-C, which a terminal without echo sends as a key: exit status 130.
    Interrupted,
}

/// The clock of a screen. It stands still while the program is stopped, while a question is asked, and while the
/// terminal takes no bytes.
struct Clock {
    watch: Stopwatch,
    /// The time in which it stood still.
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

/// The result of a recording, if one was asked for. A failure is for the end of the command: what was played
/// counts and is saved without it.
pub(crate) type Recorded = Result<(), Failure>;

/// Shows a screen and returns it with the result of its recording; see [`run_counted`].
pub(crate) fn run<S: Screen>(
    arguments: &ScreenArgs,
    make: impl FnOnce() -> Result<S, Failure>,
) -> Result<(S, Recorded), Failure> {
    run_counted(arguments, arguments.recorder()?, make).map(|(screen, _, recorded)| (screen, recorded))
}

/// Shows the screen that `make` creates, in the terminal or, where there is none, in a recording alone.
/// Errors: [`Failure::Input`] without a terminal and without a recording that ends by itself, the failures of
/// the terminal, and those of a recording that can't begin.
pub(crate) fn run_counted<S: Screen>(
    arguments: &ScreenArgs,
    mut recorder: Option<Recorder>,
    make: impl FnOnce() -> Result<S, Failure>,
) -> Result<(S, Shown, Recorded), Failure> {
    let real = has_terminal();
    if !real && (arguments.time.is_none() || recorder.is_none()) {
        let expected = if moves_cursor() { "a terminal" } else { "a terminal, and not TERM=dumb" };
        return Err(Failure::Input(format!(
            "expected {expected}; without one, --record FILE and --time T record what it would show"
        )));
    }
    let interrupted = interrupt::install_handler();
    let theme = arguments.theme(real);
    let failed = |error: io::Error| Failure::Check(format!("terminal: {error}"));
    let mut counts = Shown::default();
    let (mut screen, ending);
    // A failure is printed after the terminal is restored.
    {
        let opened = if real { TerminalView::open(&interrupted).map_err(failed)? } else { None };
        // A signal has come before the terminal was taken.
        let ends = real && opened.is_none();
        let mut events = if opened.is_some() { Some(Events::open().map_err(failed)?) } else { None };
        let mut view = opened.unwrap_or_else(|| TerminalView::hidden(arguments.screen));
        screen = make()?;
        if screen.wants_mouse() {
            view.enable_mouse().map_err(failed)?;
        }
        let (recorder, time) = (recorder.as_mut(), arguments.time);
        ending = if ends {
            Ok(Ending::Done)
        } else {
            show(&mut screen, &mut view, events.as_mut(), theme, recorder, time, &interrupted, &mut counts)
        };
    }
    // The terminal is restored; a recording of what happened is kept in any case.
    let recorded = recorder.map_or(Ok(()), Recorder::finish);
    match ending {
        // A terminal that is gone sends a signal, which tells more than the failed write.
        Err(_) if interrupted() => {}
        Err(error) => return Err(failed(error)),
        Ok(Ending::Interrupted) => interrupt::raise(),
        Ok(Ending::Done) => {}
    }
    Ok((screen, counts, recorded))
}

/// Shows a screen until it ends, with events if it is in a terminal. The recorder gets each frame.
#[expect(clippy::too_many_arguments, reason = "the parts of one screen, each used here alone")]
fn show<S: Screen>(
    screen: &mut S,
    view: &mut TerminalView,
    mut events: Option<&mut Events>,
    theme: Theme,
    mut recorder: Option<&mut Recorder>,
    limit: Option<Duration>,
    interrupted: &dyn Fn() -> bool,
    shown: &mut Shown,
) -> io::Result<Ending> {
    let begin = Stopwatch::start();
    let mut clock = Clock { watch: begin, paused: Duration::ZERO, since: None };
    let mut question: Option<String> = None;
    let (mut drawn, mut stale) = (None::<Stopwatch>, true);
    loop {
        shown.time = begin.elapsed();
        clock.set_running(question.is_none() && view.blocked() < BLOCKED);
        if interrupted() || screen.ended() || limit.is_some_and(|limit| begin.elapsed() >= limit) {
            return Ok(Ending::Done);
        }
        let runs = clock.since.is_none();
        if runs && screen.next_change().is_some_and(|next| next <= clock.now()) {
            screen.advance(clock.now());
            stale = true;
        }
        let frame_due = drawn.is_none_or(|drawn| drawn.elapsed() >= FRAME);
        if stale && frame_due && view.is_ready() {
            let buffer = view.draw(|frame| {
                screen.draw(frame, theme);
                if let Some(question) = &question {
                    widgets::question(frame, theme, question);
                }
            })?;
            if let Some(recorder) = &mut recorder {
                recorder.frame(begin.elapsed(), buffer);
            }
            (drawn, stale) = (Some(Stopwatch::start()), false);
            shown.frames += 1;
        }
        let next = if runs { screen.next_change() } else { None };
        let mut wait = next.map_or(IDLE, |next| interrupt::POLL.min(next.saturating_sub(clock.now())));
        if let Some(limit) = limit {
            wait = wait.min(limit.saturating_sub(begin.elapsed()));
        }
        if stale {
            let due = drawn.map_or(Duration::ZERO, |drawn| FRAME.saturating_sub(drawn.elapsed()));
            // A frame that is due waits for its terminal.
            wait = wait.min(due.max(Duration::from_millis(2)));
        }
        let Some(events) = &mut events else {
            interrupt::sleep(wait, interrupted);
            continue;
        };
        let mut next = events.next(wait);
        let first = Stopwatch::start();
        // All that has arrived is taken before the next frame, unless it never ends.
        while let Some(event) = next {
            stale = true;
            match event {
                Event::Resized => {}
                Event::Suspended | Event::Resumed => {
                    if event == Event::Suspended {
                        terminal::restore();
                        events::suspend();
                    }
                    if !view.enter_again(interrupted)? {
                        return Ok(Ending::Done);
                    }
                }
                Event::Closed => {
                    interrupt::sleep(HANGUP, interrupted);
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
                Event::Input(input) => {
                    if matches!(input, Input::KeyReleases) {
                        view.enable_releases()?;
                    }
                    match take(screen, &mut question, input, clock.now()) {
                        Effect::None => {}
                        Effect::Asked | Effect::Answered => clock.set_running(question.is_none()),
                        Effect::Suspended => job::stop_group(),
                        Effect::Ended => return Ok(Ending::Done),
                        Effect::Interrupted => return Ok(Ending::Interrupted),
                    }
                }
            }
            if first.elapsed() >= FRAME {
                break;
            }
            next = events.next(Duration::ZERO);
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    None,
    /// The question is asked: the clock stands still.
    Asked,
    /// It is answered with no: the clock runs again.
    Answered,
    Ended,
    /// Control-C.
    Interrupted,
    /// Control-Z.
    Suspended,
}

/// Gives an input to the screen, or to the question that is asked.
pub(crate) fn take(
    screen: &mut dyn Screen,
    question: &mut Option<String>,
    input: Input,
    now: Duration,
) -> Effect {
    match input {
        Input::Key(key) if is_control(key, 'c') => return Effect::Interrupted,
        Input::Key(key) if is_control(key, 'z') => return Effect::Suspended,
        Input::Key(key) if question.is_some() => {
            if key.kind == KeyEventKind::Release {
                return Effect::None;
            }
            if confirms(key) {
                return Effect::Ended;
            }
            *question = None;
            return Effect::Answered;
        }
        Input::Mouse(_) if question.is_some() => return Effect::None,
        Input::Key(key) if is_quit(key) => {
            *question = screen.quit_question();
            return if question.is_some() { Effect::Asked } else { Effect::Ended };
        }
        _ => {}
    }
    if screen.input(input, now) == Flow::End { Effect::Ended } else { Effect::None }
}

fn is_control(key: KeyEvent, letter: char) -> bool {
    key.code == KeyCode::Char(letter)
        && key.modifiers.contains(KeyModifiers::CONTROL)
        && key.kind != KeyEventKind::Release
}

fn is_quit(key: KeyEvent) -> bool {
    matches!(key.code, KeyCode::Char('q' | 'Q'))
        && key.kind == KeyEventKind::Press
        && !key.modifiers.contains(KeyModifiers::CONTROL)
}

/// Returns whether a key answers a question with yes. A second `q` does.
fn confirms(key: KeyEvent) -> bool {
    matches!(key.code, KeyCode::Char('y' | 'Y' | 'q' | 'Q') | KeyCode::Enter)
}
