//! [`Batch`](crate::Batch): a reinforcement learning environment that steps many games per call.

use crate::board::Board;
use crate::direction::Direction;
use crate::games::{DirectionMasks, Games32};
use crate::rules::Rules;
use bitcade_core::batch::{AfterstateShape, Context, Games, Turn};
use bitcore::{Rng, SetBits, dispatch};
use core::num::NonZeroU32;

pub use bitcade_core::batch::{
    Afterstates, AfterstatesOut, Autoreset, BatchError, Element, Format, FormatError, GameState,
    IllegalAction, LegalLists, OneHot, OtherRules, Seeds, Shape, StepBuffers, StepOut,
    TooManyGames, WrongLength,
};

/// A group of 32 games of a [`Batch`](crate::Batch) in vector lanes; the last group of a batch may
/// be smaller.
#[derive(Clone, Debug)]
pub struct BatchGames {
    games: Games32,
}

/// One game of a [`Batch`](crate::Batch) and its random stream.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct BatchGame {
    board: Board,
    rng: Rng,
}

impl Games for BatchGames {
    const TOGETHER: usize = 32;
    type Rules = Rules;
    type Error = TooManyGames;
    type Start = Board;
    type Layout = ();
    type Game = BatchGame;
    type View<'a> = Board;

    fn check(_: &Rules) -> Result<(), TooManyGames> {
        Ok(())
    }

    fn shape(rules: &Rules, games: usize) -> Shape {
        Shape { games, cells: rules.size.cells(), actions: Direction::ALL.len() }
    }

    fn step_limit(_: &Rules) -> Option<NonZeroU32> {
        None
    }

    fn accepts(rules: &Rules, start: &Board) -> Result<(), &'static str> {
        if start.size() != rules.size {
            Err("a board of another size")
        } else if !Direction::ALL.into_iter().any(|direction| start.slide(direction).changed) {
            Err("no move is legal")
        } else {
            Ok(())
        }
    }

    fn new(rules: &Rules, _: usize) -> Self {
        Self { games: Games32::new(rules.size) }
    }

    fn start(
        &mut self,
        context: &Context<Self>,
        which: u64,
        stream: &mut dyn FnMut(usize) -> Option<Rng>,
    ) {
        for lane in lanes(which) {
            let Some(mut rng) = stream(lane).or_else(|| self.games.stream(lane)) else { continue };
            match context.draw_start(&mut rng) {
                Some(start) => self.games.set(lane, start, &rng),
                None => self.games.start(lane, rng),
            }
        }
        self.games.update_legal();
    }

    fn is_legal(&self, game: usize, action: u32) -> bool {
        self.games.legal().get(action as usize).is_some_and(|lanes| lanes[game] != 0)
    }

    fn are_legal(&self, actions: &[u32]) -> u64 {
        self.games.are_legal(&chosen(actions)).into()
    }

    fn draw(&mut self, _: &Context<Self>, which: u64, actions: &mut [u32]) {
        let [_, one, two, three] = self.games.draw_moves(playing(actions.len(), which).as_ref());
        for (lane, action) in actions.iter_mut().enumerate() {
            if which >> lane & 1 == 1 {
                *action = (one[lane] & 1 | two[lane] & 2 | three[lane] & 3).into();
            }
        }
    }

    fn play(&mut self, _: &Context<Self>, turn: Turn<'_>, reward: &mut [f32]) -> u64 {
        let Turn { which, actions, .. } = turn;
        let playing = playing(reward.len(), which);
        let chosen = match actions {
            Some(actions) => chosen(actions),
            None => self.games.draw_moves(playing.as_ref()),
        };
        let mut gains = [0; 32];
        self.games.play(&chosen, Some(&mut gains), playing.as_ref());
        let over = self.games.update_legal();
        for (lane, (reward, &gain)) in reward.iter_mut().zip(&gains).enumerate() {
            *reward = if which >> lane & 1 == 1 { gain as i64 as f32 } else { *reward };
        }
        u64::from(over) & which
    }

    fn plane_cells(rules: &Rules, (): ()) -> Option<usize> {
        Some(rules.size.cells())
    }

    fn write(&self, _: &Context<Self>, (): (), obs: &mut [u8], mask: &mut [bool]) {
        self.games.write_rows(obs, mask);
    }

    fn write_obs(&self, _: &Context<Self>, (): (), game: usize, obs: &mut [u8]) {
        obs.copy_from_slice(self.games.boards().board(game).ranks());
    }

    fn game(&self, game: usize) -> BatchGame {
        // Never `None`: every lane of a batch has a game from the start.
        let rng = self.games.stream(game).unwrap_or_else(|| Rng::new(0));
        BatchGame { board: self.games.boards().board(game), rng }
    }

    fn set_game(&mut self, _: &Context<Self>, game: usize, value: &BatchGame) {
        self.games.set(game, &value.board, &value.rng);
        self.games.update_legal();
    }

    fn check_game(rules: &Rules, game: &mut BatchGame) -> Result<(), &'static str> {
        if game.board.size() == rules.size { Ok(()) } else { Err("a board of another size") }
    }

    fn view(&self, game: usize) -> Board {
        self.games.boards().board(game)
    }
}

