//! The command `bitcade go gtp`.

use super::engine::{EngineArgs, SystemHost};
use crate::io::interrupt;
use crate::io::lines::InputLines;
use crate::io::output::{Failure, Output, remark};
use crate::io::threads::report_missing;

pub(crate) fn run(engine: &EngineArgs) -> Result<(), Failure> {
    let mut session = engine.session()?;
    let mut output = Output::new(false);
    let interrupted = interrupt::install_handler();
    let lines = InputLines::new()?;
    let host = SystemHost::new(&lines);
    while let Some(line) = lines.next(&interrupted)? {
        let Some(mut answer) = session.respond(&line, &host) else { continue };
        loop {
            report_missing(engine.threads(), session.missing_threads());
            session.take_remarks().iter().for_each(remark);
            output.text(&answer.text)?;
            output.flush()?;
            if !answer.more {
                break;
            }
            answer = session.continue_response(&host);
        }
        if answer.quit {
            break;
        }
    }
    Ok(())
}
