//! `bitcade go match`: a match between two GTP engines.

mod gtp_engine;
pub(super) mod openings;
mod settings;

use crate::arguments::{number_in, parse_positive};
use crate::io::interrupt;
use crate::io::match_file::MatchFile;
use crate::io::output::{Failure, Fields, Output};
use crate::io::progress;
use crate::io::stopwatch::Stopwatch;
use crate::sequential_test::{SequentialTest, elo_of};
use crate::statistics::{or_none, ratio};
use clap::Args;
use go_mc::sgf::{Action, Node, Record};
use go_mc::{Color, Game, dead_stones};
use gtp_engine::{GtpEngine, Unanswered};
use openings::opening;
use settings::{GameRecord, MatchSettings, engine_of};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;
use tetris_ai::bot::versus::wilson_interval;

#[derive(Args)]
pub(crate) struct MatchArgs {
    #[command(flatten)]
    settings: MatchSettings,
    /// The number of games, including those already in FILE; with --sprt, at most
    #[arg(long, default_value_t = 100, value_parser = parse_positive)]
    games: u64,
    /// End as soon as it is decided whether the first engine is stronger by HIGH Elo or only by
    /// LOW, with an error of 5 % on either side (a sequential probability ratio test of the pairs)
    #[arg(long, value_name = "LOW,HIGH", value_parser = parse_test, allow_hyphen_values = true)]
    sprt: Option<SequentialTest>,
    /// Games played side by side, each by engines of its own
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number_in(1usize..=256))]
    concurrency: usize,
    /// The results file, one JSON object per line, each with its game in SGF; `-` is standard
    /// output: the summary then goes to standard error
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Continue the match in FILE
    #[arg(long)]
    resume: bool,
    /// Replace FILE if it contains another match
    #[arg(long, conflicts_with = "resume")]
    force: bool,
}

fn parse_test(text: &str) -> Result<SequentialTest, String> {
    let elo = number_in(-1000.0..=1000.0);
    let bounds = text.split_once(',').and_then(|(low, high)| {
        Some(SequentialTest { low: elo(low.trim()).ok()?, high: elo(high.trim()).ok()? })
    });
    bounds.filter(|test| test.low < test.high).ok_or_else(|| {
        "expected two Elo differences from -1000 to 1000, the lower first, such as 0,20".to_owned()
    })
}

pub(crate) fn run(arguments: &MatchArgs, output: &mut Output) -> Result<(), Failure> {
    let settings = &arguments.settings;
    if settings.engines.len() != 2 {
        return Err(Failure::Input(format!(
            "--engine: expected two engines, found {}",
            settings.engines.len()
        )));
    }
    let mut results = MatchFile::open(&arguments.out, settings, arguments.resume, arguments.force)?;
    let bar = progress::bar(arguments.games);
    let interrupted = interrupt::install_handler();
    let is_over = AtomicBool::new(false);
    let stop = || is_over.load(Ordering::Relaxed) || interrupted();
    let next = AtomicU64::new(results.games.len() as u64);
    let (sender, finished) = channel();
    let ended = thread::scope(|scope| {
        let mut started = Ok(());
        for _ in 0..arguments.concurrency {
            let sender = sender.clone();
            let play_games = || {
                let sender = sender;
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= arguments.games || stop() {
                        break;
                    }
                    let Some(game) = play(settings, number, &stop).transpose() else { break };
                    if sender.send(game).is_err() {
                        break;
                    }
                }
            };
            started = thread::Builder::new().spawn_scoped(scope, play_games).map(drop);
            if started.is_err() {
                break;
            }
        }
        drop(sender);
        let ended = keep_games(arguments, &finished, &mut results, |games| bar.set_position(games));
        is_over.store(true, Ordering::Relaxed);
        // Fewer threads play fewer games side by side, but none play none.
        let started =
            started.map_err(|error| Failure::Check(format!("no game could be started: {error}")));
        if results.games.is_empty() { ended.and(started) } else { ended }
    });
    bar.finish_and_clear();
    if ended.is_err() && results.games.is_empty() {
        return ended;
    }
    // Without an error the games so far are saved already.
    let saved = ended.and_then(|()| results.finish());
    output.lines(&summary(&results.games, arguments.sprt))?;
    saved
}

