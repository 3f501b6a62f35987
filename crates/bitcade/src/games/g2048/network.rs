//! Networks of all kinds: the built-in one, and the user's files.

use crate::io::memory::check_memory;
use crate::io::output::Failure;
use bitcade_files::InputFile;
use clap::Args;
use g2048::expectimax::{Evaluate, Limits};
use g2048::network::{HEADER_BYTES, NetworkPair};
use g2048::{Error, Expectimax, Network, Size, SmallNetwork, TupleNetwork};
use std::fmt::Display;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Estimates of the remaining score.
pub(super) enum Values {
    Classic(Box<dyn Evaluate + Send + Sync>),
    AnySize(TupleNetwork),
}

impl Values {
    pub(super) fn size(&self) -> Size {
        match self {
            Self::Classic(_) => Size::CLASSIC,
            Self::AnySize(network) => network.size(),
        }
    }

    pub(super) fn search(&self, limits: Limits) -> Expectimax<'_> {
        match self {
            Self::Classic(network) => Expectimax::new(&**network, limits),
            Self::AnySize(network) => Expectimax::of_size(network.size(), network, limits),
        }
    }
}

#[derive(Args)]
pub(crate) struct LateArg {
    /// Another network for the late part of games, written by `bitcade 2048 train --late`
    #[arg(long, value_name = "NET", requires = "net")]
    late: Option<PathBuf>,
}

/// The files of the networks of a player.
#[derive(Clone, Copy, Default)]
pub(super) struct Nets<'a> {
    pub(super) net: Option<&'a Path>,
    pub(super) late: Option<&'a Path>,
}

impl<'a> Nets<'a> {
    pub(super) fn new(net: Option<&'a Path>, late: &'a LateArg) -> Self {
        Self { net, late: late.late.as_deref() }
    }
}

pub(super) fn values_of(nets: Nets<'_>) -> Result<Values, Failure> {
    Ok(match (nets.net, nets.late) {
        (None, _) => Values::Classic(Box::new(SmallNetwork::builtin())),
        (Some(net), None) => read_values(net)?,
        (Some(net), Some(late)) => {
            let [early, late] = [read_large(net)?, read_large(late)?];
            Values::Classic(Box::new(NetworkPair { early, late }))
        }
    })
}

/// Returns the values of boards of a size, or `None` if only random play has any.
pub(super) fn values_of_size(nets: Nets<'_>, size: Size) -> Result<Option<Values>, Failure> {
    if nets.net.is_none() && size != Size::CLASSIC {
        return Ok(None);
    }
    let values = values_of(nets)?;
    if let Some(net) = nets.net
        && values.size() != size
    {
        return Err(Failure::Input(format!(
            "{}: expected a network for boards of {size}, found one for {}",
            net.display(),
            values.size()
        )));
    }
    Ok(Some(values))
}

/// The memory of a network.
const NETWORK_BYTES: u64 = 1 << 27;

/// Returns the length of a file of any kind.
fn file_length(head: &[u8]) -> Result<u64, Error> {
    let found = [SmallNetwork::file_length, TupleNetwork::file_length, Network::file_length];
    let found = found.map(|length| length(head));
    let is_kind = |found: &&Result<u64, Error>| !matches!(found, Err(Error::FileName { .. }));
    let best = found.iter().find(|found| found.is_ok()).or(found.iter().find(is_kind));
    *best.unwrap_or(&found[2])
}

/// Reads a network of any kind, identified by its leading name and version.
fn read_values(path: &Path) -> Result<Values, Failure> {
    let file = InputFile::open(path)?;
    let name = file.name().to_owned();
    load(
        file,
        &name,
        file_length,
        |_| NETWORK_BYTES,
        |bytes| {
            Ok(if SmallNetwork::file_length(bytes).is_ok() {
                Values::Classic(Box::new(SmallNetwork::load(bytes)?))
            } else if TupleNetwork::file_length(bytes).is_ok() {
                Values::AnySize(TupleNetwork::load(bytes)?)
            } else {
                Values::Classic(Box::new(Network::load(bytes)?))
            })
        },
    )
}

fn read_large(path: &Path) -> Result<Network, Failure> {
    let file = InputFile::open(path)?;
    let name = file.name().to_owned();
    load(file, &name, Network::file_length, |_| NETWORK_BYTES, Network::load)
}

/// Reads and parses a file. Its header implies its length, so a file of another kind, or an endless
/// one, is not read. `memory` returns the bytes that a file of this length takes when parsed.
pub(super) fn load<T>(
    mut file: impl Read,
    name: &str,
    file_length: impl Fn(&[u8]) -> Result<u64, Error>,
    memory: impl Fn(u64) -> u64,
    parse: impl Fn(&[u8]) -> Result<T, Error>,
) -> Result<T, Failure> {
    let named = |error: &dyn Display| Failure::Input(format!("{name}: {error}"));
    let mut bytes = Vec::new();
    let mut read = |most: u64, bytes: &mut Vec<u8>| {
        file.by_ref().take(most).read_to_end(bytes).map_err(|error| named(&error))
    };
    read(HEADER_BYTES as u64, &mut bytes)?;
    let length = file_length(&bytes).map_err(|error| named(&error))?;
    check_memory(length.saturating_add(memory(length)), name)?;
    // Reserved up front: a growing vector would take up to twice as much.
    bytes.reserve_exact(length as usize + 1);
    // A byte after the end is an error.
    read((length + 1).saturating_sub(HEADER_BYTES as u64), &mut bytes)?;
    parse(&bytes).map_err(|error| named(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_by_name_and_version() {
        let found = |name: &[u8; 8], version: u32| {
            let mut head = name.to_vec();
            head.extend(version.to_le_bytes());
            head.extend(100u64.to_le_bytes());
            file_length(&head)
        };
        for (name, versions) in [(b"2048-net", 1..3), (b"2048-sml", 1..4), (b"2048-tup", 1..2)] {
            let version = versions.end;
            let expected = version - 1;
            for version in versions {
                assert_eq!(found(name, version), Ok(100), "{name:?} {version}");
            }
            assert_eq!(found(name, version), Err(Error::FileVersion { expected, found: version }));
        }
        assert_eq!(found(b"2048-lrn", 2), Err(Error::FileName { expected: "2048-net" }));
    }
}
