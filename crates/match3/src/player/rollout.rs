//! [`Rollout`]: plays the swap with the highest average score over rollouts with random refills.
//!
//! ```text
//! candidates = the legal swaps
//! repeat until one candidate is left:                   sequential halving
//!     repeat budget / (rounds * candidates) times:      at least one time
//!         refills = the next sample                     common to all candidates
//!         for each candidate: sum += rollout(candidate, refills)
//!     keep the half with the highest sums
//! ```

use crate::bitboard::best_swap::Choice;
use crate::bitboard::colors::{add_one, below, bits_of};
use crate::bitboard::mask::SwapBit;
use crate::bitboard::planes::{PlaneBoard, PlaneLayout};
use crate::cascade_result::CascadeResult;
use crate::game::Game;
use crate::game::position::{Position, with_position};
use crate::swap::Swap;
use alloc::vec::Vec;
use bitcade_core::{Player, Stop, Stopped};
use bitcore::Rng;
use core::cmp::Reverse;

/// Moves per rollout, including the first.
const DEPTH: u32 = 3;

/// A player that tries each legal swap with random refills, spends more rollouts on the better
/// ones, and plays the best.
///
/// Sequential halving (Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed
/// bandits", 2013): the budget, a number of rollouts, is split evenly over the rounds it takes to
/// halve the candidates down to one, and within a round over the remaining swaps, with at least one
/// rollout each. The half with the higher total score over all rollouts so far survives; ties go to
/// the swap that comes first in [`Random`](super::Random)'s draw order.
///
/// A rollout plays the swap and its cascade with random refills. It then plays two more moves, each
/// time the swap that scores the most together with the best swap after it, both without new
/// pieces. Finally it adds the score of the two best swaps that would follow, without playing them.
/// Only the first move is credited with the points from its refills, because on average the luck of
/// later refills is the same for every swap. A rollout ends after the last move of the game or on a
/// dead board.
///
/// Rollout i of every swap uses the same refills: at cascade level l of move m, the empty cells are
/// filled from a full board of random colors that depends only on (i, m, l). These common random
/// numbers reduce the variance of the difference between two swaps.
///
/// ```
/// use match3::player::Rollout;
/// use match3::{Game, Player, RandomColors, Rng, Rules};
/// let mut colors = RandomColors::new(6, Rng::new(1))?;
/// let game = Game::new(Rules::default(), &mut colors)?;
/// let swap = Rollout::new(64, Rng::new(2)).choose(&game);
/// assert!(game.legal_moves().contains(&swap.ok_or("a legal swap")?));
/// // The same seed, budget and game give the same swap.
/// assert_eq!(Rollout::new(64, Rng::new(2)).choose(&game), swap);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rollout {
    budget: u32,
    rng: Rng,
}

impl Rollout {
    /// Creates a player with a budget in rollouts per move. It draws one word per move from the
    /// generator.
    pub const fn new(budget: u32, rng: Rng) -> Self {
        Self { budget, rng }
    }

    fn choose_in<W: PlaneLayout<P>, const P: usize>(
        &mut self,
        Position { board, legal }: &Position<W, P>,
        colors: u8,
        moves_left: u32,
        stop: Stop<'_>,
    ) -> Result<Option<Swap>, Stopped> {
        let mut candidates = Vec::with_capacity(legal.len());
        candidates.extend(legal.in_draw_order().map(|swap| Candidate { sum: 0, swap }));
        let seed = self.rng.next_u64();
        let rounds = candidates.len().max(1).next_power_of_two().trailing_zeros();
        let mut sample = 0;
        for _ in 0..rounds {
            for _ in 0..(self.budget / (rounds * candidates.len() as u32)).max(1) {
                if stop() {
                    return Err(Stopped);
                }
                let mut refills = Refills::new(seed, sample, colors);
                sample += 1;
                for candidate in &mut candidates {
                    candidate.sum += value(board, candidate, &mut refills, moves_left);
                }
            }
            halve(&mut candidates);
        }
        Ok(candidates.first().map(|best| board.swap_at(best.swap)))
    }
}

impl Player<Game> for Rollout {
    fn choose(&mut self, game: &Game) -> Option<Swap> {
        self.choose_until(game, &|| false).unwrap_or_default()
    }

    fn choose_until(&mut self, game: &Game, stop: Stop<'_>) -> Result<Option<Swap>, Stopped> {
        let colors = game.rules.colors;
        let moves_left = game.moves_left();
        with_position!(&game.position, position => self.choose_in(position, colors, moves_left, stop))
    }
}

/// A legal swap and the total score of its rollouts, in tens of points.
struct Candidate {
    sum: u64,
    swap: SwapBit,
}

