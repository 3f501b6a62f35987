//! Batches in every mode of restart, against games that are stepped one by one.

use super::game::rules;
use bitcore::{Level, Rng};
use fuzzkit::Input;
use std::num::NonZeroU32;
use tetris::Game;
use tetris::batch::{
    Actions, Autoreset, Batch, BatchError, BatchRules, BatchRulesError, RewardKind, StepBuffers, WrongRows,
};

/// One game of the batch.
struct One {
    game: Game,
    rng: Rng,
    finished: bool,
    last: Option<Game>,
    action: Option<u32>,
}

impl One {
    fn restart(&mut self, rules: &BatchRules) {
        let next = Game::new(rules.game, &mut self.rng);
        let ended = std::mem::replace(&mut self.game, next);
        if std::mem::take(&mut self.finished) {
            self.last = Some(ended);
        }
    }

    fn legal(&self, level: Level, rules: &BatchRules) -> Vec<u32> {
        if self.finished {
            return Vec::new();
        }
        rules.actions.moves_on(level, &self.game).into_iter().map(|(action, _)| action).collect()
    }
}

fn observation(game: &Game, rows: usize) -> Vec<u8> {
    let cells = (0..rows as i32).rev().flat_map(|y| (0..10).map(move |x| (x, y)));
    let mut bytes: Vec<u8> = cells.map(|(x, y)| u8::from(game.board().occupied(x, y))).collect();
    bytes.push(game.piece() as u8 + 1);
    bytes.push(game.held().map_or(0, |piece| piece as u8 + 1));
    bytes.extend(game.next().iter().map(|&piece| piece as u8 + 1));
    bytes.extend([game.combo(), game.back_to_back()].map(|count| count.min(255) as u8));
    bytes
}

