//! `bitcade 2048 train`.

use super::arguments::parse_2048_size;
use super::learning_curve::{draw_curve, per_game, print_curve, sparkline};
use super::network::load;
use crate::arguments::{parse_minutes, parse_positive, parse_seed, parse_time};
use crate::io::interrupt;
use crate::io::memory::check_memory;
use crate::io::output::{Checkpoints, Failure, Fields, Output, remark};
use crate::io::progress;
use crate::io::stopwatch::Stopwatch;
use crate::io::threads::{self, parse_threads};
use crate::statistics::per_second;
use bitcade_files::{Existing, OutputFile};
use clap::{ArgGroup, Args};
use crc32fast::Hasher;
use g2048::network::{CurvePoint, LearnerSettings};
use g2048::{Learner, Network, Size, SmallLearner, Stop, ThreadPool, TupleLearner};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Seek};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Args)]
#[command(group = ArgGroup::new("end").args(["minutes", "games"]).required(true).multiple(true))]
#[allow(clippy::struct_excessive_bools, reason = "flags of a command line")]
pub(crate) struct TrainArgs {
    /// The network file; the training state is saved next to it as NET.learner. `-` is standard
    /// output: results then go to standard error, and the state is not saved
    #[arg(long, value_name = "NET")]
    out: PathBuf,
    /// Stop this run after this many minutes, or after a time such as 90s or 2h
    #[arg(long, value_name = "T", value_parser = parse_minutes)]
    minutes: Option<Duration>,
    /// Stop after this many games, including the ones before --resume
    #[arg(long, value_name = "G", value_parser = parse_positive)]
    games: Option<u64>,
    /// Continue from NET.learner
    #[arg(long)]
    resume: bool,
    /// Train a network for the late part of games, `--late` of a player: each starts with a 16384, an
    /// 8192 and a 4096, and restarts until it ends at once
    #[arg(long, conflicts_with = "resume")]
    late: bool,
    /// Train a network of 2 MB, on one thread, without saving the state: such a run can't be resumed
    #[arg(long, conflicts_with_all = ["resume", "threads", "late"])]
    small: bool,
    /// The board size, 2x2 to 8x8; 5 means 5x5. Other sizes than 4x4 are trained on one thread,
    /// without saving the state: such a run can't be resumed
    #[arg(long, value_name = "NxM", default_value_t = Size::CLASSIC, value_parser = parse_2048_size)]
    size: Size,
    /// The random seed
    #[arg(long, default_value_t = 1, conflicts_with = "resume", value_parser = parse_seed)]
    seed: u64,
    /// Write the learning curve as an SVG picture at the end: the mean score per 1000 games. `-` is
    /// standard output: results then go to standard error
    #[arg(long, value_name = "SVG")]
    picture: Option<PathBuf>,
    /// Replace NET and NET.learner if they contain another run, and SVG with or without --resume
    #[arg(long)]
    force: bool,
    /// The number of threads. Several threads train the shared network faster, but not
    /// reproducibly: the same seed gives a different network each time
    #[arg(long, default_value = "1", value_parser = parse_threads)]
    threads: NonZeroUsize,
    /// Save the files at this interval, such as 90 (seconds), 90s or 10m
    #[arg(long, value_name = "T", default_value = "2m", value_parser = parse_time)]
    save_every: Duration,
}

/// The memory of a learner and of the network made from it.
const LEARNER_BYTES: u64 = 1 << 30;

/// The number of rounds between checks of the clock and of Control-C; takes milliseconds.
const ROUNDS_PER_POLL: u64 = 1000;

/// The same with several threads, which synchronize after each batch of rounds.
const ROUNDS_PER_POLL_PARALLEL: u64 = 10_000;

