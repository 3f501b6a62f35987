//! Tests that don't depend on the level: texts, boards in 64 bits, the network, the search and players.

mod expectimax;
mod interop;
mod network;
mod packed;
mod player;
mod text;
