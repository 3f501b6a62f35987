//! [`Batch`], game by game, and action numbers.

use super::values::{random_board, rules};
use bitcade_core::batch::WrongLength;
use bitcore::Rng;
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use testkit::{Calls, Input, OneThread, Plain, check_batch, on_each_level};
use tetris::batch::{
    Actions, AfterstatesOut, BatchError, BatchGame, BatchGames, BatchSettings, GarbageRate,
    LegalLists, RewardKind,
};
use tetris::real_time::guideline_score;
use tetris::reference::{self, naive};
use tetris::{
    Attack, Batch, Board, Error, Game, Location, LockResult, Move, Piece, Placement, Position,
    Rules, TopOut,
};

#[derive(Clone)]
struct One<'a> {
    settings: BatchSettings,
    starts: &'a [Board],
    game: Game,
    rng: Rng,
    result: Option<LockResult>,
}

impl<'a> One<'a> {
    fn new(settings: BatchSettings, starts: &'a [Board], rng: Rng) -> Self {
        let mut one = Self {
            settings,
            starts,
            game: Game::new(settings.rules, &mut Rng::new(0)),
            rng,
            result: None,
        };
        one.start();
        one
    }
}

impl One<'_> {
    /// Appends the rows of a move: board, reward, lines and features.
    fn afterstate(&self, turn: Move, rows: &mut (Vec<u8>, Vec<f32>, Vec<u8>, Vec<f32>)) {
        let at = turn.placement.at;
        let full = self.game.board().place(at).expect("a legal move");
        let mut after = full;
        let mut played = self.game.clone();
        let lines = after.clear_lines();
        let result = played.play(turn, &mut self.rng.clone()).expect("a legal move");
        if result.garbage_rows == 0 && result.top_out != Some(TopOut::Garbage) {
            assert_eq!(*played.board(), after);
            assert_eq!(result.clear.lines, lines);
        }
        let cells = (0..self.settings.rows as i32).rev().flat_map(|y| (0..10).map(move |x| (x, y)));
        rows.0.extend(cells.map(|(x, y)| u8::from(after.occupied(x, y))));
        rows.1.push(match self.settings.reward {
            RewardKind::Lines => lines as f32,
            RewardKind::Attack => result.attack as f32,
            RewardKind::Score => guideline_score(result.clear, 1) as f32,
        });
        rows.2.push(lines as u8);
        // The piece's own cells, one by one.
        let is_own = |x, y| full.occupied(x, y) && !self.game.board().occupied(x, y);
        let own: Vec<(i32, i32)> = (0..40)
            .flat_map(|y| (0..10).map(move |x| (x, y)))
            .filter(|&(x, y)| is_own(x, y))
            .collect();
        let eroded = own.iter().filter(|&&(_, y)| (0..10).all(|x| full.occupied(x, y))).count()
            as u32
            * lines;
        let low = own[0].1;
        let high = own[3].1;
        let features = reference::features::features(&after);
        rows.3.extend([
            (low + high) as f32 / 2.0,
            eroded as f32,
            features.row_transitions as f32 - 40.0,
        ]);
        rows.3.extend(
            [
                features.column_transitions,
                features.covered_cells,
                features.cumulative_wells,
                features.hole_depth,
                features.rows_with_holes,
                features.pattern_diversity,
            ]
            .map(|count| count as f32),
        );
    }
}

