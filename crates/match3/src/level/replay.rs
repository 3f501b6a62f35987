//! Replays: the events of a level, applied to a board.

use super::Level;
use super::board::{Content, LevelBoard};
use super::event::{Coat, LevelEvent, Spawned};
use super::goals::Goal;
use super::kind::Kind;
use super::spec::Cover;
use crate::board::At;
use alloc::vec::Vec;

/// The reason an event is impossible after the preceding events, with the cell as (x, y).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LevelReplayErrorKind {
    /// A cell is outside the board, a wall or a void.
    #[error("({}, {}) is no open cell", .0.0, .0.1)]
    NotOpen(At),
    /// The cell doesn't have what the event needs.
    #[error("({}, {}) doesn't have what the event needs", .0.0, .0.1)]
    Content(At),
    /// The cells aren't a group of the board, or no way down.
    #[error("the cells from ({}, {}) are no group, or no way that things fall", .0.0, .0.1)]
    Cells(At),
    /// No goal has this index.
    #[error("no goal {0}, from 0")]
    Goal(usize),
}

/// The first impossible event of a level's journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("event {index}: {kind}")]
#[non_exhaustive]
pub struct LevelReplayError {
    /// The index of the event, from 0.
    pub index: usize,
    /// The reason the event is impossible.
    pub kind: LevelReplayErrorKind,
}

type Step = Result<(), LevelReplayErrorKind>;

