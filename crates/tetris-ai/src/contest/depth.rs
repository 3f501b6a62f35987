//! [`MAX_DEPTH`], which the tree search and the errors of its checkpoints name.

/// The maximum depth. The path of a [`Leaf`](super::tree::Leaf) uses four bits per ply.
pub const MAX_DEPTH: usize = 15;
