//! Networks of both kinds: the built-in one, and the user's files.

use crate::io::memory::check_memory;
use crate::io::output::Failure;
use bitcade_files::InputFile;
use g2048::expectimax::Evaluate;
use g2048::network::HEADER_BYTES;
use g2048::{Network, SmallNetwork};
use std::fmt::Display;
use std::io::Read;
use std::path::Path;

/// Estimates of the remaining score, on 4x4.
pub(super) type Values = Box<dyn Evaluate + Send + Sync>;

pub(super) fn values_of(net: Option<&Path>) -> Result<Values, Failure> {
    net.map_or_else(|| Ok(Box::new(SmallNetwork::builtin()) as Values), read_values)
}

/// The memory of a network.
const NETWORK_BYTES: u64 = 1 << 27;

/// Reads a network of either kind, identified by its leading name.
fn read_values(path: &Path) -> Result<Values, Failure> {
    let small = SmallNetwork::file_length;
    let length = |head: &[u8]| match small(head) {
        Err(g2048::Error::FileName { .. }) => Network::file_length(head),
        found => found,
    };
    let file = InputFile::open(path)?;
    let name = file.name().to_owned();
    load(
        file,
        &name,
        length,
        |_| NETWORK_BYTES,
        |bytes| -> Result<Values, _> {
            Ok(if small(bytes).is_ok() {
                Box::new(SmallNetwork::load(bytes)?)
            } else {
                Box::new(Network::load(bytes)?)
            })
        },
    )
}

/// Reads and parses a file. Its header implies its length, so a file of another kind, or an endless
/// one, is not read. `memory` returns the bytes that a file of this length takes when parsed.
pub(super) fn load<T>(
    mut file: impl Read,
    name: &str,
    file_length: impl Fn(&[u8]) -> Result<u64, g2048::Error>,
    memory: impl Fn(u64) -> u64,
    parse: impl Fn(&[u8]) -> Result<T, g2048::Error>,
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