impl LevelBoard {
    /// Applies a journal to the board it starts from.
    ///
    /// Each event must be possible on the board at that time: the cell has the piece, the layer or
    /// the group; things fall and enter where the level lets them, into empty cells. Whether the
    /// rules require the event isn't checked.
    ///
    /// # Errors
    ///
    /// The first impossible event. The board is then unchanged.
    ///
    /// ```
    /// use match3::journal::parse_journal;
    /// use match3::level::{Level, LevelEvent, LevelGame, LevelSpec};
    /// use match3::Rng;
    /// let mut game = LevelGame::new(Level::new(LevelSpec::new(8, 8))?, &mut Rng::new(1))?;
    /// let mut board = game.board().clone();
    /// let mut events: Vec<LevelEvent> = Vec::new();
    /// game.play(game.legal_moves()[0], &mut Rng::new(2), &mut events)?;
    /// let text: String = events.iter().map(|event| format!("{event}\n")).collect();
    /// board.replay(game.level(), &parse_journal(&text)?)?;
    /// assert_eq!(&board, game.board());
    /// assert!(board.replay(game.level(), &parse_journal("collect 0,0")?).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn replay(&mut self, level: &Level, events: &[LevelEvent]) -> Result<(), LevelReplayError> {
        let mut board = self.clone();
        for (index, event) in events.iter().enumerate() {
            board.apply(level, event).map_err(|kind| LevelReplayError { index, kind })?;
        }
        *self = board;
        Ok(())
    }

    fn apply(&mut self, level: &Level, event: &LevelEvent) -> Step {
        match *event {
            LevelEvent::Swap(swap) => {
                self.open(level, (swap.x, swap.y))?;
                let [a, b] = swap.cells();
                for at in [a, b] {
                    let cell = self.open(level, at)?;
                    let content = self.content(cell);
                    let is_free = matches!(
                        content,
                        Content::Item | Content::Piece { cover: Cover::None, .. }
                    );
                    require(is_free, at)?;
                }
                self.exchange(self.index(a), self.index(b));
            }
            LevelEvent::Match { ref group, .. } => {
                for &at in group.cells() {
                    self.open(level, at)?;
                }
                if !group.is_on(&self.plain) {
                    return Err(LevelReplayErrorKind::Cells(group.cells()[0]));
                }
            }
            LevelEvent::SetOff { at, special, color, .. } => {
                let (found, kind) = self.piece(level, at)?;
                require(kind == Some(special), at)?;
                require(special == Kind::Color || found == color, at)?;
            }
            LevelEvent::Pair { at, special, other, other_special, .. } => {
                require(self.piece(level, at)?.1 == Some(special), at)?;
                require(self.piece(level, other)?.1 == Some(other_special), other)?;
            }
            LevelEvent::Change { at, special, .. } => {
                require(self.piece(level, at)?.1.is_none(), at)?;
                let cell = self.index(at);
                require(self.spots[cell].ice == 0, at)?;
                self.spots[cell].kind = Some(special);
            }
            LevelEvent::Fly { from, to, .. } => {
                self.open(level, from)?;
                self.open(level, to)?;
            }
            LevelEvent::Clear { at, cell: expected, special, .. } => {
                let (_, kind) = self.piece(level, at)?;
                let cell = self.index(at);
                let is_free = self.spots[cell].ice == 0;
                require(is_free && kind == special && self.plain[at] == expected, at)?;
                self.put(cell, Content::Empty);
            }
            LevelEvent::Layer { at, coat, left, .. } => {
                let cell = self.open(level, at)?;
                self.take_layer(cell, coat, left).ok_or(LevelReplayErrorKind::Content(at))?;
            }
            LevelEvent::Create { at, special, color, .. } => {
                let cell = self.open(level, at)?;
                require(self.is_empty(cell), at)?;
                self.put_piece(cell, level, color, Some(special), Cover::None)?;
            }
            LevelEvent::Fall { ref path } => {
                let (first, last) = self.way(level, path)?;
                require(self.is_movable(first), path[0])?;
                for &at in &path[1..] {
                    require(self.is_empty(self.index(at)), at)?;
                }
                self.carry(first, last);
            }
            LevelEvent::Spawn { spawned, ref path } => self.spawn(level, spawned, path)?,
            LevelEvent::Collect { at } => {
                let cell = self.open(level, at)?;
                let is_exit = level.layout.exits.contains(&(cell as u16));
                require(is_exit && self.spots[cell].is_item, at)?;
                self.put(cell, Content::Empty);
            }
            LevelEvent::Goal { index } => {
                let goal: Option<&Goal> = level.spec.goals.get(index);
                goal.ok_or(LevelReplayErrorKind::Goal(index))?;
            }
            LevelEvent::Shuffle { ref pieces } => {
                let before: Vec<At> = self.pieces().into_iter().map(|(at, ..)| at).collect();
                let at = |i: usize| pieces.get(i).map(|&(at, ..)| at);
                let wrong =
                    (0..before.len().max(pieces.len())).find(|&i| at(i) != before.get(i).copied());
                if let Some(wrong) = wrong {
                    let at = at(wrong).unwrap_or_else(|| before[wrong]);
                    return Err(LevelReplayErrorKind::Content(at));
                }
                for &(at, color, special) in pieces {
                    let cell = self.index(at);
                    let Content::Piece { cover, .. } = self.content(cell) else { continue };
                    self.put_piece(cell, level, color, special, cover)?;
                }
            }
            LevelEvent::CascadeLimit { .. } | LevelEvent::Bonus { .. } | LevelEvent::Over(_) => {}
        }
        Ok(())
    }

    /// Returns the index of an open cell.
    fn open(&self, level: &Level, at: At) -> Result<usize, LevelReplayErrorKind> {
        if level.spec.is_open(at) {
            Ok(self.index(at))
        } else {
            Err(LevelReplayErrorKind::NotOpen(at))
        }
    }

    /// Returns the color and the kind of the piece in a cell.
    fn piece(&self, level: &Level, at: At) -> Result<(u8, Option<Kind>), LevelReplayErrorKind> {
        match self.content(self.open(level, at)?) {
            Content::Piece { color, special, .. } => Ok((color, special)),
            _ => Err(LevelReplayErrorKind::Content(at)),
        }
    }

    fn put_piece(
        &mut self,
        cell: usize,
        level: &Level,
        color: u8,
        special: Option<Kind>,
        cover: Cover,
    ) -> Step {
        require((1..=level.colors()).contains(&color), self.at(cell))?;
        self.put(cell, Content::Piece { color, special, cover });
        Ok(())
    }

    /// Takes a layer that leaves `left` ones.
    fn take_layer(&mut self, cell: usize, coat: Coat, left: u8) -> Option<()> {
        let before = left.checked_add(1)?;
        let content = match (coat, self.content(cell)) {
            (Coat::Jelly, _) if self.spots[cell].jelly == before => {
                self.spots[cell].jelly = left;
                return Some(());
            }
            (Coat::Crate, Content::Crate(layers)) if layers == before && left == 0 => {
                Content::Empty
            }
            (Coat::Crate, Content::Crate(layers)) if layers == before => Content::Crate(left),
            (Coat::Ice, Content::Piece { color, special, cover: Cover::Ice(layers) })
                if layers == before =>
            {
                let cover = if left == 0 { Cover::None } else { Cover::Ice(left) };
                Content::Piece { color, special, cover }
            }
            _ => return None,
        };
        self.put(cell, content);
        Some(())
    }

    /// Returns the first and the last cell of a way down.
    fn way(&self, level: &Level, path: &[At]) -> Result<(usize, usize), LevelReplayErrorKind> {
        let wrong = LevelReplayErrorKind::Cells(path.first().copied().unwrap_or_default());
        let (Some(&first), Some(&last)) = (path.first(), path.last()) else { return Err(wrong) };
        for &at in path {
            self.open(level, at)?;
        }
        let is_step = |step: &[At]| {
            let [from, to] = [step[0], step[1]].map(|at| self.index(at) as u16);
            let stream =
                &level.layout.streams[usize::from(level.layout.stream_of[usize::from(to)])];
            let is_diagonal =
                |&(below, above): &(u16, [u16; 2])| below == to && above.contains(&from);
            level.layout.cells(stream).windows(2).any(|cells| cells == [to, from])
                || path.len() == 2 && level.layout.diagonals.iter().any(is_diagonal)
        };
        if path.windows(2).all(is_step) {
            Ok((self.index(first), self.index(last)))
        } else {
            Err(wrong)
        }
    }

    fn spawn(&mut self, level: &Level, spawned: Spawned, path: &[At]) -> Step {
        let (first, last) = self.way(level, path)?;
        let stream = &level.layout.streams[usize::from(level.layout.stream_of[first])];
        let is_spawner = stream.source.is_some()
            && level.layout.cells(stream).last().copied() == Some(first as u16);
        require(is_spawner, path[0])?;
        for &at in path {
            require(self.is_empty(self.index(at)), at)?;
        }
        match spawned {
            Spawned::Item => self.put(last, Content::Item),
            Spawned::Piece(color) => self.put_piece(last, level, color, None, Cover::None)?,
        }
        Ok(())
    }
}

fn require(is_so: bool, at: At) -> Step {
    if is_so { Ok(()) } else { Err(LevelReplayErrorKind::Content(at)) }
}
