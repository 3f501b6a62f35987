//! [`Events`] of a Windows console, which reports keys instead of bytes.

use super::Event;
use crate::screen::view::Input;
use ratatui::crossterm::event::{self, Event as ConsoleEvent};
use std::io;
use std::time::Duration;

pub(crate) struct Events {
    /// A console reports releases without being asked.
    tells_releases: bool,
}

impl Events {
    /// Opens the events and drops input typed into an earlier screen.
    pub(crate) fn open() -> io::Result<Self> {
        while event::poll(Duration::ZERO)? {
            event::read()?;
        }
        Ok(Self { tells_releases: true })
    }

    pub(crate) fn next(&mut self, wait: Duration) -> Option<Event> {
        if std::mem::take(&mut self.tells_releases) {
            return Some(Event::Input(Input::KeyReleases(true)));
        }
        match event::poll(wait) {
            Ok(false) => return None,
            Err(_) => return Some(Event::Closed),
            Ok(true) => {}
        }
        match event::read() {
            Ok(ConsoleEvent::Key(key)) => Some(Event::Input(Input::Key(key))),
            Ok(ConsoleEvent::Mouse(mouse)) => Some(Event::Input(Input::Mouse(mouse))),
            Ok(ConsoleEvent::Resize(..)) => Some(Event::Resized),
            Ok(_) => None,
            Err(_) => Some(Event::Closed),
        }
    }
}

/// Does nothing: no signal stops a program here.
pub(crate) fn suspend() {}
