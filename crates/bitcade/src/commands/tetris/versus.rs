//! `bitcade tetris match`.

mod player;
mod results;

use crate::interrupt;
use crate::output::{Failure, Output};
use crate::progress;
use bitcore::Rng;
use clap::Args;
use player::{Fault, Player};
use results::{Played, Results, Settings};
use serde::Serialize;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};
use tetris::{Game, LockResult, Move, Placement};
use tetris_ai::tbp::{Cells, FrontendMessage, Start, TbpMove};
use tetris_ai::versus::{Match, Verdict, wilson};

#[derive(Args)]
pub(crate) struct Versus {
    /// A bot's command line, its words separated by spaces; two of them
    #[arg(long = "bot", value_name = "COMMAND", required = true, num_args = 1)]
    bots: Vec<String>,
    /// How many games to play, those in the file included
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// How long the bots can think before each `suggest`
    #[arg(long, value_name = "T", default_value_t = 100, value_parser = clap::value_parser!(u64).range(..=3_600_000))]
    milliseconds: u64,
    /// After how many turns a game ends
    #[arg(long, default_value_t = 600, value_parser = clap::value_parser!(u64).range(1..))]
    pieces: u64,
    /// After how many more milliseconds without an answer a bot has lost
    #[arg(long, value_name = "T", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    patience: u64,
    /// The seed of all games: pieces and holes of game i are fixed by it
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where to write the results, one JSON object a line
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Go on with the matches of that file
    #[arg(long)]
    resume: bool,
}

pub(crate) fn run(arguments: &Versus, output: &mut Output) -> Result<(), Failure> {
    let [first, second] = arguments.bots.as_slice() else {
        return Err(Failure::Input(format!("--bot: expected two, found {}", arguments.bots.len())));
    };
    let settings = Settings {
        bots: [first.clone(), second.clone()],
        seed: arguments.seed,
        milliseconds: arguments.milliseconds,
        pieces: arguments.pieces,
    };
    let mut results = Results::open(&arguments.out, &settings, arguments.resume)?;
    let (bar, interrupted) = (progress::bar(arguments.games), interrupt::watch());
    while results.played.len() < arguments.games as usize && !interrupted() {
        bar.set_position(results.played.len() as u64);
        let game = results.played.len() as u64;
        let seed = Rng::stream(arguments.seed, game).next_u64();
        if let Some(played) = play(arguments, game, seed, &interrupted)? {
            results.append(played)?;
        }
    }
    bar.finish_and_clear();
    print(&results.played, output)
}

/// Plays a game. None if it was interrupted.
fn play(
    arguments: &Versus,
    game: u64,
    seed: u64,
    interrupted: &dyn Fn() -> bool,
) -> Result<Option<Played>, Failure> {
    let patience = Duration::from_millis(arguments.patience);
    let start = Player::start;
    let mut players = [start(&arguments.bots[0], patience)?, start(&arguments.bots[1], patience)?];
    let clock = Instant::now();
    let mut battle = Match::new(seed);
    for (player, side) in players.iter_mut().zip(battle.sides()) {
        player.say(&position(side));
    }
    let mut ending = ("top out", None);
    while battle.verdict(arguments.pieces).is_none() {
        if interrupted() {
            return Ok(None);
        }
        thread::sleep(Duration::from_millis(arguments.milliseconds));
        match ask(&mut players, &battle, patience) {
            Ok(turns) => tell(&mut players, &mut battle, turns)?,
            Err((fault, verdict)) => {
                ending = (fault.name(), Some(verdict));
                break;
            }
        }
    }
    let (reason, verdict) = ending;
    let verdict = verdict.or_else(|| battle.verdict(arguments.pieces)).unwrap_or(Verdict::Draw);
    let alive = battle.sides().iter().all(|side| side.over().is_none());
    Ok(Some(Played {
        game,
        seed,
        winner: match verdict {
            Verdict::Wins(side) => Some(side),
            Verdict::Draw => None,
        },
        reason: if reason == "top out" && alive { "attack" } else { reason }.to_owned(),
        pieces: battle.turns(),
        attack: battle.attack(),
        seconds: clock.elapsed().as_secs_f64(),
        nodes: players.each_ref().map(|player| player.nodes),
    }))
}

