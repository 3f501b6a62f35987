//! A batch against single games, the numbering of moves, and refused calls.

use bitcore::batch::{Autoreset, IllegalAction, StepBuffers};
use bitcore::{Level, Rng};
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;
use tetris::batch::{
    ACTION_ROWS, Actions, Batch, BatchError, BatchRules, BatchRulesError, DecodedAction, GarbageRate,
    RewardKind, WrongRows,
};
use tetris::board::{HEIGHT, WIDTH};
use tetris::garbage::{Attack, GarbageTiming};
use tetris::reference::naive;
use tetris::{Board, Game, Location, LockResult, Move, Orientation, Piece, Placement, Position, Rules, Spin};

#[derive(Clone, Debug, PartialEq, Eq)]
struct Slices {
    actions: Vec<u32>,
    out: StepBuffers,
}

impl Slices {
    fn new(batch: &Batch) -> Self {
        Self { actions: vec![0; batch.len()], out: StepBuffers::new(batch.shape()) }
    }

    fn reset(&mut self, batch: &mut Batch) -> Result<(), BatchError> {
        batch.reset_into(&mut self.out.obs, &mut self.out.mask)
    }

    fn step(&mut self, batch: &mut Batch) -> Result<(), BatchError> {
        batch.step_into(&self.actions, self.out.out())
    }

    fn random_step(&mut self, batch: &mut Batch) -> Result<(), BatchError> {
        batch.random_step_into(self.out.out())
    }

    /// Chooses a legal action in each game.
    fn choose(&mut self, rng: &mut Rng) {
        let actions = self.out.mask.len() / self.actions.len();
        for (action, mask) in self.actions.iter_mut().zip(self.out.mask.chunks(actions)) {
            let legal: Vec<u32> = (0..).zip(mask).filter_map(|(i, &is)| is.then_some(i)).collect();
            *action = legal[rng.below(legal.len() as u32) as usize];
        }
    }
}

fn last_step(batch: &Batch, game: usize) -> (Option<LockResult>, Option<u32>) {
    let env = batch.game(game).unwrap();
    (env.lock_result(), env.action())
}

/// Returns the legal moves of a game by their numbers, from the definition of the numbers.
fn numbered(game: &Game, actions: Actions) -> BTreeMap<usize, Move> {
    let mut numbered = BTreeMap::new();
    let half = if actions == Actions::Drops { 40 } else { 880 };
    for turn in game.legal_moves() {
        let Placement { at, spin } = turn.placement;
        let way = at.orientation as usize * 10 + at.x as usize;
        let hold = if turn.hold { half } else { 0 };
        // The best kind of spin of the same cells, or the least of the lowest drop: the lower rank.
        let (number, rank) = match actions {
            Actions::Placements if at.y >= 22 => continue,
            Actions::Placements => (hold + way * 22 + at.y as usize, (0, -(spin as i8))),
            Actions::Drops
                if !game
                    .spawn_location(at.piece)
                    .is_some_and(|spawn| naive::hard_drops_from(game.board(), spawn).contains(&at)) =>
            {
                continue;
            }
            Actions::Drops => (hold + way, (at.y, spin as i8)),
        };
        if numbered.get(&number).is_none_or(|&(other, _)| rank < other) {
            numbered.insert(number, (rank, turn));
        }
    }
    numbered.into_iter().map(|(number, (_, turn))| (number, turn)).collect()
}

fn observation(game: &Game, rules: &BatchRules) -> Vec<u8> {
    let mut bytes = Vec::new();
    for y in (0..rules.rows).rev() {
        bytes.extend((0..10).map(|x| u8::from(game.board().occupied(x, y as i32))));
    }
    let number = |piece: Piece| 1 + Piece::ALL.iter().position(|&other| other == piece).unwrap() as u8;
    bytes.push(number(game.piece()));
    bytes.push(game.held().map_or(0, number));
    bytes.extend(game.next().iter().map(|&piece| number(piece)));
    bytes.push(game.combo() as u8);
    bytes.push(game.back_to_back() as u8);
    bytes.extend(rules.garbage.map(|_| game.garbage().lines() as u8));
    bytes
}

