//! What all targets share.

mod batch;
mod forms;
mod input;
#[cfg(test)]
mod mutation;
#[cfg(test)]
mod replay;

pub(crate) use batch::{Plain, refused_slices, stepped};
pub(crate) use forms::{read_as, same_again, same_form};
pub(crate) use input::Input;
#[cfg(test)]
pub(crate) use replay::replay;

pub(crate) fn any_level(input: &Input) -> bitcore::Level {
    if input.flag() { bitcore::Level::detect() } else { bitcore::Level::PORTABLE }
}