impl Plain for One<'_> {
    type Games = BatchGames;

    fn observation(&self) -> Vec<u8> {
        let game = &self.game;
        let cells = (0..self.settings.rows as i32).rev().flat_map(|y| (0..10).map(move |x| (x, y)));
        let mut bytes: Vec<u8> =
            cells.map(|(x, y)| u8::from(game.board().occupied(x, y))).collect();
        bytes.push(game.piece() as u8 + 1);
        bytes.push(game.held().map_or(0, |piece| piece as u8 + 1));
        bytes.extend(game.next().iter().map(|&piece| piece as u8 + 1));
        bytes.extend([game.combo(), game.back_to_back()].map(|count| count.min(255) as u8));
        bytes.extend(self.settings.garbage.map(|_| game.garbage().lines().min(255) as u8));
        bytes
    }

    fn plane(&self) -> Option<usize> {
        None
    }

    fn legal(&self) -> Vec<u32> {
        let moves = self.settings.actions.moves(&self.game);
        moves.into_iter().map(|(action, _)| action).collect()
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
        self.game =
            Game::from_position(self.settings.rules, position, &mut self.rng).expect("no queue");
    }

    fn play(&mut self, action: u32, _is_last: bool) -> (i64, bool) {
        let moves = self.settings.actions.moves(&self.game);
        let (_, turn) =
            moves.into_iter().find(|&(other, _)| other == action).expect("a legal action");
        let mut result = self.game.play(turn, &mut self.rng).expect("a legal turn");
        if let Some(GarbageRate { every, lines }) = self.settings.garbage
            && result.top_out.is_none()
            && self.game.pieces().is_multiple_of(every.get().into())
        {
            let column = self.rng.below(10) as u8;
            result.garbage_rows +=
                self.game.receive(Attack { lines, column }).expect("a running game");
            result.top_out = self.game.top_out();
        }
        self.result = Some(result);
        let reward = match self.settings.reward {
            RewardKind::Lines => result.clear.lines,
            RewardKind::Attack => result.attack,
            RewardKind::Score => guideline_score(result.clear, 1) as u32,
        };
        (reward.into(), result.top_out.is_some())
    }

    fn assert_is(&self, found: &BatchGame, action: Option<u32>) {
        assert_eq!(found.game(), &self.game);
        assert_eq!(found.action(), action);
        // Only a step that plays has a result.
        assert_eq!(found.lock_result(), self.result.filter(|_| action.is_some()));
    }

    fn assert_afterstates(games: &[(&Self, &[u32])], lists: &LegalLists<'_, BatchGames>) {
        let mut expected = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (one, actions) in games {
            // Actions without moves are those of a game that awaits its restart.
            for (_, turn) in one.settings.actions.moves(&one.game).iter().take(actions.len()) {
                one.afterstate(*turn, &mut expected);
            }
        }
        let k = lists.len();
        let mut boards = vec![99; expected.0.len()];
        let mut features = vec![9.0; 9 * k];
        let mut reward = vec![9.0; k];
        let mut lines = vec![99; k];
        assert_eq!(
            lists.afterstates_into(AfterstatesOut {
                boards: &mut boards,
                reward: &mut reward,
                lines: &mut lines,
                features: &mut features,
            }),
            Ok(())
        );
        assert_eq!(&boards, &expected.0);
        assert_eq!(&reward, &expected.1);
        assert_eq!(&lines, &expected.2);
        assert_eq!(&features, &expected.3);
        // Without boards and features.
        (reward, lines) = (vec![9.0; k], vec![99; k]);
        let out = AfterstatesOut { reward: &mut reward, lines: &mut lines, ..Default::default() };
        assert_eq!(lists.afterstates_into(out), Ok(()));
        assert_eq!(reward.clone(), expected.1);
        assert_eq!(&lines, &expected.2);
        let error =
            |slice, expected| Err(WrongLength { slice, expected, found: expected + 1 }.into());
        features.push(9.0);
        let out = AfterstatesOut {
            reward: &mut reward,
            lines: &mut lines,
            features: &mut features,
            ..Default::default()
        };
        assert_eq!(lists.afterstates_into(out), error("features", 9 * k));
        lines.push(9);
        let out = AfterstatesOut { reward: &mut reward, lines: &mut lines, ..Default::default() };
        assert_eq!(lists.afterstates_into(out), error("lines", k));
    }
}

pub(crate) fn run(input: &Input) {
    by(input, &OneThread);
}

