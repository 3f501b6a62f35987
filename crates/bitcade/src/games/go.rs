//! The command `bitcade go`.

mod act;
mod arguments;
mod board_layout;
mod board_picture;
mod engine;
mod engine_match;
mod game_file;
mod game_screen;
mod game_state;
mod gtp;
mod instant_engine;
mod learn;
mod line_mode;
mod net_args;
mod opponent;
mod play;
mod prior_file;
mod selfplay;
mod side_panel;
mod start;
mod thinker;
mod watch;

use super::entry::{GameEntry, Run, Subcommands};
use crate::arguments::{number_in, parse_positive, parse_seed, parse_sides};
use crate::io::color;
use crate::io::interrupt;
use crate::io::output::{Failure, Fields, Output, remark};
use crate::io::progress;
use crate::io::stopwatch::Stopwatch;
use crate::io::threads::Threads;
use crate::play::keys::Keys;
use crate::statistics::{mean, per_second, ratio, standard_error};
use crate::tour_section::{Check, Timed, TourSection, on_each_level};
use crate::watch::watched::Watched;
use arguments::{ko_rule, parse_go_side, suicide_rule};
use bitcade_core::Stop;
use bitcade_core::ThreadPool;
use bitcore::Rng;
use clap::Subcommand;
use go_mc::perft::Passes;
use go_mc::playout::SimdPlayouts;
use go_mc::reference::{FooGo, simd_playout};
use go_mc::{
    Board, Game, Ko, Playouts, Points, Policy, Position, Rules, Size, Stats, Suicide, perft,
};

pub(crate) const GAME: GameEntry = GameEntry {
    name: "go",
    title: "Go",
    commands: Subcommands::of::<Commands>(),
    play: Subcommands::of::<Play>(),
    keys: || Keys::<act::Act>::load("go").map(|keys| keys.page()),
    watch: Watched {
        unit: "playouts/s",
        least: (22, 10),
        narrow: 20,
        player: |options| Ok(watch::player(options)),
    },
    tour: &[tour],
    fuzzed: &[instant_engine::fuzzed],
};

#[derive(Subcommand)]
enum Commands {
    /// Go: run an engine, play random games, count moves
    #[command(subcommand, after_help = "Example: bitcade play go")]
    Go(Command),
}

impl Run for Commands {
    fn run(self, output: &mut Output) -> Result<(), Failure> {
        match self {
            Self::Go(command) => run(command, output),
        }
    }
}

#[derive(Subcommand)]
enum Play {
    /// Go: play against the engine, with arrow keys or the mouse
    ///
    /// With `--lines`, and without a terminal, moves are read and printed line by line: vertices
    /// such as D4, pass, undo, resign and quit.
    #[command(after_help = "Example: bitcade play go --size 9 --color black --seconds 2")]
    Go(Box<play::PlayArgs>),
}

impl Run for Play {
    fn run(self, output: &mut Output) -> Result<(), Failure> {
        let Self::Go(arguments) = self;
        play::run(&arguments, output)
    }
}

