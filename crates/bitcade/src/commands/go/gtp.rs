//! `bitcade go gtp`.

use super::engine::{Engine, World};
use crate::input::read_line;
use crate::output::{Failure, Output};
use bitcore::Level;
use std::io;

pub(crate) fn run(engine: &Engine, level: Level) -> Result<(), Failure> {
    let (mut session, world) = (engine.session(level)?, World::new());
    // The protocol has a form of its own, with or without `--json`.
    let mut output = Output::new(false);
    let mut input = io::stdin().lock();
    while let Some(line) =
        read_line(&mut input).map_err(|error| Failure::Input(format!("standard input: {error}")))?
    {
        let Some(answer) = session.answer(&line, &world) else { continue };
        output.text(&answer.text)?;
        output.flush()?;
        if answer.quit {
            break;
        }
    }
    Ok(())
}
