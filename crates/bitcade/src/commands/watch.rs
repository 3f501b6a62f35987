//! `bitcade watch`: computer players at work, all games together or one of them.
//!
//! Each game has a [`Player`](crate::watch::player::Player), which thinks on its own thread and
//! hands over its moves as pictures, and a [`Feed`], which shows them at the right times.

use crate::games::entry::GameEntry;
use crate::games::{GAMES, tetris};
use crate::io::output::{Failure, Fields, Output};
use crate::screen::options::ScreenArgs;
use crate::screen::run;
use crate::screen::theme::{Theme, palette};
use crate::screen::view::{Flow, Input, Screen};
use crate::screen::widgets::{self, short};
use crate::watch::player::Feed;
use crate::watch::watched::PlayerOptions;
use clap::Args;
use ratatui::Frame;
use ratatui::crossterm::event::{KeyCode, KeyEventKind};
use ratatui::layout::{Constraint, Layout, Rect};
use std::time::Duration;

#[derive(Args)]
pub(crate) struct WatchArgs {
    /// Only this game
    #[arg(value_parser = GAMES.map(|game| game.name))]
    game: Option<String>,
    #[command(flatten)]
    players: PlayerOptions,
    #[command(flatten)]
    screen: ScreenArgs,
}

pub(crate) fn run(arguments: &WatchArgs, output: &mut Output) -> Result<(), Failure> {
    let named = |game: &&GameEntry| arguments.game.as_deref() == Some(game.name);
    let games = GAMES.into_iter().find(named).map_or(GAMES[..TOGETHER].to_vec(), |game| vec![game]);
    let players =
        games.into_iter().map(|game| Ok((game, (game.watch.player)(&arguments.players)?)));
    let players = players.collect::<Result<Vec<_>, Failure>>()?;
    let (_, shown, recorded) =
        run::run_counted(&arguments.screen, arguments.screen.recorder()?, || {
            let start = |(game, player)| match Feed::start(player) {
                Ok(feed) => Ok(Pane { game, feed }),
                Err(error) => {
                    Err(Failure::Check(format!("a player's thread could not be started: {error}")))
                }
            };
            Ok(Watch::new(players.into_iter().map(start).collect::<Result<_, _>>()?))
        })?;
    let seconds = shown.time.as_secs_f64();
    let frames_per_second = shown.frames as f64 / seconds.max(1e-9);
    let fields = Fields::default().number("seconds", seconds, 1).with("frames", shown.frames);
    output.lines(&fields.number("frames_per_second", frames_per_second, 1))?;
    recorded
}

struct Pane {
    game: &'static GameEntry,
    feed: Feed,
}

/// The number of games shown together, the first ones of the table: as many as fit in 80 columns.
/// Others are watched by name.
const TOGETHER: usize = 4;
/// The minimum columns and rows of several games: below it, facts would be left out. A low Tetris
/// board shows its lowest rows.
const ALL_GAMES: (u16, u16) = (80, 23);
/// The columns and rows around a full-screen game: its frame and the keys. If there is room, a
/// title is above.
const AROUND: (u16, u16) = (2, 3);

/// All games on the screen, running at an adjustable speed.
struct Watch {
    panes: Vec<Pane>,
    paused: bool,
    /// Sixteenths of real time.
    speed: u32,
    zoomed: Option<usize>,
    /// The games' time, and the real time up to which it has run.
    time: Duration,
    last: Duration,
}

const NORMAL_SPEED: u32 = 16;
const SLOWEST: u32 = 1;
const FASTEST: u32 = 256;

impl Watch {
    fn new(panes: Vec<Pane>) -> Self {
        let zoomed = (panes.len() == 1).then_some(0);
        Self {
            panes,
            paused: false,
            speed: NORMAL_SPEED,
            zoomed,
            time: Duration::ZERO,
            last: Duration::ZERO,
        }
    }

    fn visible(&self) -> impl Iterator<Item = &Pane> {
        self.panes
            .iter()
            .enumerate()
            .filter(|(i, _)| self.zoomed.is_none_or(|zoomed| zoomed == *i))
            .map(|(_, pane)| pane)
    }

    fn catch_up(&mut self, now: Duration) {
        let passed = now.saturating_sub(self.last);
        self.last = now;
        if !self.paused {
            self.time += passed * self.speed / NORMAL_SPEED;
        }
    }

