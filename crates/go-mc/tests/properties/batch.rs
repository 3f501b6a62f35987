//! Plays one game of a [`Batch`] by the exact rules, on its own stream.

use super::values::{COLORS, rules, square};
use bitcore::Rng;
use go_mc::batch::{BatchGames, BatchView};
use go_mc::{Batch, Board, Color, Game, Komi, Move, Point, Rules, Suicide};
use std::cell::Cell;
use testkit::{Calls, Input, OneThread, Plain, check_batch};

/// Counts of events that most games don't reach.
#[derive(Default, Debug)]
pub(crate) struct Seen {
    /// Points forbidden by a ko rule, and the subset that simple ko would allow.
    pub(crate) banned: Cell<usize>,
    pub(crate) superko: Cell<usize>,
    pub(crate) cut_off: Cell<usize>,
    /// Rewards of -1, 0 and 1 at the end of a game.
    pub(crate) rewards: [Cell<usize>; 3],
}

fn count(counter: &Cell<usize>, more: usize) {
    counter.set(counter.get() + more);
}

#[derive(Clone)]
struct PlainGame<'a> {
    rules: Rules,
    starts: &'a [(Board, Color)],
    seen: &'a Seen,
    rng: Rng,
    game: Game,
    moves: u32,
    /// The last two moves, latest first.
    last: [Option<Move>; 2],
    legal: Vec<u32>,
    /// The plane of points forbidden only by a ko rule.
    banned: Vec<u8>,
}

/// Returns the moves of a batch in action order: points row by row from the top, then the pass.
pub(crate) fn moves(size: usize) -> impl Iterator<Item = Move> {
    let rows = (0..size as u8).rev();
    let points = rows.flat_map(move |y| (0..size as u8).map(move |x| Point { x, y }));
    points.map(Move::Play).chain([Move::Pass])
}

impl PlainGame<'_> {
    fn find_legal(&mut self) {
        let mut game = self.game.clone();
        if game.is_over() {
            // The last observation shows what the rules would allow.
            game.set_to_move(game.to_move());
        }
        let is_legal = |mv| game.clone().play(mv).is_ok();
        let legal: Vec<bool> = moves(self.rules.size.width()).map(is_legal).collect();
        let if_legal = |(mv, &legal): (Move, &bool)| legal.then_some(mv);
        assert!(
            game.legal_moves()
                .into_iter()
                .eq(moves(self.rules.size.width()).zip(&legal).filter_map(if_legal))
        );
        assert!(!self.game.is_over() || self.game.legal_moves().is_empty());
        // The board without a ko point and without earlier positions.
        let color = game.to_move();
        let suicide = self.rules.suicide;
        let free = game.board().without(go_mc::Points::EMPTY);
        let banned = moves(self.rules.size.width()).zip(&legal).filter_map(|(mv, &legal)| {
            let Move::Play(point) = mv else { return None };
            Some(u8::from(!legal && free.clone().play(color, point, suicide).is_ok()))
        });
        self.banned = banned.collect();
        self.legal =
            (0..).zip(legal).filter_map(|(action, legal)| legal.then_some(action)).collect();
        let banned = self.banned.iter().filter(|&&banned| banned == 1).count();
        count(&self.seen.banned, banned);
        count(&self.seen.superko, banned.saturating_sub(game.board().ko(color).iter().count()));
    }
}

