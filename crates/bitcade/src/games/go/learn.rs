//! `bitcade go learn`: a prior or a net from the games of `go selfplay`.

use super::selfplay::SelfplaySettings;
use crate::arguments::{number_in, parse_seed};
use crate::io::input::Input;
use crate::io::interrupt;
use crate::io::match_file;
use crate::io::output::{Failure, Fields, Output, remark};
use crate::io::progress;
use bitcade_files::{Existing, OutputFile};
use clap::{Args, ValueEnum};
use go_mc::search::{NetLearner, PriorFit, PriorLearner};
use go_mc::{Error, Game, Move};
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct LearnArgs {
    /// Files of games, as written by `go selfplay`; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    games: Vec<PathBuf>,
    /// The file of what is learned; `-` is standard output: the summary then goes to standard error
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// What is learned: `prior`, a table of weights, or `net`, a small network
    #[arg(long, value_enum, default_value = "prior", hide_possible_values = true)]
    kind: Kind,
    /// How often each position is learned
    #[arg(long, default_value_t = 30, value_parser = number_in(1u32..=10_000))]
    epochs: u32,
    /// The random seed of the order, and of the first weights of a net
    #[arg(long, default_value_t = 1, value_parser = parse_seed)]
    seed: u64,
    /// Replace the file of what is learned
    #[arg(long)]
    force: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Kind {
    Prior,
    Net,
}

/// A learner of either kind.
enum Learner {
    Prior(PriorLearner),
    Net(Box<NetLearner>),
}

impl Learner {
    fn new(kind: Kind, seed: u64) -> Self {
        match kind {
            Kind::Prior => Self::Prior(PriorLearner::new(seed)),
            Kind::Net => Self::Net(Box::new(NetLearner::new(seed))),
        }
    }

    fn add(&mut self, game: &Game, visits: &[(Move, u64)]) -> Result<(), Error> {
        match self {
            Self::Prior(learner) => learner.add(game, visits),
            Self::Net(learner) => learner.add(game, visits),
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Prior(learner) => learner.len(),
            Self::Net(learner) => learner.len(),
        }
    }

    /// Learns each position once. A net takes smaller steps from epoch to epoch.
    fn learn(&mut self, epoch: u32, epochs: u32) {
        match self {
            Self::Prior(learner) => learner.learn(),
            Self::Net(learner) => {
                learner.learn(FIRST_RATE * (epochs - epoch) as f32 / epochs as f32);
            }
        }
    }

    fn fit(&self, test: &Self) -> PriorFit {
        match (self, test) {
            (Self::Prior(learner), Self::Prior(test)) => learner.fit(test),
            (Self::Net(learner), Self::Net(test)) => learner.fit(test),
            _ => PriorFit::default(),
        }
    }

    /// Returns the text of what was learned.
    fn text(&self) -> String {
        match self {
            Self::Prior(learner) => learner.prior().to_string(),
            Self::Net(learner) => learner.net().to_string(),
        }
    }
}

/// The rate of a net's first epoch.
const FIRST_RATE: f32 = 0.003;

/// The part of the games, one in so many, that tests the prior instead.
const TESTED: usize = 10;

pub(crate) fn run(arguments: &LearnArgs, output: &mut Output) -> Result<(), Failure> {
    let out = OutputFile::check(&arguments.out, Existing::forced(arguments.force))?;
    let interrupted = interrupt::install_handler();
    let mut learner = Learner::new(arguments.kind, arguments.seed);
    let mut test = Learner::new(arguments.kind, arguments.seed);
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
    if learner.len() == 0 {
        return Err(Failure::Input("there are no positions to learn from".to_owned()));
    }
    let bar = progress::bar(arguments.epochs.into());
    for epoch in 0..arguments.epochs {
        // What has never been learned is no result.
        if epoch > 0 && interrupted() {
            break;
        }
        learner.learn(epoch, arguments.epochs);
        bar.set_position(u64::from(epoch) + 1);
    }
    bar.finish_and_clear();
    out.write(|sink| {
        sink(learner.text().as_bytes());
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
