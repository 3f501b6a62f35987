//! `bitcade go selfplay`: games of the engine with itself, to learn a prior from.

use super::arguments::parse_go_side;
use super::engine_match::openings::random_stones;
use super::net_args::NetArgs;
use super::prior_file::PriorFile;
use crate::arguments::{number_in, parse_positive, parse_seed};
use crate::io::interrupt;
use crate::io::match_file::{self, MatchFile, expected};
use crate::io::output::{Failure, Fields, Output};
use crate::io::progress;
use crate::io::threads::Threads;
use crate::statistics::ratio;
use bitcade_core::{PartJump, Parts, Stop, Stopped, ThreadPool, play_in_parts};
use bitcore::Rng;
use clap::Args;
use go_mc::search::{Choice, Search, Settings};
use go_mc::{Color, Game, Move, Rules, Size, dead_stones};
use serde::{Deserialize, Serialize};
use std::fmt::Display;
use std::ops::AddAssign;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct SelfplayArgs {
    #[command(flatten)]
    settings: SelfplaySettings,
    /// The number of games, including those already in FILE
    #[arg(long, default_value_t = 1000, value_parser = parse_positive)]
    games: u64,
    /// The prior of the search, as written by `go learn`, or `none`, which has no knowledge
    /// [default: the built-in one]
    #[arg(long, value_name = "FILE")]
    prior: Option<PriorFile>,
    #[command(flatten)]
    net: NetArgs,
    #[command(flatten)]
    threads: Threads,
    /// The file of games, one JSON object per line; `-` is standard output: the summary then goes
    /// to standard error
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Continue the games in FILE
    #[arg(long)]
    resume: bool,
    /// Replace FILE if it contains other games
    #[arg(long, conflicts_with = "resume")]
    force: bool,
}

/// The arguments that determine the games.
#[derive(Args, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SelfplaySettings {
    /// Board sizes: 5, 9, 13 or 19, separated by commas; the games take them in turn
    #[arg(long, value_name = "N", default_value = "9", value_delimiter = ',', value_parser = parse_go_side)]
    sizes: Vec<usize>,
    /// Playouts per move
    #[arg(long, default_value_t = 800, value_parser = parse_positive)]
    playouts: u64,
    /// The largest number of random stones with which a game begins; each game draws its own
    #[arg(long, value_name = "STONES", default_value_t = 6, value_parser = number_in(0u32..=20))]
    opening: u32,
    /// The random seed; game i draws from stream i
    #[arg(long, default_value_t = 1, value_parser = parse_seed)]
    seed: u64,
    /// The CRC-32 of the prior's text.
    #[arg(skip)]
    prior: String,
    /// The CRC-32 of the net's text, and the visits from which it is used.
    #[arg(skip)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    net: Option<(String, u32)>,
}

/// A game, one line of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SelfplayGame {
    game: u64,
    size: usize,
    /// B, W, or nothing for a draw.
    winner: Option<char>,
    /// B first, each a vertex or `pass`. The first ones are random.
    moves: Vec<String>,
    /// For each move after the random ones: the root's visits by move, most first.
    visits: Vec<Vec<(String, u64)>>,
}

impl match_file::MatchSettings for SelfplaySettings {
    type Game = SelfplayGame;

    const START: &str = "{\"sizes\":";
    const KIND: &str = "a file of games, as written by go selfplay";
    const VERSION: u32 = 1;
    const EARLIER: &str = "";

    fn check(&self, number: u64, game: &SelfplayGame) -> Result<(), String> {
        if game.game != number {
            return expected("game", number, game.game);
        }
        let size = self.size_of(number);
        if game.size != size {
            return expected("size", size, game.size);
        }
        game.positions(|_, _| Ok(()))
    }
}

impl SelfplaySettings {
    fn size_of(&self, game: u64) -> usize {
        self.sizes[(game % self.sizes.len() as u64) as usize]
    }
}

impl SelfplayGame {
    /// Calls `visit` with each position that a search saw, and the visits of its moves.
    pub(super) fn positions(
        &self,
        mut visit: impl FnMut(&Game, &[(Move, u64)]) -> Result<(), String>,
    ) -> Result<(), String> {
        let size = Size::square(self.size).expect("a size of the settings");
        let random = self.moves.len().checked_sub(self.visits.len());
        let random = random.ok_or("expected visits of at most as many positions as moves")?;
        let mut game = Game::new(Rules { size, ..Rules::default() });
        for (number, mv) in self.moves.iter().enumerate() {
            let at = |error: String| format!("move {}: {error}", number + 1);
            if let Some(position) = number.checked_sub(random) {
                let mut visits = Vec::with_capacity(self.visits[position].len());
                for (mv, count) in &self.visits[position] {
                    visits
                        .push((mv.parse().map_err(|_| at(format!("{mv} is no vertex")))?, *count));
                }
                visit(&game, &visits).map_err(at)?;
            }
            let mv: Move = mv.parse().map_err(|_| at(format!("{mv} is no vertex")))?;
            game.play(mv).map_err(|error| at(error.to_string()))?;
        }
        Ok(())
    }
}

