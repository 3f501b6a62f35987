//! [`PriorFile`]: the argument `--prior`.

use crate::io::input::Input;
use crate::io::output::Failure;
use go_mc::search::Prior;
use std::convert::Infallible;
use std::str::FromStr;

/// The file of a prior, or `none`.
#[derive(Clone, Debug)]
pub(super) struct PriorFile(String);

impl PriorFile {
    /// Returns the prior of the file, or the built-in one without a file.
    pub(super) fn or_builtin(file: Option<&Self>) -> Result<Prior, Failure> {
        let Some(Self(path)) = file else { return Ok(Prior::builtin()) };
        if path == "none" {
            return Ok(Prior::none());
        }
        let input = Input::read(Some(path.into()))?;
        input.text.parse().map_err(|error| input.error(error))
    }
}

impl FromStr for PriorFile {
    type Err = Infallible;

    fn from_str(path: &str) -> Result<Self, Infallible> {
        Ok(Self(path.to_owned()))
    }
}