/// Saves the games in the order of their numbers, whichever ends first, until the test is decided.
fn keep_games(
    arguments: &MatchArgs,
    finished: &Receiver<Result<GameRecord, Failure>>,
    results: &mut MatchFile<MatchSettings>,
    show: impl Fn(u64),
) -> Result<(), Failure> {
    let mut early = BTreeMap::new();
    loop {
        show(results.games.len() as u64);
        if let Some(test) = arguments.sprt {
            let ratio = test.log_likelihood_ratio(&pair_counts(&results.games));
            if SequentialTest::is_stronger(ratio).is_some() {
                return Ok(());
            }
        }
        let number = results.games.len() as u64;
        if let Some(game) = early.remove(&number) {
            results.append(game)?;
        } else if let Ok(game) = finished.recv() {
            let game = game?;
            early.insert(game.game, game);
        } else {
            return Ok(());
        }
    }
}

/// The engines of one game. New processes for each game make a game independent of those before it:
/// a match that was resumed is the one that wasn't.
struct Table<'a> {
    settings: &'a MatchSettings,
    engines: [GtpEngine; 2],
}

/// How a game ended.
struct Ending {
    winner: Option<Color>,
    reason: String,
    /// The result as in a game record.
    result: String,
}

impl Ending {
    fn loss(loser: Color, reason: &str, mark: &str) -> Self {
        let winner = loser.other();
        let result = format!("{}+{mark}", letter(winner));
        Self { winner: Some(winner), reason: reason.to_owned(), result }
    }
}

fn letter(color: Color) -> char {
    match color {
        Color::Black => 'B',
        Color::White => 'W',
    }
}

/// Plays a game. `None` if it was interrupted.
fn play(
    settings: &MatchSettings,
    number: u64,
    stop: &dyn Fn() -> bool,
) -> Result<Option<GameRecord>, Failure> {
    let clock = Stopwatch::start();
    let mut game = opening(settings.rules(), settings.opening, settings.seed, number / 2);
    let first = start(&settings.engines[0], settings, &game, stop)?;
    let second = start(&settings.engines[1], settings, &game, stop)?;
    let (Some(first), Some(second)) = (first, second) else { return Ok(None) };
    let table = Table { settings, engines: [first, second] };
    let cpu_before = table.cpu_seconds();
    let opening_length = game.moves().count();
    let ending = loop {
        match table.next_ending(&mut game, number, stop) {
            Err((_, Unanswered::Interrupted)) => return Ok(None),
            Err((loser, unanswered)) => break Ending::loss(loser, &unanswered.name(), "F"),
            Ok(None) => {}
            Ok(Some(ending)) => break ending,
        }
    };
    let cpu_seconds = cpu_before.zip(table.cpu_seconds()).map(|(before, after)| {
        // An engine that died may have taken its time with it.
        [0, 1].map(|side| (after[side] - before[side]).max(0.0))
    });
    Ok(Some(GameRecord {
        game: number,
        winner: ending.winner.map(|color| engine_of(color, number)),
        reason: ending.reason,
        moves: (game.moves().count() - opening_length) as u64,
        cpu_seconds,
        seconds: clock.elapsed().as_secs_f64(),
        sgf: record(&game, settings, number, ending.result).to_string(),
    }))
}

