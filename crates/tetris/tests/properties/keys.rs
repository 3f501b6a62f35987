//! [`KeysBatch`], game by game: each is a [`RealTimeGame`] with the same keys.

use super::real_time::rules as any_rules;
use super::values::random_board;
use bitcore::Rng;
use std::num::{NonZeroU8, NonZeroU32};
use testkit::{Calls, Input, OneThread, Plain, check_batch};
use tetris::batch::RewardKind;
use tetris::keys::{KeysGame, KeysGames, KeysSettings};
use tetris::real_time::{Event, Handling, Key, RealTimeGame, RealTimeRules};
use tetris::{Board, KeysBatch, Location, Piece, Position, RotationSystem, Rules};

#[derive(Clone)]
struct One<'a> {
    settings: KeysSettings,
    starts: &'a [Board],
    game: RealTimeGame,
    rng: Rng,
}

impl<'a> One<'a> {
    fn new(settings: KeysSettings, starts: &'a [Board], rng: Rng) -> Self {
        let game = RealTimeGame::new(settings.rules, Handling::default(), 0);
        let mut one = Self { settings, starts, game, rng };
        one.start();
        one
    }

    fn keys(&self) -> Vec<Option<Key>> {
        let Rules { hold, rotation_system, .. } = self.settings.rules.game;
        let turns = [Key::Left, Key::Right, Key::Cw, Key::Ccw].map(Some);
        let mut keys = [&[None], &turns[..], &[Some(Key::SoftDrop), Some(Key::HardDrop)]].concat();
        if hold {
            keys.push(Some(Key::Hold));
        }
        if rotation_system != RotationSystem::Srs {
            keys.push(Some(Key::Half));
        }
        keys
    }
}

fn one_hot(row: &mut [u8], index: Option<usize>) {
    if let Some(index) = index {
        row[index] = 1;
    }
}

fn bar(row: &mut [u8], count: u128) {
    row.iter_mut().zip(0..count).for_each(|(cell, _)| *cell = 1);
}

fn tenths(part: impl Into<u128>, whole: impl Into<u128>) -> u128 {
    (10 * part.into()).checked_div(whole.into()).unwrap_or(0)
}

