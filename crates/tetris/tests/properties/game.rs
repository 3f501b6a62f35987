//! Bags, random games, and a game modeled with plain lists.

use super::batch::assert_numbers;
use super::boards::with_garbage;
use super::placements::plain;
use super::values::{
    assert_refused, attack_table, cost, garbage, location, piece as any_piece, position, rules,
};
use bitcore::Rng;
use testkit::{Input, on_each_level};
use tetris::movegen::SpinMode;
use tetris::reference::{self, naive};
use tetris::{
    Attack, BackToBackBonus, Bag, Board, Clear, ComboBonus, Game, GameError, GarbageTiming,
    Location, LockResult, Move, Orientation, PerfectBonus, Piece, Placement, Playouts, Position,
    RandomGame, Rules, Spin, Stats, TopOut,
};

pub(crate) fn bag(input: &Input) {
    let mut bag = Bag::default();
    let mut pieces = Piece::ALL.to_vec();
    let mut rng = Rng::new(7);
    let mut same = Rng::new(7);
    for _ in input.steps(64) {
        if input.flag() {
            let drawn = pieces.remove(same.below(pieces.len() as u32) as usize);
            assert_eq!(bag.draw(&mut rng), drawn);
            assert_eq!(&rng, &same);
        } else {
            let piece = any_piece(input);
            let place = pieces.iter().position(|&left| left == piece);
            place.map(|place| pieces.remove(place));
            assert_eq!(bag.contains(piece), place.is_some());
            assert_eq!(bag.take(piece), place.is_some());
        }
        if pieces.is_empty() {
            pieces = Piece::ALL.to_vec();
        }
        assert!(bag.pieces().eq(pieces.iter().copied()) && !bag.is_empty());
        assert_eq!(bag.len() as usize, pieces.len());
    }
}

/// Random games in portions of any size.
pub(crate) fn random_game(input: &Input) {
    let rng = Rng::new(input.u64());
    let portions = input.list(4, || match input.byte() {
        // Enough pieces for more than one game.
        byte @ 200.. => u64::from(byte % 64),
        byte => u64::from(byte % 8),
    });
    let mut same = rng.clone();
    let expected = reference::playout::play(&mut same, portions.iter().sum());
    on_each_level(|| {
        let mut game = RandomGame::new(rng.clone());
        let stats: Vec<Stats> = portions.iter().map(|&portion| game.play(portion)).collect();
        let mut all = Stats::default();
        for stats in stats {
            all += stats;
        }
        assert_eq!((all, *game.board()), expected);
        assert_eq!(*game.rng(), same, "as many draws");
    });
}

/// Returns the candidates of random play, straight from the definition of `Game::play_random`.
fn candidates(game: &Game) -> Vec<Move> {
    let mut all = Vec::new();
    for (hold, piece) in [(false, Some(game.piece())), (true, game.piece_after_hold())] {
        let Some(piece) = piece else { continue };
        for orientation in Orientation::ALL {
            for (x, y) in (0..10).flat_map(|x| (0..40).map(move |y| (x, y))) {
                let at = Location { piece, orientation, x, y };
                let rests =
                    naive::fits(game.board(), at) && !naive::fits(game.board(), at.moved(0, -1));
                if at != at.canonical() || !rests {
                    continue;
                }
                let corners = [(-1, -1), (-1, 1), (1, -1), (1, 1)];
                let filled =
                    |&(dx, dy): &_| game.board().occupied(i32::from(x) + dx, i32::from(y) + dy);
                let spins = piece == Piece::T
                    && corners.iter().filter(|&corner| filled(corner)).count() > 2;
                let kinds = [Spin::None, Spin::Mini, Spin::Full];
                let kinds = kinds.into_iter().take(if spins { 3 } else { 1 });
                all.extend(kinds.map(|spin| Move { hold, placement: Placement { at, spin } }));
            }
        }
    }
    all.sort_by_key(|&Move { hold, placement: Placement { at, spin } }| {
        (hold, spin, at.orientation, at.y / 16, at.x, -at.y)
    });
    all
}

