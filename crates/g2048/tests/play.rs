//! Tests that don't depend on the level: texts, boards in 64 bits, the network and the search.

mod expectimax;
mod interop;
mod network;
mod packed;
mod text;
