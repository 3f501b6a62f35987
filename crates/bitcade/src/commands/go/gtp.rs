//! `bitcade go gtp`.

use super::engine::{Engine, World};
use super::lines::Lines;
use crate::output::{Failure, Output};
use bitcore::Level;

pub(crate) fn run(engine: &Engine, level: Level) -> Result<(), Failure> {
    let mut session = engine.session(level)?;
    // The protocol has a form of its own, with or without `--json`.
    let mut output = Output::new(false);
    let lines = Lines::new();
    let world = World::new().with_lines(lines.waiting());
    while let Some(line) = lines.next()? {
        let Some(mut answer) = session.answer(&line, &world) else { continue };
        loop {
            output.text(&answer.text)?;
            output.flush()?;
            if !answer.more {
                break;
            }
            answer = session.go_on(&world);
        }
        if answer.quit {
            break;
        }
    }
    Ok(())
}
