//! [`Batch`] in every mode of restart on every level, against games cell by cell.

use bitcore::{Level, Rng};
use fuzzkit::Input;
use g2048::reference::slide_board;
use g2048::{Autoreset, Batch, BatchError, Board, Direction, Size, StepBuffers};

/// One game cell by cell, on its own stream.
struct Plain {
    board: Board,
    rng: Rng,
    finished: bool,
    last: Option<Board>,
}

impl Plain {
    fn new(size: Size, mut rng: Rng) -> Self {
        Self { board: Board::start(size, &mut rng), rng, finished: false, last: None }
    }

    fn legal(&self) -> Vec<Direction> {
        let mut legal = Direction::ALL.to_vec();
        legal.retain(|&direction| slide_board(&self.board, direction).1.changed);
        legal
    }

    fn start_next(&mut self) {
        if self.finished {
            self.last = Some(self.board);
        }
        self.finished = false;
        self.board = Board::start(self.board.size(), &mut self.rng);
    }

    /// Plays a move, or a random one without. Returns its gain, and whether it ended the game.
    fn step(&mut self, mode: Autoreset, direction: Option<Direction>) -> (i64, bool) {
        if self.finished {
            self.start_next();
            return (0, false);
        }
        let direction = direction.unwrap_or_else(|| {
            let legal = self.legal();
            legal[self.rng.below(legal.len() as u32) as usize]
        });
        let (board, slid) = slide_board(&self.board, direction);
        self.board = board;
        self.board.spawn(&mut self.rng);
        let over = self.legal().is_empty();
        self.finished = over;
        if over && mode == Autoreset::SameStep {
            self.start_next();
        }
        (slid.gain as i64, over)
    }
}

struct Machine {
    mode: Autoreset,
    seed: u64,
    batches: Vec<Batch>,
    games: Vec<Plain>,
    buffers: StepBuffers,
}

pub(super) fn run(input: &mut Input<'_>) {
    // Small boards, whose games end.
    let size = Size::new(2 + input.below(3), 2 + input.below(2)).expect("a size");
    let mode = *input.pick(&[Autoreset::SameStep, Autoreset::NextStep, Autoreset::Disabled]);
    let n = *input.pick(&[0, 1, 2, 3, 5, 31, 32, 33, 40]);
    let seed = input.byte().into();
    let on = |level| Batch::new_on(level, n, seed, size).expect("few games").with_autoreset(mode);
    let batches: Vec<_> = Level::all().map(on).collect();
    let buffers = StepBuffers::new(batches[0].shape());
    let games = Rng::streams(seed).take(n).map(|rng| Plain::new(size, rng)).collect();
    let mut machine = Machine { mode, seed, batches, games, buffers };
    machine.reset(size);
    for _ in 0..if n > 5 { 6 } else { 32 } {
        if input.is_empty() {
            return;
        }
        match input.below(16) {
            0 => machine.reset(size),
            1 | 2 => machine.reset_some(input),
            3 => machine.refused(input),
            4..10 => machine.step(None),
            _ => {
                let actions = machine.legal_actions(input);
                machine.step(Some(&actions));
            }
        }
    }
}

impl Machine {
    /// Runs an operation on the batch of each level, and compares what it returned and wrote.
    fn on_all(
        &mut self,
        expected: Result<(), BatchError>,
        after: &StepBuffers,
        run: impl Fn(&mut Batch, &mut StepBuffers) -> Result<(), BatchError>,
    ) {
        for (batch, level) in self.batches.iter_mut().zip(Level::all()) {
            let mut buffers = self.buffers.clone();
            assert_eq!(run(batch, &mut buffers), expected, "{level}");
            assert_eq!(buffers, *after, "{level}");
            for (game, plain) in self.games.iter().enumerate() {
                let mut obs = vec![99; batch.cells()];
                assert_eq!(
                    batch.final_obs_into(game, &mut obs),
                    plain.last.is_some(),
                    "{level}, game {game}"
                );
                let untouched = vec![99; batch.cells()];
                assert_eq!(plain.last.as_ref().map_or(&untouched[..], |board| board.ranks()), &obs[..]);
            }
        }
        self.buffers = after.clone();
    }