/// Draws a legal move as `Game::play_random` does.
fn random_move(game: &Game, rng: &mut Rng) -> Move {
    let legal = game.legal_moves();
    let all_mini = game.rules().spin_mode == SpinMode::AllMini;
    let candidates = if all_mini { legal.clone() } else { candidates(game) };
    loop {
        let drawn = candidates[rng.below(candidates.len() as u32) as usize];
        if legal.contains(&drawn) {
            return drawn;
        }
    }
}

/// Plays a game to its end, perhaps with a first move. Returns the statistics from here on.
fn play_on(mut game: Game, first: Option<Move>, rng: &mut Rng) -> Stats {
    let mut stats = Stats::default();
    stats.games = 1;
    let mut next = first;
    while !game.is_over() {
        let mv = next.take().unwrap_or_else(|| random_move(&game, rng));
        let result = game.play(mv, rng).expect("a legal move");
        (stats.pieces, stats.lines) =
            (stats.pieces + 1, stats.lines + u64::from(result.clear.lines));
    }
    stats
}

/// Random games under any rules, from the start, from a position or after a move, against games
/// played one by one.
pub(crate) fn playouts(input: &Input) {
    let rules = rules(input);
    let seed = input.u64();
    let portions = input.list(4, || u64::from(input.byte() % 4));
    let (known, position) = position(input);
    let start = match Game::from_position(rules, position(&known), &mut Rng::new(seed)) {
        _ if input.flag() => None,
        Ok(mut game) => {
            for _ in 0..input.below(3) {
                // A refused attack changes nothing.
                game.receive(garbage(input)).ok();
            }
            Some(game)
        }
        Err(error) => return assert_refused(error, &rules, &known),
    };
    let moves = start.as_ref().map(Game::legal_moves).unwrap_or_default();
    let first = moves.get(input.below(2 * moves.len().max(1))).copied();
    let single = |game| {
        let mut rng = Rng::stream(seed, game);
        let game = start.clone().unwrap_or_else(|| Game::new(rules, &mut rng));
        play_on(game, first, &mut rng)
    };
    let singles: Vec<Stats> = (0..portions.iter().sum()).map(single).collect();
    on_each_level(|| {
        let mut playouts = match (&start, first) {
            (None, _) => Playouts::new(rules, seed),
            (Some(game), None) => Playouts::from_game(game, seed),
            (Some(game), Some(mv)) => Playouts::after_move(game, mv, seed).expect("a legal move"),
        };
        let mut rest = singles.iter();
        for &portion in &portions {
            let mut expected = Stats::default();
            rest.by_ref().take(portion as usize).for_each(|&stats| expected += stats);
            assert_eq!(playouts.play(portion), expected);
        }
    });
}

/// Attacks of any table, against the published formulas in floating point.
pub(crate) fn attack(input: &Input) {
    let table = attack_table(input);
    let number = || if input.flag() { input.u32() } else { input.byte().into() };
    let spin = *input.pick(&[Spin::None, Spin::Mini, Spin::Full]);
    let lines = input.below(6) as u32;
    let perfect = input.flag();
    let [combo, back_to_back, broken_back_to_back] = [(); 3].map(|()| number());
    let clear = Clear { lines, spin, perfect, combo, back_to_back, broken_back_to_back };
    let row: &[u8] = match spin {
        Spin::Mini if lines < 3 => &table.mini,
        Spin::None | Spin::Mini => &table.plain,
        Spin::Full => &table.full,
    };
    let mut sent = f64::from(row[(lines as usize).min(row.len() - 1)]);
    let mut chain = f64::from(back_to_back) - 1.0;
    let mut apart = 0.0;
    if lines > 0 {
        if perfect {
            apart = f64::from(table.perfect);
            if table.perfect_bonus == PerfectBonus::InPlace {
                (sent, chain) = (0.0, 0.0);
            }
        }
        let log = (0.8 * chain).ln_1p();
        sent += f64::from(table.back_to_back)
            * match table.back_to_back_bonus {
                _ if chain < 1.0 => 0.0,
                BackToBackBonus::IfAttacking if sent == 0.0 => 0.0,
                BackToBackBonus::Chaining if chain > 1.0 => {
                    (1.0 + log).floor() + (1.0 + log % 1.0) / 3.0
                }
                _ => 1.0,
            };
        if let BackToBackBonus::Charging { at, base } = table.back_to_back_bonus
            && broken_back_to_back > at.into()
        {
            apart += f64::from(broken_back_to_back) - f64::from(at) + f64::from(base);
        }
        let combo = f64::from(combo.saturating_sub(1));
        match table.combo_bonus {
            ComboBonus::Table => sent += f64::from(table.combo[combo.min(15.0) as usize]),
            ComboBonus::Multiplier if combo < 2.0 => sent *= 1.0 + 0.25 * combo,
            ComboBonus::Multiplier => {
                sent = (sent * (1.0 + 0.25 * combo)).max((1.25 * combo).ln_1p());
            }
        }
    }
    // The formula itself may be off in its last bits.
    let [least, most] = [1.0 - 1e-12, 1.0 + 1e-12].map(|factor| (sent * factor).floor() + apart);
    let found = table.attack(clear);
    assert!((least as u32..=most as u32).contains(&found), "{found}: {sent} {clear:?} {table:?}");
}