/// Starts an engine and gives it the rules and the opening. `None` if it was interrupted.
fn start(
    command: &str,
    settings: &MatchSettings,
    game: &Game,
    stop: &dyn Fn() -> bool,
) -> Result<Option<GtpEngine>, Failure> {
    let engine = GtpEngine::start(command, Duration::from_millis(settings.patience))?;
    let mut lines = vec![
        format!("boardsize {}", settings.size),
        "clear_board".to_owned(),
        format!("komi {}", settings.komi),
    ];
    lines.extend(game.moves().map(|(color, mv)| format!("play {} {mv}", letter(color))));
    for line in lines {
        match engine.ask(&line, stop) {
            Ok(_) => {}
            Err(Unanswered::Interrupted) => return Ok(None),
            Err(unanswered) => {
                let reason = unanswered.name();
                return Err(Failure::Input(format!("--engine {command}: {line}: {reason}")));
            }
        }
    }
    Ok(Some(engine))
}

impl Table<'_> {
    /// Plays the next move. Returns the ending of a game that ends with it; an error names the color
    /// whose engine didn't answer.
    fn next_ending(
        &self,
        game: &mut Game,
        number: u64,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<Ending>, (Color, Unanswered)> {
        let color = game.to_move();
        let ask = |asked: Color, command: &str| {
            let answer = self.engines[engine_of(asked, number)].ask(command, stop);
            answer.map_err(|unanswered| (asked, unanswered))
        };
        let answer = ask(color, &format!("genmove {}", letter(color)))?;
        if answer.eq_ignore_ascii_case("resign") {
            return Ok(Some(Ending::loss(color, "resigned", "R")));
        }
        if !answer.parse().is_ok_and(|mv| game.play(mv).is_ok()) {
            return Ok(Some(Ending::loss(color, "illegal move", "F")));
        }
        let most = 3 * self.settings.size * self.settings.size;
        if game.is_over() || game.moves().count() >= most {
            return Ok(Some(count(game)));
        }
        ask(color.other(), &format!("play {} {answer}", letter(color)))?;
        Ok(None)
    }

    fn cpu_seconds(&self) -> Option<[f64; 2]> {
        let [first, second] = &self.engines;
        Some([first.cpu_seconds()?, second.cpu_seconds()?])
    }
}

/// The playouts that find the dead stones of a finished game.
const COUNTING_PLAYOUTS: u32 = 2000;

/// Counts the area without the dead stones.
fn count(game: &Game) -> Ending {
    let dead = dead_stones(game.board(), COUNTING_PLAYOUTS, 1).expect("a size of playouts");
    let score = game.score_without(dead);
    let reason = if game.is_over() { "counted" } else { "counted at the move limit" };
    Ending { winner: score.winner(), reason: reason.to_owned(), result: score.to_string() }
}

fn record(game: &Game, settings: &MatchSettings, number: u64, result: String) -> Record {
    let name = |color| settings.engines[engine_of(color, number)].clone();
    let moves =
        game.moves().map(|(color, mv)| Node { action: Action::Move(color, mv), ..Node::default() });
    let mut record = Record::new(game.board().size());
    record.komi = Some(settings.komi);
    record.player_names = [Color::Black, Color::White].map(name);
    record.result = result;
    record.nodes.extend(moves);
    record
}

/// Returns the numbers of pairs in which the first engine scored 0, 1/2, 1, 3/2 and 2 points.
fn pair_counts(games: &[GameRecord]) -> [u64; 5] {
    let mut counts = [0; 5];
    for pair in games.chunks_exact(2) {
        counts[pair.iter().map(half_points).sum::<usize>()] += 1;
    }
    counts
}

fn half_points(game: &GameRecord) -> usize {
    match game.winner {
        Some(0) => 2,
        Some(_) => 0,
        None => 1,
    }
}