/// Plays a turn, then the garbage that is due.
fn play(game: &mut Game, rules: &BatchRules, turn: Move, rng: &mut Rng) -> LockResult {
    let mut result = game.step(turn, rng).unwrap();
    if let Some(GarbageRate { every, lines }) = rules.garbage
        && result.over.is_none()
        && game.pieces().is_multiple_of(every.get().into())
    {
        let column = rng.below(10) as u8;
        result.garbage_rows += game.receive(Attack { lines, column }).unwrap();
        result.over = game.over();
    }
    result
}

fn cost(game: &Game, turn: Move) -> (u32, i32) {
    let mut board = game.board().place(turn.placement.at).unwrap();
    let lines = board.clear_lines();
    let features = board.features();
    (4 * features.covered_cells + features.bumpiness + features.max_height, -(lines as i32))
}

fn settings() -> [BatchRules; 7] {
    let placements = BatchRules { actions: Actions::Placements, ..BatchRules::default() };
    [
        BatchRules::default(),
        BatchRules {
            game: Rules { hold: false, next: 0, ..Rules::default() },
            rows: 40,
            max_pieces: NonZeroU32::new(9),
            ..BatchRules::default()
        },
        BatchRules { reward: RewardKind::Attack, rows: 7, ..placements },
        BatchRules {
            game: Rules { hold: false, next: 99, ..Rules::default() },
            max_pieces: NonZeroU32::new(9),
            ..placements
        },
        BatchRules { reward: RewardKind::Attack, garbage: garbage(3, 2), ..BatchRules::default() },
        BatchRules {
            game: Rules { garbage_timing: GarbageTiming::AfterEveryLock, cancel: false, ..Rules::default() },
            garbage: garbage(4, 1),
            rows: 21,
            ..placements
        },
        BatchRules {
            game: Rules { garbage_timing: GarbageTiming::Immediate, next: 1, ..Rules::default() },
            garbage: garbage(5, 1),
            ..placements
        },
    ]
}

fn garbage(every: u32, lines: u32) -> Option<GarbageRate> {
    NonZeroU32::new(every).map(|every| GarbageRate { every, lines })
}

#[test]
fn a_batch_plays_what_single_games_play() {
    for (setting, rules) in settings().into_iter().enumerate() {
        let (n, seed) = (4, 3 + setting as u64);
        let mut batch = Batch::new(n, seed, rules).unwrap();
        let mut slices = Slices::new(&batch);
        assert_eq!((batch.len(), batch.is_empty()), (n, false));
        slices.reset(&mut batch).unwrap();
        let start = |mut rng: Rng| (Game::new(rules.game, &mut rng), rng);
        let mut games: Vec<_> = Rng::streams(seed).take(n).map(start).collect();
        let mut last: Vec<Option<Vec<u8>>> = vec![None; n];
        let (mut choice, mut ended) = (Rng::new(77), 0);
        let (mut rewarded, mut unlike, mut entered) = (0, 0, 0);
        let (cells, actions) = (batch.cells(), batch.actions());
        for step in 0..testkit::cases(120) {
            for (i, (game, _)) in games.iter().enumerate() {
                assert_eq!(batch.game(i).unwrap().game(), game, "step {step}, game {i}");
                assert_eq!(slices.out.obs[i * cells..][..cells], observation(game, &rules));
                let legal = numbered(game, rules.actions);
                for (action, &is) in slices.out.mask[i * actions..][..actions].iter().enumerate() {
                    assert_eq!(is, legal.contains_key(&action), "step {step}, game {i}, action {action}");
                }
                let moves = rules.actions.moves(game);
                let moves: BTreeMap<_, _> =
                    moves.iter().map(|&(action, turn)| (action as usize, turn)).collect();
                assert_eq!(moves, legal);
                let mut obs = vec![99; cells];
                assert_eq!(batch.final_obs_into(i, &mut obs), last[i].is_some());
                assert_eq!(obs, last[i].clone().unwrap_or(vec![99; cells]));
            }
            slices.choose(&mut choice);
            for (action, (game, _)) in slices.actions.iter_mut().zip(&games) {
                // Mostly good moves, so that lines are cleared.
                if choice.below(12) > 0 {
                    let legal = numbered(game, rules.actions);
                    *action = *legal.iter().min_by_key(|(_, turn)| cost(game, **turn)).unwrap().0 as u32;
                }
            }
            slices.step(&mut batch).unwrap();
            for (i, (game, rng)) in games.iter_mut().enumerate() {
                let turn = numbered(game, rules.actions)[&(slices.actions[i] as usize)];
                let result = play(game, &rules, turn, rng);
                assert_eq!(last_step(&batch, i), (Some(result), Some(slices.actions[i])));
                let reward = match rules.reward {
                    RewardKind::Lines => result.clear.lines,
                    RewardKind::Attack => result.attack,
                };
                assert_eq!(slices.out.reward[i], i64::from(reward));
                rewarded += reward;
                entered += result.garbage_rows;
                unlike += usize::from(result.attack != result.clear.lines);
                let over = rules.max_pieces.is_some_and(|most| game.pieces() == u64::from(most.get()))
                    || result.over.is_some();
                let terminated = result.over.is_some();
                assert_eq!(slices.out.terminated[i], terminated);
                assert_eq!(slices.out.truncated[i], over && !terminated);
                if over {
                    ended += 1;
                    last[i] = Some(observation(game, &rules));
                    *game = Game::new(rules.game, rng);
                }
            }
        }
        if std::env::var_os(testkit::EMULATED).is_none() {
            assert!(rules.max_pieces.is_none() || ended > 4, "{ended} games ended");
            assert!(rewarded > 0 && unlike > 10, "{rewarded} {unlike}");
            assert_eq!(entered > 0, rules.garbage.is_some());
        }
        assert!(batch.game(n).is_none());
    }
}

