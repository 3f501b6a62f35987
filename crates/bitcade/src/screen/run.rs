//! [`run`]: shows a screen until it ends.

use super::options::ScreenArgs;
use super::record::Recorder;
use super::terminal::{TerminalView, has_terminal};
use super::theme::Theme;
use super::view::{Capabilities, Flow, Input, Screen};
use super::widgets;
use crate::interrupt;
use crate::output::Failure;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use std::io;
use std::time::{Duration, Instant};

/// The shortest time between two frames: 30 a second.
const FRAME: Duration = Duration::from_millis(33);

/// The shortest time of a look for input: in no time at all, crossterm's reader of terminals sees nothing.
const LOOK: Duration = Duration::from_millis(1);

/// The time between two looks for a signal while nothing moves.
const IDLE: Duration = Duration::from_millis(200);

/// The result of showing a screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// An end by the user, by the screen itself, or by a signal.
    Done,
    /// An end by Control-C, which a terminal without echo sends as a key: exit status 130.
    Interrupted,
}

/// The clock of a screen. It stands still while a question is asked.
struct Clock {
    start: Instant,
    paused: Option<Instant>,
}

impl Clock {
    fn now(&self) -> Duration {
        self.paused.unwrap_or_else(Instant::now).saturating_duration_since(self.start)
    }

    fn pause(&mut self) {
        self.paused = Some(Instant::now());
    }

    fn resume(&mut self) {
        if let Some(paused) = self.paused.take() {
            self.start += paused.elapsed();
        }
    }
}

/// The frames that were drawn, and the time.
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
    make: impl FnOnce(Capabilities) -> Result<S, Failure>,
) -> Result<(S, Recorded), Failure> {
    run_counted(arguments, make).map(|(screen, _, recorded)| (screen, recorded))
}

/// Shows the screen that `make` creates, in the terminal or, where there is none, in a recording alone.
///
/// # Errors
///
/// [`Failure::Input`] without a terminal and without a recording that ends by itself, the failures of the
/// terminal, and those of a recording that can't begin.
pub(crate) fn run_counted<S: Screen>(
    arguments: &ScreenArgs,
    make: impl FnOnce(Capabilities) -> Result<S, Failure>,
) -> Result<(S, Shown, Recorded), Failure> {
    let mut recorder = arguments.recorder()?;
    let real = has_terminal();
    if !real && (arguments.time.is_none() || recorder.is_none()) {
        return Err(Failure::Input(
            "expected a terminal; without one, --record FILE and --time T record what it would show"
                .to_owned(),
        ));
    }
    let interrupted = interrupt::install_handler();
    let theme = arguments.theme(real);
    let failed = |error: io::Error| Failure::Check(format!("terminal: {error}"));
    // The terminal tells what it can do before the screen is made; a failure is printed after it is restored.
    let mut screen;
    let mut counts = Shown::default();
    let ending = {
        let mut view = if real {
            let mut view = TerminalView::open().map_err(failed)?;
            screen = match make(view.capabilities()) {
                Ok(screen) => screen,
                Err(failure) => {
                    drop(view);
                    return Err(failure);
                }
            };
            if screen.wants_mouse() {
                view.enable_mouse().map_err(failed)?;
            }
            view
        } else {
            screen = make(Capabilities::default())?;
            TerminalView::hidden(arguments.screen)
        };
        show(&mut screen, &mut view, theme, recorder.as_mut(), arguments.time, &interrupted, &mut counts)
    };
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

/// Shows a screen until it ends. The recorder gets each frame.
fn show<S: Screen>(
    screen: &mut S,
    view: &mut TerminalView,
    theme: Theme,
    mut recorder: Option<&mut Recorder>,
    limit: Option<Duration>,
    interrupted: &dyn Fn() -> bool,
    shown: &mut Shown,
) -> io::Result<Ending> {
    let real = matches!(view, TerminalView::Real { .. });
    let begin = Instant::now();
    let mut clock = Clock { start: begin, paused: None };
    let mut question: Option<String> = None;
    let (mut drawn, mut stale) = (None::<Instant>, true);
    loop {
        shown.time = begin.elapsed();
        if interrupted() || screen.ended() || limit.is_some_and(|limit| begin.elapsed() >= limit) {
            return Ok(Ending::Done);
        }
        if question.is_none() && screen.next_change().is_some_and(|next| next <= clock.now()) {
            screen.advance(clock.now());
            stale = true;
        }
        let frame_due = drawn.is_none_or(|drawn| drawn.elapsed() >= FRAME);
        if stale && frame_due {
            let buffer = view.draw(|frame| {
                screen.draw(frame, theme);
                if let Some(question) = &question {
                    widgets::question(frame, theme, question);
                }
            })?;
            if let Some(recorder) = &mut recorder {
                recorder.frame(begin.elapsed(), buffer);
            }
            (drawn, stale) = (Some(Instant::now()), false);
            shown.frames += 1;
        }
        let next = if question.is_none() { screen.next_change() } else { None };
        let mut wait = next.map_or(IDLE, |next| interrupt::POLL.min(next.saturating_sub(clock.now())));
        if let Some(limit) = limit {
            wait = wait.min(limit.saturating_sub(begin.elapsed()));
        }
        if stale && let Some(drawn) = drawn {
            wait = wait.min(FRAME.saturating_sub(drawn.elapsed()));
        }
        if !real {
            interrupt::sleep(wait, interrupted);
            continue;
        }
        if !event::poll(wait.max(LOOK))? {
            continue;
        }
        // All that has arrived is taken before the next frame.
        loop {
            match event::read()? {
                Event::Key(key) if is_interrupt(key) => return Ok(Ending::Interrupted),
                Event::Key(key) if question.is_some() && key.kind == KeyEventKind::Release => {}
                Event::Key(key) if question.is_some() => {
                    if confirms(key) {
                        return Ok(Ending::Done);
                    }
                    question = None;
                    clock.resume();
                }
                Event::Key(key) if is_quit(key) => match screen.quit_question() {
                    Some(text) => {
                        question = Some(text);
                        clock.pause();
                    }
                    None => return Ok(Ending::Done),
                },
                Event::Key(key) if screen.input(Input::Key(key), clock.now()) == Flow::End => {
                    return Ok(Ending::Done);
                }
                Event::Mouse(mouse)
                    if question.is_none() && screen.input(Input::Mouse(mouse), clock.now()) == Flow::End =>
                {
                    return Ok(Ending::Done);
                }
                _ => {}
            }
            stale = true;
            if !event::poll(LOOK)? {
                break;
            }
        }
    }
}

fn is_interrupt(key: KeyEvent) -> bool {
    key.code == KeyCode::Char('c')
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
