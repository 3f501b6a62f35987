//! One game of a [`Batch`], played cell by cell on its own stream.

use bitcade_core::batch::WrongLength;
use bitcore::Rng;
use g2048::batch::{AfterstatesOut, BatchGames, LegalLists};
use g2048::reference::slide_board;
use g2048::{Batch, Board, Direction, Size};
use testkit::{Calls, Input, OneThread, Plain, check_batch};

#[derive(Clone)]
struct Game {
    board: Board,
    rng: Rng,
}

impl Plain for Game {
    type Games = BatchGames;

    fn observation(&self) -> Vec<u8> {
        self.board.ranks().to_vec()
    }

    fn plane(&self) -> Option<usize> {
        Some(self.board.ranks().len())
    }

    fn legal(&self) -> Vec<u32> {
        let changes = |direction: &Direction| slide_board(&self.board, *direction).1.changed;
        Direction::ALL.into_iter().filter(changes).map(|direction| direction as u32).collect()
    }

    fn rng(&mut self) -> &mut Rng {
        &mut self.rng
    }

    fn start(&mut self) {
        self.board = Board::start(self.board.size(), &mut self.rng);
    }

    fn play(&mut self, action: u32, _is_last: bool) -> (i64, bool) {
        let (board, slid) = slide_board(&self.board, Direction::ALL[action as usize]);
        self.board = board;
        self.board.spawn(&mut self.rng);
        (slid.gain as i64, self.legal().is_empty())
    }

    fn assert_afterstates(games: &[(&Self, &[u32])], lists: &LegalLists<'_, BatchGames>) {
        let slide = |&(game, actions): &(&Self, &[u32])| {
            let board = game.board;
            let after = move |&action: &u32| slide_board(&board, Direction::ALL[action as usize]);
            actions.iter().map(after).collect::<Vec<_>>()
        };
        let slides: Vec<_> = games.iter().flat_map(slide).collect();
        let expected: Vec<u8> =
            slides.iter().flat_map(|(board, _)| board.ranks().to_vec()).collect();
        let gains: Vec<f32> = slides.iter().map(|(_, slid)| slid.gain as f32).collect();
        let mut boards = vec![99; expected.len()];
        let mut reward = vec![9.0; lists.len()];
        let out = AfterstatesOut { boards: &mut boards, reward: &mut reward, ..Default::default() };
        assert_eq!(lists.afterstates_into(out), Ok(()));
        assert_eq!(&boards, &expected);
        assert_eq!(&reward, &gains);
        // Rewards alone.
        reward.fill(9.0);
        let out = AfterstatesOut { reward: &mut reward, ..Default::default() };
        assert_eq!(lists.afterstates_into(out), Ok(()));
        assert_eq!(reward, gains);
        boards.push(99);
        let length = boards.len();
        let mut reward = vec![9.0; lists.len() + 1];
        let error = |slice, expected, found| Err(WrongLength { slice, expected, found }.into());
        let out = AfterstatesOut { boards: &mut boards, reward: &mut reward, ..Default::default() };
        assert_eq!(lists.afterstates_into(out), error("boards", length - 1, length));
        let out = AfterstatesOut { reward: &mut reward, ..Default::default() };
        assert_eq!(lists.afterstates_into(out), error("reward", lists.len(), lists.len() + 1));
    }
}

pub(crate) fn run(input: &Input) {
    by(input, &OneThread);
}

pub(crate) fn by(input: &Input, calls: &dyn Calls<BatchGames>) {
    // Mostly small boards, whose games end.
    let side = |sides| match input.byte() {
        byte @ 240.. => 2 + usize::from(byte) % 7,
        byte => 2 + usize::from(byte) % sides,
    };
    let size = Size::new(side(3), side(2)).expect("a size");
    let n = *input.pick(&[0, 1, 2, 3, 5, 31, 32, 33, 40]);
    let seed = input.byte().into();
    let batch = || Batch::new(n, size, seed).expect("few games");
    check_batch(input, 600 / (n + 5), calls, (seed, None), batch, |mut rng| Game {
        board: Board::start(size, &mut rng),
        rng,
    });
}