#[test]
fn random_steps_are_steps() {
    for rules in settings() {
        let mut batch = Batch::new(3, 5, rules).unwrap();
        let mut slices = Slices::new(&batch);
        slices.reset(&mut batch).unwrap();
        let mut streams: Vec<Rng> = Rng::streams(5).take(3).collect();
        let mut games: Vec<Game> = streams.iter_mut().map(|rng| Game::new(rules.game, rng)).collect();
        let actions = batch.actions();
        for _ in 0..testkit::cases(60) {
            let masks = slices.out.mask.clone();
            slices.random_step(&mut batch).unwrap();
            for (i, game) in games.iter_mut().enumerate() {
                let legal: Vec<usize> = (0..actions).filter(|action| masks[i * actions + action]).collect();
                let chosen = legal[streams[i].below(legal.len() as u32) as usize];
                assert_eq!(last_step(&batch, i).1.map(|action| action as usize), Some(chosen));
                let turn = numbered(game, rules.actions)[&chosen];
                let result = play(game, &rules, turn, &mut streams[i]);
                assert_eq!(last_step(&batch, i).0, Some(result));
                if slices.out.terminated[i] || slices.out.truncated[i] {
                    *game = Game::new(rules.game, &mut streams[i]);
                }
                assert_eq!(batch.game(i).unwrap().game(), game);
            }
        }
    }
}

#[test]
fn the_abilities_of_every_batch() {
    let settings = settings();
    for rules in [settings[0], settings[6]] {
        testkit::check_batch(&|level, n, seed| Batch::new_on(level, n, seed, rules).unwrap());
    }
    for rules in settings {
        let batch = |rules| Batch::new(2, 1, rules).unwrap();
        testkit::check_other_rules(&mut batch(rules), &batch(BatchRules { rows: 3, ..rules }));
    }
    for rows in [0, 41] {
        let error = Batch::new(1, 1, BatchRules { rows, ..BatchRules::default() }).map(|_| ());
        assert_eq!(error, Err(BatchRulesError::Rows(WrongRows { found: rows })));
    }
    testkit::check_too_many(|n| Batch::new(n, 1, BatchRules::default()), BatchRulesError::Games);
}

