//! Games against a plain implementation of the rules, and positions with known results.

use bitcore::{Level, Rng};
use std::collections::BTreeSet;
use tetris::attack::Clear;
use tetris::garbage::{Attack, GarbageTiming};
use tetris::reference::naive;
use tetris::{
    Board, Game, GameError, Location, LockResult, Move, Orientation, Piece, Placement, Position, Rules, Spin,
    TopOut,
};

/// A plain implementation of a game: lists, and a board rebuilt row by row.
struct Plain {
    rules: Rules,
    board: Board,
    /// The piece in play first.
    queue: Vec<Piece>,
    hold: Option<Piece>,
    bag: Vec<Piece>,
    combo: u32,
    chain: u32,
    waiting: Vec<Attack>,
    over: Option<TopOut>,
}

impl Plain {
    fn new(rules: Rules, rng: &mut Rng) -> Self {
        let mut game = Self {
            rules,
            board: Board::EMPTY,
            queue: Vec::new(),
            hold: None,
            bag: Vec::new(),
            combo: 0,
            chain: 0,
            waiting: Vec::new(),
            over: None,
        };
        while game.queue.len() < 1 + rules.next.max(1) {
            game.draw(rng);
        }
        game
    }

    fn draw(&mut self, rng: &mut Rng) {
        if self.bag.is_empty() {
            self.bag = Piece::ALL.to_vec();
        }
        let i = rng.below(self.bag.len() as u32);
        self.queue.push(self.bag.remove(i as usize));
    }

    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        if self.over.is_none() {
            let mut pieces = vec![(false, self.queue[0])];
            if self.rules.hold {
                pieces.push((true, self.hold.unwrap_or(self.queue[1])));
            }
            for (hold, piece) in pieces {
                let second_spawn_row = self.rules.second_spawn_row;
                let rules = naive::Rules { spins: true, second_spawn_row, ..naive::Rules::default() };
                let mut all = naive::placements(&self.board, piece, rules);
                all.sort_by_key(|placement| {
                    let Placement { at, spin } = *placement;
                    (spin, at.orientation, at.x, -at.y)
                });
                moves.extend(all.into_iter().map(|placement| Move { hold, placement }));
            }
        }
        moves
    }

    /// Returns the board with garbage inserted, row by row. None if it doesn't fit any more.
    fn with_garbage(&self, attack: Attack) -> Option<Board> {
        let mut rows = vec![[true; 10]; attack.lines as usize];
        for row in &mut rows {
            row[usize::from(attack.column)] = false;
        }
        for y in 0..40 {
            rows.push(std::array::from_fn(|x| self.board.occupied(x as i32, y)));
        }
        while rows.len() > 40 && rows.last() == Some(&[false; 10]) {
            rows.pop();
        }
        if rows.len() > 40 {
            return None;
        }
        let column = |x: usize| (0..40).fold(0, |column, y| column | u64::from(rows[y][x]) << y);
        Board::from_columns(std::array::from_fn(column))
    }

    fn step(&mut self, turn: Move, rng: &mut Rng) -> LockResult {
        let Placement { at, spin } = turn.placement;
        self.board = naive::place(&self.board, at).unwrap();
        let played = self.queue.remove(0);
        self.draw(rng);
        if turn.hold {
            // The held piece locks, or the next one if none is held.
            if self.hold.replace(played).is_none() {
                self.queue.remove(0);
                self.draw(rng);
            }
        }
        let (board, lines) = naive::clear_lines(&self.board);
        self.board = board;
        let perfect = board == Board::EMPTY;
        let hard = lines == 4 || (lines > 0 && spin != Spin::None);
        let mut attack = match (spin, lines) {
            (Spin::None | Spin::Mini, 2) => 1,
            (Spin::None, 3) | (Spin::Full, 1) => 2,
            (Spin::None, 4) | (Spin::Full, 2) => 4,
            (Spin::Full, 3) => 6,
            _ => 0,
        };
        if lines == 0 {
            self.combo = 0;
        } else {
            self.combo += 1;
            let bonus = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 5];
            attack += bonus[(self.combo as usize - 1).min(11)];
            attack += if perfect { 10 } else { 0 };
            if hard {
                attack += u32::from(self.chain > 0);
                self.chain += 1;
            } else {
                self.chain = 0;
            }
        }
        let back_to_back = if hard { self.chain } else { 0 };
        let mut sent = attack;
        while self.rules.cancel && sent > 0 && !self.waiting.is_empty() {
            self.waiting[0].lines -= 1;
            sent -= 1;
            if self.waiting[0].lines == 0 {
                self.waiting.remove(0);
            }
        }
        let mut garbage_rows = 0;
        let enters = match self.rules.garbage_timing {
            GarbageTiming::AfterNonClearingLock => lines == 0,
            GarbageTiming::AfterEveryLock => true,
            GarbageTiming::Immediate => false,
        };
        if at.cells().iter().all(|&(_, y)| y >= 20) {
            self.over = Some(TopOut::Lock);
        } else if enters {
            garbage_rows = self.enter(self.rules.garbage_cap);
        }
        self.check_spawn();
        let clear = Clear { lines, spin, perfect, combo: self.combo, back_to_back };
        LockResult { clear, attack, sent, garbage_rows, over: self.over }
    }

    fn enter(&mut self, most: u32) -> u32 {
        let mut garbage_rows = 0;
        while garbage_rows < most && !self.waiting.is_empty() && self.over.is_none() {
            let attack = Attack { lines: self.waiting[0].lines.min(most - garbage_rows), ..self.waiting[0] };
            self.waiting[0].lines -= attack.lines;
            if self.waiting[0].lines == 0 {
                self.waiting.remove(0);
            }
            match self.with_garbage(attack) {
                Some(board) => {
                    self.board = board;
                    garbage_rows += attack.lines;
                }
                None => self.over = Some(TopOut::Garbage),
            }
        }
        garbage_rows
    }

    fn check_spawn(&mut self) {
        let first = Location::spawn(self.queue[0]);
        let fits = naive::fits(&self.board, first)
            || self.rules.second_spawn_row && naive::fits(&self.board, first.moved(0, 1));
        if self.over.is_none() && !fits {
            self.over = Some(TopOut::Block);
        }
    }

    fn receive(&mut self, attack: Attack) -> u32 {
        self.waiting.push(attack);
        let garbage_rows =
            if self.rules.garbage_timing == GarbageTiming::Immediate { self.enter(u32::MAX) } else { 0 };
        self.check_spawn();
        garbage_rows
    }

    fn assert_is(&self, game: &Game) {
        assert_eq!(*game.board(), self.board, "{}\n\n{}", game.board(), self.board);
        assert_eq!(game.piece(), self.queue[0]);
        assert_eq!(game.next(), &self.queue[1..=self.rules.next]);
        assert_eq!((game.held(), game.over()), (self.hold, self.over));
        assert_eq!((game.combo(), game.back_to_back()), (self.combo, self.chain));
        assert_eq!(game.garbage().iter().collect::<Vec<_>>(), self.waiting);
        let bag: BTreeSet<Piece> = self.bag.iter().copied().collect();
        let bag = if bag.is_empty() { Piece::ALL.into() } else { bag };
        assert_eq!(game.bag().pieces().collect::<BTreeSet<_>>(), bag);
        assert_eq!(game.bag().len() as usize, bag.len());
    }
}

