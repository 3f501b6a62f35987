//! Two games of Tetris that send each other garbage: the core of the environment in
//! `bitcade.pettingzoo`.

use crate::convert::{SeedArgument, argument, choose, exclusive, shared, value_error};
use crate::tetris::ACTIONS;
use bitcade_core::batch::OtherRules;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyType};
use serde::{Deserialize, Serialize};
use tetris::{Attack, Board, Game, Move, Rng, Rules};

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Match {
    actions: String,
    rows: usize,
    same_pieces: bool,
    /// Draws the seeds of the pieces and the holes of the garbage.
    rng: Rng,
    pieces: [Rng; 2],
    games: [Game; 2],
}

impl Match {
    /// Starts both games anew.
    fn restart(&mut self) {
        let seed = self.rng.next_u64();
        let other = if self.same_pieces { seed } else { self.rng.next_u64() };
        self.pieces = [seed, other].map(Rng::new);
        let rules = self.games[0].rules();
        self.games = self.pieces.each_mut().map(|pieces| Game::new(rules, pieces));
    }

    /// Reads a match. Any inconsistency is a `ValueError`.
    fn read(text: &str) -> PyResult<Self> {
        let state: Self = serde_json::from_str(text).map_err(value_error)?;
        choose("actions", &state.actions, &ACTIONS)?;
        if state.games[0].rules() != state.games[1].rules()
            || !(1..=Board::HEIGHT).contains(&state.rows)
        {
            return Err(value_error(OtherRules));
        }
        Ok(state)
    }

    fn moves(&self, player: usize) -> PyResult<Vec<(u32, Move)>> {
        Ok(choose("actions", &self.actions, &ACTIONS)?.moves(&self.games[player]))
    }

    fn num_actions(&self) -> PyResult<usize> {
        Ok(choose("actions", &self.actions, &ACTIONS)?.count(&self.games[0].rules()))
    }
}

/// A match between players 0 and 1, who place pieces at the same time.
///
/// Args:
///     seed (int): Draws the pieces and the columns of garbage.
///     actions ('placements' | 'drops'): The numbering of the moves, as in `Batch`.
///     same_pieces (bool): Whether both players get the same pieces.
///     hold (bool): Whether a piece can be held.
///     next (int): The number of pieces in the preview, 0 to 15.
///     rows (int): The number of rows in an observation, 1 to 40.
#[pyclass(module = "bitcade._native", name = "_TetrisVersus")]
pub(crate) struct PyTetrisVersus {
    state: Match,
}

fn one(seed: SeedArgument) -> PyResult<u64> {
    match seed {
        SeedArgument::One(seed) => Ok(seed),
        SeedArgument::Each(_) => Err(value_error("seed: expected an integer of at least 0")),
    }
}

fn place(player: usize) -> PyResult<usize> {
    if player < 2 {
        Ok(player)
    } else {
        Err(value_error(format!("player={player}: expected 0 or 1")))
    }
}

#[pymethods]
impl PyTetrisVersus {
    #[new]
    #[pyo3(signature = (*, seed, actions="drops", same_pieces=true, hold=true, next=5, rows=20))]
    fn new(
        seed: SeedArgument,
        actions: &str,
        same_pieces: bool,
        hold: bool,
        #[pyo3(from_py_with = argument::next)] next: usize,
        #[pyo3(from_py_with = argument::rows)] rows: usize,
    ) -> PyResult<Self> {
        choose("actions", actions, &ACTIONS)?;
        let rules = Rules { hold, next, ..Rules::default() };
        let rng = Rng::new(one(seed)?);
        let mut pieces = [Rng::new(0), Rng::new(0)];
        let games = pieces.each_mut().map(|pieces| Game::new(rules, pieces));
        let mut state =
            Match { actions: actions.to_owned(), rows, same_pieces, rng, pieces, games };
        state.restart();
        Ok(Self { state })
    }

    /// Starts the first match of a seed, or without a seed the next match.
    ///
    /// Args:
    ///     seed (int | None): As for the constructor.
    #[pyo3(signature = (seed=None))]
    fn reset(slf: &Bound<'_, Self>, seed: Option<SeedArgument>) -> PyResult<()> {
        let mut versus = exclusive(slf)?;
        if let Some(seed) = seed {
            versus.state.rng = Rng::new(one(seed)?);
        }
        versus.state.restart();
        Ok(())
    }

