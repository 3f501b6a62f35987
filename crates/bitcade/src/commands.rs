//! The commands that know every game: `play`, `watch`, the tour, `keys`, and those about the
//! program itself. Each game's own commands are in `games`.

pub(crate) mod completions;
pub(crate) mod fuzz;
pub(crate) mod keys;
pub(crate) mod manual;
pub(crate) mod play;
pub(crate) mod tour;
pub(crate) mod watch;
