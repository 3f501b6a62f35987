//! `bitcade tetris match`: two bots play against each other.

mod bot_process;
mod results;

use crate::arguments::{milliseconds_in, parse_positive, parse_seed};
use crate::interrupt;
use crate::output::{Failure, Output};
use crate::progress;
use bot_process::{BotProcess, Forfeit};
use clap::Args;
use results::{GameRecord, MatchSettings, Results, game_seed};
use serde::Serialize;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tetris::{Game, LockResult, Move, Placement};
use tetris_ai::tbp::{FrontendMessage, Start, TbpBoard, TbpMove};
use tetris_ai::versus::{VersusGame, VersusResult, wilson_interval};

/// The arguments of `match`.
#[derive(Args)]
pub(crate) struct MatchArgs {
    /// The command line of a bot, split into words as by a shell: quotes keep blanks together; give it twice
    #[arg(long = "bot", value_name = "COMMAND", required = true, num_args = 1)]
    bots: Vec<String>,
    /// The number of games to play, including those already in FILE
    #[arg(long, default_value_t = 10, value_parser = parse_positive)]
    games: u64,
    /// The time that the bots have before each `suggest`, such as 100 (milliseconds) or 2s
    #[arg(long, value_name = "T", default_value_t = 100, value_parser = milliseconds_in(0..=3_600_000))]
    milliseconds: u64,
    /// The maximum number of turns of a game
    #[arg(long, default_value_t = 600, value_parser = parse_positive)]
    pieces: u64,
    /// The time that a bot may take to answer, such as 500 (milliseconds) or 10s; after it the bot loses
    #[arg(long, value_name = "T", default_value = "10s", value_parser = milliseconds_in(1..=3_600_000))]
    patience: u64,
    /// The seed of the random numbers; it determines the pieces and garbage holes of each game
    #[arg(long, default_value_t = 1, value_parser = parse_seed)]
    seed: u64,
    /// The file to which results are written, one JSON object per line; `-` is standard output, then the
    /// results of the whole match go to standard error
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Continue the match in FILE
    #[arg(long)]
    resume: bool,
    /// Replace FILE if it holds another match
    #[arg(long, conflicts_with = "resume")]
    force: bool,
}

pub(crate) fn run(arguments: &MatchArgs, output: &mut Output) -> Result<(), Failure> {
    let [first, second] = arguments.bots.as_slice() else {
        return Err(Failure::Input(format!("--bot: expected two bots, found {}", arguments.bots.len())));
    };
    let settings = MatchSettings {
        bots: [first.clone(), second.clone()],
        seed: arguments.seed,
        milliseconds: arguments.milliseconds,
        pieces: arguments.pieces,
    };
    let mut results = Results::open(&arguments.out, &settings, arguments.resume, arguments.force)?;
    if results.file.is_stdout() {
        output.leave_stdout();
    }
    let (bar, interrupted) = (progress::bar(arguments.games), interrupt::install_handler());
    while results.games.len() < arguments.games as usize && !interrupted() {
        bar.set_position(results.games.len() as u64);
        let index = results.games.len() as u64;
        let seed = game_seed(arguments.seed, index);
        if let Some(record) = play(arguments, index, seed, &interrupted)? {
            results.append(record)?;
        }
    }
    bar.finish_and_clear();
    results.finish()?;
    print(&results.games, output)
}

