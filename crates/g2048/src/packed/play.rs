//! Random play on [`Packed`] boards: from any position, and the games of [`Lockstep`](crate::Lockstep) one by one.

use super::board::{Packed, count_flags, nth_flag};
use super::rows::{ROWS, slide_rows};
use crate::board::Board;
use crate::reference::lockstep_play;
use crate::slide::Direction;
use crate::step::{BLOCK, Step};
use crate::tally::{Outcome, Tally};
use bitcore::{Isa, Level, Rng, dispatch};

/// Plays uniformly random legal moves from a position to the end, one game alone.
///
/// The draws of each move are those that [`Playouts`](crate::Playouts) documents: a game from [`Board::start`] on
/// stream i is its game i. Any size, any tiles: 4x4 goes packed as long as it can.
///
/// ```
/// use bitcore::Rng;
/// use g2048::{Board, Playouts, Size, Tally, packed};
/// let games: Tally = Rng::streams(1)
///     .take(100)
///     .map(|mut rng| packed::random_play(&Board::start(Size::CLASSIC, &mut rng), &mut rng))
///     .sum();
/// assert_eq!(games, Playouts::new(Size::CLASSIC, 1).run(100));
/// ```
pub fn random_play(board: &Board, rng: &mut Rng) -> Outcome {
    let mut outcome = Outcome { score: 0, moves: 0, board: *board };
    if let Ok(packed) = Packed::new(board) {
        play_packed(packed, &mut outcome, rng);
    }
    // The rest, or all, in bytes.
    while random_move(&mut outcome, rng) {}
    outcome
}

/// Plays on until the game is over, or until some slide merges two 32768s.
fn play_packed(mut board: Packed, outcome: &mut Outcome, rng: &mut Rng) {
    'game: loop {
        let mut slides = [(board, 0); 4];
        let mut legal = 0;
        for direction in Direction::ALL {
            let Some(slide) = board.slide(direction) else { break 'game };
            // A masked index needs no check.
            slides[legal & 3] = (slide.board, slide.gain);
            legal += usize::from(slide.changed);
        }
        if legal == 0 {
            break;
        }
        let (slid, gain) = slides[rng.below(legal as u32) as usize & 3];
        board = slid;
        outcome.score += u64::from(gain);
        outcome.moves += 1;
        board.spawn(rng);
    }
    outcome.board = board.board();
}

/// Plays one random move in bytes; false if none is legal.
fn random_move(outcome: &mut Outcome, rng: &mut Rng) -> bool {
    let legal = outcome.board.legal_moves().count() as u32;
    if legal == 0 {
        return false;
    }
    let k = rng.below(legal) as usize;
    let Some(direction) = outcome.board.legal_moves().nth(k) else { return false };
    let slide = outcome.board.slide(direction);
    outcome.board = slide.board;
    outcome.score += slide.gain;
    outcome.moves += 1;
    outcome.board.spawn(rng);
    true
}

/// Plays the next game of [`Lockstep`](crate::Lockstep) on a stream, one game alone.
///
/// ```
/// use bitcore::Rng;
/// use g2048::{Lockstep, Tally, packed};
/// // The first 32 games have a stream each.
/// let games: Tally = Rng::streams(1).take(32).map(|mut stream| packed::lockstep_game(&mut stream)).sum();
/// assert_eq!(games, Lockstep::new(1).run(32));
/// ```
pub fn lockstep_game(stream: &mut Rng) -> Outcome {
    lockstep_game_on(Level::detect(), stream)
}

/// [`lockstep_game`] on a level.
pub fn lockstep_game_on(level: Level, stream: &mut Rng) -> Outcome {
    dispatch!(level, isa [stream] => Game::start_with(isa, stream).to_end_with(isa, stream))
}

/// Games that run interleaved: while one waits for its table, the others go on.
const INTERLEAVED: usize = 4;

/// Plays `quota[i]` games on `streams[i]`, and sums them up.
#[inline(never)]
pub(crate) fn play_interleaved<S: Isa>(isa: S, streams: &mut [Rng; 32], quota: [u64; 32]) -> Tally {
    isa.enter(
        #[inline(always)]
        || play_interleaved_with(isa, streams, quota),
    )
}