pub(super) fn batch(input: &mut Input) {
    let rules = BatchRules {
        game: rules(input),
        actions: *input.pick(&[Actions::Drops, Actions::Placements]),
        reward: *input.pick(&[RewardKind::Lines, RewardKind::Attack]),
        rows: if input.below(8) == 0 { input.size() } else { 1 + input.below(40) },
        max_pieces: NonZeroU32::new(input.below(8) as u32),
        garbage: None,
    };
    let (n, seed) = (input.below(4), input.u64());
    let autoreset = *input.pick(&[Autoreset::SameStep, Autoreset::NextStep, Autoreset::Disabled]);
    let mut batches = Vec::new();
    for level in Level::all() {
        match Batch::new_on(level, n, seed, rules) {
            Ok(batch) => batches.push(batch.with_autoreset(autoreset)),
            Err(error) => {
                let wrong = BatchRulesError::Rows(WrongRows { found: rules.rows });
                return assert_eq!((error, (1..=40).contains(&rules.rows)), (wrong, false));
            }
        }
    }
    let begin = |mut rng: Rng| {
        let game = Game::new(rules.game, &mut rng);
        One { game, rng, finished: false, last: None, action: None }
    };
    let mut games: Vec<One> = Rng::streams(seed).take(n).map(begin).collect();
    let level = Level::detect();
    for step in 0..16 {
        if input.is_empty() && step > 0 {
            break;
        }
        let shape = batches[0].shape();
        let mut rewards = vec![(0, false, false); n];
        let mut expected: Result<(), BatchError> = Ok(());
        let kind = if step == 0 { 0 } else { 1 + input.below(8) };
        let legal: Vec<Vec<u32>> = games.iter().map(|one| one.legal(level, &rules)).collect();
        let mut actions: Vec<u32> = legal
            .iter()
            .map(|legal| legal.get(input.below(legal.len().max(1))).copied().unwrap_or_else(|| input.u32()))
            .collect();
        let which: Vec<bool> = games.iter().map(|_| input.flag()).collect();
        match kind {
            0 | 1 => games = Rng::streams(seed).take(n).map(begin).collect(),
            2 => {
                for (one, _) in games.iter_mut().zip(&which).filter(|&(_, &which)| which) {
                    one.restart(&rules);
                    one.action = None;
                }
            }
            _ => {
                if kind == 3 && n > 0 {
                    actions[0] = input.u32();
                }
                let waits = games.iter().position(|one| one.finished);
                let illegal = (0..n).find(|&i| !games[i].finished && !legal[i].contains(&actions[i]));
                if let Some(game) = waits.filter(|_| autoreset == Autoreset::Disabled) {
                    expected = Err(BatchError::Finished { game });
                } else if let Some(game) = illegal.filter(|_| kind != 4) {
                    expected = Err(BatchError::Illegal { game, action: actions[game] });
                }
                if expected.is_ok() {
                    for (i, one) in games.iter_mut().enumerate() {
                        if one.finished {
                            one.restart(&rules);
                            one.action = None;
                            continue;
                        }
                        if kind == 4 {
                            actions[i] = legal[i][one.rng.below(legal[i].len() as u32) as usize];
                        }
                        let moves = rules.actions.moves_on(level, &one.game);
                        let (_, turn) = moves.into_iter().find(|&(action, _)| action == actions[i]).unwrap();
                        let result = one.game.step(turn, &mut one.rng).expect("a legal turn");
                        one.action = Some(actions[i]);
                        let reward = match rules.reward {
                            RewardKind::Lines => result.clear.lines,
                            RewardKind::Attack => result.attack,
                        };
                        let most = rules.max_pieces.map_or(u64::MAX, |pieces| pieces.get().into());
                        let over = result.over.is_some();
                        let truncated = !over && one.game.pieces() >= most;
                        rewards[i] = (i64::from(reward), over, truncated);
                        one.finished = over || truncated;
                        if one.finished && autoreset == Autoreset::SameStep {
                            one.restart(&rules);
                        }
                    }
                }
            }
        }
        for (level, batch) in Level::all().zip(&mut batches) {
            let mut buffers = StepBuffers::new(shape);
            let result = match kind {
                0 | 1 => batch.reset_into(&mut buffers.obs, &mut buffers.mask),
                2 => batch.reset_some_into(&which, &mut buffers.obs, &mut buffers.mask),
                4 => batch.random_step_into(buffers.out()),
                5 if n > 0 => {
                    // A slice that is too short is refused, and nothing changes.
                    buffers.reward.pop();
                    assert!(matches!(batch.step_into(&actions, buffers.out()), Err(BatchError::Length(_))));
                    buffers.reward.push(0);
                    batch.step_into(&actions, buffers.out())
                }
                _ => batch.step_into(&actions, buffers.out()),
            };
            assert_eq!(result, expected);
            if result.is_err() {
                continue;
            }
            for (i, one) in games.iter().enumerate() {
                let obs = observation(&one.game, rules.rows);
                assert_eq!(buffers.obs[i * shape.cells..][..shape.cells], obs);
                let mask = &buffers.mask[i * shape.actions..][..shape.actions];
                let marked = (0..shape.actions as u32).filter(|&action| mask[action as usize]);
                assert!(marked.eq(one.legal(level, &rules)));
                let flags = (buffers.reward[i], buffers.terminated[i], buffers.truncated[i]);
                assert_eq!(flags, rewards[i]);
                let env = batch.game(i).expect("a game of the batch");
                assert_eq!((env.game(), env.action()), (&one.game, one.action));
                let mut last = vec![9; shape.cells];
                assert_eq!(batch.final_obs_into(i, &mut last), one.last.is_some());
                let expected =
                    one.last.as_ref().map_or(vec![9; shape.cells], |game| observation(game, rules.rows));
                assert_eq!(last, expected);
            }
        }
    }
    let (with_hold, action) = (input.flag(), input.u32());
    for numbering in [Actions::Drops, Actions::Placements] {
        let decoded = numbering.decode(with_hold, action);
        assert_eq!(decoded.is_some(), (action as usize) < numbering.len(with_hold));
    }
}
