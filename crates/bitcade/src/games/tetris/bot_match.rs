//! `bitcade tetris match`: a match between two bots.

mod bot_process;
mod results;

use crate::arguments::parse_positive;
use crate::io::match_file::MatchFile;
use crate::io::output::{Failure, Fields, Output};
use crate::io::stopwatch::Stopwatch;
use crate::io::{interrupt, progress};
use crate::statistics::{or_none, ratio};
use bot_process::{Bots, Forfeit};
use clap::Args;
use results::{GameRecord, MatchSettings, game_seed};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;
use tetris::{Game, LockResult, Move, Placement};
use tetris_ai::bot::tbp::{FrontendMessage, Start, TbpBoard, TbpMove};
use tetris_ai::bot::versus::{VersusGame, VersusResult, wilson_interval};

#[derive(Args)]
pub(crate) struct MatchArgs {
    #[command(flatten)]
    settings: MatchSettings,
    /// The number of games, including those already in FILE
    #[arg(long, default_value_t = 10, value_parser = parse_positive)]
    games: u64,
    /// The results file, one JSON object per line; `-` is standard output: the summary then goes to
    /// standard error
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Continue the match in FILE
    #[arg(long)]
    resume: bool,
    /// Replace FILE if it contains another match
    #[arg(long, conflicts_with = "resume")]
    force: bool,
}

pub(crate) fn run(arguments: &MatchArgs, output: &mut Output) -> Result<(), Failure> {
    let settings = &arguments.settings;
    if settings.bots.len() != 2 {
        return Err(Failure::Input(format!(
            "--bot: expected two bots, found {}",
            settings.bots.len()
        )));
    }
    let mut results = MatchFile::open(&arguments.out, settings, arguments.resume, arguments.force)?;
    let bar = progress::bar(arguments.games);
    let interrupted = interrupt::install_handler();
    let mut ended = Ok(());
    while results.games.len() < arguments.games as usize && !interrupted() {
        bar.set_position(results.games.len() as u64);
        let index = results.games.len() as u64;
        let seed = game_seed(settings.seed, index);
        let played = play(settings, index, seed, &interrupted);
        let kept = played.and_then(|record| record.map_or(Ok(()), |record| results.append(record)));
        if let Err(failure) = kept {
            // The games so far count.
            ended = Err(failure);
            break;
        }
    }
    bar.finish_and_clear();
    if ended.is_err() && results.games.is_empty() {
        return ended;
    }
    let saved = ended.and_then(|()| results.finish());
    output.lines(&summary(&results.games))?;
    saved
}

/// `None` if it was interrupted.
fn play(
    settings: &MatchSettings,
    index: u64,
    seed: u64,
    interrupted: &dyn Fn() -> bool,
) -> Result<Option<GameRecord>, Failure> {
    let patience = Duration::from_millis(settings.patience);
    let commands = [0, 1].map(|side| settings.bots[side].as_str());
    let bots = Bots::start(commands, patience, interrupted);
    if bots.is_err() && ended_by_signal(interrupted) {
        return Ok(None);
    }
    let mut bots = bots?;
    let clock = Stopwatch::start();
    let mut game = VersusGame::new(seed);
    for (side, game) in game.sides().iter().enumerate() {
        bots.send(side, &start_message(game));
    }
    let mut ending = ("top out", None);
    while game.result(settings.pieces).is_none() {
        if interrupted() {
            return Ok(None);
        }
        bots.sleep(Duration::from_millis(settings.milliseconds), interrupted);
        match request_moves(&mut bots, &game, interrupted) {
            Ok(moves) => play_moves(&mut bots, &mut game, moves)?,
            Err(_) if ended_by_signal(interrupted) => return Ok(None),
            Err((forfeit, result)) => {
                ending = (forfeit.name(), Some(result));
                break;
            }
        }
    }
    let (reason, result) = ending;
    let result = result.or_else(|| game.result(settings.pieces)).unwrap_or(VersusResult::Draw);
    let alive = game.sides().iter().all(|side| !side.is_over());
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
        nodes: bots.nodes,
    }))
}

/// Returns whether a bot failed because of a signal to the whole process group, such as Control-C.
/// The bot can receive it before this process does.
fn ended_by_signal(interrupted: &dyn Fn() -> bool) -> bool {
    interrupt::sleep(Duration::from_millis(100), interrupted);
    interrupted()
}