/// Plays a game. Returns `None` if it was interrupted.
fn play(
    arguments: &MatchArgs,
    index: u64,
    seed: u64,
    interrupted: &dyn Fn() -> bool,
) -> Result<Option<GameRecord>, Failure> {
    let patience = Duration::from_millis(arguments.patience);
    let start = |command: &String| BotProcess::start(command, patience, interrupted);
    let bots = start(&arguments.bots[0]).and_then(|first| Ok([first, start(&arguments.bots[1])?]));
    if bots.is_err() && ended_by_signal(interrupted) {
        return Ok(None);
    }
    let mut bots = bots?;
    let clock = Instant::now();
    let mut game = VersusGame::new(seed);
    for (bot, side) in bots.iter_mut().zip(game.sides()) {
        bot.send(&start_message(side));
    }
    let mut ending = ("top out", None);
    while game.result(arguments.pieces).is_none() {
        if interrupted() {
            return Ok(None);
        }
        interrupt::sleep(Duration::from_millis(arguments.milliseconds), interrupted);
        match request_moves(&mut bots, &game, patience, interrupted) {
            Ok(moves) => play_moves(&mut bots, &mut game, moves)?,
            Err(_) if ended_by_signal(interrupted) => return Ok(None),
            Err((forfeit, result)) => {
                ending = (forfeit.name(), Some(result));
                break;
            }
        }
    }
    let (reason, result) = ending;
    let result = result.or_else(|| game.result(arguments.pieces)).unwrap_or(VersusResult::Draw);
    let alive = game.sides().iter().all(|side| side.over().is_none());
    Ok(Some(GameRecord {
        game: index,
        seed,
        winner: match result {
            VersusResult::Wins(side) => Some(side),
            VersusResult::Draw => None,
        },
        reason: if reason == "top out" && alive { "attack" } else { reason }.to_owned(),
        pieces: game.turns(),
        attack: game.attack(),
        seconds: clock.elapsed().as_secs_f64(),
        nodes: bots.each_ref().map(|bot| bot.nodes),
    }))
}

/// Returns whether a bot failed because of a signal to the whole group of processes, as Control-C is. The
/// bot can receive it before this process does.
fn ended_by_signal(interrupted: &dyn Fn() -> bool) -> bool {
    interrupt::sleep(Duration::from_millis(100), interrupted);
    interrupted()
}

/// Returns the moves of both bots, or the reason and the result if a bot forfeits.
fn request_moves(
    bots: &mut [BotProcess; 2],
    game: &VersusGame,
    patience: Duration,
    interrupted: &dyn Fn() -> bool,
) -> Result<[Move; 2], (Forfeit, VersusResult)> {
    for bot in bots.iter_mut() {
        bot.send(&FrontendMessage::Suggest);
    }
    let mut moves = [None; 2];
    for ((mv, bot), side) in moves.iter_mut().zip(bots.iter_mut()).zip(game.sides()) {
        *mv = Some(bot.suggestion(patience, interrupted).and_then(|moves| first_legal(side, &moves)));
    }
    match moves {
        [Some(Ok(first)), Some(Ok(second))] => Ok([first, second]),
        [Some(Err(forfeit)), Some(Ok(_))] => Err((forfeit, VersusResult::Wins(1))),
        [Some(Ok(_)), Some(Err(forfeit))] => Err((forfeit, VersusResult::Wins(0))),
        [Some(Err(forfeit)), _] | [_, Some(Err(forfeit))] => Err((forfeit, VersusResult::Draw)),
        _ => Err((Forfeit::TimedOut, VersusResult::Draw)),
    }
}

/// Returns the first legal move of a suggestion, as the protocol requires.
fn first_legal(side: &Game, moves: &[TbpMove]) -> Result<Move, Forfeit> {
    let legal = side.legal_moves();
    let known = |&mv: &TbpMove| {
        let placement = Placement::from(mv);
        legal.iter().copied().find(|legal| legal.placement == placement)
    };
    if moves.is_empty() {
        Err(Forfeit::Resigned)
    } else {
        moves.iter().find_map(known).ok_or(Forfeit::IllegalMove)
    }
}

