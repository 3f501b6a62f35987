//! `bitcade play go`: a game of Go against the engine.

use super::arguments::go_color;
use super::engine::EngineArgs;
use super::game_file::GameFile;
use super::game_screen::GameScreen;
use super::game_state::GameState;
use super::line_mode;
use super::opponent::EngineThread;
use super::start::Start;
use crate::io::output::{Failure, Output, printable};
use crate::io::threads::report_missing;
use crate::play::keys::Keys;
use crate::play::line_mode::LineArgs;
use crate::screen::options::ScreenArgs;
use crate::screen::run;
use crate::screen::terminal::has_terminal;
use clap::Args;
use go_mc::Color;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct PlayArgs {
    /// Your color
    #[arg(long, value_name = "COLOR", default_value = "black", value_parser = go_color(), hide_possible_values = true)]
    color: Color,
    /// Continue from the end of this game record (SGF), with its board, komi and rules
    #[arg(long, value_name = "FILE", conflicts_with = "size")]
    load: Option<PathBuf>,
    /// The SGF file to save the game to [default: a new one in your data folder]
    #[arg(long, value_name = "FILE")]
    sgf: Option<PathBuf>,
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    lines: LineArgs,
    #[command(flatten)]
    screen: ScreenArgs,
}

pub(crate) fn run(arguments: &PlayArgs, output: &mut Output) -> Result<(), Failure> {
    let PlayArgs { color, load, sgf, engine, lines, screen } = arguments;
    let file = GameFile::new(sgf.as_deref(), screen.force)?;
    let mut options = engine.options()?;
    let start = match load {
        Some(path) => Start::load(path, &mut options)?,
        None => Start::empty(&options)
            .ok_or_else(|| Failure::Input("--size: expected 5, 9, 13 or 19".to_owned()))?,
    };
    if lines.wanted(screen) {
        // Programs only get a file that they name.
        let file = Some(file).filter(|_| sgf.is_some() || has_terminal());
        return line_mode::run(*color, engine.threads(), options, start, file, output);
    }
    let keys = Keys::load("go").map_err(Failure::Input)?;
    output.refuse_json_of("is played on the screen; without a terminal it prints the moves")?;
    let (mut game, recorded) = run::run(screen, || {
        let state = GameState::new(start.clone(), *color);
        let thread = EngineThread::start(options.clone(), start)?;
        Ok(GameScreen::new(state, &options, keys, thread, file))
    })?;
    report_missing(engine.threads(), game.missing_threads());
    let unfinished = || format!("no result after {} moves", game.state().played().len());
    output.text(game.state().result().map_or_else(unfinished, str::to_owned) + "\n")?;
    if let Some(path) = game.save()? {
        output.text(format!("saved as {}\n", printable(&path.display().to_string())))?;
    }
    recorded
}