/// The turns of both; or why the game ends, and how.
fn ask(players: &mut [Player; 2], battle: &Match, patience: Duration) -> Result<[Move; 2], (Fault, Verdict)> {
    for player in players.iter_mut() {
        player.say(&FrontendMessage::Suggest);
    }
    let mut turns = [None; 2];
    for ((turn, player), side) in turns.iter_mut().zip(players.iter_mut()).zip(battle.sides()) {
        *turn = Some(player.suggestion(patience).and_then(|moves| first_legal(side, &moves)));
    }
    match turns {
        [Some(Ok(first)), Some(Ok(second))] => Ok([first, second]),
        [Some(Err(fault)), Some(Ok(_))] => Err((fault, Verdict::Wins(1))),
        [Some(Ok(_)), Some(Err(fault))] => Err((fault, Verdict::Wins(0))),
        [Some(Err(fault)), _] | [_, Some(Err(fault))] => Err((fault, Verdict::Draw)),
        _ => Err((Fault::Silent, Verdict::Draw)),
    }
}

/// The first turn that is legal, as the protocol has it.
fn first_legal(side: &Game, moves: &[TbpMove]) -> Result<Move, Fault> {
    let legal = side.legal_moves();
    let known = |&mv: &TbpMove| {
        let placement = Placement::from(mv);
        legal.iter().copied().find(|turn| turn.placement == placement)
    };
    if moves.is_empty() { Err(Fault::Resigned) } else { moves.iter().find_map(known).ok_or(Fault::Illegal) }
}

/// Plays both turns and tells the bots.
fn tell(players: &mut [Player; 2], battle: &mut Match, turns: [Move; 2]) -> Result<(), Failure> {
    let used = [0, 1].map(|i| 1 + usize::from(turns[i].hold && battle.sides()[i].held().is_none()));
    let outcomes = battle.turn(turns).map_err(|error| Failure::Check(error.to_string()))?;
    for (i, player) in players.iter_mut().enumerate() {
        let (side, outcome): (&Game, &LockResult) = (&battle.sides()[i], &outcomes[i]);
        if outcome.garbage_rows > 0 {
            // The protocol has no word for garbage: a new start.
            player.say(&FrontendMessage::Stop);
            player.say(&position(side));
            continue;
        }
        player.say(&FrontendMessage::Play { mv: turns[i].placement.into() });
        let next = side.next();
        for &piece in &next[next.len() - used[i]..] {
            player.say(&FrontendMessage::NewPiece { piece: piece.into() });
        }
    }
    Ok(())
}

fn position(side: &Game) -> FrontendMessage {
    let queue = std::iter::once(side.piece()).chain(side.next().iter().copied());
    FrontendMessage::Start(Start {
        hold: side.held().map(Into::into),
        queue: queue.map(Into::into).collect(),
        combo: side.combo(),
        back_to_back: side.back_to_back() > 0,
        board: Cells(*side.board()),
        randomizer: side.bag().into(),
    })
}

#[derive(Serialize)]
struct Record {
    games: u64,
    wins: [u64; 2],
    draws: u64,
    /// Of the first bot.
    win_rate: f64,
    win_rate_low: f64,
    win_rate_high: f64,
    pieces: u64,
    attack_per_piece: [f64; 2],
    pieces_per_second: f64,
    nodes_per_piece: [f64; 2],
    seconds: f64,
}

fn print(played: &[Played], output: &mut Output) -> Result<(), Failure> {
    let games = played.len() as u64;
    let wins = [0, 1].map(|side| played.iter().filter(|played| played.winner == Some(side)).count() as u64);
    let pieces: u64 = played.iter().map(|played| played.pieces).sum();
    let seconds: f64 = played.iter().map(|played| played.seconds).sum();
    let per_piece = |sum: u64| sum as f64 / pieces.max(1) as f64;
    let (win_rate_low, win_rate_high) = wilson(wins[0], games);
    let record = Record {
        games,
        wins,
        draws: games - wins[0] - wins[1],
        win_rate: wins[0] as f64 / games.max(1) as f64,
        win_rate_low,
        win_rate_high,
        pieces,
        attack_per_piece: [0, 1].map(|i| per_piece(played.iter().map(|played| played.attack[i]).sum())),
        pieces_per_second: pieces as f64 / seconds.max(1e-9),
        nodes_per_piece: [0, 1].map(|i| per_piece(played.iter().map(|played| played.nodes[i]).sum())),
        seconds,
    };
    output.result(&record, || text(&record))
}

fn text(record: &Record) -> String {
    let Record { games, wins, draws, win_rate, win_rate_low, win_rate_high, pieces, .. } = record;
    format!(
        "games {games}\nwins {} {}\ndraws {draws}\nwin_rate {win_rate:.3} (95 %: {win_rate_low:.3} to \
         {win_rate_high:.3})\npieces {pieces}\nattack_per_piece {:.4} {:.4}\npieces_per_second {:.2}\n\
         nodes_per_piece {:.0} {:.0}\nseconds {:.1}\n",
        wins[0],
        wins[1],
        record.attack_per_piece[0],
        record.attack_per_piece[1],
        record.pieces_per_second,
        record.nodes_per_piece[0],
        record.nodes_per_piece[1],
        record.seconds,
    )
}