/// The fields of a [`LockResult`].
type Locked = (Clear, u32, u32, u32, Option<TopOut>);

fn locked(result: LockResult) -> Locked {
    let LockResult { clear, attack, sent, garbage_rows, top_out, .. } = result;
    (clear, attack, sent, garbage_rows, top_out)
}

#[derive(Clone, Debug)]
struct Model {
    rules: Rules,
    board: Board,
    queue: Vec<Piece>,
    hold: Option<Piece>,
    bag: Bag,
    combo: u32,
    back_to_back: u32,
    garbage: Vec<(Attack, u32)>,
    pieces: u64,
    over: Option<TopOut>,
}

impl Model {
    fn visible(&self) -> usize {
        1 + self.rules.next.min(15)
    }

    fn check(&self, turn: Move) -> Result<(), GameError> {
        if let Some(over) = self.over {
            return Err(GameError::Over(over));
        }
        if turn.hold && !self.rules.hold {
            return Err(GameError::NoHold);
        }
        let expected = if turn.hold { self.hold.unwrap_or(self.queue[1]) } else { self.queue[0] };
        let Placement { at, spin } = turn.placement;
        if at.piece != expected {
            return Err(GameError::Piece { expected, found: at.piece });
        }
        let legal = placements(&self.board, expected, &self.rules);
        let found = legal.contains(&Placement { at: at.canonical(), spin });
        if found { Ok(()) } else { Err(GameError::Unreachable { at, spin }) }
    }

    fn moves(&self) -> Vec<Move> {
        if self.over.is_some() {
            return Vec::new();
        }
        let of = |hold, piece| {
            let mut all = placements(&self.board, piece, &self.rules);
            all.sort_by_key(|&Placement { at, spin }| (spin, at.orientation, at.x, -at.y));
            all.into_iter().map(move |placement| Move { hold, placement })
        };
        let mut moves: Vec<Move> = of(false, self.queue[0]).collect();
        if self.rules.hold {
            moves.extend(of(true, self.hold.unwrap_or(self.queue[1])));
        }
        moves
    }

    fn next(&mut self, rng: &mut Rng) {
        self.queue.remove(0);
        self.queue.push(self.bag.draw(rng));
    }