impl Afterstates for BatchGames {
    fn afterstate_shape(rules: &Rules) -> AfterstateShape {
        AfterstateShape { cells: rules.size.cells(), lines: 0, features: 0 }
    }

    fn write_afterstates(&self, context: &Context<Self>, which: u64, out: AfterstatesOut<'_>) {
        /// The cells of the boards of a group, at most.
        const ROWS: usize = 32 * 64;
        let games = &self.games;
        let cells = context.rules.size.cells();
        // A lane's slide in an illegal direction is written, but not copied.
        let mut rows = [[0; ROWS]; 4];
        let mut gains = [[0; 32]; 4];
        for ((direction, rows), gains) in Direction::ALL.into_iter().zip(&mut rows).zip(&mut gains)
        {
            let slides = games.boards().slide(direction);
            *gains = slides.gains;
            if !out.boards.is_empty() {
                dispatch!(isa [boards = &slides.boards, rows = &mut rows[..32 * cells]] => {
                    boards.write_rows_with(isa, rows);
                });
            }
        }
        let mut boards = out.boards.chunks_exact_mut(cells);
        let mut rewards = out.reward.iter_mut();
        for lane in lanes(which) {
            for ((legal, rows), gains) in games.legal().iter().zip(&rows).zip(&gains) {
                if legal[lane] == 0 {
                    continue;
                }
                if let Some(reward) = rewards.next() {
                    *reward = gains[lane] as f32;
                }
                if let Some(board) = boards.next() {
                    board.copy_from_slice(&rows[cells * lane..][..cells]);
                }
            }
        }
    }
}

/// Returns the lane mask of the games that play, or `None` if all of the first `games` do.
fn playing(games: usize, which: u64) -> Option<[u8; 32]> {
    let all = u64::MAX >> (64 - games.clamp(1, 64));
    if all & !which == 0 {
        return None;
    }
    let mut playing = [0; 32];
    for (lanes, byte) in playing.as_chunks_mut().0.iter_mut().zip(which.to_le_bytes()) {
        // Byte k keeps bit k, then all its bits become that bit.
        let bits = (u64::from(byte) * 0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
        let ones = ((bits + 0x7f7f_7f7f_7f7f_7f7f) | bits) >> 7 & 0x0101_0101_0101_0101;
        *lanes = (0xff * ones).to_le_bytes();
    }
    Some(playing)
}

fn lanes(set: u64) -> impl Iterator<Item = usize> {
    SetBits(set).map(|lane| lane as usize)
}

/// Converts up to 32 actions to lane masks; a number that is no direction is in none of them.
fn chosen(actions: &[u32]) -> DirectionMasks {
    let mut all = [u32::MAX; 32];
    for (to, &action) in all.iter_mut().zip(actions) {
        *to = action;
    }
    let mut chosen = [[0; 32]; 4];
    for (direction, lanes) in (0..).zip(&mut chosen) {
        for (lane, &action) in lanes.iter_mut().zip(&all) {
            *lane = if action == direction { 0xff } else { 0 };
        }
    }
    chosen
}
