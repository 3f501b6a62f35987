//! The contest's board, game and record, cell by cell.

use super::values::{board as any_board, piece};
use std::iter::repeat_n;
use std::sync::LazyLock;
use testkit::Input;
use tetris_ai::Columns;
use tetris_ai::contest::{
    Board, COLUMNS, ContestKey, FallingPiece, Game, GameOver, KeyPresses, OrientedPiece, ROWS,
    Record, Sequence, VerifyError, verify,
};

pub(crate) static SEQUENCES: LazyLock<[Sequence; 4]> = LazyLock::new(|| {
    [Sequence::contest(), Sequence::new(1), Sequence::new(777), Sequence::new(u64::MAX)]
});

/// A board as booleans, from the top row down.
#[derive(Clone, Debug, PartialEq)]
struct Plain(Vec<[bool; COLUMNS]>);

impl Plain {
    fn of(board: &Board) -> Self {
        Self((0..ROWS as i8).map(|y| std::array::from_fn(|x| board.filled(x as i8, y))).collect())
    }

    fn fits(&self, falling: FallingPiece) -> bool {
        falling.cells().iter().all(|&(x, y)| {
            (0..COLUMNS as i8).contains(&x)
                && y < ROWS as i8
                && (y < 0 || !self.0[y as usize][x as usize])
        })
    }

    fn place(&mut self, falling: FallingPiece) {
        for (x, y) in falling.cells() {
            if (0..COLUMNS as i8).contains(&x) && (0..ROWS as i8).contains(&y) {
                self.0[y as usize][x as usize] = true;
            }
        }
    }

    fn clear(&mut self) -> u32 {
        let before = self.0.len();
        self.0.retain(|row| row.contains(&false));
        let lines = before - self.0.len();
        (0..lines).for_each(|_| self.0.insert(0, [false; COLUMNS]));
        lines as u32
    }

    fn cells(&self) -> u32 {
        self.0.iter().flatten().map(|&filled| u32::from(filled)).sum()
    }
}

/// Presses the keys of a turn and checks that each one moves the piece.
pub(crate) fn pressed(board: &Board, piece: OrientedPiece, turn: &KeyPresses) -> FallingPiece {
    let keys = turn.runs().iter().flat_map(|run| repeat_n(run.key, run.count as usize));
    keys.fold(board.spawn(piece).expect("a piece that can move"), |falling, key| {
        let falling = falling.after_key(key);
        assert!(board.fits(falling), "{piece}, {turn:?} on\n{board}");
        falling
    })
}

pub(crate) fn board(input: &Input) {
    let mut board = any_board(input);
    let mut plain = Plain::of(&board);
    for _ in input.steps(32) {
        let x = input.byte() as i8 % 16;
        let y = input.byte() as i8 % 32;
        let falling = FallingPiece { piece: piece(input), x, y };
        assert_eq!(board.fits(falling), plain.fits(falling));
        let spawned = FallingPiece::spawned(falling.piece);
        assert_eq!(board.spawn(falling.piece), plain.fits(spawned).then_some(spawned));
        if input.flag() || board.fits(falling) {
            board.place(falling);
            plain.place(falling);
        }
        assert_eq!(board.cells(), plain.cells());
        assert_eq!(board.top_touched(), plain.0[0].contains(&true));
        if input.flag() {
            assert_eq!(board.clear_full_rows(), plain.clear());
            if !board.top_touched() {
                assert_eq!(board.to_string().parse(), Ok(board));
            }
        }
        let columns = Columns::from(&board);
        assert_eq!(Board::from(&columns), board);
        assert_eq!(columns.cells(), board.cells());
        let height = |x: usize| (0..ROWS).find(|&y| plain.0[y][x]).map_or(0, |y| (ROWS - y) as u32);
        assert_eq!(columns.heights(), std::array::from_fn(height));
        assert_eq!(Plain::of(&board), plain);
    }
}

/// A game played key by key, and the record of its turns.
pub(crate) fn game(input: &Input) {
    let sequence = input.pick(&*SEQUENCES);
    let mut game = Game::new(sequence);
    let mut plain = Plain::of(&Board::new());
    let mut record = Record::new();
    let mut score = 0;
    let mut pieces = 0;
    let mut floating = 0;
    let mut over = None;
    for _ in 0..64 {
        if input.is_empty() && record.turns().len() > 2 {
            break;
        }
        // No piece is falling.
        assert!(!game.press(ContestKey::Down));
        game.lock();
        let spawned = FallingPiece::spawned(sequence.pieces()[pieces]);
        let mut turn = KeyPresses::new();
        if over.is_none() && !plain.fits(spawned) {
            over = Some(GameOver::SpawnBlocked { piece: pieces + 1 });
        }
        assert_eq!(game.spawn(), over.is_none());
        assert_eq!(game.over(), over);
        assert!(!game.spawn());
        assert_eq!(game.falling(), over.is_none().then_some(spawned));
        assert_eq!(game.pieces(), pieces);
        let mut falling = spawned;
        for _ in 0..=input.below(4) {
            let key = *input.pick(&ContestKey::ALL);
            let count = 1 + input.below(24) as u32;
            turn.push(key, count);
            for _ in 0..count {
                let next = falling.after_key(key);
                let moves = over.is_none() && plain.fits(next);
                if moves {
                    falling = next;
                }
                assert_eq!(game.press(key), moves);
            }
        }
        if turn.count() > 100 {
            let mut long = record.clone();
            long.push(turn);
            if over.is_none() {
                assert!(matches!(verify(&long, sequence), Err(VerifyError::KeyPressCount { .. })));
            }
            return;
        }
        record.push(turn);
        game.lock();
        if over.is_some() {
            break;
        }
        floating += u32::from(plain.fits(falling.after_key(ContestKey::Down)));
        plain.place(falling);
        pieces += 1;
        if plain.0[0].contains(&true) {
            over = Some(GameOver::TopTouched { piece: pieces });
        } else {
            let cells = plain.cells();
            let lines = plain.clear();
            score += u64::from(cells * [0, 1, 3, 6, 10][lines as usize]);
        }
        assert_eq!(game.pieces(), pieces);
        assert_eq!(game.score(), score);
        assert_eq!(game.over(), over);
        assert_eq!(game.floating_locks(), floating);
        assert_eq!(Plain::of(game.board()), plain.clone());
    }
    let result = verify(&record, sequence).expect("1 to 100 key presses each");
    assert_eq!(result.score, score);
    assert_eq!(result.pieces, pieces);
    assert_eq!(result.over, over);
    assert_eq!(result.floating_locks, floating);
    assert_eq!(result.cells_left, plain.cells());
    assert!(result.score <= result.bound);
    assert_eq!(record.to_string().parse().as_ref(), Ok(&record));
    let kept = input.below(70);
    let turns = record.turns()[..kept.min(record.turns().len())].to_vec();
    record.truncate(kept);
    assert_eq!(record.turns(), turns);
}