    fn step(&mut self, turn: Move, rng: &mut Rng) -> Result<Locked, GameError> {
        self.check(turn)?;
        let Placement { at, spin } = turn.placement;
        let placed = naive::place(&self.board, at).expect("a legal placement fits");
        let (board, lines) = naive::clear_lines(&placed);
        if turn.hold {
            let held = self.hold.replace(self.queue[0]);
            if held.is_none() {
                self.next(rng);
            }
        }
        self.next(rng);
        (self.board, self.pieces) = (board, self.pieces + 1);
        let mut clear = Clear { lines, spin, perfect: board == Board::EMPTY, ..Clear::default() };
        if lines > 0 {
            clear.combo = self.combo.saturating_add(1);
            let counts = self.rules.attack.perfect_bonus == PerfectBonus::AddedBackToBack;
            let chain = std::mem::take(&mut self.back_to_back);
            if lines == 4 || spin != Spin::None || clear.perfect && counts {
                clear.back_to_back = chain.saturating_add(1);
                self.back_to_back = clear.back_to_back;
            } else {
                clear.broken_back_to_back = chain;
            }
        }
        self.combo = clear.combo;
        let attack = self.rules.attack.attack(clear);
        let mut sent = attack;
        if self.rules.cancel {
            let mut cancel = |(attack, _): &mut (Attack, u32)| {
                let cancelled = sent.min(attack.lines);
                (sent, attack.lines) = (sent - cancelled, attack.lines - cancelled);
                attack.lines > 0
            };
            self.garbage.retain_mut(&mut cancel);
        }
        let mut garbage_rows = 0;
        if at.cells().iter().all(|&(_, y)| y >= 20) {
            self.over = Some(TopOut::Lock);
        } else {
            let enters = match self.rules.garbage_timing {
                GarbageTiming::AfterNonClearingLock => lines == 0,
                GarbageTiming::AfterEveryLock => true,
                GarbageTiming::Immediate => false,
            };
            if enters {
                garbage_rows = self.enter(self.rules.garbage_cap);
            }
            if self.rules.garbage_delay > 0 {
                self.advance(1);
            }
            self.spawn();
        }
        Ok((clear, attack, sent, garbage_rows, self.over))
    }

    /// Lets up to `most` garbage rows enter, attack by attack.
    fn enter(&mut self, most: u32) -> u32 {
        let mut rows = 0;
        while rows < most && self.garbage.first().is_some_and(|&(_, delay)| delay == 0) {
            let (oldest, _) = &mut self.garbage[0];
            let lines = oldest.lines.min(most - rows);
            oldest.lines -= lines;
            let attack = Attack { lines, ..*oldest };
            if oldest.lines == 0 {
                self.garbage.remove(0);
            }
            let Some(board) = with_garbage(&self.board, attack) else {
                self.over = Some(TopOut::Garbage);
                break;
            };
            (self.board, rows) = (board, rows + lines);
        }
        rows
    }

    fn spawn(&mut self) {
        let first = Location::spawn(self.queue[0]);
        let fits = naive::fits(&self.board, first)
            || self.rules.second_spawn_row && naive::fits(&self.board, first.moved(0, 1));
        if self.over.is_none() && !fits {
            self.over = Some(TopOut::Block);
        }
    }

    fn advance(&mut self, time: u32) {
        for (_, delay) in &mut self.garbage {
            *delay = delay.saturating_sub(time);
        }
    }

    fn receive(&mut self, attack: Attack, delay: u32) -> Result<u32, GameError> {
        if let Some(over) = self.over {
            return Err(GameError::Over(over));
        }
        if attack.column > 9 {
            return Err(GameError::Column { found: attack.column });
        }
        let waits = self.rules.garbage_timing != GarbageTiming::Immediate;
        if attack.lines > 0 {
            self.garbage.push((attack, if waits { delay } else { 0 }));
        }
        if waits {
            return Ok(0);
        }
        let rows = self.enter(u32::MAX);
        self.spawn();
        Ok(rows)
    }

    fn assert_equals(&self, game: &Game) {
        assert_eq!(*game.board(), self.board);
        assert_eq!(game.piece(), self.queue[0]);
        assert_eq!(game.next(), &self.queue[1..self.visible()]);
        assert_eq!(game.held(), self.hold);
        assert_eq!(game.bag(), self.bag);
        assert_eq!(game.pieces(), self.pieces);
        assert_eq!(game.combo(), self.combo);
        assert_eq!(game.back_to_back(), self.back_to_back);
        assert_eq!(game.top_out(), self.over);
        assert_eq!(game.garbage().iter_delayed().collect::<Vec<_>>(), self.garbage);
        let after_hold = self.rules.hold.then(|| self.hold.unwrap_or(self.queue[1]));
        assert_eq!(game.piece_after_hold(), after_hold);
    }
}