#[derive(Subcommand)]
enum Command {
    /// Run a Go Text Protocol (GTP) engine
    ///
    /// Reads commands on standard input and answers on standard output, for GUIs and referees such
    /// as gogui, Sabaki and gogui-twogtp. A failed command gets a response that begins with `?`.
    /// `lz-analyze` and `kata-analyze` report until the next line arrives.
    ///
    /// Piped input is answered in full: input that ends within 0.2 seconds of its last line is a
    /// complete session. If it ends later, the client is gone, and a search with a time budget
    /// plays its best move so far; a search with --playouts still runs to its end. After SIGINT,
    /// SIGTERM or SIGHUP every search plays its best move immediately, and the session ends.
    #[command(after_help = "Example: printf 'genmove b\\n' | bitcade go gtp --playouts 1000\n\
                            Example: bitcade go gtp --size 13 --seconds 5 --threads 2")]
    Gtp(engine::EngineArgs),
    /// Play a match between two GTP engines
    ///
    /// Each pair of games begins with the same random opening, which leaves both sides chances, and
    /// the engines exchange colors. A game ends with two passes, a resignation, a broken rule or an
    /// answer that takes too long, or is counted after three moves per point. The area is counted
    /// without the dead stones, which playouts find.
    ///
    /// FILE has each game's SGF: `jq -r '.sgf // empty' FILE` prints a collection. Control-C ends
    /// the match and prints the results so far; --resume continues it.
    #[command(
        after_help = "Example: bitcade go match --out games --engine 'bitcade go gtp' --engine 'pachi threads=1'"
    )]
    Match(engine_match::MatchArgs),
    /// Play games of the engine with itself, to learn from
    ///
    /// Each game begins with random stones. One in five is played to its end, the others may be
    /// resigned. FILE has the moves of each game and the visits that each search gave them, for `go
    /// learn`; the same arguments give the same file. Control-C ends the run and keeps its games;
    /// --resume continues it.
    #[command(after_help = "Example: bitcade go selfplay --out games")]
    Selfplay(selfplay::SelfplayArgs),
    /// Learn the prior of the search from games, or a net
    ///
    /// The weights of patterns, tactics, places and distances, or of a small network, for which the
    /// prior is most like the visits of the searches. One game in ten tests the result instead.
    /// Control-C ends the learning early and writes what was learned.
    #[command(after_help = "Example: bitcade go learn games --out prior.txt")]
    Learn(learn::LearnArgs),
    /// Play random games from the empty board
    ///
    /// With `--suicide forbidden` or `multi` a player picks uniformly among the legal moves that do
    /// not fill the player's own eyes; with `all`, like the program `FooGo`, among all empty points
    /// that are not an eye of either player. Control-C ends the run and prints the results so far.
    #[command(after_help = "Example: bitcade go playouts --size 9 --games 100000 --suicide multi")]
    Playouts {
        /// Board size: 5, 9, 13 or 19; 9x9 means 9
        #[arg(long, value_name = "N", default_value_t = 9, value_parser = parse_go_side)]
        size: usize,
        /// Number of games
        #[arg(long, value_name = "G", default_value_t = 10_000, value_parser = parse_positive)]
        games: u64,
        /// Random seed; game i draws from stream i
        #[arg(long, value_name = "S", default_value_t = 1, value_parser = parse_seed)]
        seed: u64,
        /// Suicide rule: forbidden, multi (of several stones) or all
        #[arg(long, value_name = "RULE", default_value = "forbidden", value_parser = suicide_rule(), hide_possible_values = true)]
        suicide: Suicide,
        #[command(flatten)]
        threads: Threads,
    },
    /// Count the move sequences from the empty board, ply by ply
    #[command(after_help = "Example: bitcade go perft --size 3x3 --depth 5 --ko simple")]
    Perft {
        /// Board size, up to 19x19; 5 means 5x5
        #[arg(long, value_name = "NxM", value_parser = parse_size)]
        size: Size,
        /// Number of plies, up to 99
        #[arg(long, value_name = "D", value_parser = number_in(1u32..=99))]
        depth: u32,
        /// Ko rule: simple, positional or situational
        #[arg(long, value_name = "RULE", default_value = "simple", value_parser = ko_rule(), hide_possible_values = true)]
        ko: Ko,
        /// Suicide rule: forbidden, multi (of several stones) or all
        #[arg(long, value_name = "RULE", default_value = "forbidden", value_parser = suicide_rule(), hide_possible_values = true)]
        suicide: Suicide,
        /// Count passes as moves; two in a row end the game
        #[arg(long)]
        passes: bool,
        #[command(flatten)]
        threads: Threads,
    },
}

fn parse_size(text: &str) -> Result<Size, String> {
    let (width, height) = parse_sides(text, 1..=19)?;
    Size::new(width, height).ok_or_else(|| "expected numbers from 1 to 19".to_owned())
}

fn run(command: Command, output: &mut Output) -> Result<(), Failure> {
    match command {
        Command::Gtp(engine) => {
            output.refuse_json("the Go Text Protocol")?;
            gtp::run(&engine)
        }
        Command::Match(arguments) => engine_match::run(&arguments, output),
        Command::Selfplay(arguments) => selfplay::run(&arguments, output),
        Command::Learn(arguments) => learn::run(&arguments, output),
        Command::Playouts { size, games, seed, suicide, threads } => {
            let size = Size::square(size).expect("a size that was parsed");
            let mut playouts = Playouts::new(Rules { suicide, ..size.into() }, seed)
                .map_err(|error| Failure::Input(format!("--size: {error}")))?;
            let start = Stopwatch::start();
            let bar = progress::bar(games);
            let interrupted = interrupt::install_handler();
            let mut stats = Stats::default();
            let show = |so_far: &Stats| {
                stats = *so_far;
                bar.set_position(stats.games);
            };
            let played = playouts.play_until(&threads.pool(), games, &interrupted, show);
            bar.finish_and_clear();
            let seconds = start.elapsed().as_secs_f64().max(1e-9);
            if played.is_err() {
                remark(format_args!("interrupted after {} of {games} games", stats.games));
            }
            print_playouts(&stats, seconds, output)
        }
        Command::Perft { size, depth, ko, suicide, passes, threads } => {
            let passes = if passes { Passes::Counted } else { Passes::LeftOut };
            print_perft(
                &Game::new(Rules { ko, suicide, ..size.into() }),
                depth,
                passes,
                threads,
                output,
            )
        }
    }
}