pub(crate) fn run(arguments: &SelfplayArgs, output: &mut Output) -> Result<(), Failure> {
    let prior = PriorFile::or_builtin(arguments.prior.as_ref())?;
    let mut settings = arguments.settings.clone();
    settings.prior = crc32(&prior);
    let mut search = Settings { prior, ..Settings::default() };
    arguments.net.apply(&mut search)?;
    settings.net = search.net.as_ref().map(|net| (crc32(net), search.net_visits));
    let mut results =
        MatchFile::open(&arguments.out, &settings, arguments.resume, arguments.force)?;
    let bar = progress::bar(arguments.games);
    let interrupted = interrupt::install_handler();
    let before = results.games.len() as u64;
    let mut games = SelfplayGames { settings, search, next: before };
    let left = arguments.games.saturating_sub(before);
    let pool = arguments.threads.pool();
    let mut failed = Ok(());
    let stop = || interrupted();
    let played = play_in_parts(&mut games, &pool, left, &stop, |played: &Played| {
        let new = &played.0[results.games.len() - before as usize..];
        for game in new.iter().cloned() {
            if failed.is_ok() {
                failed = results.append(game);
            }
        }
        bar.set_position(results.games.len() as u64);
    });
    bar.finish_and_clear();
    // An interrupted run has kept its games.
    let (Ok(_) | Err(Stopped)) = played;
    let saved = failed.and_then(|()| results.finish());
    output.lines(&summary(&results.games))?;
    saved
}

/// Returns the CRC-32 of a text.
fn crc32(text: &impl Display) -> String {
    format!("{:08x}", crc32fast::hash(text.to_string().as_bytes()))
}

fn summary(games: &[SelfplayGame]) -> Fields {
    let won_by = |color| games.iter().filter(|game| game.winner == Some(color)).count() as u64;
    let positions: u64 = games.iter().map(|game| game.visits.len() as u64).sum();
    let both_passed = |game: &&SelfplayGame| game.moves.last().is_some_and(|mv| mv == "pass");
    let played = games.len() as u64;
    Fields::default()
        .with("games", played)
        .with("black_wins", won_by('B'))
        .with("white_wins", won_by('W'))
        .with("ended_by_passes", games.iter().filter(both_passed).count())
        .with("positions", positions)
        .number("moves_per_game", ratio(positions as f64, played), 1)
}

/// The games of a seed.
#[derive(Clone)]
struct SelfplayGames {
    settings: SelfplaySettings,
    search: Settings,
    next: u64,
}

#[derive(Default)]
struct Played(Vec<SelfplayGame>);

impl AddAssign for Played {
    fn add_assign(&mut self, mut other: Self) {
        self.0.append(&mut other.0);
    }
}

impl Parts for SelfplayGames {
    type Stats = Played;

    fn skip(&mut self, games: u64, _: &mut PartJump) {
        self.next += games;
    }

    fn part(&self, _: &ThreadPool, _: u64) -> u64 {
        1
    }

    fn play_part(&mut self, games: u64, stop: Stop<'_>) -> Option<Played> {
        let mut played = Played::default();
        for _ in 0..games {
            played.0.push(self.play(stop).ok()?);
            self.next += 1;
        }
        Some(played)
    }
}

/// One game of so many is played to its end, without resignation.
const PLAYED_OUT: u64 = 5;

impl SelfplayGames {
    fn play(&self, stop: Stop<'_>) -> Result<SelfplayGame, Stopped> {
        let SelfplaySettings { playouts, opening, seed, .. } = &self.settings;
        let mut rng = Rng::stream(*seed, self.next);
        let side = self.settings.size_of(self.next);
        let rules =
            Rules { size: Size::square(side).expect("a size of searches"), ..Rules::default() };
        let game = random_stones(rules, rng.below(opening + 1), &mut rng);
        let settings = Settings { seed: rng.next_u64(), ..self.search.clone() };
        let resigns = !self.next.is_multiple_of(PLAYED_OUT);
        let mut search = Search::new(&game, &settings).expect("a size of searches");
        let mut visits = Vec::new();
        let mut winner = None;
        while !search.game().is_over() && visits.len() < 3 * side * side {
            search.run_until(*playouts, stop)?;
            let candidates = search.candidates();
            let tried = candidates.iter().filter(|candidate| candidate.visits > 0);
            visits.push(tried.map(|each| (each.mv.to_string(), each.visits)).collect());
            let mv = match search.choose() {
                Choice::Resign if resigns => {
                    winner = Some(search.game().to_move().other());
                    visits.pop();
                    break;
                }
                _ => search.choose_move(),
            };
            search.play(mv).expect("a legal move");
        }
        let game = search.game();
        if winner.is_none() {
            let dead = dead_stones(game.board(), COUNTING_PLAYOUTS, 1).expect("a size of playouts");
            winner = game.score_without(dead).winner();
        }
        let letter = |color| if color == Color::Black { 'B' } else { 'W' };
        Ok(SelfplayGame {
            game: self.next,
            size: side,
            winner: winner.map(letter),
            moves: game.moves().map(|(_, mv)| mv.to_string()).collect(),
            visits,
        })
    }
}

/// The playouts that find the dead stones of a finished game.
const COUNTING_PLAYOUTS: u32 = 1000;
