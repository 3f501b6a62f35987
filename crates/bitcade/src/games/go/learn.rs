//! `bitcade go learn`: a prior from the games of `go selfplay`.

use super::selfplay::SelfplaySettings;
use crate::arguments::{number_in, parse_seed};
use crate::io::input::Input;
use crate::io::interrupt;
use crate::io::match_file;
use crate::io::output::{Failure, Fields, Output, remark};
use crate::io::progress;
use bitcade_files::{Existing, OutputFile};
use clap::Args;
use go_mc::search::{PriorFit, PriorLearner};
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct LearnArgs {
    /// Files of games, as written by `go selfplay`; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    games: Vec<PathBuf>,
    /// The file of the prior; `-` is standard output: the summary then goes to standard error
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// How often each position is learned
    #[arg(long, default_value_t = 30, value_parser = number_in(1u32..=10_000))]
    epochs: u32,
    /// The random seed of the order
    #[arg(long, default_value_t = 1, value_parser = parse_seed)]
    seed: u64,
    /// Replace the file of the prior
    #[arg(long)]
    force: bool,
}

/// The part of the games, one in so many, that tests the prior instead.
const TESTED: usize = 10;

pub(crate) fn run(arguments: &LearnArgs, output: &mut Output) -> Result<(), Failure> {
    let out = OutputFile::check(&arguments.out, Existing::forced(arguments.force))?;
    let interrupted = interrupt::install_handler();
    let mut learner = PriorLearner::new(arguments.seed);
    let mut test = PriorLearner::new(arguments.seed);
    let mut count = 0;
    for path in &arguments.games {
        let input = Input::read(Some(path.clone()))?;
        let games = match_file::read::<SelfplaySettings>(&input.text);
        for game in games.map_err(|error| input.error(error))? {
            if interrupted() {
                remark("interrupted without a result");
                return Ok(());
            }
            let to = if count % TESTED == TESTED - 1 { &mut test } else { &mut learner };
            let add =
                |game: &_, visits: &_| to.add(game, visits).map_err(|error| error.to_string());
            game.positions(add).map_err(|error| input.error(error))?;
            count += 1;
        }
    }
    if learner.is_empty() {
        return Err(Failure::Input("there are no positions to learn from".to_owned()));
    }
    let bar = progress::bar(arguments.epochs.into());
    for epoch in 0..arguments.epochs {
        // What has never been learned is no result.
        if epoch > 0 && interrupted() {
            break;
        }
        learner.learn();
        bar.set_position(u64::from(epoch) + 1);
    }
    bar.finish_and_clear();
    out.write(|sink| {
        sink(learner.prior().to_string().as_bytes());
        sink(b"\n");
    })?;
    let PriorFit { positions, top1, cross_entropy, .. } = learner.fit(&test);
    output.lines(
        &Fields::default()
            .with("games", count)
            .with("positions", learner.len())
            .with("test_positions", positions)
            .number("test_top1", top1, 3)
            .number("test_cross_entropy", cross_entropy, 3),
    )
}