    /// Places a piece for each player, then lets each receive what the other sent. Returns for each
    /// player the lines cleared, the attack, the lines sent after cancelling, and the garbage rows
    /// that entered.
    ///
    /// Args:
    ///     actions (Sequence[int]): One for each player.
    ///
    /// Returns:
    ///     list[list[int]]
    fn step(slf: &Bound<'_, Self>, actions: [u32; 2]) -> PyResult<[[u32; 4]; 2]> {
        let versus = &mut exclusive(slf)?.state;
        let mut turns = Vec::new();
        for (player, &action) in actions.iter().enumerate() {
            let found = versus.moves(player)?.into_iter().find(|&(number, _)| number == action);
            let illegal =
                || value_error(format!("player_{player}: action {action} is not a legal move"));
            turns.push(found.ok_or_else(illegal)?.1);
        }
        let mut results = [[0; 4]; 2];
        for (player, turn) in turns.into_iter().enumerate() {
            let pieces = &mut versus.pieces[player];
            let result = versus.games[player].play(turn, pieces).map_err(value_error)?;
            results[player] = [result.clear.lines, result.attack, result.sent, result.garbage_rows];
        }
        if results.iter().any(|&[_, _, sent, _]| sent > 0) {
            // One column for both directions, so that equal play stays equal.
            let column = versus.rng.below(Board::WIDTH as u32) as u8;
            for (game, [_, _, lines, _]) in versus.games.iter_mut().zip([results[1], results[0]]) {
                if !game.is_over() {
                    game.receive(Attack { lines, column }).map_err(value_error)?;
                }
            }
        }
        Ok(results)
    }

    /// Returns one player's game as in a `tetris.Batch` with garbage: rows, piece in play, held
    /// piece, preview, combo, back-to-back chain, pending lines.
    ///
    /// Returns:
    ///     bytes
    fn obs<'py>(slf: &Bound<'py, Self>, player: usize) -> PyResult<Bound<'py, PyBytes>> {
        let Match { rows, games, .. } = &shared(slf)?.state;
        let game = &games[place(player)?];
        let cells =
            (0..*rows as i32).rev().flat_map(|y| (0..Board::WIDTH as i32).map(move |x| (x, y)));
        let mut obs: Vec<u8> = cells.map(|(x, y)| game.board().occupied(x, y).into()).collect();
        obs.push(game.piece() as u8 + 1);
        obs.push(game.held().map_or(0, |piece| piece as u8 + 1));
        obs.extend(game.next().iter().map(|&piece| piece as u8 + 1));
        let counts = [game.combo(), game.back_to_back(), game.garbage().lines()];
        obs.extend(counts.map(|count| u8::try_from(count).unwrap_or(u8::MAX)));
        Ok(PyBytes::new(slf.py(), &obs))
    }

    /// Returns one player's action mask.
    ///
    /// Returns:
    ///     bytes
    fn action_mask<'py>(slf: &Bound<'py, Self>, player: usize) -> PyResult<Bound<'py, PyBytes>> {
        let state = &shared(slf)?.state;
        let mut mask = vec![0; state.num_actions()?];
        for (action, _) in state.moves(place(player)?)? {
            mask[action as usize] = 1;
        }
        Ok(PyBytes::new(slf.py(), &mask))
    }

    /// Returns whether each player has topped out.
    ///
    /// Returns:
    ///     list[bool]
    #[getter]
    fn over(slf: &Bound<'_, Self>) -> PyResult<[bool; 2]> {
        Ok(shared(slf)?.state.games.each_ref().map(Game::is_over))
    }

    fn __copy__(slf: &Bound<'_, Self>) -> PyResult<Self> {
        Ok(Self { state: shared(slf)?.state.clone() })
    }

    fn __deepcopy__(slf: &Bound<'_, Self>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::__copy__(slf)
    }

    /// Returns the match as text.
    ///
    /// Returns:
    ///     str
    fn save(slf: &Bound<'_, Self>) -> PyResult<String> {
        serde_json::to_string(&shared(slf)?.state).map_err(value_error)
    }

    /// Replaces the match by a saved one of the same rules; `rows` stays.
    ///
    /// Args:
    ///     text (str): What `save` returned.
    fn restore(slf: &Bound<'_, Self>, text: &str) -> PyResult<()> {
        let state = &mut exclusive(slf)?.state;
        let saved = Match::read(text)?;
        let rules =
            |state: &Match| (state.actions.clone(), state.same_pieces, state.games[0].rules());
        if rules(&saved) != rules(state) {
            return Err(value_error(OtherRules));
        }
        *state = Match { rows: state.rows, ..saved };
        Ok(())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((slf.get_type().getattr("_read")?, (Self::save(slf)?,)))
    }

    /// Unpickles a match.
    #[classmethod]
    #[pyo3(name = "_read")]
    fn read(_cls: &Bound<'_, PyType>, text: &str) -> PyResult<Self> {
        Ok(Self { state: Match::read(text)? })
    }
}