    fn step(&mut self) {
        self.paused = true;
        let time = self.time;
        let zoomed = self.zoomed;
        for (i, pane) in self.panes.iter_mut().enumerate() {
            if zoomed.is_none_or(|zoomed| zoomed == i) {
                pane.feed.step(time);
            }
        }
    }

    fn zoom_next(&mut self) {
        if self.panes.len() > 1 {
            let next = self.zoomed.map_or(0, |zoomed| zoomed + 1);
            self.zoomed = (next < self.panes.len()).then_some(next);
        }
    }

    fn status(&self) -> String {
        let speed = f64::from(self.speed) / f64::from(NORMAL_SPEED);
        if self.paused { "paused".to_owned() } else { format!("speed {speed}x") }
    }
}

impl Screen for Watch {
    fn advance(&mut self, now: Duration) {
        self.catch_up(now);
        for pane in &mut self.panes {
            pane.feed.advance(self.time);
        }
    }

    fn next_change(&self) -> Option<Duration> {
        if self.paused {
            return None;
        }
        let next = self.panes.iter().map(|pane| pane.feed.next_change()).min()?;
        Some(self.last + next.saturating_sub(self.time) * NORMAL_SPEED / self.speed)
    }

    fn draw(&self, frame: &mut Frame<'_>, theme: Theme) {
        let games: Vec<&Pane> = self.visible().collect();
        let least = match games[..] {
            [pane] => (pane.game.watch.least.0 + AROUND.0, pane.game.watch.least.1 + AROUND.1),
            _ => ALL_GAMES,
        };
        if widgets::too_small(frame, theme, least) {
            return;
        }
        let title_rows = frame.area().height.saturating_sub(least.1).min(1);
        let title_rows = if games.len() == 1 { title_rows } else { 1 };
        let [top, middle, bottom] = Layout::vertical([
            Constraint::Length(title_rows),
            Constraint::Min(0),
            Constraint::Length(1),
        ])
        .areas(frame.area());
        for (pane, area) in games.iter().zip(areas(&games, middle)) {
            pane.draw(frame, area, games.len() == 1, theme);
        }
        // Without a row of its own, the status is on the frame.
        let title = " bitcade watch";
        let status = self.status();
        let area = frame.area();
        let buffer = frame.buffer_mut();
        let right = top.right().saturating_sub(status.len() as u16 + 1);
        if usize::from(right) > title.len() {
            widgets::text(buffer, top, top.x, top.y, title, theme.strong());
        }
        widgets::text(buffer, area, right, area.y, &status, theme.text(palette::WARM));
        let mut keys = vec![
            ("space", if self.paused { "run" } else { "pause" }),
            ("s", "step"),
            ("+ -", "speed"),
        ];
        if self.panes.len() > 1 {
            keys.push(("1-4 tab", "zoom"));
            keys.push(("0", "all"));
        }
        keys.push(("q", "quit"));
        let bottom =
            Rect { x: bottom.x.saturating_add(1), width: bottom.width.saturating_sub(1), ..bottom };
        widgets::keys(frame, bottom, &keys, theme);
    }

    fn input(&mut self, input: Input, now: Duration) -> Flow {
        self.catch_up(now);
        let Input::Key(key) = input else { return Flow::Continue };
        if key.kind == KeyEventKind::Release {
            return Flow::Continue;
        }
        match key.code {
            KeyCode::Char(' ' | 'p') => self.paused = !self.paused,
            KeyCode::Char('s') | KeyCode::Right => self.step(),
            KeyCode::Char('+' | '=') | KeyCode::Up => self.speed = (self.speed * 2).min(FASTEST),
            KeyCode::Char('-') | KeyCode::Down => self.speed = (self.speed / 2).max(SLOWEST),
            KeyCode::Tab | KeyCode::Enter => self.zoom_next(),
            KeyCode::Char('0') | KeyCode::Esc if self.panes.len() > 1 => self.zoomed = None,
            KeyCode::Char(digit @ '1'..='4') => {
                let i = digit as usize - '1' as usize;
                if i < self.panes.len() {
                    self.zoomed =
                        if self.zoomed == Some(i) && self.panes.len() > 1 { None } else { Some(i) };
                }
            }
            _ => {}
        }
        Flow::Continue
    }
}