#[inline(always)]
fn play_interleaved_with<S: Isa>(isa: S, streams: &mut [Rng; 32], quota: [u64; 32]) -> Tally {
    let mut tally = Tally::default();
    let mut quota = quota;
    let mut waiting = 0..32;
    let mut next_stream = |quota: &[u64; 32]| waiting.find(|&stream| quota[stream] > 0);
    // The streams in play, apart from the others so that they can be held in registers.
    let mut games = [Game::EMPTY; INTERLEAVED];
    let mut rngs = [const { None }; INTERLEAVED].map(|_: Option<Rng>| streams[0].clone());
    let mut seats = [None; INTERLEAVED];
    for seat in 0..INTERLEAVED {
        if let Some(stream) = next_stream(&quota) {
            rngs[seat] = streams[stream].clone();
            games[seat] = Game::start_with(isa, &mut rngs[seat]);
            seats[seat] = Some(stream);
        }
    }
    while seats.iter().any(Option::is_some) {
        for _ in 0..BLOCK / 2 {
            let mut words = [0; INTERLEAVED];
            for (word, rng) in words.iter_mut().zip(&mut rngs) {
                *word = rng.next_u64();
            }
            for (game, &word) in games.iter_mut().zip(&words) {
                game.attempt_with(isa, word as u32);
            }
            for (game, &word) in games.iter_mut().zip(&words) {
                game.attempt_with(isa, (word >> 32) as u32);
            }
        }
        for seat in 0..INTERLEAVED {
            if !games[seat].may_have_ended() {
                continue;
            }
            // An empty seat plays on for nothing.
            let Some(stream) = seats[seat] else { continue };
            let Some(outcome) = games[seat].ended(&mut rngs[seat]) else { continue };
            tally += outcome;
            quota[stream] -= 1;
            if quota[stream] == 0 {
                streams[stream] = rngs[seat].clone();
                seats[seat] = next_stream(&quota);
                if let Some(stream) = seats[seat] {
                    rngs[seat] = streams[stream].clone();
                }
            }
            if seats[seat].is_some() {
                games[seat] = Game::start_with(isa, &mut rngs[seat]);
            }
        }
    }
    tally
}

/// A game by the draws of [`Step`].
#[derive(Clone, Copy)]
struct Game {
    /// The board, turned by half or not.
    turned: Packed,
    /// All ones if it is, else 0: turning costs more than to slide to the right and to count from the last cell.
    half: u64,
    /// How many 4s were spawned.
    fours: u64,
}

impl Game {
    /// A game before its first spawn.
    const EMPTY: Self = Self { turned: Packed::EMPTY, half: 0, fours: 0 };

    /// The first position, of one word.
    #[inline(always)]
    fn start_with<S: Isa>(isa: S, stream: &mut Rng) -> Self {
        let word = stream.next_u64();
        let mut game = Self::EMPTY;
        game.spawn_with(isa, Step::new(word as u32), 1);
        game.spawn_with(isa, Step::new((word >> 32) as u32), 1);
        game
    }

    /// The board as it lies.
    #[inline(always)]
    fn board(&self) -> Board {
        let Packed(bits) = self.turned;
        Packed(if self.half == 0 { bits } else { half_turn(bits) }).board()
    }

    /// Plays on to the end.
    #[inline(always)]
    fn to_end_with<S: Isa>(mut self, isa: S, stream: &mut Rng) -> Outcome {
        if self.outgrown() {
            return play_on_in_bytes(self.board(), self.fours, stream);
        }
        loop {
            for _ in 0..BLOCK / 2 {
                let word = stream.next_u64();
                self.attempt_with(isa, word as u32);
                self.attempt_with(isa, (word >> 32) as u32);
            }
            if let Some(outcome) = self.ended(stream) {
                return outcome;
            }
        }
    }

    /// Turns the board, slides it to the left, and spawns if that changed it: without a branch, and with few steps from
    /// one board to the next, since they have to wait for each other.
    #[inline(always)]
    fn attempt_with<S: Isa>(&mut self, isa: S, bits: u32) {
        let step = Step::new(bits);
        // Mirrored at one diagonal and then at the other, a board is turned by half; mirrored at the second one, it
        // is turned by half after a mirror at the first one.
        let transpose = 0u64.wrapping_sub(u64::from(step.transpose != step.anti_transpose));
        self.half ^= 0u64.wrapping_sub(step.anti_transpose.into());
        let before = self.turned.transpose_where(transpose);
        let table = if self.half == 0 { &ROWS.left } else { &ROWS.right };
        self.turned = Packed(slide_rows(before.0, table));
        self.spawn_with(isa, step, (self.turned != before).into());
    }