#[test]
fn only_a_step_that_plays_has_a_result() {
    for (illegal, autoreset) in
        [(IllegalAction::Ignore, Autoreset::NextStep), (IllegalAction::End, Autoreset::Disabled)]
    {
        let batch = Batch::new(2, 6, BatchRules::default()).unwrap().with_illegal_action(illegal);
        let mut batch = batch.with_autoreset(autoreset).with_step_limit(NonZeroU32::new(2));
        let mut slices = StepBuffers::new(batch.shape());
        assert_eq!(last_step(&batch, 0), (None, None));
        batch.random_step_into(slices.out()).unwrap();
        assert!(matches!(last_step(&batch, 1), (Some(_), Some(_))));
        let legal = slices.mask.iter().position(|&is| is).unwrap() as u32;
        batch.step_into(&[legal, u32::MAX], slices.out()).unwrap();
        assert_eq!((last_step(&batch, 0).1, last_step(&batch, 1)), (Some(legal), (None, None)));
        assert_eq!(batch.game(1).unwrap().game().pieces(), 1);
        if autoreset == Autoreset::NextStep {
            batch.random_step_into(slices.out()).unwrap();
        } else {
            batch.reset_some_into(&[true; 2], &mut slices.obs, &mut slices.mask).unwrap();
        }
        assert_eq!([0, 1].map(|game| last_step(&batch, game)), [(None, None); 2]);
        batch.random_step_into(slices.out()).unwrap();
        batch.reset_into(&mut slices.obs, &mut slices.mask).unwrap();
        assert_eq!(last_step(&batch, 0), (None, None));
    }
}

#[test]
fn actions_are_numbers_both_ways() {
    for (actions, rows) in [(Actions::Drops, 1), (Actions::Placements, ACTION_ROWS)] {
        for with_hold in [false, true] {
            let holds = if with_hold { 2 } else { 1 };
            assert_eq!((actions.len(with_hold), actions.is_empty()), (holds * 40 * rows, false));
            let mut next = 0;
            for hold in [false, true].into_iter().take(holds) {
                for (orientation, column) in
                    Orientation::ALL.into_iter().flat_map(|way| (0..WIDTH).map(move |x| (way, x)))
                {
                    for row in 0..rows {
                        let row = (rows > 1).then_some(row);
                        let slot = DecodedAction { hold, orientation, column, row };
                        assert_eq!(actions.decode(with_hold, next), Some(slot));
                        // T has no other form of the same cells.
                        let y = row.unwrap_or(7) as i8;
                        let at = Location { piece: Piece::T, orientation, x: column as i8, y };
                        assert_eq!(actions.encode(with_hold, hold, at), Some(next));
                        next += 1;
                    }
                }
            }
            assert_eq!(next as usize, actions.len(with_hold));
            assert_eq!(actions.decode(with_hold, next), None);
            assert_eq!(actions.decode(with_hold, u32::MAX), None);
        }
        let at = |x, y| Location { piece: Piece::T, orientation: Orientation::North, x, y };
        assert_eq!(actions.encode(false, true, at(4, 0)), None, "no hold in this game");
        for (x, y) in [(-1, 0), (10, 0), (4, -1), (4, 40), (i8::MIN, i8::MIN), (i8::MAX, i8::MAX)] {
            assert_eq!(actions.encode(true, false, at(x, y)), None, "{x} {y}");
        }
        assert_eq!(actions.encode(true, false, at(4, 22)).is_some(), actions == Actions::Drops);
        // The forms of S that look the same are one action.
        let south = Location { piece: Piece::S, orientation: Orientation::South, x: 4, y: 1 };
        assert_eq!(
            actions.encode(true, false, south),
            actions.encode(true, false, Location { orientation: Orientation::North, y: 0, ..south })
        );
    }
}