/// [`run`] with other calls.
pub(crate) fn by(input: &Input, calls: &dyn Calls<BatchGames>) {
    let rules = rules(input);
    let actions = *input.pick(&[Actions::Drops, Actions::Placements]);
    let reward = *input.pick(&[RewardKind::Lines, RewardKind::Attack, RewardKind::Score]);
    let rows = if input.below(8) == 0 { input.size() } else { 1 + input.below(40) };
    let choice = u32::from(input.byte());
    let every = NonZeroU32::new(choice / 8 % 4);
    let garbage = every.map(|every| GarbageRate { every, lines: 1 + choice / 32 % 4 });
    let limit = NonZeroU32::new(choice % 8);
    let settings = BatchSettings { rules, actions, reward, rows, garbage };
    let choice = input.byte();
    let n = usize::from(choice % 4);
    let seed = input.u64();
    let starts = if choice < 128 { Vec::new() } else { starts(&settings, choice.into()) };
    if let Err(error) = Batch::new(n, settings, seed) {
        let wrong = Error::VisibleRows { found: settings.rows };
        return assert_eq!((error, (1..=40).contains(&settings.rows)), (wrong, false));
    }
    let batch = || {
        let batch = Batch::new(n, settings, seed)
            .expect("settings that were accepted")
            .with_step_limit(limit);
        if starts.is_empty() {
            batch
        } else {
            batch.with_starts(starts.clone()).expect("boards with room")
        }
    };
    check_batch(input, 24, calls, (seed, limit), batch, |rng| One::new(settings, &starts, rng));
    let rules = Rules { hold: input.flag(), ..rules };
    let action = input.u32();
    for numbering in [Actions::Drops, Actions::Placements] {
        let decoded = numbering.decode(action, &rules);
        assert_eq!(decoded.is_some(), (action as usize) < numbering.count(&rules));
    }
}

/// Draws boards without full rows where every piece can spawn. The batch must reject the others.
fn starts(settings: &BatchSettings, seed: u64) -> Vec<Board> {
    let mut rng = Rng::new(seed);
    let has_room = |board: &Board, piece| {
        let at = |y| Location { y, ..Location::spawn(piece) };
        naive::fits(board, at(19)) || settings.rules.second_spawn_row && naive::fits(board, at(20))
    };
    let mut starts: Vec<Board> = (0..8).map(|_| random_board(&mut rng)).collect();
    starts.retain(|&board| {
        let is_full = |y: i32| (0..10).all(|x| board.occupied(x, y));
        let reason = if Piece::ALL.into_iter().any(|piece| !has_room(&board, piece)) {
            "not every piece can spawn"
        } else if (0..40).any(is_full) {
            "full rows"
        } else {
            return true;
        };
        if let Ok(batch) = Batch::new(1, *settings, 1) {
            let refused = batch.with_starts(vec![Board::EMPTY, board]).map(|_| ());
            assert_eq!(refused, Err(BatchError::Start { index: 1, reason }), "{board}");
        }
        false
    });
    starts
}

/// Checks the numbers of a game's `moves` against their definition.
pub(crate) fn assert_numbers(game: &Game, moves: &[Move]) {
    for actions in [Actions::Drops, Actions::Placements] {
        let expected: Vec<(u32, Move)> = numbered(game, moves, actions).into_iter().collect();
        on_each_level(|| {
            assert_eq!(actions.moves(game), expected, "{actions:?} of\n{}", game.board());
        });
    }
}

fn numbered(game: &Game, moves: &[Move], actions: Actions) -> BTreeMap<u32, Move> {
    let mut numbered = BTreeMap::new();
    let half = if actions == Actions::Drops { 40 } else { 880 };
    let drops = Piece::ALL.map(|piece| {
        game.spawn_location(piece)
            .map(|spawn| naive::hard_drops_from(game.board(), spawn, game.rules().rotation_system))
            .unwrap_or_default()
    });
    for &turn in moves {
        let Placement { at, spin } = turn.placement;
        let way = at.orientation as u32 * 10 + at.x as u32;
        let hold = if turn.hold { half } else { 0 };
        // Equal cells: the best spin. Equal drops: the lowest one with the least spin. The lower
        // rank wins.
        let (number, rank) = match actions {
            Actions::Placements if at.y >= 22 => continue,
            Actions::Placements => (hold + way * 22 + at.y as u32, (0, -(spin as i8))),
            Actions::Drops if drops[at.piece as usize].contains(&at) => {
                (hold + way, (at.y, spin as i8))
            }
            Actions::Drops => continue,
        };
        if numbered.get(&number).is_none_or(|&(other, _)| rank < other) {
            numbered.insert(number, (rank, turn));
        }
    }
    numbered.into_iter().map(|(number, (_, turn))| (number, turn)).collect()
}