/// Returns a cost, lower is better, by which moves are chosen that clear lines.
fn cost(board: &Board, turn: Move) -> (u32, i32) {
    let mut after = board.place(turn.placement.at).unwrap();
    let lines = after.clear_lines();
    let features = after.features();
    (4 * features.covered_cells + features.bumpiness + features.max_height, -(lines as i32))
}

#[test]
fn games_are_those_of_the_plain_rules() {
    testkit::seeds(200, |seed| {
        let mut rng = Rng::new(seed);
        let garbage_timing =
            [GarbageTiming::AfterNonClearingLock, GarbageTiming::AfterEveryLock, GarbageTiming::Immediate]
                [rng.below(3) as usize];
        let rules = Rules {
            next: rng.below(16) as usize,
            hold: rng.below(4) > 0,
            garbage_timing,
            cancel: rng.below(2) > 0,
            garbage_cap: [u32::MAX, 3][rng.below(2) as usize],
            second_spawn_row: rng.below(2) > 0,
            ..Rules::default()
        };
        let skilled = rng.below(4) > 0;
        let (mut theirs, mut ours) = (rng.clone(), rng);
        let mut choice = Rng::new(seed ^ 1);
        let mut plain = Plain::new(rules, &mut theirs);
        let mut game = Game::new(rules, &mut ours);
        for turn in 0..60 {
            plain.assert_is(&game);
            assert_eq!(game.pieces(), turn);
            let moves = game.legal_moves();
            assert_eq!(moves, plain.moves());
            for level in Level::all() {
                assert_eq!(game.legal_moves_on(level), moves, "{level}");
            }
            assert_eq!(moves.is_empty(), game.over().is_some(), "a living game has a move");
            if moves.is_empty() {
                break;
            }
            let chosen = if skilled && choice.below(10) > 0 {
                *moves.iter().min_by_key(|&&turn| cost(game.board(), turn)).unwrap()
            } else {
                moves[choice.below(moves.len() as u32) as usize]
            };
            let level = Level::all().nth(turn as usize % 2).unwrap_or(Level::PORTABLE);
            let result = game.step_on(level, chosen, &mut ours);
            assert_eq!(result, Ok(plain.step(chosen, &mut theirs)), "{chosen} {level}");
            if choice.below(8) == 0 && game.over().is_none() {
                let attack = Attack { lines: 1 + choice.below(5), column: choice.below(10) as u8 };
                assert_eq!(game.receive(attack), Ok(plain.receive(attack)));
            }
        }
        plain.assert_is(&game);
        assert_eq!(ours, theirs, "as many draws");
    });
}