/// Tall boards, where kicks reach above row 20 and drops in one column end in different rows.
#[test]
fn numbers_near_the_ceiling() {
    let mut rng = Rng::new(6);
    let (mut unnumbered, mut spins, mut two_rows) = (0, BTreeSet::new(), 0);
    for _ in 0..testkit::cases(300) {
        let columns = std::array::from_fn(|_| rng.next_u64() & ((1 << (14 + rng.below(12))) - 1));
        let board = Board::from_columns(columns).unwrap();
        assert!(board.max_height() <= HEIGHT as u32);
        let position = Position { board, ..Position::default() };
        let game = Game::from_position(Rules::default(), position, &mut rng).unwrap();
        for actions in [Actions::Drops, Actions::Placements] {
            let moves = actions.moves(&game);
            for level in Level::all() {
                assert_eq!(actions.moves_on(level, &game), moves, "{level}");
            }
            let expected = numbered(&game, actions);
            let found: BTreeMap<_, _> = moves.iter().map(|&(action, turn)| (action as usize, turn)).collect();
            assert_eq!(found, expected, "{actions:?} on\n{board}");
            assert_eq!(moves.len(), expected.len(), "each number once");
            assert!(moves.is_sorted_by_key(|&(action, _)| action));
            assert_eq!(moves.is_empty(), game.over().is_some());
            for (_, turn) in moves {
                assert!(game.clone().step(turn, &mut rng.clone()).is_ok(), "{turn} on\n{board}");
                spins.insert((actions == Actions::Drops, turn.placement.spin));
            }
        }
        for turn in game.legal_moves() {
            if Actions::Placements.encode(true, turn.hold, turn.placement.at).is_none() {
                unnumbered += 1;
                assert!(turn.placement.at.cells().iter().all(|&(_, y)| y >= 20), "{turn}");
            }
        }
        let drops = naive::hard_drops(&board, game.piece());
        let ways: BTreeSet<_> = drops.iter().map(|at| (at.orientation, at.x)).collect();
        two_rows += usize::from(ways.len() < drops.len());
    }
    if std::env::var_os(testkit::EMULATED).is_none() {
        assert!(
            unnumbered > 0 && two_rows > 0 && spins.contains(&(false, Spin::Full)),
            "{unnumbered} {two_rows}"
        );
    }
}

/// Tall boards, on which the spawn may be free but not all rotations, moves and rows.
fn tall_boards(rng: &mut Rng, n: u64) -> Vec<Board> {
    let tall = |_| {
        let height = 14 + rng.below(12);
        let sparse = rng.next_u64();
        let columns = std::array::from_fn(|_| rng.next_u64() & rng.next_u64() & sparse & ((1 << height) - 1));
        Board::from_columns(columns).unwrap()
    };
    (0..n).map(tall).collect()
}

#[test]
fn games_start_from_the_given_boards() {
    let mut rng = Rng::new(21);
    let fits = |board: &Board| {
        let at = |piece, y| Location { y, ..Location::spawn(piece) };
        Piece::ALL.into_iter().all(|piece| board.fits(at(piece, 19)) || board.fits(at(piece, 20)))
    };
    let (starts, blocked): (Vec<_>, Vec<_>) = tall_boards(&mut rng, 400).into_iter().partition(fits);
    assert!(starts.len() > 50 && blocked.len() > 50, "{} {}", starts.len(), blocked.len());
    for actions in [Actions::Drops, Actions::Placements] {
        let rules = BatchRules { actions, max_pieces: NonZeroU32::new(3), ..BatchRules::default() };
        for level in Level::all() {
            let batch = Batch::new_on(level, 20, 4, rules).unwrap();
            let refused = batch.clone().with_starts(vec![starts[0], blocked[0]]).map(|_| ());
            assert_eq!(
                refused,
                Err(BatchError::Start { index: 1, reason: "no room for every piece to appear" })
            );
            let mut batch = batch.with_starts(starts.clone()).unwrap();
            let mut slices = Slices::new(&batch);
            slices.reset(&mut batch).unwrap();
            let begin = |rng: &mut Rng| {
                let board = starts[rng.below(starts.len() as u32) as usize];
                Game::from_position(rules.game, Position { board, ..Position::default() }, rng).unwrap()
            };
            let mut streams: Vec<Rng> = Rng::streams(4).take(20).collect();
            let mut games: Vec<Game> = streams.iter_mut().map(begin).collect();
            for step in 0..testkit::cases(60) {
                for (i, (game, rng)) in games.iter_mut().zip(&mut streams).enumerate() {
                    assert_eq!(batch.game(i).unwrap().game(), game, "step {step}, game {i}");
                    let legal = numbered(game, actions);
                    let mask = &slices.out.mask[i * 2 * actions.len(false)..][..2 * actions.len(false)];
                    let found = mask.iter().enumerate().filter(|&(_, &is)| is).map(|(action, _)| action);
                    assert!(found.eq(legal.keys().copied()), "{actions:?} of\n{}", game.board());
                    let chosen = rng.below(legal.len() as u32) as usize;
                    let turn = *legal.values().nth(chosen).unwrap();
                    play(game, &rules, turn, rng);
                    if game.over().is_some() || game.pieces() == 3 {
                        *game = begin(rng);
                    }
                }
                slices.random_step(&mut batch).unwrap();
            }
        }
    }
}