fn halve(candidates: &mut Vec<Candidate>) {
    candidates.sort_by_key(|candidate| Reverse(candidate.sum));
    candidates.truncate(candidates.len().div_ceil(2));
}

/// Plays one rollout. Returns its score in tens of points.
fn value<W: PlaneLayout<P>, const P: usize>(
    board: &PlaneBoard<W, P>,
    first: &Candidate,
    refills: &mut Refills<W, P>,
    moves_left: u32,
) -> u64 {
    let mut board = *board;
    board.exchange_at(first.swap);
    let mut sum = cascade(&mut board, refills, 0);
    for step in 1..=DEPTH {
        let Some(choice) = next_choice(&board, moves_left.saturating_sub(step)) else {
            break;
        };
        if step == DEPTH {
            sum += choice.total;
        } else {
            sum += choice.score;
            board.exchange_at(choice.swap);
            cascade(&mut board, refills, step);
        }
    }
    sum
}

/// Returns the next move of a rollout, or `None` if no move is left or the board is dead.
fn next_choice<W: PlaneLayout<P>, const P: usize>(
    board: &PlaneBoard<W, P>,
    moves_left: u32,
) -> Option<Choice> {
    match moves_left {
        0 => None,
        1 => board.best_swap(),
        _ => best_swap_ahead(board),
    }
}

/// Returns the swap that scores the most together with the best swap after it, both without new
/// pieces, or `None` if the board is dead.
fn best_swap_ahead<W: PlaneLayout<P>, const P: usize>(board: &PlaneBoard<W, P>) -> Option<Choice> {
    board.best_by(&board.swaps(), |after| {
        let score = after.cascade_without_refill().score / 10;
        (score, after.best_swap().map_or(0, |next| next.score))
    })
}

/// Returns the score in tens of points.
fn cascade<W: PlaneLayout<P>, const P: usize>(
    board: &mut PlaneBoard<W, P>,
    refills: &mut Refills<W, P>,
    step: u32,
) -> u64 {
    let mut result = CascadeResult::default();
    while let Some(pieces) = W::clear_and_fall(board, &mut result) {
        let new = refills.get(step, result.levels);
        for (word, &pieces) in pieces.words().iter().enumerate() {
            let empty = board.open_cells(word, pieces);
            board.add_pieces(word, new.map(|plane| plane.words()[word] & empty));
        }
    }
    result.score
}

/// Cascade levels whose refills are kept for the other swaps. Higher levels are drawn again each
/// time.
const KEPT: usize = 4;

type Full<W, const P: usize> = [W; P];

struct Refills<W, const P: usize> {
    seed: u64,
    colors: u8,
    kept: [[Full<W, P>; KEPT]; DEPTH as usize],
    /// One byte per move: bit l is set once the refills of level l, counted from 0, have been
    /// drawn.
    drawn: [u8; DEPTH as usize],
}

impl<W: PlaneLayout<P>, const P: usize> Refills<W, P> {
    #[inline(always)]
    fn new(seed: u64, sample: u64, colors: u8) -> Self {
        let seed = seed.wrapping_add(sample << 32);
        Self {
            seed,
            colors,
            kept: [[[W::default(); P]; KEPT]; DEPTH as usize],
            drawn: [0; DEPTH as usize],
        }
    }

    /// Returns the colors that fill cascade level `level`, counted from 1, of a move.
    #[inline(always)]
    fn get(&mut self, step: u32, level: u64) -> Full<W, P> {
        let at = step as usize;
        let level = level - 1;
        if level >= KEPT as u64 {
            return self.draw(step, level);
        }
        if self.drawn[at] >> level & 1 == 0 {
            self.drawn[at] |= 1 << level;
            self.kept[at][level as usize] = self.draw(step, level);
        }
        self.kept[at][level as usize]
    }

    /// Draws a number for each cell, 64 cells at a time: one word per bit, lowest bit first. Cells
    /// whose number is not a color are drawn again.
    #[inline(never)]
    fn draw(&self, step: u32, level: u64) -> Full<W, P> {
        let mut rng = Rng::new(self.seed.wrapping_add(u64::from(step) << 24).wrapping_add(level));
        let bits = bits_of(self.colors) as usize;
        let mut full = [W::default(); P];
        for word in 0..W::default().words().len() {
            let mut missing = u64::MAX;
            while missing != 0 {
                let mut numbers = [0; P];
                for number in numbers.iter_mut().take(bits) {
                    *number = rng.next_u64();
                }
                let below = below(&numbers, self.colors);
                for (plane, number) in full.iter_mut().zip(numbers) {
                    plane.words_mut()[word] |= number & missing & below;
                }
                missing &= !below;
            }
            add_one(full.iter_mut().map(|plane| &mut plane.words_mut()[word]));
        }
        full
    }
}