#[test]
fn a_random_step_is_one_of_the_legal_moves() {
    let mut rng = Rng::new(11);
    for i in 0..testkit::cases(20) {
        let level = Level::all().nth(i as usize % 2).unwrap_or(Level::PORTABLE);
        let mut game = Game::new(Rules::default(), &mut rng);
        loop {
            let mut twin = (game.clone(), rng.clone());
            let moves = twin.0.legal_moves();
            let result = game.random_step_on(level, &mut rng);
            let Some(result) = result else {
                assert!(moves.is_empty() && game.over().is_some());
                break;
            };
            let chosen = moves[twin.1.below(moves.len() as u32) as usize];
            assert_eq!(twin.0.step(chosen, &mut twin.1), Ok(result));
            assert_eq!((&game, &rng), (&twin.0, &twin.1));
        }
    }
}

fn scene(board: &str, queue: &[Piece]) -> Game {
    let position = Position { board: board.parse().unwrap(), queue, ..Position::default() };
    Game::from_position(Rules::default(), position, &mut Rng::new(1)).unwrap()
}

/// Returns the only legal move that clears this number of lines with this kind of spin, and its result.
fn play(game: &mut Game, lines: u32, spin: Spin) -> LockResult {
    let mut rng = Rng::new(2);
    let fits = |turn: &Move| {
        let mut board = game.board().place(turn.placement.at).unwrap();
        !turn.hold && turn.placement.spin == spin && board.clear_lines() == lines
    };
    let found = game.legal_moves().into_iter().find(fits);
    game.step(found.expect("such a move"), &mut rng).unwrap()
}

#[test]
fn attacks_of_the_guideline() {
    let tower = "#########.\n".repeat(12);
    // A quad, then one back to back, then a third.
    let mut game = scene(&tower, &[Piece::I; 5]);
    assert_eq!(play(&mut game, 4, Spin::None).attack, 4);
    assert_eq!(play(&mut game, 4, Spin::None).attack, 4 + 1);
    assert_eq!((game.back_to_back(), game.combo()), (2, 2));
    let last = play(&mut game, 4, Spin::None);
    // The field is empty.
    assert_eq!((last.attack, last.clear.perfect, last.clear.combo), (4 + 1 + 1 + 10, true, 3));

    // A T-spin double in its slot.
    let slot = "##........\n#...######\n##.#######";
    let mut game = scene(slot, &[Piece::T]);
    let double = play(&mut game, 2, Spin::Full);
    assert_eq!((double.attack, double.clear.back_to_back), (4, 1));

    // A T-spin triple by the fifth kick.
    let triple = "...##.....\n...#......\n####.#####\n####..####\n####.#####";
    let mut game = scene(triple, &[Piece::T]);
    assert_eq!(play(&mut game, 3, Spin::Full).attack, 6);

    // A plain single breaks the chain, a lock without lines doesn't.
    let position = Position {
        board: "#########.".parse().unwrap(),
        queue: &[Piece::O, Piece::I],
        back_to_back: 3,
        combo: 5,
        ..Position::default()
    };
    let mut game = Game::from_position(Rules::default(), position, &mut Rng::new(1)).unwrap();
    play(&mut game, 0, Spin::None);
    assert_eq!((game.back_to_back(), game.combo()), (3, 0));
    play(&mut game, 1, Spin::None);
    assert_eq!((game.back_to_back(), game.combo()), (0, 1));
}