    /// Spawns the tile of a step if `moved` is 1, and not if it is 0.
    #[inline(always)]
    fn spawn_with<S: Isa>(&mut self, isa: S, step: Step, moved: u64) {
        let empty = self.turned.empty();
        let cells = count_flags_with(isa, empty);
        let k = (u64::from(step.position) * cells) >> 16;
        // From the last cell: cells - 1 - k.
        let k = (k ^ self.half).wrapping_add(cells & self.half);
        let four = u64::from(step.four);
        self.turned.0 |= (nth_flag_with(isa, empty, k) & 0u64.wrapping_sub(moved)) << four;
        self.fours += four & moved;
    }

    /// Whether there may be something to do between two blocks.
    #[inline(always)]
    fn may_have_ended(&self) -> bool {
        self.turned.empty() == 0 || self.outgrown()
    }

    /// A tile of 4096: without one the tiles sum up to 2^15 at most, and the 65536 that a packed board can't hold is
    /// more than a block away.
    #[inline(always)]
    fn outgrown(&self) -> bool {
        self.turned.0 >> 3 & self.turned.0 >> 2 & 0x1111_1111_1111_1111 != 0
    }

    /// Between two blocks: how the game went if it is over. One that has outgrown 64 bits is played to its end in bytes.
    #[inline(always)]
    fn ended(&self, stream: &mut Rng) -> Option<Outcome> {
        if self.outgrown() {
            return Some(play_on_in_bytes(self.board(), self.fours, stream));
        }
        self.turned.is_over().then(|| Outcome::of(self.board(), self.fours))
    }
}

/// The cells backwards.
#[inline(always)]
const fn half_turn(board: u64) -> u64 {
    let board = board.swap_bytes();
    (board >> 4 & 0x0f0f_0f0f_0f0f_0f0f) | (board & 0x0f0f_0f0f_0f0f_0f0f) << 4
}

/// [`count_flags`], in one instruction where there is one.
#[inline(always)]
fn count_flags_with<S: Isa>(_: S, flags: u64) -> u64 {
    if S::FAST_PEXT { flags.count_ones().into() } else { count_flags(flags) }
}

/// [`nth_flag`], in two instructions where they are fast.
#[inline(always)]
fn nth_flag_with<S: Isa>(isa: S, flags: u64, k: u64) -> u64 {
    if S::FAST_PEXT { isa.pdep(1u64.wrapping_shl(k as u32), flags) } else { nth_flag(flags, k) }
}

/// Goes on from between two blocks to the end of the game, in bytes.
#[cold]
fn play_on_in_bytes(board: Board, fours: u64, stream: &mut Rng) -> Outcome {
    let begun = Outcome::of(board, fours);
    if board.is_over() {
        return begun;
    }
    let rest = lockstep_play(board, stream);
    Outcome { score: begun.score + rest.score, moves: begun.moves + rest.moves, board: rest.board }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;

    /// Games that go on from large tiles leave the packed form at some moment: the same games as in bytes throughout.
    #[test]
    fn games_that_outgrow_the_packed_form() {
        let mut outgrown = 0;
        for seed in 0..testkit::cases(200) {
            let mut rng = Rng::new(seed);
            let ranks: [u8; 16] = core::array::from_fn(|_| {
                if rng.below(3) == 0 { 0 } else { [13, 13, 13, 11, 1][rng.below(5) as usize] }
            });
            let board = Board::from_fn(Size::CLASSIC, |cell| ranks[cell]);
            let game = Game { turned: Packed::clamped(&board), ..Game::EMPTY };
            for level in Level::all() {
                let (mut stream, mut twin) = (rng.clone(), rng.clone());
                let found = dispatch!(level, isa => game.to_end_with(isa, &mut stream));
                let expected = lockstep_play(board, &mut twin);
                assert_eq!(found.board, expected.board, "{level}, {seed}");
                assert_eq!(stream, twin, "{level}, {seed}");
                outgrown += u32::from(found.board.max_rank() > 15);
            }
        }
        assert!(outgrown > 10, "{outgrown}");
    }
}
