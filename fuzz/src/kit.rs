//! Tools shared by all targets.

mod forms;
#[cfg(test)]
mod mutation;
#[cfg(test)]
mod replay;

pub(crate) use forms::{read_as, same_again, same_form};
#[cfg(test)]
pub(crate) use replay::replay;
pub(crate) use testkit::Input;