pub(crate) fn train(arguments: &TrainArgs, output: &mut Output) -> Result<(), Failure> {
    let &TrainArgs { ref out, resume, late, small, size, seed, threads, .. } = arguments;
    if size != Size::CLASSIC {
        let flags = [
            ("--small", small),
            ("--resume", resume),
            ("--late", late),
            ("--threads", threads.get() > 1),
        ];
        for (flag, is_given) in flags {
            if is_given {
                return Err(Failure::Input(format!("{flag}: expected --size 4x4, found {size}")));
            }
        }
    }
    let files = TrainFiles::check(arguments)?;
    let pool = threads::pool(threads);
    if size != Size::CLASSIC {
        check_memory(TupleLearner::memory(size), "the training")?;
        return learn(arguments, &files, &pool, &mut TupleLearner::new(size, seed), output);
    }
    if small {
        check_memory(SmallLearner::memory(), "the training")?;
        return learn(arguments, &files, &pool, &mut SmallLearner::new(seed), output);
    }
    let mut learner = if resume {
        let path = out.with_added_extension("learner");
        let name = path.display().to_string();
        // Not an `InputFile`: this file is an output, too.
        let file = File::open(&path).map_err(|error| Failure::Input(format!("{name}: {error}")))?;
        load(file, &name, Learner::file_length, |_| LEARNER_BYTES, Learner::load)?
    } else {
        check_memory(LEARNER_BYTES, "the training")?;
        let settings = if late { LearnerSettings::late() } else { LearnerSettings::default() };
        Learner::new(settings, seed).map_err(|error| Failure::Input(error.to_string()))?
    };
    if resume && !arguments.force {
        files.check_same_run(&learner)?;
    }
    if !learner.is_repeatable() {
        remark(
            "several threads have trained this network: the run can be resumed but not reproduced",
        );
    }
    learn(arguments, &files, &pool, &mut learner, output)
}

trait Learns {
    /// Learns until `most` games are finished, but only for a short time per call, or until `stop`
    /// ends it.
    fn learn(&mut self, pool: &ThreadPool, most: u64, stop: Stop<'_>);
    /// Returns the numbers of games and moves, and the learning curve.
    fn progress(&self) -> (u64, u64, &[CurvePoint]);
    fn save(&self, files: &TrainFiles) -> Result<(), Failure>;
}

impl Learns for Learner {
    fn learn(&mut self, pool: &ThreadPool, most: u64, _: Stop<'_>) {
        if pool.threads() == 1 {
            self.learn_games(most, ROUNDS_PER_POLL);
        } else {
            self.learn_games_parallel(pool, most, ROUNDS_PER_POLL_PARALLEL);
        }
    }

    fn progress(&self) -> (u64, u64, &[CurvePoint]) {
        (self.games(), self.moves(), self.curve())
    }

    fn save(&self, files: &TrainFiles) -> Result<(), Failure> {
        files.save(self)
    }
}

impl Learns for SmallLearner {
    /// One game, so the number of games determines the network, however the run ends.
    fn learn(&mut self, _: &ThreadPool, _: u64, _: Stop<'_>) {
        self.learn_games(1);
    }

    fn progress(&self) -> (u64, u64, &[CurvePoint]) {
        (self.games(), self.moves(), self.curve())
    }

    fn save(&self, files: &TrainFiles) -> Result<(), Failure> {
        files.network.write(|sink| self.network().save(sink))
    }
}

impl Learns for TupleLearner {
    /// One game. Those of large boards take long, and the end of the run leaves out the last one.
    fn learn(&mut self, _: &ThreadPool, _: u64, stop: Stop<'_>) {
        let _ = self.learn_games_until(1, stop);
    }

    fn progress(&self) -> (u64, u64, &[CurvePoint]) {
        (self.games(), self.moves(), self.curve())
    }