    /// Returns the slices with the observations and masks of the plain games.
    fn observed(&self) -> StepBuffers {
        let obs = self.games.iter().flat_map(|game| game.board.ranks().to_vec()).collect();
        let legal = |game: &Plain| Direction::ALL.map(|direction| game.legal().contains(&direction));
        StepBuffers { obs, mask: self.games.iter().flat_map(legal).collect(), ..self.buffers.clone() }
    }

    fn reset(&mut self, size: Size) {
        let streams = Rng::streams(self.seed).take(self.games.len());
        self.games = streams.map(|rng| Plain::new(size, rng)).collect();
        let after = self.observed();
        self.on_all(Ok(()), &after, |batch, buffers| batch.reset_into(&mut buffers.obs, &mut buffers.mask));
    }

    fn reset_some(&mut self, input: &mut Input<'_>) {
        let bits = input.u64();
        let which: Vec<bool> = (0..self.games.len()).map(|game| bits >> (game % 64) & 1 == 1).collect();
        for (game, _) in self.games.iter_mut().zip(&which).filter(|&(_, &flag)| flag) {
            game.start_next();
        }
        let after = self.observed();
        self.on_all(Ok(()), &after, |batch, buffers| {
            batch.reset_some_into(&which, &mut buffers.obs, &mut buffers.mask)
        });
    }

    /// Takes a legal action of each game; of a finished one any number.
    fn legal_actions(&self, input: &mut Input<'_>) -> Vec<u32> {
        let turn = usize::from(input.byte());
        let action = |(i, game): (usize, &Plain)| match &game.legal()[..] {
            [] => (turn * i) as u32,
            legal => legal[(turn + i) % legal.len()] as u32,
        };
        self.games.iter().enumerate().map(action).collect()
    }

    fn finished(&self) -> Option<usize> {
        let waits = self.mode == Autoreset::Disabled;
        self.games.iter().position(|game| game.finished).filter(|_| waits)
    }

    fn step(&mut self, actions: Option<&[u32]>) {
        let run = |batch: &mut Batch, buffers: &mut StepBuffers| match actions {
            Some(actions) => batch.step_into(actions, buffers.out()),
            None => batch.random_step_into(buffers.out()),
        };
        if let Some(game) = self.finished() {
            let after = self.buffers.clone();
            return self.on_all(Err(BatchError::Finished { game }), &after, run);
        }
        let mode = self.mode;
        let mut played = Vec::new();
        for (i, game) in self.games.iter_mut().enumerate() {
            let direction = actions.and_then(|actions| Direction::ALL.get(actions[i] as usize).copied());
            played.push(game.step(mode, direction));
        }
        let mut after = self.observed();
        after.reward = played.iter().map(|&(reward, _)| reward).collect();
        after.terminated = played.iter().map(|&(_, over)| over).collect();
        after.truncated.fill(false);
        self.on_all(Ok(()), &after, run);
    }

    /// Steps that are refused: an action that isn't legal, slices that don't fit.
    fn refused(&mut self, input: &mut Input<'_>) {
        let mut actions = self.legal_actions(input);
        let after = self.buffers.clone();
        if self.finished().is_some() || actions.is_empty() {
            return;
        }
        let game = input.below(actions.len());
        let action = u32::from(input.byte() % 6);
        let legal = self.games[game].legal();
        let is_legal = Direction::ALL.get(action as usize).is_some_and(|direction| legal.contains(direction));
        if !is_legal && !self.games[game].finished {
            actions[game] = action;
            let error = Err(BatchError::Illegal { game, action });
            self.on_all(error, &after, |batch, buffers| batch.step_into(&actions, buffers.out()));
        }
        actions.pop();
        for batch in &mut self.batches {
            let mut buffers = self.buffers.clone();
            assert!(matches!(batch.step_into(&actions, buffers.out()), Err(BatchError::Length(_))));
            buffers.mask.push(false);
            assert!(matches!(batch.random_step_into(buffers.out()), Err(BatchError::Length(_))));
            assert!(batch.reset_into(&mut buffers.obs, &mut buffers.mask).is_err());
        }
    }
}
