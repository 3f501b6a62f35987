//! Games of the contest of 2021, replayed.

use crate::border::{text, write};
use tetris_ai::contest::{Game, Record, Sequence, verify};

exports! {
    /// Replays a record.
    fn bitcade_contest_replay(length: i64) -> i64 {
        let record: Record = text(length)?.parse()?;
        let sequence = Sequence::contest();
        verify(&record, &sequence)?;
        let mut game = Game::new(&sequence);
        let mut bytes = Vec::new();
        for turn in record.turns() {
            if game.play(turn).is_none() {
                break;
            }
            bytes.extend_from_slice(&game.score().to_le_bytes());
            bytes.extend(game.board().rows().iter().flat_map(|row| row.to_le_bytes()));
        }
        write(&bytes)?;
        Ok(game.pieces() as i64)
    }
}
