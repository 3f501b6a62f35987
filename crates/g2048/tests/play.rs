//! Tests independent of the ISA level: text, 64-bit boards, the network, the search and players.

mod expectimax;
mod interop;
mod network;
mod packed;
mod player;
mod text;