/// Returns the areas of the visible games: one alone, four in a row, or two rows on a large
/// terminal.
fn areas(games: &[&Pane], area: Rect) -> Vec<Rect> {
    if games.len() <= 1 {
        return vec![area];
    }
    if area.width >= 2 * PANE.0 && area.height >= 2 * PANE.1 {
        let rows = Layout::vertical([Constraint::Fill(1); 2]).split(area);
        return rows
            .iter()
            .flat_map(|row| Layout::horizontal([Constraint::Fill(1); 2]).split(*row).to_vec())
            .collect();
    }
    let widths = games.iter().map(|pane| Constraint::Fill(pane.game.watch.narrow));
    Layout::horizontal(widths).split(area).to_vec()
}

/// The columns of the facts next to a board: a gap, the labels and the values.
const FACTS: u16 = 37;
/// The columns and rows of the widest and highest game, Tetris, with its facts.
const PANE: (u16, u16) = (tetris::GAME.watch.least.0 + FACTS + 2, tetris::GAME.watch.least.1 + 2);

impl Pane {
    /// Draws the game with facts next to or below its board. If it is `alone`, they take no space
    /// from the board.
    fn draw(&self, frame: &mut Frame<'_>, area: Rect, alone: bool, theme: Theme) {
        let inner = widgets::panel(frame, area, self.game.title, theme);
        let speed = self.feed.speed.map_or_else(|| "-".to_owned(), short);
        let facts = self.feed.facts.iter().cloned().chain([(self.game.watch.unit, speed)]);
        let facts: Vec<(&str, String)> = facts.collect();
        let least = self.game.watch.least;
        let size =
            |room| self.feed.shown.as_ref().map_or(least, |picture| picture.size(room, theme));
        let beside = inner.width >= least.0 + FACTS;
        let (board, text) = if beside {
            let (width, height) = size((inner.width - FACTS, inner.height));
            // Board and facts are centered together.
            let middle = widgets::centered(inner, width + FACTS, height.max(facts.len() as u16));
            let [board, text] =
                Layout::horizontal([Constraint::Length(width), Constraint::Length(FACTS)])
                    .areas(middle);
            (Rect { height: height.min(board.height), ..board }, text)
        } else {
            let spare = inner.height.saturating_sub(least.1);
            let rows =
                (facts.len() as u16).min(if alone { spare } else { spare.max(inner.height / 3) });
            let [board, text] =
                Layout::vertical([Constraint::Fill(1), Constraint::Length(rows)]).areas(inner);
            let (width, height) = size((board.width, board.height));
            (widgets::centered(board, width, height), text)
        };
        let buffer = frame.buffer_mut();
        if let Some(picture) = &self.feed.shown {
            picture.draw(buffer, board.intersection(inner), theme);
        }
        for (y, (label, value)) in (text.y..text.bottom()).zip(&facts) {
            if beside {
                widgets::text(buffer, inner, text.x + 3, y, label, theme.faint());
                widgets::text(buffer, inner, text.x + 15, y, value, theme.text(palette::TEXT));
            } else {
                let x = text.right().saturating_sub(value.chars().count() as u16).max(text.x);
                // A long value is clear enough without its label.
                if x > text.x + label.len() as u16 {
                    widgets::text(buffer, inner, text.x, y, label, theme.faint());
                }
                widgets::text(buffer, inner, x, y, value, theme.text(palette::TEXT));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::testing::{Driver, check_sizes, has_all, press_random_keys};

    /// Returns the screen with players that think in no time.
    fn watch(games: &[&'static GameEntry]) -> Watch {
        let options = PlayerOptions { net: None, seed: 1 };
        let pane = |&game: &&'static GameEntry| {
            let player = (game.watch.player)(&options).expect("a player");
            Pane { game, feed: Feed::here(player) }
        };
        Watch::new(games.iter().map(pane).collect())
    }

    fn all_games() -> Driver<Watch> {
        let mut all = Driver::new(watch(&GAMES[..TOGETHER]));
        all.run_to(20_000);
        all
    }

    #[test]
    fn the_screens_look_as_they_should() {
        let mut all = all_games();
        for (keys, name) in [("", "watch"), ("3", "watch-tetris"), ("4 ", "watch-go-paused")] {
            all.press(keys);
            all.looks_as(name);
        }
    }

    /// Returns the number of isolated letters `A` to `F`, or shapes, as drawn for match-3 pieces.
    fn pieces(text: &str, theme: Theme) -> usize {
        let shapes = theme.pick("●■▲◆○▼", "ABCDEF");
        let alone = |word: &&str| word.chars().count() == 1 && shapes.contains(*word);
        text.split([' ', '\n', '<', '>', '|', '│']).filter(alone).count()
    }

    #[test]
    fn every_game_is_seen_without_colors() {
        let mut all = all_games();
        for zoomed in [None, Some(0), Some(1), Some(2), Some(3)] {
            all.zoomed = zoomed;
            let shows = |name| zoomed.is_none_or(|i| GAMES[i].name == name);
            let sizes = if zoomed.is_none() { &[(80, 24), (160, 50)][..] } else { &[(80, 24)] };
            all.check_without_colors(sizes, |text, theme| {
                if shows("match3") {
                    assert!(pieces(text, theme) >= 64 - 12, "{text}");
                }
                if shows("tetris") {
                    // The Tetris stack next to them has at least twelve cells too.
                    assert!(text.matches("[]").count() >= 12, "{text}");
                    let is_narrow = text.lines().count() == 24 && zoomed.is_none();
                    assert!(is_narrow || text.contains("ZZZZ"), "{text}");
                }
                if shows("2048") {
                    assert!(has_all(text, &["128", " 8 ", "32"]), "{text}");
                }
                if shows("go") {
                    let stones = [theme.pick("●", "X"), theme.pick("○", "O")];
                    let stones = stones.map(|stone| text.matches(stone).count());
                    assert!(stones[0] >= 13 && stones[1] >= 12, "{text}");
                }
            });
        }
    }

    #[test]
    fn sizes() {
        let mut all = all_games();
        let facts = |pane: &Pane| {
            let labels = pane.feed.facts.iter().map(|(label, _)| *label);
            labels.chain([pane.game.watch.unit]).collect::<Vec<_>>()
        };
        let labels: Vec<&str> = all.panes.iter().flat_map(facts).collect();
        check_sizes(&*all, (80, 23), |text, _| {
            let titles =
                ["bitcade watch", "speed 1x", "+ match-3", "+ Tetris", "+ 2048", "+ Go", "q quit"];
            has_all(text, &titles)
                && has_all(text, &labels)
                && pieces(text, Theme::PLAIN) >= 64 - 12
        });
        for (i, least) in [(19, 11), (22, 7), (32, 23), (24, 13)].into_iter().enumerate() {
            all.zoomed = Some(i);
            let title = format!("+ {}", GAMES[i].title);
            let labels = facts(&all.panes[i]);
            check_sizes(&*all, least, |text, (width, height)| {
                let board = match GAMES[i].name {
                    "match3" => pieces(text, Theme::PLAIN) >= 64 - 12,
                    "tetris" => {
                        has_all(text, &["hold", "next"]) && text.matches(". ").count() >= 180
                    }
                    "2048" => has_all(text, &["128", "32", " 8 "]),
                    "go" => text.matches(['X', 'O', '.', '+', 'x', 'o']).count() >= 81,
                    other => panic!("{other}"),
                };
                // A large terminal shows everything.
                let whole = width < 80 || height < 24 || has_all(text, &labels);
                whole && board && has_all(text, &[&title, "speed 1x", "q quit"])
            });
        }
    }

    #[test]
    fn a_pause_stops_everything_and_steps_are_single_moves() {
        let mut watch = Driver::new(watch(&[GAMES[1]]));
        let moves = |watch: &Watch| {
            watch.panes[0].feed.facts[1].1.parse::<u64>().expect("a number of moves")
        };
        watch.run_to(1_000);
        let before = moves(&watch);
        assert!(before >= 5, "{before}");
        watch.press(" ");
        assert_eq!(watch.next_change(), None);
        watch.press_at(9_000, "s");
        watch.press_at(10_000, "s");
        assert_eq!(moves(&watch), before + 2);
        assert_eq!(watch.next_change(), None);
        watch.press_at(20_000, " ");
        watch.run_to(21_000);
        let after = moves(&watch);
        assert!((before + 6..before + 11).contains(&after), "{before} {after}");
        // Twice as fast.
        watch.press("+");
        watch.run_to(22_000);
        assert!((after + 11..after + 15).contains(&moves(&watch)), "{after} {}", moves(&watch));
    }

    #[test]
    fn random_keys_do_no_harm() {
        press_random_keys(|| watch(&[GAMES[0], GAMES[2]]), " s+-01234x\t\x1b\n↑", 2_000, 1);
    }
}