/// Rates without games are `None`.
fn summary(games: &[GameRecord], test: Option<SequentialTest>) -> Fields {
    let played = games.len() as u64;
    let won_by = |side| games.iter().filter(|game| game.winner == Some(side)).count() as u64;
    let wins = [0, 1].map(won_by);
    let draws = played - wins[0] - wins[1];
    let half_points: usize = games.iter().map(half_points).sum();
    let rate = ratio(half_points as f64 / 2.0, played);
    // A draw is half a win; half of the draws, rounded down, keep the interval exact without draws.
    let (low, high) = (played > 0).then(|| wilson_interval(wins[0] + draws / 2, played)).unzip();
    let mut reasons = BTreeMap::new();
    for game in games {
        *reasons.entry(game.reason.as_str()).or_insert(0u64) += 1;
    }
    let listed: Vec<String> =
        reasons.iter().map(|(reason, games)| format!("{reason} {games}")).collect();
    let cpu = games.iter().try_fold([0.0; 2], |sums, game| {
        let seconds = game.cpu_seconds?;
        Some([0, 1].map(|side| sums[side] + seconds[side]))
    });
    let seconds = games.iter().fold(0.0, |sum, game| sum + game.seconds);
    let cpu_text = cpu.map_or_else(
        || "none".to_owned(),
        |cpu| cpu.map(|seconds| or_none(Some(seconds), 1)).join(" "),
    );
    let fields = Fields::default()
        .with("games", played)
        .json("wins", wins)
        .text("wins", format_args!("{} {}", wins[0], wins[1]))
        .with("draws", draws)
        .json("reasons", &reasons)
        .text("reasons", if listed.is_empty() { "none".to_owned() } else { listed.join(", ") })
        .interval("win_rate", [rate, low, high], 3)
        .interval("elo", [rate, low, high].map(|rate| rate.and_then(elo_of)), 0)
        .with("moves", games.iter().fold(0, |sum: u64, game| sum.saturating_add(game.moves)))
        .json("cpu_seconds", cpu)
        .text("cpu_seconds", cpu_text)
        .number("seconds", seconds, 1);
    let Some(test) = test else { return fields };
    let ratio = test.log_likelihood_ratio(&pair_counts(games));
    let verdict = match SequentialTest::is_stronger(ratio) {
        Some(true) => "stronger",
        Some(false) => "not stronger",
        None => "undecided",
    };
    fields.number("log_likelihood_ratio", ratio, 2).with("sprt", verdict)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(winner: Option<usize>) -> GameRecord {
        GameRecord {
            game: 0,
            winner,
            reason: "counted".to_owned(),
            moves: 40,
            cpu_seconds: Some([1.0, 2.0]),
            seconds: 3.0,
            sgf: String::new(),
        }
    }

    #[test]
    fn a_match_of_no_game() {
        let (_, text) = summary(&[], None).forms("\n");
        assert!(
            text.starts_with("games 0\nwins 0 0\ndraws 0\nreasons none\nwin_rate none"),
            "{text}"
        );
    }

    #[test]
    fn pairs_are_scored_together() {
        let games: Vec<GameRecord> = [
            Some(0),
            Some(0),
            Some(1),
            Some(1),
            Some(0),
            Some(1),
            None,
            Some(0),
            None,
            Some(1),
            Some(0),
        ]
        .map(game)
        .into();
        assert_eq!(pair_counts(&games), [1, 1, 1, 1, 1]);
        let test = SequentialTest { low: 0.0, high: 20.0 };
        let (_, text) = summary(&games, Some(test)).forms("\n");
        assert!(text.contains("wins 5 4\ndraws 2\n"), "{text}");
        assert!(text.contains("cpu_seconds 11.0 22.0\n"), "{text}");
        assert!(text.ends_with("sprt undecided"), "{text}");
    }

    #[test]
    fn engines_exchange_colors() {
        assert_eq!([0, 1].map(|game| engine_of(Color::Black, game)), [0, 1]);
        assert_eq!([0, 1].map(|game| engine_of(Color::White, game)), [1, 0]);
    }

    #[test]
    fn tests_are_read() {
        assert_eq!(parse_test("0,20"), Ok(SequentialTest { low: 0.0, high: 20.0 }));
        assert_eq!(parse_test("-5, 5"), Ok(SequentialTest { low: -5.0, high: 5.0 }));
        for bad in ["", "5", "5,5", "20,0", "a,b", "0,2000", "nan,1"] {
            assert!(parse_test(bad).is_err(), "{bad}");
        }
    }
}
