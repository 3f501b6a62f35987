//! [`Levels`]: a list of levels, and the screens of those that are played.

use super::play::{LevelScreen, kept_as, stars_text, unsaved};
use super::text;
use crate::games::match3::act::Act;
use crate::io::output::{Failure, Output};
use crate::play::keys::Keys;
use crate::play::menu::Menu;
use crate::play::saved_games::SavedGames;
use crate::screen::options::ScreenArgs;
use crate::screen::run;
use crate::screen::theme::Theme;
use crate::screen::view::{Flow, Input, Screen};
use crate::screen::widgets::{Page, grouped};
use match3::level::{EXAMPLES, Level};
use ratatui::Frame;
use std::sync::Arc;
use std::time::Duration;

/// Returns the levels of the program.
pub(super) fn examples() -> Vec<Arc<Level>> {
    let read = |(_, text): (&str, &str)| Level::from_toml(text).ok().map(Arc::new);
    EXAMPLES.into_iter().filter_map(read).collect()
}

pub(in crate::games::match3) fn fuzzed(seed: u64) -> Box<dyn Screen> {
    let examples = examples();
    let level = examples[seed as usize % examples.len()].clone();
    Box::new(unsaved(level, seed))
}

/// Plays the program's levels, chosen from a list.
pub(in crate::games::match3) fn run_list(
    keys: Keys<Act>,
    seed: u64,
    saves: Option<bool>,
    screen: &ScreenArgs,
    output: &mut Output,
) -> Result<(), Failure> {
    output.refuse_json_of("is a list on the screen")?;
    let (mut levels, recorded) = run::run(screen, || Ok(Levels::new(keys, seed, saves)))?;
    output.text(levels.finish())?;
    recorded
}

/// A level with its screen, once it was played.
struct Entry {
    level: Arc<Level>,
    screen: Option<LevelScreen>,
}

pub(in crate::games::match3) struct Levels {
    entries: Vec<Entry>,
    menu: Menu,
    /// The level that is shown, instead of the list.
    current: Option<usize>,
    keys: Keys<Act>,
    seed: u64,
    /// Whether games are saved, and saved ones offered.
    saves: Option<bool>,
}

impl Levels {
    /// Returns the list of the program's levels. `saves` says whether games are saved, and whether
    /// saved ones are offered.
    pub(in crate::games::match3) fn new(keys: Keys<Act>, seed: u64, saves: Option<bool>) -> Self {
        let entry = |level| Entry { level, screen: None };
        let entries: Vec<Entry> = examples().into_iter().map(entry).collect();
        let menu = Menu::new("bitcade play match3 --levels", described(&entries));
        Self { entries, menu, current: None, keys, seed, saves }
    }

    fn open(&mut self, index: usize) {
        let entry = &mut self.entries[index];
        if entry.screen.is_none() {
            let (kind, scores, stars) = kept_as(&entry.level);
            let level = entry.level.clone();
            let screen = LevelScreen::new(level, self.seed, scores, stars, self.keys.clone());
            // A level that was read can be dealt.
            entry.screen = screen.ok().map(|screen| {
                let mut screen = screen.with_list();
                if let Some(offers) = self.saves {
                    screen.save_games(SavedGames::of(&kind), offers);
                }
                screen
            });
        }
        self.current = entry.screen.is_some().then_some(index);
    }

    fn screen(&self) -> Option<&LevelScreen> {
        self.entries.get(self.current?)?.screen.as_ref()
    }

    fn screen_mut(&mut self) -> Option<&mut LevelScreen> {
        self.entries.get_mut(self.current?)?.screen.as_mut()
    }

    /// Saves what there is to save. Returns the lines to print last.
    pub(in crate::games::match3) fn finish(&mut self) -> String {
        let played = self.entries.iter_mut().filter_map(|entry| {
            let screen = entry.screen.as_mut()?;
            Some(format!("{}: {}", entry.level.spec().name, screen.finish()))
        });
        played.collect()
    }
}

/// Returns the titles and descriptions of the list.
fn described(entries: &[Entry]) -> Vec<(String, String)> {
    let line = |entry: &Entry| {
        let spec = entry.level.spec();
        let (_, scores, stars) = kept_as(&entry.level);
        let stars = stars_text(stars.best().unwrap_or(0), Theme::ASCII);
        let best = scores.best().map_or(String::new(), |best| format!("  best {}", grouped(best)));
        let goals: Vec<String> = spec.goals.iter().map(|&goal| text::goal(goal)).collect();
        let about = format!("{stars}  {}: {}{best}", text::limit(spec), goals.join(", "));
        (spec.name.clone(), about)
    };
    entries.iter().map(line).collect()
}

impl Screen for Levels {
    fn advance(&mut self, now: Duration) {
        if let Some(screen) = self.screen_mut() {
            screen.advance(now);
        }
    }

    fn next_change(&self) -> Option<Duration> {
        self.screen().and_then(Screen::next_change)
    }

    fn pause(&mut self, now: Duration) {
        if let Some(screen) = self.screen_mut() {
            screen.pause(now);
        }
    }

    fn wants_mouse(&self) -> bool {
        true
    }

    fn least_size(&self, theme: Theme) -> (u16, u16) {
        self.screen().map_or_else(|| self.menu.least_size(theme), |screen| screen.least_size(theme))
    }

    fn draw(&self, frame: &mut Frame<'_>, theme: Theme) {
        match self.screen() {
            Some(screen) => screen.draw(frame, theme),
            None => self.menu.draw(frame, theme),
        }
    }

    fn input(&mut self, input: Input, now: Duration) -> Flow {
        if let Some(screen) = self.screen_mut() {
            if !screen.is_left_by(input) {
                return screen.input(input, now);
            }
            screen.pause(now);
            self.current = None;
            self.menu.again(described(&self.entries));
            return Flow::Continue;
        }
        let flow = self.menu.input(input, now);
        if let Some(index) = self.menu.chosen() {
            self.open(index);
            self.advance(now);
            return Flow::Continue;
        }
        flow
    }

    fn quit_question(&self) -> Option<String> {
        self.entries.iter().find_map(|entry| entry.screen.as_ref()?.quit_question())
    }

    fn page(&self) -> Page {
        self.screen().map_or_else(|| self.menu.page(), Screen::page)
    }
}