fn placements(board: &Board, piece: Piece, rules: &Rules) -> Vec<Placement> {
    naive::placements(board, piece, plain((*rules).into()))
}

pub(crate) fn game(input: &Input) {
    let rules = rules(input);
    let (known, position) = position(input);
    let position = position(&known);
    let start = Rng::new(input.u64());
    let mut rng = start.clone();
    let mut same = start;
    let mut game = match Game::from_position(rules, position, &mut rng) {
        Ok(game) => game,
        Err(error) => return assert_refused(error, &rules, &known),
    };
    let Position { board, hold, mut bag, combo, back_to_back, .. } = position;
    let mut queue = known.clone();
    while queue.len() < 1 + rules.next.clamp(1, 15) {
        queue.push(bag.draw(&mut same));
    }
    let garbage_waiting = Vec::new();
    let pieces = 0;
    let over = None;
    let mut model = Model {
        rules,
        board,
        queue,
        hold,
        bag,
        combo,
        back_to_back,
        garbage: garbage_waiting,
        pieces,
        over,
    };
    model.spawn();
    model.assert_equals(&game);

    for _ in input.steps(10) {
        match input.below(7) {
            0 => {
                let attack = garbage(input);
                if input.below(4) == 0 {
                    let delay = input.below(4) as u32;
                    let expected = model.receive(attack, delay);
                    assert_eq!(game.receive_delayed(attack, delay), expected);
                    let time = input.below(3) as u32;
                    model.advance(time);
                    game.advance_garbage(time);
                } else {
                    let expected = model.receive(attack, rules.garbage_delay);
                    assert_eq!(game.receive(attack), expected);
                }
            }
            1 => {
                // Any turn, usually an illegal one, which must change nothing.
                let spin = *input.pick(&[Spin::None, Spin::Mini, Spin::Full]);
                let mut at = location(input);
                if input.flag() {
                    at.piece = game.piece();
                    at = game.board().landing(at).unwrap_or(at);
                }
                let turn = Move { hold: input.below(4) == 0, placement: Placement { at, spin } };
                step(&mut game, turn, &mut rng, &model.step(turn, &mut same));
            }
            2 => {
                let drawn = (!game.is_over()).then(|| random_move(&game, &mut same));
                let expected = drawn.map(|turn| model.step(turn, &mut same).expect("a legal turn"));
                play(&mut game, &mut rng, |game, rng| {
                    assert_eq!(game.play_random(rng).map(locked), expected);
                });
            }
            3 | 4 => {
                let moves = model.moves();
                on_each_level(|| assert_eq!(game.legal_moves(), moves, "on\n{}", game.board()));
                assert_eq!(moves.is_empty(), game.is_over(), "a running game has a move");
                assert_numbers(&game, &moves);
                if let Some(&turn) = moves.get(input.below(moves.len().max(1))) {
                    step(&mut game, turn, &mut rng, &model.step(turn, &mut same));
                }
            }
            // A series of good turns, for lines, combos and chains.
            _ => {
                for _ in 0..input.below(20) {
                    let moves = game.legal_moves();
                    let best =
                        moves.into_iter().min_by_key(|turn| cost(game.board(), turn.placement.at));
                    let Some(turn) = best else { break };
                    step(&mut game, turn, &mut rng, &model.step(turn, &mut same));
                    model.assert_equals(&game);
                }
            }
        }
        assert_eq!(rng, same);
        model.assert_equals(&game);
    }
}

/// Plays on every level and keeps the last result.
fn play(game: &mut Game, rng: &mut Rng, play: impl Fn(&mut Game, &mut Rng)) {
    let before = game.clone();
    let stream = rng.clone();
    let mut boards = Vec::new();
    on_each_level(|| {
        (*game, *rng) = (before.clone(), stream.clone());
        play(game, rng);
        boards.push((*game.board(), rng.clone()));
    });
    assert!(boards.windows(2).all(|pair| pair[0] == pair[1]), "{boards:?}");
}

fn step(game: &mut Game, turn: Move, rng: &mut Rng, expected: &Result<Locked, GameError>) {
    play(game, rng, |game, rng| assert_eq!(game.play(turn, rng).map(locked), *expected));
}
