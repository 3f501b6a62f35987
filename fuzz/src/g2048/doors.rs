//! Every parser and constructor of `g2048` for untrusted text, bytes and numbers. Accepted text is
//! printed and parsed again.

use super::checksum::file;
use super::properties::values::any_size;
use crate::kit::{Input, read_as, same_again, same_form};
use bitcore::Rng;
use g2048::expectimax::Limits;
use g2048::network::LearnerSettings;
use g2048::{
    Batch, Board, Boards32, Direction, Expectimax, Game, Learner, Network, Packed, Rules, Size,
    SmallNetwork,
};

pub(crate) fn doors(data: &[u8]) {
    match data {
        [253, text @ ..] => return saved(&String::from_utf8_lossy(text)),
        [252, content @ ..] => return learner(2, content),
        _ => {}
    }
    let input = Input::new(data);
    match input.below(9) {
        0 => drop(same_again::<Board>(&input.text())),
        1 => {
            let text = input.text();
            drop((same_again::<Size>(&text), same_again::<Direction>(&text)));
        }
        2 => {
            let bytes = input.rest();
            drop((Network::load(bytes), SmallNetwork::load(bytes)));
        }
        3 => drop(Learner::load(input.rest())),
        4 => learner(1, input.rest()),
        5 => ranks(&input),
        6 => batch(&input),
        7 => search(&input),
        _ => settings(&input),
    }
}

fn saved(text: &str) {
    read_as!(same_form(text): Size, Rules, Packed, Direction, Rng);
    if let Some([mut game, _]) = same_form::<Game>(text) {
        for direction in Direction::ALL {
            let score = game.score();
            let moves = game.moves();
            let gain =
                game.play(direction, &mut Rng::new(1)).map_or((0, 0), |outcome| (outcome.gain, 1));
            assert_eq!(game.score(), score + gain.0);
            assert_eq!(game.moves(), moves + gain.1);
        }
    }
    if let Some([mut board, _]) = same_form::<Board>(text) {
        board.spawn(&mut Rng::new(1));
        board.slide(Direction::Left);
    }
}

/// The content of a learner's file between a valid header and a valid checksum. A learner that
/// loads must be able to learn.
fn learner(version: u32, content: &[u8]) {
    let Ok(mut learner) = Learner::load(&file(*b"2048-lrn", version, content)) else { return };
    let before = (learner.rounds(), learner.moves(), learner.games());
    learner.learn(3);
    assert!(
        learner.rounds() == before.0 + 3
            && learner.moves() >= before.1
            && learner.games() >= before.2
    );
}

fn ranks(input: &Input) {
    let width = input.size();
    let height = input.size();
    assert_eq!(
        Size::new(width, height).is_ok(),
        (2..9).contains(&width) && (2..9).contains(&height)
    );
    let packed = Packed::from_bits(input.u64());
    assert_eq!(packed.bits(), packed.bits());
    assert_eq!(Packed::try_from(&Board::from(packed)), Ok(packed));
    let size = any_size(input);
    let ranks: Vec<u8> = input.take(80).to_vec();
    if let Ok(board) = Board::from_ranks(size, &ranks) {
        assert_eq!(board.size(), size);
        assert_eq!(board.ranks(), &ranks[..]);
        assert_eq!(board.to_string().parse(), Ok(board));
        let n = input.below(40);
        assert_eq!(Boards32::try_from(&vec![board; n][..]).is_ok(), (1..33).contains(&n));
        let other = Board::empty(any_size(input));
        assert_eq!(Boards32::try_from(&[board, other][..]).is_ok(), other.size() == size);
        let fits = size == Size::CLASSIC && board.max_rank() < 16;
        assert_eq!(Packed::try_from(&board).map(Board::from).ok(), fits.then_some(board));
    }
}

fn batch(input: &Input) {
    let size = any_size(input);
    // Either few enough games to fit into memory, or so many that they never do.
    let n =
        if input.flag() { input.below(40) } else { usize::MAX - input.size() % (usize::MAX >> 8) };
    match Batch::new(n, size, 1) {
        Ok(batch) => assert_eq!(batch.len(), n),
        Err(_) => assert!(n > 40),
    }
}

fn search(input: &Input) {
    let limits =
        Limits { depth: input.size() as u32, min_probability: f32::from_bits(input.u32()) };
    let a = f32::from_bits(input.u32());
    let b = f32::from_bits(input.u32());
    let value = |after: Packed| if after.bits().is_multiple_of(3) { a } else { b };
    let mut search = Expectimax::new(&value, limits);
    let size = if input.byte() < 16 { any_size(input) } else { Size::CLASSIC };
    let ranks: Vec<u8> = (0..size.cells()).map(|_| input.byte() % 51).collect();
    let board = Board::from_ranks(size, &ranks).expect("ranks of a board");
    if let Ok(choice) = search.search_until(&board, &testkit::stop_at(2)) {
        let legal = !board.is_over() && size == Size::CLASSIC;
        assert_eq!(choice.is_some(), legal, "{board:?}");
        assert!(choice.is_none_or(|choice| board.is_legal(choice.direction)), "{board:?}");
    }
}

fn settings(input: &Input) {
    let games = input.size();
    let rate = f32::from_bits(input.u32());
    let settings = LearnerSettings {
        concurrent_games: games,
        learning_rate: rate,
        coherence: input.flag(),
        ..LearnerSettings::default()
    };
    let valid = (1..=64).contains(&games) && rate > 0.0 && rate <= 1.0;
    // A learner's tables take some time.
    if !valid || input.byte() == 7 {
        assert_eq!(Learner::new(settings, 1).is_ok(), valid, "{settings:?}");
    }
    let mut rng = Rng::new(input.u64());
    let board = Board::start(any_size(input), &mut rng);
    for direction in Direction::ALL {
        same_again::<Board>(&board.slide(direction).board.to_string()).expect("a board");
    }
}