fn request_moves(
    bots: &mut Bots,
    game: &VersusGame,
    interrupted: &dyn Fn() -> bool,
) -> Result<[Move; 2], (Forfeit, VersusResult)> {
    let [first, second] = bots.suggestions(interrupted);
    let legal = |side: usize, moves: Vec<TbpMove>| first_legal(&game.sides()[side], &moves);
    match [first.and_then(|moves| legal(0, moves)), second.and_then(|moves| legal(1, moves))] {
        [Ok(first), Ok(second)] => Ok([first, second]),
        [Err(forfeit), Ok(_)] => Err((forfeit, VersusResult::Wins(1))),
        [Ok(_), Err(forfeit)] => Err((forfeit, VersusResult::Wins(0))),
        [Err(forfeit), Err(_)] => Err((forfeit, VersusResult::Draw)),
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

fn play_moves(bots: &mut Bots, game: &mut VersusGame, moves: [Move; 2]) -> Result<(), Failure> {
    let used = [0, 1].map(|i| 1 + usize::from(moves[i].hold && game.sides()[i].held().is_none()));
    let results = game.play(moves).map_err(|error| Failure::Check(error.to_string()))?;
    for i in 0..2 {
        let (side, result): (&Game, &LockResult) = (&game.sides()[i], &results[i]);
        if result.garbage_rows > 0 {
            // The protocol has no message for garbage, so the game is restarted.
            bots.send(i, &FrontendMessage::Stop);
            bots.send(i, &start_message(side));
            continue;
        }
        bots.send(i, &FrontendMessage::Play { mv: moves[i].placement.into() });
        let next = side.next();
        for &piece in &next[next.len() - used[i]..] {
            bots.send(i, &FrontendMessage::NewPiece { piece: piece.into() });
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

/// Rates without games, pieces or time are `None`.
fn summary(record: &[GameRecord]) -> Fields {
    let games = record.len() as u64;
    let wins = [0, 1]
        .map(|side| record.iter().filter(|record| record.winner == Some(side)).count() as u64);
    // The numbers in a file or from a bot can be arbitrarily large.
    let sum =
        |count: &dyn Fn(&GameRecord) -> u64| record.iter().map(count).fold(0, u64::saturating_add);
    let pieces = sum(&|record| record.pieces);
    // The sum of no numbers is -0.0.
    let seconds = record.iter().fold(0.0, |sum, record| sum + record.seconds);
    let reasons = |winner: Option<usize>| {
        let mut counts = BTreeMap::new();
        for record in record.iter().filter(|record| record.winner == winner) {
            *counts.entry(record.reason.clone()).or_insert(0) += 1;
        }
        counts
    };
    let losses = [1, 0].map(|winner| reasons(Some(winner)));
    let draw_reasons = reasons(None);
    let listed = |counts: &BTreeMap<String, u64>| match counts.len() {
        0 => "none".to_owned(),
        _ => counts
            .iter()
            .map(|(reason, games)| format!("{reason} {games}"))
            .collect::<Vec<_>>()
            .join(", "),
    };
    let per_piece = |sums: [u64; 2]| sums.map(|sum| ratio(sum as f64, pieces));
    let pair =
        |rates: [Option<f64>; 2], decimals| rates.map(|rate| or_none(rate, decimals)).join(" ");
    let attack = per_piece([0, 1].map(|i| sum(&|record| record.attack[i])));
    let nodes = per_piece([0, 1].map(|i| sum(&|record| record.nodes[i])));
    let (low, high) = (games > 0).then(|| wilson_interval(wins[0], games)).unzip();
    Fields::default()
        .with("games", games)
        .json("wins", wins)
        .text("wins", format_args!("{} {}", wins[0], wins[1]))
        .with("draws", games - wins[0] - wins[1])
        .json("losses", &losses)
        .text("losses_of_first", listed(&losses[0]))
        .text("losses_of_second", listed(&losses[1]))
        .json("draw_reasons", &draw_reasons)
        .text("draw_reasons", listed(&draw_reasons))
        .interval("win_rate", [ratio(wins[0] as f64, games), low, high], 3)
        .with("pieces", pieces)
        .json("attack_per_piece", attack)
        .text("attack_per_piece", pair(attack, 4))
        .number("pieces_per_second", (seconds > 0.0).then(|| pieces as f64 / seconds), 2)
        .json("nodes_per_piece", nodes)
        .text("nodes_per_piece", pair(nodes, 0))
        .number("seconds", seconds, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_of_no_game() {
        let (json, text) = summary(&[]).forms("\n");
        assert!(json.ends_with(",\"seconds\":0.0}"), "{json}");
        assert!(text.ends_with("\nnodes_per_piece none none\nseconds 0.0"), "{text}");
    }
}
