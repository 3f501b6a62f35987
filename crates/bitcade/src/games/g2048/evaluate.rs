//! `bitcade 2048 evaluate`.

use super::advisor::{Advisor, MOST_DEPTH, best_move, legal};
use super::arguments::parse_2048_size;
use super::network::{LateArg, Nets, Values, values_of};
use crate::arguments::{number_in, parse_positive, parse_seed, parse_time};
use crate::io::interrupt;
use crate::io::output::{Failure, Fields, Output, remark};
use crate::io::progress;
use crate::io::stopwatch::Stopwatch;
use crate::io::threads::Threads;
use crate::statistics::{interval, mean, per_second, ratio, standard_error};
use clap::Args;
use g2048::expectimax::Limits;
use g2048::{Direction, Expectimax, Game, Moments, Player, Size, Stop, Stopped, play_games_until};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

#[derive(Args)]
pub(crate) struct EvaluateArgs {
    /// The network file, written by `bitcade 2048 train` [default: the built-in network]
    #[arg(long)]
    net: Option<PathBuf>,
    #[command(flatten)]
    late: LateArg,
    /// Play on boards of this size by the hints that `bitcade play 2048` gives without a network,
    /// the means of random games [default: the network's size]
    #[arg(long, value_name = "NxM", conflicts_with_all = ["net", "late", "depth", "seconds", "least_probability"], value_parser = parse_2048_size)]
    size: Option<Size>,
    /// The lookahead in moves; 1 only compares the boards after one move
    #[arg(long, default_value_t = 1, value_parser = number_in(1u32..=8))]
    depth: u32,
    /// Look as far ahead as this time allows for each move, at most 8 moves; prints the mean
    /// lookahead. Such games depend on the machine
    #[arg(long, value_name = "T", conflicts_with = "depth", value_parser = parse_time)]
    seconds: Option<Duration>,
    /// Cut off lines of play less probable than P and evaluate their boards
    #[arg(long, value_name = "P", default_value_t = 0.0, value_parser = number_in(0.0f32..=1.0))]
    least_probability: f32,
    /// The number of games
    #[arg(long, default_value_t = 100, value_parser = parse_positive)]
    games: u64,
    /// The random seed
    #[arg(long, default_value_t = 1, value_parser = parse_seed)]
    seed: u64,
    #[command(flatten)]
    threads: Threads,
}

pub(crate) fn evaluate(arguments: &EvaluateArgs, output: &mut Output) -> Result<(), Failure> {
    let &EvaluateArgs { ref net, ref late, size, depth, seconds: time, .. } = arguments;
    let &EvaluateArgs { least_probability, games, seed, threads, .. } = arguments;
    let network = size.is_none().then(|| values_of(Nets::new(net.as_deref(), late))).transpose()?;
    let size = size.or(network.as_ref().map(Values::size)).unwrap_or_default();
    let depth = if time.is_some() { MOST_DEPTH } else { depth };
    let limits = Limits { depth, min_probability: least_probability };
    let depths = Depths::default();
    let mut score = Moments::default();
    let mut largest = [0u64; 64];
    let mut moves = 0u64;
    let pool = threads.pool();
    let start = Stopwatch::start();
    let bar = progress::bar(games);
    let interrupted = interrupt::install_handler();
    let player = |_| match &network {
        Some(network) => {
            Evaluated::Network(network.search(limits), time.map(|time| (time, &depths)))
        }
        None => Evaluated::Playouts,
    };
    let visit = |game: &Game| {
        score.add(game.score());
        moves += game.moves();
        largest[usize::from(game.board().max_rank()).min(63)] += 1;
        bar.inc(1);
        bar.set_message(format!("mean {:.0}", score.mean()));
    };
    let played = play_games_until(&pool, player, size, seed, 0..games, &interrupted, visit);
    bar.finish_and_clear();
    let seconds = start.elapsed().as_secs_f64().max(1e-9);
    if played.is_err() {
        remark(format_args!("interrupted after {} of {games} games", score.count));
    }
    let mut fields = evaluation(size, &score, &largest);
    if time.is_some() {
        fields = fields.number("mean_depth", depths.mean(), 2);
    }
    output.lines(&fields.whole("moves_per_second", per_second(moves as f64, seconds)))
}

/// The lookaheads of all moves that were found by time.
#[derive(Default)]
struct Depths {
    sum: AtomicU64,
    moves: AtomicU64,
}

impl Depths {
    fn add(&self, depth: u32) {
        self.sum.fetch_add(depth.into(), Ordering::Relaxed);
        self.moves.fetch_add(1, Ordering::Relaxed);
    }

    fn mean(&self) -> Option<f64> {
        ratio(self.sum.load(Ordering::Relaxed) as f64, self.moves.load(Ordering::Relaxed))
    }
}

enum Evaluated<'a> {
    /// Expectimax, with a fixed depth or by time.
    Network(Expectimax<'a>, Option<(Duration, &'a Depths)>),
    Playouts,
}

impl Player<Game> for Evaluated<'_> {
    fn choose(&mut self, game: &Game) -> Option<Direction> {
        self.choose_until(game, &|| false).unwrap_or_default()
    }

    fn choose_until(&mut self, game: &Game, stop: Stop<'_>) -> Result<Option<Direction>, Stopped> {
        match self {
            Self::Network(search, None) => search.choose_until(game, stop),
            Self::Network(search, Some((time, depths))) => {
                let start = Stopwatch::start();
                let is_late = || stop() || start.elapsed() >= *time;
                let (values, depth) = search.deepen_until(&game.board(), &is_late);
                if stop() {
                    return Err(Stopped);
                }
                depths.add(depth);
                Ok(best_move(&legal(values)))
            }
            Self::Playouts => Ok(best_move(&Advisor::Playouts.values_until(&game.board(), stop)?)),
        }
    }
}

fn evaluation(size: Size, score: &Moments, largest: &[u64; 64]) -> Fields {
    let (low, high) = interval(score).unzip();
    let mut fields = Fields::default()
        .with("games", score.count)
        .interval("mean_score", [mean(score), low, high], 1)
        .number("stderr", standard_error(score), 1);
    // On 4x4 from 2048 to 65536, on other boards the six largest of these games.
    let reached = largest.iter().rposition(|&games| games > 0);
    let top = reached.filter(|_| size != Size::CLASSIC).map_or(16, |rank| rank.max(6));
    for rank in top - 5..=top {
        let rate = ratio(largest[rank..].iter().sum::<u64>() as f64, score.count);
        fields = fields.number(&format!("rate_{}", 1u64 << rank), rate, 4);
    }
    fields
}