impl Plain for PlainGame<'_> {
    type Games = BatchGames;

    fn observation(&self) -> Vec<u8> {
        let board = self.game.board();
        let color = self.game.to_move();
        let plane = |flag: &dyn Fn(Point) -> bool| {
            let cell =
                |mv| if let Move::Play(point) = mv { Some(u8::from(flag(point))) } else { None };
            moves(self.rules.size.width()).filter_map(cell).collect::<Vec<u8>>()
        };
        [
            plane(&|point| board.at(point) == Some(color)),
            plane(&|point| board.at(point) == Some(color.other())),
            self.banned.clone(),
            plane(&|point| self.last[0] == Some(Move::Play(point))),
            plane(&|point| self.last[1] == Some(Move::Play(point))),
            plane(&|_| color == Color::Black),
        ]
        .concat()
    }

    fn plane(&self) -> Option<usize> {
        Some(self.banned.len())
    }

    fn legal(&self) -> Vec<u32> {
        self.legal.clone()
    }

    fn rng(&mut self) -> &mut Rng {
        &mut self.rng
    }

    fn start(&mut self) {
        self.game = if self.starts.is_empty() {
            Game::new(self.rules)
        } else {
            let (board, color) = &self.starts[self.rng.below(self.starts.len() as u32) as usize];
            Game::from_board(board.clone(), *color, self.rules)
        };
        (self.moves, self.last) = (0, [None; 2]);
        self.find_legal();
    }

    fn play(&mut self, action: u32, is_last: bool) -> (i64, bool) {
        let mv = Move::from_action(action, self.rules.size).expect("a move");
        let mover = self.game.to_move();
        self.game.play(mv).expect("a legal move");
        self.moves += 1;
        self.last = [Some(mv), self.last[0]];
        self.find_legal();
        if !self.game.is_over() {
            count(&self.seen.cut_off, is_last.into());
            return (0, false);
        }
        let [black, white] = self.game.board().area().map(i64::from);
        let score = (2 * (black - white) - i64::from(self.rules.komi.half_points())).signum();
        let reward = if mover == Color::Black { score } else { -score };
        count(&self.seen.rewards[(reward + 1) as usize], 1);
        (reward, true)
    }

    fn assert_is(&self, found: BatchView, _action: Option<u32>) {
        let board = self.game.board();
        let color = self.game.to_move();
        assert_eq!(
            COLORS.map(|side| found.board().stones(side)),
            COLORS.map(|side| board.stones(side))
        );
        assert_eq!(found.board().ko(color), board.ko(color));
        assert_eq!(found.to_move(), color);
        assert_eq!(found.passes(), self.game.passes());
        assert_eq!(found.is_over(), self.game.is_over());
        assert_eq!(found.moves(), self.moves);
        assert_eq!(found.last_move(), self.last[0]);
        assert_eq!(found.area(), board.area());
        let [black, white] = board.area().map(|area| area as i32);
        let score = (2 * (black - white)).saturating_sub(self.rules.komi.half_points());
        assert_eq!(found.score(), self.game.score());
        assert_eq!(found.score().half_points(), score);
    }
}

/// Returns 5 x 5 boards with a ko point forbidden to one color, with few liberties, and with two
/// kos.
pub(crate) fn starts() -> Vec<(Board, Color)> {
    let mut ko: Board = ".XO..\nXO.O.\n.XO..\n.....\n.....".parse().expect("a diagram");
    ko.play(Color::Black, Point { x: 2, y: 3 }, Suicide::Forbidden).expect("a capture");
    let others = ["X.XO.\nXXXOO\nOOOXX\nOO.X.\n.OXXX", ".XO..\nXO.O.\n.XO..\nXO.O.\n.XO.."];
    let boards = std::iter::once(ko).chain(others.map(|text| text.parse().expect("a diagram")));
    boards.flat_map(|board| COLORS.map(|color| (board.clone(), color))).collect()
}

pub(crate) fn run(input: &Input) {
    by(input, &OneThread, &Seen::default());
}

pub(crate) fn by(input: &Input, calls: &dyn Calls<BatchGames>, seen: &Seen) {
    // Mostly small boards, where games finish.
    let size = match input.byte() {
        byte @ 224.. => [7, 9, 13, 19][usize::from(byte) % 4],
        _ => 5,
    };
    let kind = usize::from(input.byte());
    let rules = rules(input);
    // Usually a komi that gives a score near 0 if one color owns the board.
    let komi = Komi::from_half_points([50, 2, 49, -50, 51, i32::MIN][kind % 6]);
    let rules = Rules { size: square(size).size, komi, ..rules };
    let standard = (2 * (size * size) as u32).try_into().ok();
    let limit = [standard, None, 11.try_into().ok(), 30.try_into().ok()][kind / 6 % 4];
    let starts = if size == 5 && kind >= 192 { starts() } else { Vec::new() };
    let n = if size > 9 { 1 } else { *input.pick(&[0, 1, 2, 3, 5, 9, 1, 33]) };
    let seed = input.byte().into();
    let batch = || {
        let mut batch = Batch::new(n, rules, seed).expect("rules of a batch");
        if limit != standard {
            batch = batch.with_step_limit(limit);
        }
        batch.with_starts(starts.clone()).expect("boards of the size")
    };
    check_batch(input, 4000 / (n + 5), calls, (seed, limit), batch, |rng| {
        let game = Game::new(rules);
        let mut game = PlainGame {
            rules,
            starts: &starts,
            seen,
            rng,
            game,
            moves: 0,
            last: [None; 2],
            legal: Vec::new(),
            banned: Vec::new(),
        };
        game.start();
        game
    });
}