impl Plain for One<'_> {
    type Games = KeysGames;

    fn observation(&self) -> Vec<u8> {
        let game = &self.game;
        // Before the first tick after a wait, the piece that is about to spawn.
        let is_next = game.falling().is_none() && game.end().is_none() && {
            let mut later = game.clone();
            let mut events = Vec::new();
            later.tick(&mut events);
            matches!(events[..], [Event::Spawned(_), ..])
        };
        let piece =
            if is_next { game.game().spawn_location(game.game().piece()) } else { game.falling() };
        let board = game.board();
        let ghost = piece.map(|mut at: Location| {
            while board.fits(at.moved(0, -1)) {
                at = at.moved(0, -1);
            }
            at
        });
        let is_of = |at: Option<Location>, cell| at.is_some_and(|at| at.cells().contains(&cell));
        let cells: Vec<_> = (0..24).rev().flat_map(|y| (0..10).map(move |x| (x, y))).collect();
        let mut bytes: Vec<bool> = cells.iter().map(|&(x, y)| board.occupied(x, y)).collect();
        bytes.extend(cells.iter().map(|&cell| is_of(piece, cell)));
        bytes.extend(cells.iter().map(|&cell| is_of(ghost, cell)));
        let mut rows = [[0; 10]; 24];
        one_hot(&mut rows[0], piece.map(|at| at.piece as usize));
        one_hot(&mut rows[1], game.held().map(|piece| piece as usize));
        rows[1][9] = game.can_hold().into();
        for (row, &piece) in rows[2..17].iter_mut().zip(game.next()) {
            one_hot(row, Some(piece as usize));
        }
        one_hot(&mut rows[17], piece.map(|at| at.orientation as usize));
        bar(&mut rows[18], game.game().combo().into());
        bar(&mut rows[19], game.game().back_to_back().into());
        let timing = game.rules().timing;
        bar(&mut rows[20], tenths(game.rested(), timing.lock_delay));
        bar(&mut rows[21], tenths(game.resets(), timing.lock_resets));
        let (part, row) = game.fallen();
        bar(&mut rows[22], tenths(part, row));
        bar(&mut rows[23], u128::from(game.level()).div_ceil(2));
        bytes.into_iter().map(u8::from).chain(rows.into_iter().flatten()).collect()
    }

    fn plane(&self) -> Option<usize> {
        Some(24 * 10)
    }

    fn legal(&self) -> Vec<u32> {
        (0..self.keys().len() as u32).collect()
    }

    fn rng(&mut self) -> &mut Rng {
        &mut self.rng
    }

    fn start(&mut self) {
        let board = match self.starts {
            [] => Board::EMPTY,
            starts => starts[self.rng.below(starts.len() as u32) as usize],
        };
        let position = Position { board, ..Position::default() };
        let rules = self.settings.rules;
        let seed = self.rng.next_u64();
        self.game = RealTimeGame::from_position(rules, Handling::default(), position, seed)
            .expect("no queue");
    }

    fn play(&mut self, action: u32, _is_last: bool) -> (i64, bool) {
        let lines = self.game.lines();
        let score = self.game.score();
        let mut attack = 0;
        let mut events = Vec::new();
        if let Some(key) = self.keys()[action as usize] {
            self.game.tap(key);
        }
        for _ in 0..self.settings.frames.get() {
            self.game.tick(&mut events);
        }
        for event in events {
            if let Event::Locked(lock) = event {
                attack += i64::from(lock.result.attack);
            }
        }
        let reward = match self.settings.reward {
            RewardKind::Lines => (self.game.lines() - lines) as i64,
            RewardKind::Attack => attack,
            RewardKind::Score => i64::try_from(self.game.score() - score).unwrap_or(i64::MAX),
        };
        (reward, self.game.end().is_some())
    }

    fn assert_is(&self, found: &KeysGame, action: Option<u32>) {
        let found = (found.game(), found.action());
        let expected = (&self.game, action);
        assert_eq!(found.1, expected.1);
        let state = |game: &RealTimeGame| {
            (
                (game.game().clone(), game.falling(), game.rested(), game.resets(), game.fallen()),
                (game.held(), game.can_hold(), game.next().to_vec(), game.ticks(), game.end()),
                (game.lines(), game.score(), game.level(), game.rules()),
            )
        };
        assert_eq!(state(found.0), state(expected.0));
        assert!(found.0.recording().inputs().is_empty(), "a game that grows");
    }
}

pub(crate) fn run(input: &Input) {
    by(input, &OneThread);
}

/// [`run`] with other calls.
pub(crate) fn by(input: &Input, calls: &dyn Calls<KeysGames>) {
    let (rules, _) = any_rules(input);
    let rules = if input.flag() { rules } else { RealTimeRules::default() };
    let reward = *input.pick(&[RewardKind::Lines, RewardKind::Attack, RewardKind::Score]);
    let frames = NonZeroU8::new(*input.pick(&[1, 1, 2, 4, 30, 255])).expect("more than 0");
    let settings = KeysSettings { rules, frames, reward };
    let choice = input.byte();
    let n = usize::from(choice % 4);
    let limit = NonZeroU32::new(u32::from(choice) / 4 % 8);
    let choice = input.byte();
    let seed = input.u64();
    let starts = if choice < 128 { Vec::new() } else { starts(&settings, choice.into()) };
    let batch = || {
        let batch = KeysBatch::new(n, settings, seed).expect("few games").with_step_limit(limit);
        if starts.is_empty() {
            batch
        } else {
            batch.with_starts(starts.clone()).expect("boards with room")
        }
    };
    check_batch(input, 24, calls, (seed, limit), batch, |rng| One::new(settings, &starts, rng));
}

fn starts(settings: &KeysSettings, seed: u64) -> Vec<Board> {
    let mut rng = Rng::new(seed);
    let boards = (0..8).map(|_| random_board(&mut rng));
    let fits = |board: &Board| {
        let has_room = |&piece| board.spawn(piece, settings.rules.game).is_some();
        board.full_lines() == 0 && Piece::ALL.iter().all(has_room)
    };
    boards.filter(fits).collect()
}