#[test]
fn hold_swaps_pieces() {
    use Piece::{I, O, S, T, Z};
    let mut rng = Rng::new(9);
    let mut game = scene("..........", &[T, I, O, S, Z]);
    let with_hold = |game: &Game| *game.legal_moves().iter().find(|turn| turn.hold).unwrap();
    assert_eq!((game.held(), game.piece_after_hold()), (None, Some(I)));
    // T into the empty hold: I locks, O comes.
    let turn = with_hold(&game);
    assert_eq!(turn.placement.at.piece, I);
    game.step(turn, &mut rng).unwrap();
    assert_eq!((game.held(), game.piece(), &game.next()[..2]), (Some(T), O, &[S, Z][..]));
    // O for T: T locks, S comes.
    let turn = with_hold(&game);
    assert_eq!(turn.placement.at.piece, T);
    game.step(turn, &mut rng).unwrap();
    assert_eq!((game.held(), game.piece(), game.next()[0]), (Some(O), S, Z));
}

#[test]
fn three_ways_to_top_out() {
    let mut rng = Rng::new(3);
    let pillar = |rows: usize| "#.........\n".repeat(rows);
    // The spawn is on rows 19 and 20.
    let game = scene(&format!("....##....\n{}", ".#########\n".repeat(18)), &[Piece::I, Piece::O]);
    assert_eq!(game.over(), None);
    let game = scene(&format!("....##....\n{}", ".#########\n".repeat(20)), &[Piece::I, Piece::O]);
    assert_eq!((game.over(), game.legal_moves()), (Some(TopOut::Block), vec![]));

    // Kicked up beside a tall stack, a piece can lock wholly above row 20, and nothing else is a lock out.
    let (mut locked_out, mut others) = (0, 0);
    for _ in 0..testkit::cases(400) {
        let columns = std::array::from_fn(|_| rng.next_u64() & ((1 << (17 + rng.below(7))) - 1));
        let position = Position { board: Board::from_columns(columns).unwrap(), ..Position::default() };
        let game = Game::from_position(Rules::default(), position, &mut rng).unwrap();
        for turn in game.legal_moves() {
            let above = turn.placement.at.cells().iter().all(|&(_, y)| y >= 20);
            let over = game.clone().step(turn, &mut rng.clone()).unwrap().over;
            assert_eq!(over == Some(TopOut::Lock), above, "{turn} on\n{}", game.board());
            if above {
                locked_out += 1;
            } else {
                others += 1;
            }
        }
    }
    if std::env::var_os(testkit::EMULATED).is_none() {
        assert!(locked_out > 20 && others > 1_000, "{locked_out} {others}");
    }

    // Garbage that would push a cell through the ceiling.
    let mut game = scene(&pillar(30), &[Piece::I, Piece::O, Piece::T, Piece::S, Piece::Z, Piece::J]);
    game.receive(Attack { lines: 10, column: 3 }).unwrap();
    let turn = |game: &Game| *game.legal_moves().first().unwrap();
    let result = game.clone().step(turn(&game), &mut rng).unwrap();
    assert_eq!((result.garbage_rows, result.over), (10, None));
    game.receive(Attack { lines: 1, column: 4 }).unwrap();
    let result = game.step(turn(&game), &mut rng).unwrap();
    assert_eq!((result.garbage_rows, result.over), (10, Some(TopOut::Garbage)));
    let turn = Placement { at: Location::spawn(game.piece()), spin: Spin::None };
    assert_eq!(game.step(turn, &mut rng), Err(GameError::Over(TopOut::Garbage)));
    assert_eq!(game.receive(Attack { lines: 1, column: 4 }), Err(GameError::Over(TopOut::Garbage)));
}