    fn save(&self, files: &TrainFiles) -> Result<(), Failure> {
        files.network.write(|sink| self.network().save(sink))
    }
}

fn learn(
    arguments: &TrainArgs,
    files: &TrainFiles,
    pool: &ThreadPool,
    learner: &mut impl Learns,
    output: &mut Output,
) -> Result<(), Failure> {
    let TrainArgs { minutes, games, save_every, .. } = arguments;
    let start = Stopwatch::start();
    let (_, moves_before, _) = learner.progress();
    let bar = progress::bar(games.unwrap_or_else(|| minutes.unwrap_or_default().as_secs()));
    let interrupted = interrupt::install_handler();
    let stop = || minutes.is_some_and(|minutes| start.elapsed() >= minutes) || interrupted();
    let mut saved = Stopwatch::start();
    let mut checkpoints = Checkpoints::default();
    loop {
        let most = games.unwrap_or(u64::MAX);
        let (finished, _, curve) = learner.progress();
        bar.set_position(if games.is_some() { finished } else { start.elapsed().as_secs() });
        if let Some(last) = curve.last() {
            bar.set_message(format!("{} mean {:.0}", sparkline(curve), per_game(last.score)));
        }
        if finished >= most || stop() {
            break;
        }
        learner.learn(pool, most, &stop);
        if files.network.is_regular() && saved.elapsed() >= *save_every {
            checkpoints.take(learner.save(files));
            saved = Stopwatch::start();
        }
    }
    bar.finish_and_clear();
    let seconds = start.elapsed().as_secs_f64().max(1e-9);
    // Print the results even if they can't be saved.
    let mut saved = learner.save(files);
    let (finished, moves, curve) = learner.progress();
    if let Some(picture) = &files.picture {
        let drawn =
            draw_curve(curve).map_err(|error| Failure::Check(format!("--picture: {error}")));
        let written = drawn.and_then(|svg| picture.write(|sink| sink(svg.as_bytes())));
        saved = saved.and(written);
    }
    if let Some(games) = games.filter(|&games| finished < games && saved.is_ok()) {
        remark(format_args!("stopped after {finished} of {games} games; the files are saved"));
    }
    print_curve(curve, output)?;
    let moves_per_second = per_second((moves - moves_before) as f64, seconds);
    let fields = Fields::default().with("games", finished).with("moves", moves);
    output.lines(&fields.whole("moves_per_second", moves_per_second))?;
    saved
}

struct TrainFiles {
    network: OutputFile,
    /// The training state, if the network is a regular file.
    learner: Option<OutputFile>,
    picture: Option<OutputFile>,
    path: PathBuf,
}

impl TrainFiles {
    /// Checks that the files are writable before the work starts.
    fn check(arguments: &TrainArgs) -> Result<Self, Failure> {
        let TrainArgs { out, resume, small, size, picture, force, .. } = arguments;
        let existing = Existing::forced_or_resumed(*force, *resume);
        let network = OutputFile::check(out, existing)?;
        if *resume && !network.is_regular() {
            return Err(Failure::Input(format!(
                "{}: --resume needs a regular file",
                out.display()
            )));
        }
        let learner = || {
            let path = out.with_added_extension("learner");
            // The user did not name this file: a pipe or link there belongs to someone else.
            match fs::symlink_metadata(&path) {
                Ok(found) if !found.is_file() && !found.is_dir() => Err(Failure::Check(format!(
                    "{}: expected a regular file or none",
                    path.display()
                ))),
                _ => OutputFile::check(&path, existing),
            }
        };
        let has_state = network.is_regular() && !small && *size == Size::CLASSIC;
        let learner = has_state.then(learner).transpose()?;
        let picture =
            picture.as_ref().map(|path| OutputFile::check(path, Existing::forced(*force)));
        Ok(Self { network, learner, picture: picture.transpose()?, path: out.clone() })
    }

    /// Checks that the existing network, if any, belongs to this state. A run killed after
    /// replacing the state but before replacing the network has left the new network in a hidden
    /// file.
    fn check_same_run(&self, learner: &Learner) -> Result<(), Failure> {
        let found = |path: &Path| {
            checksum_of_file(path)
                .map_err(|error| Failure::Check(format!("{}: {error}", path.display())))
        };
        let Some(before) = found(&self.path)? else { return Ok(()) };
        let expected = checksum(&learner.network());
        let is_left = |path: &PathBuf| found(path).is_ok_and(|left| left == Some(expected));
        if before == expected || self.network.leftovers().iter().any(is_left) {
            return Ok(());
        }
        let name = self.path.display();
        Err(Failure::Input(format!(
            "{name}: expected the network of {name}.learner; --force replaces it"
        )))
    }

    /// Saves both files: writes both, then renames the state before the network.
    fn save(&self, learner: &Learner) -> Result<(), Failure> {
        let network = learner.network();
        let Some(file) = &self.learner else {
            return self.network.write(|sink| network.save(sink));
        };
        let state = file.prepare(|sink| learner.save(sink))?;
        let network = self.network.prepare(|sink| network.save(sink))?;
        state.keep()?;
        network.keep()
    }
}

fn checksum(network: &Network) -> u32 {
    let mut hasher = Hasher::new();
    network.save(&mut |part| hasher.update(part));
    hasher.finalize()
}

/// `None` if it is missing or empty.
fn checksum_of_file(path: &Path) -> io::Result<Option<u32>> {
    let mut hasher = Hasher::new();
    let mut file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => BufReader::with_capacity(1 << 16, file?),
    };
    loop {
        match file.fill_buf()? {
            [] => break,
            part => {
                hasher.update(part);
                let length = part.len();
                file.consume(length);
            }
        }
    }
    Ok(Some(hasher.finalize()).filter(|_| file.stream_position().is_ok_and(|length| length > 0)))
}