fn print_playouts(stats: &Stats, seconds: f64, output: &mut Output) -> Result<(), Failure> {
    let fields = Fields::default()
        .with("games", stats.games)
        .number("mean_stones", mean(&stats.stones), 3)
        .number("mean_plies", mean(&stats.plies), 3)
        .number("mean_score", mean(&stats.score), 3)
        .number("stderr_score", standard_error(&stats.score), 3)
        .number("black_wins_k0", ratio(stats.black_leads as f64, stats.games), 4)
        .number("black_wins_k7_5", ratio(stats.black_wins as f64, stats.games), 4)
        .whole("playouts_per_second", per_second(stats.games as f64, seconds));
    output.lines(&fields)
}

fn print_perft(
    game: &Game,
    depth: u32,
    passes: Passes,
    threads: Threads,
    output: &mut Output,
) -> Result<(), Failure> {
    let pool = threads.pool();
    let interrupted = interrupt::install_handler();
    for depth in 1..=depth as usize {
        // Restarts from the root: each ply takes longer than all previous ones together.
        let nodes = perft::perft_until(&pool, game, depth, passes, &interrupted);
        let Some(nodes) = nodes.ok().and_then(|nodes| nodes.last().copied()) else {
            remark(format_args!("interrupted at depth {depth}"));
            break;
        };
        output.line(&Fields::default().with("depth", depth).with("nodes", nodes))?;
    }
    Ok(())
}

/// Returns the tour section: the end of a random game, and numbers on which independent programs
/// agree.
fn tour(stop: Stop) -> TourSection {
    let mut game = FooGo::<9>::new();
    let result = game.playout(&mut Rng::new(38));
    let [black, white] = game.stones().map(largest);
    let end =
        Board::from_stones(Size::new(9, 9).expect("a size"), black, white).expect("chains breathe");
    let winner = if result.score() > 0 { "Black" } else { "White" };
    let board = color::characters(&end.to_string(), |c| match c {
        'X' => Some(color::palette(1)),
        'O' => Some(color::palette(3)),
        _ => None,
    });
    let picture = format!(
        "{board}after {} stones: {winner} by {}\n",
        result.stones,
        result.score().unsigned_abs()
    );

    let game = Game::new(Size::square(2).expect("a size").into());
    let nodes = perft::perft(&game, 8, Passes::LeftOut).last().copied().unwrap_or_default();
    let stats = |suicide| {
        let rules = Rules { suicide, ..Rules::default() };
        let mut playouts = Playouts::new(rules, 1).expect("9 is a size of playouts");
        let mut stats = Stats::default();
        let visit = |so_far: &Stats| stats = *so_far;
        // Interrupted, the tour shows what was played.
        let _ = playouts.play_until(&ThreadPool::single(), 20_000, stop, visit);
        stats
    };
    let [light, foogo] = [Suicide::Forbidden, Suicide::All].map(stats);
    let by_level = on_each_level(|| stats(Suicide::Forbidden));
    let same = by_level.iter().filter(|&stats| *stats == light).count();
    let mean = |check, expected, sum: go_mc::Moments| {
        Check::within(check, expected, sum.mean(), sum.standard_error(), 4.5)
    };
    TourSection {
        title: "Go: random games, with the set of all playable points updated each ply",
        picture,
        checks: vec![
            Check::new(
                "legal positions of 3x3",
                12675,
                perft::legal_positions(Size::new(3, 3).expect("a size")),
            ),
            Check::new("games of 8 stones on 2x2 under positional superko", 48, nodes),
            mean("stones in 20,000 light playouts on 9x9", 107.371, light.stones),
            mean("Black's lead in them", 2.151, light.score),
            Check::new("levels that play the same 20,000 games", by_level.len(), same),
            mean("stones in 20,000 playouts by FooGo's rules on 9x9", 111.5, foogo.stones),
        ],
        timed: Timed {
            operation: "go playout 9x9 lanes",
            unit: "game",
            units: 128,
            reference: Box::new(|| {
                let play =
                    |number| simd_playout::<9>(&Position::EMPTY, Policy::NoSuicide, 9, number);
                (0..128).map(|number| u64::from(play(number).result.plies)).sum()
            }),
            kernel: Box::new(|| {
                let mut lanes =
                    SimdPlayouts::<9>::new(Policy::NoSuicide, 9).expect("a policy of lanes");
                lanes.play(&Position::EMPTY, 128).plies.sum as u64
            }),
        },
        next: "bitcade go playouts --size 9 --games 100000",
    }
}

fn largest(points: Points<9>) -> Points<19> {
    points.iter().filter_map(|index| Points::<19>::index(Points::<9>::point(index))).collect()
}
