//! [`Batch`] in every mode of restart on every level, against games by the plain rules.

use bitcore::batch::{Autoreset, StepBuffers};
use bitcore::{Level, Rng};
use fuzzkit::Input;
use match3::batch::BatchError;
use match3::colors::{Colors, RandomColors};
use match3::reference::naive;
use match3::{Batch, Board, Board16, Rules, Swap};

/// One game by the plain rules, on its own stream.
struct Plain {
    board: Board,
    colors: RandomColors,
    moves_left: u32,
    last: Option<Vec<u8>>,
}

impl Plain {
    fn new(rules: &Rules, rng: Rng) -> Self {
        let board = Board::new(rules.width, rules.height).expect("a size");
        let colors = RandomColors::new(rules.colors, rng).expect("few colors");
        let mut game = Self { board, colors, moves_left: rules.moves, last: None };
        game.deal();
        game
    }

    fn deal(&mut self) {
        let (width, height) = (self.board.width(), self.board.height());
        if let Ok(board) = Board16::<4>::deal(width, height, &mut self.colors) {
            self.board = board.into();
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let cells = self.board.cells();
        let left = std::iter::repeat_n(self.moves_left as u8, cells.len());
        cells.iter().map(|cell| cell.byte()).chain(left).collect()
    }

    fn legal(&self) -> Vec<Swap> {
        if self.moves_left == 0 { Vec::new() } else { naive::swaps(&self.board) }
    }

    fn start_next(&mut self, moves: u32) {
        if self.moves_left == 0 {
            self.last = Some(self.bytes());
        }
        self.moves_left = moves;
        self.deal();
    }

    /// Plays a swap, or a random one without. Returns the points, and whether it was the last move.
    fn step(&mut self, mode: Autoreset, moves: u32, swap: Option<Swap>) -> (i64, bool) {
        if self.moves_left == 0 {
            self.start_next(moves);
            return (0, false);
        }
        let swap = swap.unwrap_or_else(|| {
            let mut legal = self.legal();
            legal.sort_by_key(|swap| (swap.axis, swap.x, std::cmp::Reverse(swap.y)));
            legal[self.colors.rng().below(legal.len() as u32) as usize]
        });
        let [a, b] = swap.cells();
        self.board.exchange(a, b);
        let score = naive::cascade(&mut self.board, || self.colors.next()).score;
        self.moves_left -= 1;
        let ended = self.moves_left == 0;
        if !ended && naive::swaps(&self.board).is_empty() {
            self.deal();
        } else if ended && mode == Autoreset::SameStep {
            self.start_next(moves);
        }
        (score as i64, ended)
    }
}

/// The batches of each level, the games by the plain rules, and the slices that both must have.
struct Machine {
    rules: Rules,
    mode: Autoreset,
    seed: u64,
    batches: Vec<Batch>,
    games: Vec<Plain>,
    buffers: StepBuffers,
}

pub(super) fn run(input: &mut Input<'_>) {
    let rules = Rules {
        width: 1 + input.below(10),
        height: 1 + input.below(10),
        colors: 3 + input.below(13) as u8,
        moves: 1 + u32::from(input.byte() % 5),
    };
    let mode = *input.pick(&[Autoreset::SameStep, Autoreset::NextStep, Autoreset::Disabled]);
    let (n, seed) = (input.below(4), u64::from(input.byte()));
    let batches: Result<Vec<_>, _> = Level::all().map(|level| Batch::new_on(level, n, seed, rules)).collect();
    // Boards on which no swap is found in ten thousand deals.
    let Ok(batches) = batches else { return };
    let batches: Vec<_> = batches.into_iter().map(|batch| batch.with_autoreset(mode)).collect();
    let buffers = StepBuffers::new(batches[0].shape());
    let mut machine = Machine { rules, mode, seed, batches, games: Vec::new(), buffers };
    machine.games = Rng::streams(seed).take(n).map(|rng| Plain::new(&rules, rng)).collect();
    machine.reset();
    for _ in 0..8 {
        if input.is_empty() {
            return;
        }
        match input.below(6) {
            0 => machine.reset(),
            1 => machine.reset_some(input),
            2 => machine.step(None),
            3 => machine.refused(input),
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
            assert_eq!(run(batch, &mut buffers), expected, "{level}, {:?}", self.rules);
            assert_eq!(buffers, *after, "{level}, {:?}", self.rules);
            for (game, plain) in self.games.iter().enumerate() {
                let mut obs = vec![99; batch.cells()];
                assert_eq!(batch.final_obs_into(game, &mut obs), plain.last.is_some());
                assert_eq!(plain.last.as_ref().unwrap_or(&vec![99; batch.cells()]), &obs);
            }
        }
        self.buffers = after.clone();
    }

    /// Returns the slices with the observations and masks of the plain games.
    fn observed(&self) -> StepBuffers {
        let (width, height) = (self.rules.width, self.rules.height);
        let mut mask = Vec::new();
        for game in &self.games {
            let legal = game.legal();
            let swap = |action| Swap::from_action(action, width, height).expect("an action");
            mask.extend((0..Swap::actions(width, height)).map(|action| legal.contains(&swap(action))));
        }
        let obs = self.games.iter().flat_map(Plain::bytes).collect();
        StepBuffers { obs, mask, ..self.buffers.clone() }
    }

    fn reset(&mut self) {
        self.games =
            Rng::streams(self.seed).take(self.games.len()).map(|rng| Plain::new(&self.rules, rng)).collect();
        let after = self.observed();
        self.on_all(Ok(()), &after, |batch, buffers| batch.reset_into(&mut buffers.obs, &mut buffers.mask));
    }

    fn reset_some(&mut self, input: &mut Input<'_>) {
        let which: Vec<bool> = self.games.iter().map(|_| input.flag()).collect();
        for (game, _) in self.games.iter_mut().zip(&which).filter(|&(_, &flag)| flag) {
            game.start_next(self.rules.moves);
        }
        let after = self.observed();
        self.on_all(Ok(()), &after, |batch, buffers| {
            batch.reset_some_into(&which, &mut buffers.obs, &mut buffers.mask)
        });
    }

    /// Takes a legal action of each game; of a finished one any number.
    fn legal_actions(&self, input: &mut Input<'_>) -> Vec<u32> {
        let (width, height) = (self.rules.width, self.rules.height);
        let mut action = |game: &Plain| match &game.legal()[..] {
            [] => input.byte().into(),
            legal => input.pick(legal).action(width, height).expect("a swap on the board") as u32,
        };
        self.games.iter().map(&mut action).collect()
    }

    fn finished(&self) -> Option<usize> {
        let waits = self.mode == Autoreset::Disabled;
        self.games.iter().position(|game| game.moves_left == 0).filter(|_| waits)
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
        let (mode, rules) = (self.mode, self.rules);
        let mut played = Vec::new();
        for (i, game) in self.games.iter_mut().enumerate() {
            let swap = |actions: &[u32]| Swap::from_action(actions[i] as usize, rules.width, rules.height);
            played.push(game.step(mode, rules.moves, actions.and_then(swap)));
        }
        let mut after = self.observed();
        after.reward = played.iter().map(|&(reward, _)| reward).collect();
        after.terminated = played.iter().map(|&(_, ended)| ended).collect();
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
        let action = input.u32();
        let swap = Swap::from_action(action as usize, self.rules.width, self.rules.height);
        let legal = self.games[game].legal();
        if self.games[game].moves_left > 0 && swap.is_none_or(|swap| !legal.contains(&swap)) {
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
