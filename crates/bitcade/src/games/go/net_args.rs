//! [`NetArgs`]: the arguments `--net` and `--net-visits`.

use crate::arguments::number_in;
use crate::io::input::Input;
use crate::io::output::Failure;
use clap::Args;
use go_mc::search::{Net, Settings};
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct NetArgs {
    /// A net, as written by `go learn --kind net`, or `builtin`, for the nodes in which the search
    /// plays most; the others have the prior, and so do all with `none` [default: builtin, or none
    /// for light playouts]
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// The playouts after which a node has the net; the root always has it
    #[arg(long, value_name = "N", default_value_t = Settings::default().net_visits, value_parser = number_in(1u32..=1_000_000_000))]
    net_visits: u32,
}

impl NetArgs {
    /// Takes the net and the visits into the settings.
    pub(super) fn apply(&self, settings: &mut Settings) -> Result<(), Failure> {
        settings.net_visits = self.net_visits;
        let Some(file) = &self.net else { return Ok(()) };
        settings.net = match file.to_str() {
            Some("none") => None,
            Some("builtin") => Some(Net::builtin()),
            _ => {
                let input = Input::read(Some(file.clone()))?;
                Some(input.text.parse().map_err(|error| input.error(error))?)
            }
        };
        Ok(())
    }
}
