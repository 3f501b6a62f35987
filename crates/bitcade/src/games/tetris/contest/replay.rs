//! The command `bitcade contest replay`.

pub(crate) mod replay_screen;
mod sheet;
mod snapshot;

use super::record_file::{read_record, sequence};
use crate::arguments::{milliseconds_in, number_in, parse_positive, parse_seed};
use crate::io::color::{self, moves_cursor};
use crate::io::input::Input;
use crate::io::interrupt;
use crate::io::output::{Failure, Output};
use crate::screen::options::ScreenArgs;
use crate::screen::record::Recorder;
use crate::screen::run;
use crate::screen::terminal::has_terminal;
use bitcade_files::{Existing, OutputFile};
use clap::Args;
use replay_screen::ReplayScreen;
use sheet::sheet;
use snapshot::{Cell, Snapshot, snapshots};
use std::io::{self, IsTerminal};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;
use tetris_ai::contest::{COLUMNS, PIECES, ROWS, verify};

#[derive(Args)]
pub(crate) struct Replay {
    /// The record, as written by `contest solve`; `-` or no file reads standard input
    file: Option<PathBuf>,
    /// The seed of the sequence; it must match the seed in the file, if any [default: the file's
    /// seed, else 12358]
    #[arg(long, value_parser = parse_seed)]
    seed: Option<u64>,
    /// The first piece to show, counted from 1
    #[arg(long, value_name = "PIECE", default_value_t = 1, value_parser = number_in(1..=PIECES as u64))]
    from: u64,
    /// The last piece to show [default: the last one]
    #[arg(long, value_name = "PIECE", value_parser = number_in(1..=PIECES as u64))]
    to: Option<u64>,
    /// Show every Nth piece [default: 1; in files, as many as fit in 60 pictures or 600 frames]
    #[arg(long, value_name = "N", value_parser = parse_positive)]
    every: Option<u64>,
    /// The time between two pieces on a terminal or in a GIF, such as 80 (milliseconds) or 1s
    #[arg(long, value_name = "T", default_value_t = 80, value_parser = milliseconds_in(0..=60_000))]
    delay: u64,
    /// Write a sheet of boards as SVG; `-` is standard output
    #[arg(long, value_name = "SVG")]
    svg: Option<PathBuf>,
    /// Write an animation as GIF; `-` is standard output
    #[arg(long, value_name = "GIF")]
    gif: Option<PathBuf>,
    #[command(flatten)]
    screen: ScreenArgs,
}

/// The maximum number of boards of a sheet, or of an animation without `--every`.
const MAX_BOARDS: usize = 60;
const MAX_FRAMES: usize = 600;

fn shown_pieces(
    from: u64,
    to: Option<u64>,
    pieces: usize,
) -> Result<RangeInclusive<usize>, Failure> {
    let most = pieces as u64;
    let to = to.unwrap_or(most.max(from));
    for (flag, piece) in [("--from", from), ("--to", to)] {
        if piece > most {
            return Err(Failure::Input(format!(
                "{flag} {piece}: expected a number from 1 to {most}, the pieces of this game"
            )));
        }
    }
    if from > to {
        return Err(Failure::Input(format!("--from {from}: expected at most --to, {to}")));
    }
    Ok(from as usize..=to as usize)
}

pub(super) fn run(arguments: Replay, output: &mut Output) -> Result<(), Failure> {
    let Replay { file, seed, from, to, every, delay, svg, gif, screen } = arguments;
    let check = |path: &PathBuf| OutputFile::check(path, Existing::forced(screen.force));
    let [svg, gif, recording] = [&svg, &gif, &screen.record].map(|path| path.as_ref().map(check));
    let svg = svg.transpose()?;
    let gif = gif.transpose()?;
    let recording = recording.transpose()?;
    let recorder = screen.recorder_for(recording)?;
    let input = Input::read(file)?;
    let (record, _) = read_record(&input)?;
    let sequence = sequence(&input, seed)?;
    verify(&record, &sequence).map_err(|error| input.error(error))?;
    let mut snapshots = snapshots(&record, &sequence);
    let pieces = snapshots.len();
    let shown = shown_pieces(from, to, pieces)?;
    let snapshots: Vec<Snapshot> = snapshots.drain(shown.start() - 1..*shown.end()).collect();
    let sampled = |max: usize| -> Vec<&Snapshot> {
        let every = every.map_or(snapshots.len().div_ceil(max).max(1), |every| every as usize);
        snapshots.iter().step_by(every).collect()
    };
    let of_boards = |boards, shows_keys| {
        ReplayScreen::new(boards, pieces, Duration::from_millis(delay), shows_keys)
    };
    let files = svg.is_some() || gif.is_some();
    if !files && !output.is_json() && has_terminal() {
        return run::run_counted(&screen, recorder, || Ok(of_boards(sampled(PIECES), true)))?.2;
    }
    if let Some(svg) = &svg {
        let sheet = sheet(&sampled(MAX_BOARDS));
        svg.write(|sink| sink(sheet.as_bytes()))?;
    }
    let theme = screen.theme(false);
    if let Some(gif) = gif {
        let recorder = Recorder::gif(&gif)?;
        of_boards(sampled(MAX_FRAMES), false).record(recorder, replay_screen::SIZE, theme)?;
    }
    let recorded = recorder.is_some();
    if let Some(recorder) = recorder {
        of_boards(sampled(MAX_FRAMES), false).record(recorder, screen.screen, theme)?;
    }
    if !files && !recorded {
        play(&sampled(PIECES), delay, output)?;
    } else if output.is_json() {
        print(&sampled(PIECES), output)?;
    }
    Ok(())
}

fn print(snapshots: &[&Snapshot], output: &mut Output) -> Result<(), Failure> {
    snapshots.iter().try_for_each(|snapshot| output.json_line(&snapshot.record()))
}

fn play(boards: &[&Snapshot], delay: u64, output: &mut Output) -> Result<(), Failure> {
    if output.is_json() {
        return print(boards, output);
    }
    let interrupted = interrupt::install_handler();
    let animated = io::stdout().is_terminal() && moves_cursor();
    for (i, shown) in boards.iter().enumerate() {
        let mut text = String::new();
        for y in 0..ROWS as i8 {
            for x in 0..COLUMNS as i8 {
                text.push(match shown.cell(x, y) {
                    Cell::Empty => '.',
                    Cell::Stack => '#',
                    Cell::Piece => '@',
                });
            }
            text.push('\n');
        }
        // In the contest's order of pieces.
        let color =
            color::palette("ILJTOSZ".find(shown.falling.piece.kind().letter()).unwrap_or(0));
        let painted = color::characters(&text, |c| match c {
            '@' => Some(color),
            '#' => Some(color::GRAY),
            _ => None,
        });
        if animated && i > 0 {
            // Moves the cursor up, over the previous board.
            output.text(format!("\x1b[{}A", ROWS + 1))?;
        }
        output.colored(&painted)?;
        // `\x1b[K` erases the rest of a longer, older line.
        let line = if animated {
            format!("{}\x1b[K\n", shown.line())
        } else {
            format!("{}\n\n", shown.line())
        };
        output.text(line)?;
        if animated {
            output.flush()?;
            interrupt::sleep(Duration::from_millis(delay), &interrupted);
        }
        if interrupted() {
            break;
        }
    }
    Ok(())
}