#[test]
fn what_is_refused_changes_nothing() {
    let mut rng = Rng::new(5);
    let mut game = scene("##........\n#...######\n##.#######", &[Piece::T, Piece::L]);
    let before = (game.clone(), rng.clone());
    let slot = Location { piece: Piece::T, orientation: Orientation::South, x: 2, y: 1 };
    let cases = [
        // Under the overhang only with a spin.
        (Placement { at: slot, spin: Spin::None }, GameError::Unreachable { at: slot, spin: Spin::None }),
        (
            Placement { at: slot.moved(0, 3), spin: Spin::None },
            GameError::Unreachable { at: slot.moved(0, 3), spin: Spin::None },
        ),
        (
            Placement { at: slot.moved(127, 127), spin: Spin::Full },
            GameError::Unreachable { at: slot.moved(127, 127), spin: Spin::Full },
        ),
        (
            Placement { at: Location { piece: Piece::L, ..slot }, spin: Spin::None },
            GameError::Piece { expected: Piece::T, found: Piece::L },
        ),
    ];
    for (placement, error) in cases {
        assert_eq!(game.step(placement, &mut rng), Err(error));
        assert_eq!((&game, &rng), (&before.0, &before.1));
    }
    let held = Move { hold: true, placement: cases[0].0 };
    let error = GameError::Piece { expected: Piece::L, found: Piece::T };
    assert_eq!(game.step(held, &mut rng), Err(error));
    let error = game.receive(Attack { lines: 1, column: 10 });
    assert_eq!(error, Err(GameError::Column { found: 10 }));
    assert_eq!((&game, &rng), (&before.0, &before.1));
    // Locations with the same cells are the same placement.
    let rules = Rules { hold: false, next: 1, ..Rules::default() };
    let queue = [Piece::S, Piece::L];
    let position = Position { queue: &queue, ..Position::default() };
    let mut game = Game::from_position(rules, position, &mut rng).unwrap();
    let south = Location { piece: Piece::S, orientation: Orientation::South, x: 4, y: 1 };
    let mut twin = (game.clone(), rng.clone());
    let turn = Placement { at: south, spin: Spin::None };
    let other = Move { hold: true, placement: turn };
    assert_eq!(game.step(other, &mut rng), Err(GameError::NoHold));
    assert_eq!(game.legal_moves().iter().filter(|turn| turn.hold).count(), 0);
    let result = game.step(turn, &mut rng);
    assert!(result.is_ok());
    assert_eq!(twin.0.step(Placement { at: south.canonical(), ..turn }, &mut twin.1), result);
    assert_eq!(game, twin.0);
    // More pieces than the preview shows.
    let position = Position { queue: &[Piece::S; 3], ..Position::default() };
    let error = Game::from_position(rules, position, &mut rng).unwrap_err();
    assert_eq!(error, GameError::Queue { max: 2, found: 3 });
    assert_eq!(error.to_string(), "expected at most 2 pieces, found 3");
}

#[test]
fn turns_and_ends_are_written() {
    let at = Location { piece: Piece::T, orientation: Orientation::South, x: 4, y: 1 };
    let turn = |hold, spin| Move { hold, placement: Placement { at, spin } }.to_string();
    assert_eq!(turn(false, Spin::None), "T south 4 1");
    assert_eq!(turn(true, Spin::Full), "hold T south 4 1 full");
    let ends = [TopOut::Block, TopOut::Lock, TopOut::Garbage].map(|end| end.to_string());
    assert_eq!(ends, ["block out", "lock out", "garbage out"]);
    let error = GameError::Unreachable { at, spin: Spin::Mini };
    assert_eq!(error.to_string(), "T south 4 1 (spin: mini) can't be reached");
    assert_eq!(GameError::Over(TopOut::Lock).to_string(), "the game is over: lock out");
}

#[test]
fn games_are_plain_values() {
    fn is<T: Clone + Send + Sync + Eq + 'static>(_: &T) {}
    is(&Game::new(Rules::default(), &mut Rng::new(1)));
    is(&tetris::playout::RandomGame::new(Rng::new(1)));
}

#[test]
fn a_random_step_is_a_drawn_legal_move() {
    for level in Level::all() {
        let mut rng = Rng::new(9);
        let mut game = Game::new(Rules::default(), &mut rng);
        let (mut other, mut same) = (game.clone(), rng.clone());
        for _ in 0..40 {
            let moves = game.legal_moves();
            let found = game.random_step_on(level, &mut rng);
            let expected = moves
                .get(same.below(moves.len() as u32) as usize)
                .map(|&turn| other.step(turn, &mut same).expect("a legal move"));
            assert_eq!((found, &game, &rng), (expected, &other, &same), "{level}");
        }
        assert!(game.pieces() > 10);
    }
    let mut over = Game::new(Rules::default(), &mut Rng::new(1));
    let mut rng = Rng::new(2);
    while over.random_step(&mut rng).is_some() {}
    assert!(over.over().is_some() && over.pieces() > 5);
}