/// Plays the moves of both bots and reports them to the bots.
fn play_moves(bots: &mut [BotProcess; 2], game: &mut VersusGame, moves: [Move; 2]) -> Result<(), Failure> {
    let used = [0, 1].map(|i| 1 + usize::from(moves[i].hold && game.sides()[i].held().is_none()));
    let results = game.step(moves).map_err(|error| Failure::Check(error.to_string()))?;
    for (i, bot) in bots.iter_mut().enumerate() {
        let (side, result): (&Game, &LockResult) = (&game.sides()[i], &results[i]);
        if result.garbage_rows > 0 {
            // The protocol has no message for garbage, so the game is started anew.
            bot.send(&FrontendMessage::Stop);
            bot.send(&start_message(side));
            continue;
        }
        bot.send(&FrontendMessage::Play { mv: moves[i].placement.into() });
        let next = side.next();
        for &piece in &next[next.len() - used[i]..] {
            bot.send(&FrontendMessage::NewPiece { piece: piece.into() });
        }
    }
    Ok(())
}

fn start_message(side: &Game) -> FrontendMessage {
    let queue = std::iter::once(side.piece()).chain(side.next().iter().copied());
    FrontendMessage::Start(Start {
        hold: side.held().map(Into::into),
        queue: queue.map(Into::into).collect(),
        combo: side.combo(),
        back_to_back: side.back_to_back() > 0,
        board: TbpBoard(*side.board()),
        randomizer: side.bag().into(),
    })
}

#[derive(Serialize)]
struct MatchRecord {
    games: u64,
    wins: [u64; 2],
    draws: u64,
    /// The win rate of the first bot. Rates are `None` without a game, a piece or time.
    win_rate: Option<f64>,
    win_rate_low: Option<f64>,
    win_rate_high: Option<f64>,
    pieces: u64,
    attack_per_piece: [Option<f64>; 2],
    pieces_per_second: Option<f64>,
    nodes_per_piece: [Option<f64>; 2],
    seconds: f64,
}

fn print(record: &[GameRecord], output: &mut Output) -> Result<(), Failure> {
    let games = record.len() as u64;
    let wins = [0, 1].map(|side| record.iter().filter(|record| record.winner == Some(side)).count() as u64);
    // The numbers of a file or of a bot can be of any size.
    let sum = |count: &dyn Fn(&GameRecord) -> u64| record.iter().map(count).fold(0, u64::saturating_add);
    let pieces = sum(&|record| record.pieces);
    let seconds: f64 = record.iter().map(|record| record.seconds).sum();
    let per_piece = |sum: u64| (pieces > 0).then(|| sum as f64 / pieces as f64);
    let interval = (games > 0).then(|| wilson_interval(wins[0], games));
    let record = MatchRecord {
        games,
        wins,
        draws: games - wins[0] - wins[1],
        win_rate: (games > 0).then(|| wins[0] as f64 / games as f64),
        win_rate_low: interval.map(|interval| interval.0),
        win_rate_high: interval.map(|interval| interval.1),
        pieces,
        attack_per_piece: [0, 1].map(|i| per_piece(sum(&|record| record.attack[i]))),
        pieces_per_second: (seconds > 0.0).then(|| pieces as f64 / seconds),
        nodes_per_piece: [0, 1].map(|i| per_piece(sum(&|record| record.nodes[i]))),
        seconds,
    };
    output.result(&record, || text(&record))
}

fn text(record: &MatchRecord) -> String {
    let MatchRecord { games, wins, draws, pieces, seconds, .. } = record;
    let rate = |rate: Option<f64>, digits: usize| {
        rate.map_or_else(|| "none".to_owned(), |rate| format!("{rate:.digits$}"))
    };
    let pair = |rates: [Option<f64>; 2], digits| rates.map(|each| rate(each, digits)).join(" ");
    let [win_rate, low, high] =
        [record.win_rate, record.win_rate_low, record.win_rate_high].map(|each| rate(each, 3));
    format!(
        "games {games}\nwins {} {}\ndraws {draws}\nwin_rate {win_rate} (95 %: {low} to {high})\n\
         pieces {pieces}\nattack_per_piece {}\npieces_per_second {}\nnodes_per_piece {}\n\
         seconds {seconds:.1}\n",
        wins[0],
        wins[1],
        pair(record.attack_per_piece, 4),
        rate(record.pieces_per_second, 2),
        pair(record.nodes_per_piece, 0),
    )
}
