//! The command `bitcade contest solve`: code shared by both searches.

use super::arguments::{Search, Solve};
use super::report::{Budget, SearchEnd, print};
use super::{beam, tree};
use crate::io::input::Input;
use crate::io::output::{Failure, Output, remark};
use tetris_ai::contest::verify;

pub(super) fn run(arguments: &Solve, output: &mut Output) -> Result<(), Failure> {
    let out = arguments.check_out()?;
    // A game that was stopped before its first piece begins with an empty line.
    let is_game = |bytes: &[u8]| matches!(bytes, [b'N' | b'\n' | b'\r', ..]);
    let kind = "a game to resume, as written by contest solve";
    let resumed =
        arguments.resume.then(|| Input::resume(&arguments.out, kind, is_game)).transpose()?;
    let search = arguments.search(resumed.as_ref())?;
    let solved = match search {
        Search::Beam => beam::solve(arguments, &out, resumed.as_ref())?,
        Search::Tree => tree::solve(arguments, &out, resumed.as_ref())?,
    };
    let result = verify(&solved.record, &solved.sequence)
        .map_err(|error| Failure::Check(format!("the record breaks the rules: {error}")))?;
    print(&result, Some(&solved), None, solved.seconds, output)?;
    solved.saved?;
    let flag = match &solved.budget {
        Budget::Steps(steps) => format!("--steps {steps}"),
        Budget::Widths(widths) => format!("--width {widths}"),
    };
    match solved.ended {
        SearchEnd::Done => {}
        SearchEnd::Stopped => {
            remark(format_args!("stopped; {flag} repeats this game, --resume continues it"));
        }
        SearchEnd::Lost(why) => return Err(Failure::Check(why)),
    }
    Ok(())
}
