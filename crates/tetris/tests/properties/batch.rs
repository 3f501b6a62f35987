//! One game of a [`Batch`], step by step, and the numbers of actions.

use super::values::rules;
use bitcore::{Level, Rng};
use std::num::NonZeroU32;
use testkit::{Calls, Input, OneThread, Plain, check_batch};
use tetris::Game;
use tetris::batch::{Actions, Batch, BatchRules, BatchRulesError, Env, EnvGroup, RewardKind, WrongRows};

#[derive(Clone)]
struct One {
    rules: BatchRules,
    game: Game,
    rng: Rng,
}

impl Plain for One {
    type Games = EnvGroup;

    fn observation(&self) -> Vec<u8> {
        let game = &self.game;
        let cells = (0..self.rules.rows as i32).rev().flat_map(|y| (0..10).map(move |x| (x, y)));
        let mut bytes: Vec<u8> = cells.map(|(x, y)| u8::from(game.board().occupied(x, y))).collect();
        bytes.push(game.piece() as u8 + 1);
        bytes.push(game.held().map_or(0, |piece| piece as u8 + 1));
        bytes.extend(game.next().iter().map(|&piece| piece as u8 + 1));
        bytes.extend([game.combo(), game.back_to_back()].map(|count| count.min(255) as u8));
        bytes
    }

    fn legal(&self) -> Vec<u32> {
        let moves = self.rules.actions.moves_on(Level::PORTABLE, &self.game);
        moves.into_iter().map(|(action, _)| action).collect()
    }

    fn rng(&mut self) -> &mut Rng {
        &mut self.rng
    }

    fn start(&mut self) {
        self.game = Game::new(self.rules.game, &mut self.rng);
    }

    fn play(&mut self, action: u32, _is_last: bool) -> (i64, bool) {
        let moves = self.rules.actions.moves(&self.game);
        let (_, turn) = moves.into_iter().find(|&(other, _)| other == action).expect("a legal action");
        let result = self.game.step(turn, &mut self.rng).expect("a legal turn");
        let reward = match self.rules.reward {
            RewardKind::Lines => result.clear.lines,
            RewardKind::Attack => result.attack,
        };
        (reward.into(), result.over.is_some())
    }

    fn assert_is(&self, found: &Env, action: Option<u32>) {
        assert_eq!((found.game(), found.action()), (&self.game, action));
    }
}

pub(crate) fn run(input: &Input) {
    by(input, &OneThread);
}

/// The same with other calls.
pub(crate) fn by(input: &Input, calls: &dyn Calls<EnvGroup>) {
    let rules = BatchRules {
        game: rules(input),
        actions: *input.pick(&[Actions::Drops, Actions::Placements]),
        reward: *input.pick(&[RewardKind::Lines, RewardKind::Attack]),
        rows: if input.below(8) == 0 { input.size() } else { 1 + input.below(40) },
        max_pieces: NonZeroU32::new(input.below(8) as u32),
        garbage: None,
    };
    let (n, seed) = (input.below(4), input.u64());
    let mut batches = Vec::new();
    for level in Level::all() {
        match Batch::new_on(level, n, seed, rules) {
            Ok(batch) => batches.push(batch),
            Err(error) => {
                let wrong = BatchRulesError::Rows(WrongRows { found: rules.rows });
                return assert_eq!((error, (1..=40).contains(&rules.rows)), (wrong, false));
            }
        }
    }
    let one = |mut rng| One { rules, game: Game::new(rules.game, &mut rng), rng };
    check_batch(input, 24, calls, (seed, rules.max_pieces), batches, one);
    let (with_hold, action) = (input.flag(), input.u32());
    for numbering in [Actions::Drops, Actions::Placements] {
        let decoded = numbering.decode(with_hold, action);
        assert_eq!(decoded.is_some(), (action as usize) < numbering.len(with_hold));
    }
}
