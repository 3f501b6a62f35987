//! A batch against single games by the exact rules, and the steps that it refuses.

use bitcore::{Level, Rng};
use go_mc::batch::{Autoreset, BatchError, BatchRulesError, StepBuffers};
use go_mc::{Batch, BatchRules, Board, Color, Game, Ko, Move, Point, Points, Size, Suicide};

const KOS: [Ko; 3] = [Ko::Simple, Ko::Positional, Ko::Situational];
const SUICIDES: [Suicide; 3] = [Suicide::Forbidden, Suicide::Multi, Suicide::All];

/// Returns the moves of a batch in the order of the actions: points row by row from the top, then the pass.
fn moves(size: usize) -> impl Iterator<Item = Move> {
    let rows = (0..size as u8).rev();
    let points = rows.flat_map(move |y| (0..size as u8).map(move |x| Point { x, y }));
    points.map(Move::Play).chain([Move::Pass])
}

/// The caller's slices, with the first observations.
fn reset(batch: &mut Batch) -> StepBuffers {
    let mut buffers = StepBuffers::new(batch.shape());
    batch.reset_into(&mut buffers.obs, &mut buffers.mask).unwrap();
    buffers
}

/// Chooses a legal action of each game that has one, mostly at random. Some games prefer the first points, so
/// that captures and positions repeat there.
fn choose(buffers: &StepBuffers, games: usize, rng: &mut Rng) -> Vec<u32> {
    let pick = |mask: &[bool]| {
        let legal: Vec<usize> = (0..mask.len()).filter(|&action| mask[action]).collect();
        let few = if rng.below(2) == 0 { legal.len().min(4) } else { legal.len() };
        legal.get(rng.below(few as u32) as usize).map_or(0, |&action| action as u32)
    };
    buffers.mask.chunks(buffers.mask.len() / games).map(pick).collect()
}

/// One game by the exact rules, on its own stream.
struct Plain<'a> {
    rules: BatchRules,
    starts: &'a [(Board, Color)],
    game: Game,
    rng: Rng,
    moves: u32,
    /// The points of the last two moves, the last first.
    last: [Option<Point>; 2],
    final_obs: Option<Vec<u8>>,
}

impl<'a> Plain<'a> {
    fn new(rules: BatchRules, starts: &'a [(Board, Color)], rng: Rng) -> Self {
        let game = Game::new(Size::new(1, 1).unwrap(), rules.rules());
        let mut plain = Self { rules, starts, game, rng, moves: 0, last: [None; 2], final_obs: None };
        plain.start();
        plain
    }

    fn start(&mut self) {
        let (size, rules) = (Size::new(self.rules.size, self.rules.size).unwrap(), self.rules.rules());
        self.game = if self.starts.is_empty() {
            Game::new(size, rules)
        } else {
            let (board, color) = &self.starts[self.rng.below(self.starts.len() as u32) as usize];
            Game::from_board(board.clone(), *color, rules)
        };
        (self.moves, self.last) = (0, [None; 2]);
    }

    /// Returns the legal moves, in the order of the actions, as if a game that is over went on.
    fn legal(&self) -> Vec<bool> {
        let mut game = self.game.clone();
        if game.is_over() {
            game.set_to_move(game.to_move());
        }
        let empty = game.board().empty();
        let is_legal = |mv| match mv {
            Move::Play(point) => {
                empty.contains(Points::<19>::index(point).unwrap()) && game.clone().play(mv).is_ok()
            }
            Move::Pass => true,
        };
        moves(self.rules.size).map(is_legal).collect()
    }

    fn obs(&self, legal: &[bool]) -> Vec<u8> {
        let (board, color) = (self.game.board(), self.game.to_move());
        let points: Vec<Point> = moves(self.rules.size)
            .filter_map(|mv| if let Move::Play(point) = mv { Some(point) } else { None })
            .collect();
        let plane = |flag: &dyn Fn(usize, Point) -> bool| {
            points.iter().enumerate().map(|(i, &point)| u8::from(flag(i, point))).collect::<Vec<u8>>()
        };
        // Without a ko point, and without earlier positions.
        let [black, white] = Color::ALL.map(|color| board.stones(color));
        let free = Board::from_stones(board.size(), black, white).unwrap();
        let without_ko = |point| free.clone().play(color, point, self.rules.suicide).is_ok();
        [
            plane(&|_, point| board.at(point) == Some(color)),
            plane(&|_, point| board.at(point) == Some(color.other())),
            plane(&|i, point| !legal[i] && without_ko(point)),
            plane(&|_, point| self.last[0] == Some(point)),
            plane(&|_, point| self.last[1] == Some(point)),
            plane(&|_, _| color == Color::Black),
        ]
        .concat()
    }

    fn draw(&mut self) -> Move {
        let legal: Vec<Move> =
            moves(self.rules.size).zip(self.legal()).filter_map(|(mv, legal)| legal.then_some(mv)).collect();
        legal[self.rng.below(legal.len() as u32) as usize]
    }

    /// Plays a legal move, and starts the next game after an end. Returns reward, terminated, truncated.
    fn step(&mut self, mv: Move) -> (i64, bool, bool) {
        let mover = self.game.to_move();
        self.game.play(mv).unwrap();
        self.moves += 1;
        self.last = [if let Move::Play(point) = mv { Some(point) } else { None }, self.last[0]];
        let terminated = self.game.is_over();
        let truncated = !terminated && self.rules.max_moves.is_some_and(|max| self.moves >= max.get());
        let mut reward = 0;
        if terminated {
            let [black, white] = self.game.board().area().map(|area| area as i32);
            let score = 2 * black - 2 * white - self.rules.komi_half_points;
            reward = i64::from(if mover == Color::Black { score.signum() } else { -score.signum() });
        }
        if terminated || truncated {
            self.final_obs = Some(self.obs(&self.legal()));
            self.start();
        }
        (reward, terminated, truncated)
    }
}

fn plain_slices(games: &[Plain<'_>], played: &[(i64, bool, bool)]) -> StepBuffers {
    let masks: Vec<Vec<bool>> = games.iter().map(Plain::legal).collect();
    StepBuffers {
        obs: games.iter().zip(&masks).flat_map(|(game, mask)| game.obs(mask)).collect(),
        reward: played.iter().map(|&(reward, ..)| reward).collect(),
        terminated: played.iter().map(|&(_, terminated, _)| terminated).collect(),
        truncated: played.iter().map(|&(.., truncated)| truncated).collect(),
        mask: masks.concat(),
    }
}

/// Counts of what happened in some games.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    /// Points that a ko rule forbade.
    banned: usize,
    /// Those among them that simple ko would allow.
    superko: usize,
    terminated: usize,
    truncated: usize,
    rewards: [usize; 3],
}

impl std::ops::AddAssign for Seen {
    fn add_assign(&mut self, other: Self) {
        self.banned += other.banned;
        self.superko += other.superko;
        self.terminated += other.terminated;
        self.truncated += other.truncated;
        for (sum, other) in self.rewards.iter_mut().zip(other.rewards) {
            *sum += other;
        }
    }
}

/// Plays random moves and a caller's by turns against plain games.
fn compare(
    level: Level,
    n: usize,
    seed: u64,
    rules: BatchRules,
    starts: &[(Board, Color)],
    steps: usize,
) -> Seen {
    let mut batch = Batch::new_on(level, n, seed, rules).unwrap().with_starts(starts.to_vec()).unwrap();
    let mut games: Vec<Plain<'_>> =
        Rng::streams(seed).take(n).map(|rng| Plain::new(rules, starts, rng)).collect();
    let mut buffers = reset(&mut batch);
    assert_eq!(buffers, plain_slices(&games, &vec![(0, false, false); n]), "{level}, {rules:?}");
    let (mut rng, mut seen) = (Rng::new(seed + 77), Seen::default());
    for step in 0..steps {
        let at = format!("{level}, {rules:?}, step {step}");
        let played: Vec<Move> = match rng.below(3) {
            0 => {
                batch.random_step_into(buffers.out()).unwrap();
                games.iter_mut().map(Plain::draw).collect()
            }
            1 => {
                let mut actions = vec![u32::MAX; n];
                batch.sample_into(&mut actions).unwrap();
                batch.step_into(&actions, buffers.out()).unwrap();
                let played: Vec<Move> = games.iter_mut().map(Plain::draw).collect();
                assert!(played.iter().zip(&actions).all(|(&mv, &action)| rules.action(mv) == Some(action)));
                played
            }
            _ => {
                let actions = choose(&buffers, n, &mut rng);
                batch.step_into(&actions, buffers.out()).unwrap();
                actions.iter().map(|&action| rules.decode(action).unwrap()).collect()
            }
        };
        let results: Vec<_> = games.iter_mut().zip(played).map(|(game, mv)| game.step(mv)).collect();
        assert_eq!(buffers, plain_slices(&games, &results), "{at}");
        for (i, (plain, (reward, terminated, truncated))) in games.iter().zip(results).enumerate() {
            let untouched = vec![99; batch.cells()];
            let mut obs = untouched.clone();
            assert_eq!(batch.final_obs_into(i, &mut obs), plain.final_obs.is_some());
            assert_eq!(&obs, plain.final_obs.as_ref().unwrap_or(&untouched), "{at}");
            let game = batch.game(i).unwrap();
            let position = |board: &Board, to_move| (Color::ALL.map(|c| board.stones(c)), board.ko(to_move));
            let expected = position(plain.game.board(), plain.game.to_move());
            assert_eq!(position(game.board(), game.to_move()), expected, "{at}");
            assert_eq!(game.to_move(), plain.game.to_move(), "{at}");
            assert_eq!((game.passes(), game.is_over()), (plain.game.passes(), false));
            assert_eq!((game.moves(), batch.steps(i)), (plain.moves, Some(plain.moves)));
            let last = plain.last[0].map_or(Move::Pass, Move::Play);
            assert_eq!(game.last_move(), (plain.moves > 0).then_some(last));
            let area = plain.game.board().area();
            assert_eq!(game.area(), area);
            let [black, white] = area.map(|area| area as i32);
            assert_eq!(game.score_half_points(), 2 * (black - white) - rules.komi_half_points);
            let points = rules.size * rules.size;
            let banned = buffers.obs[batch.cells() * i..][2 * points..3 * points].iter();
            let banned = banned.map(|&flag| usize::from(flag)).sum::<usize>();
            let simple = plain.game.board().ko(plain.game.to_move()).map_or(0, |_| 1);
            seen += Seen {
                banned,
                superko: banned.saturating_sub(simple),
                terminated: terminated.into(),
                truncated: truncated.into(),
                rewards: [-1, 0, 1].map(|kind| usize::from(terminated && kind == reward)),
            };
        }
    }
    seen
}

/// Returns a number of steps: fewer where everything is slow.
fn steps(native: usize) -> usize {
    (native * testkit::cases(1000) as usize / 1000).max(10)
}

#[test]
fn a_batch_plays_what_single_games_play() {
    for level in testkit::levels() {
        for ko in KOS {
            let mut seen = Seen::default();
            for (i, suicide) in SUICIDES.into_iter().enumerate() {
                // A whole komi, so that there are draws.
                let rules = BatchRules { ko, suicide, komi_half_points: 2, ..BatchRules::new(5) };
                seen += compare(level, 9, 3 + i as u64, rules, &[], steps(300));
            }
            if steps(300) == 300 {
                assert!(seen.terminated > 50 && seen.truncated > 5, "{ko}: {seen:?}");
                assert!(seen.rewards.iter().all(|&count| count > 0), "{ko}: {seen:?}");
                assert!(seen.banned > 30, "{ko}: {seen:?}");
                assert_eq!(seen.superko > 100, ko != Ko::Simple, "{ko}: {seen:?}");
            }
        }
    }
}

#[test]
fn boards_of_each_size() {
    for (ko, suicide) in KOS.into_iter().zip(SUICIDES) {
        let rules = |size| BatchRules { ko, suicide, ..BatchRules::new(size) };
        for level in testkit::levels() {
            compare(level, 3, 5, rules(7), &[], steps(100));
            compare(level, 2, 6, rules(9), &[], steps(200));
        }
        compare(Level::detect(), 1, 7, rules(13), &[], steps(300));
        compare(Level::detect(), 1, 8, rules(19), &[], steps(400));
    }
    for (ko, suicide) in KOS.into_iter().flat_map(|ko| SUICIDES.map(|suicide| (ko, suicide))) {
        compare(Level::detect(), 2, 9, BatchRules { ko, suicide, ..BatchRules::new(9) }, &[], steps(200));
    }
}

#[test]
fn games_without_a_limit_repeat_no_position() {
    for (ko, suicide) in [(Ko::Positional, Suicide::All), (Ko::Situational, Suicide::Multi)] {
        let rules = BatchRules { ko, suicide, max_moves: None, ..BatchRules::new(5) };
        let seen = compare(Level::detect(), 2, 1, rules, &[], steps(1500));
        assert_eq!(seen.truncated, 0);
    }
}

/// Returns boards with a ko, with few liberties, and with two kos.
fn starts() -> Vec<(Board, Color)> {
    let mut ko: Board = ".XO..\nXO.O.\n.XO..\n.....\n.....".parse().unwrap();
    ko.play(Color::Black, "C4".parse().unwrap(), Suicide::Forbidden).unwrap();
    let full = "X.XO.\nXXXOO\nOOOXX\nOO.X.\n.OXXX";
    let kos = ".XO..\nXO.O.\n.XO..\nXO.O.\n.XO..";
    let boards = [ko, full.parse().unwrap(), kos.parse().unwrap()];
    boards.into_iter().flat_map(|board| Color::ALL.map(|color| (board.clone(), color))).collect()
}

#[test]
fn games_start_from_positions() {
    for level in testkit::levels() {
        for ko in KOS {
            for suicide in SUICIDES {
                let rules = BatchRules { ko, suicide, max_moves: 30.try_into().ok(), ..BatchRules::new(5) };
                compare(level, 6, 9, rules, &starts(), steps(120));
            }
        }
    }
    let wrong = Batch::new(1, 1, BatchRules::default()).unwrap().with_starts(starts());
    assert_eq!(wrong.map(|_| ()), Err(BatchError::Start { index: 0, reason: "a board of another size" }));
    let oblong = (Board::new(Size::new(9, 5).unwrap()), Color::Black);
    let wrong = Batch::new(1, 1, BatchRules::new(5)).unwrap().with_starts(vec![oblong]);
    assert_eq!(wrong.map(|_| ()), Err(BatchError::Start { index: 0, reason: "a board of another size" }));
}

#[test]
fn a_ko_is_shown_from_the_first_observation() {
    let start = starts().swap_remove(1);
    assert_eq!(start.1, Color::White);
    let back: Point = "B4".parse().unwrap();
    assert_eq!(start.0.ko(Color::White), Some(back));
    for ko in KOS {
        let rules = BatchRules { ko, ..BatchRules::new(5) };
        let mut batch = Batch::new(1, 1, rules).unwrap().with_starts(vec![start.clone()]).unwrap();
        let buffers = reset(&mut batch);
        let action = rules.action(Move::Play(back)).unwrap() as usize;
        // Superko doesn't know the positions before the start.
        let banned = ko == Ko::Simple;
        assert_eq!((buffers.mask[action], buffers.obs[2 * 25 + action]), (!banned, banned.into()), "{ko}");
    }
}

#[test]
fn the_mover_gets_the_reward() {
    // Black has everything; with this komi Black wins by half a point, loses by one, or nobody wins.
    for (komi_half_points, winner) in
        [(49, Some(Color::Black)), (50, None), (51, Some(Color::White)), (i32::MIN, Some(Color::Black))]
    {
        let rules = BatchRules { komi_half_points, ..BatchRules::new(5) };
        let mut batch = Batch::new(2, 1, rules).unwrap().with_autoreset(Autoreset::Disabled);
        let mut buffers = reset(&mut batch);
        // In game 0 White passes last, in game 1 Black.
        for actions in [[12, 12], [25, 25], [25, 0], [25, 25]] {
            let which = &buffers.terminated.clone();
            batch.reset_some_into(which, &mut buffers.obs, &mut buffers.mask).unwrap();
            batch.step_into(&actions, buffers.out()).unwrap();
            if actions == [25, 0] {
                assert_eq!(buffers.terminated, [true, false]);
                let reward = winner.map_or(0, |winner| if winner == Color::Black { 1 } else { -1 });
                assert_eq!(buffers.reward, [reward, 0]);
                assert!(batch.game(0).unwrap().is_over());
                assert!(buffers.mask[..26].iter().all(|&legal| !legal));
            }
        }
    }
}

#[test]
fn rules_that_no_batch_has() {
    for size in [0, 1, 4, 6, 8, 10, 18, 20, usize::MAX] {
        let rules = BatchRules { size, ..BatchRules::default() };
        for n in [0, 1] {
            assert_eq!(Batch::new(n, 1, rules).map(|_| ()), Err(BatchRulesError::Size(size)));
        }
    }
    testkit::check_too_many(|n| Batch::new(n, 1, BatchRules::default()), BatchRulesError::Games);
    for size in [20, 256, 1 << 31, usize::MAX] {
        let rules = BatchRules::new(size);
        let corner = Move::Play(Point { x: 0, y: 0 });
        assert_eq!((rules.action(Move::Pass), rules.action(corner)), (None, None));
        assert_eq!((rules.decode(0), rules.decode(70_000)), (None, None));
    }
    assert_eq!(BatchRulesError::Size(4).to_string(), "no batch of size 4: expected 5, 7, 9, 13 or 19");
}

#[test]
fn actions_are_points_from_the_top() {
    for size in [5, 7, 9, 13, 19] {
        let rules = BatchRules::new(size);
        let all: Vec<Move> = moves(size).collect();
        for (action, &mv) in all.iter().enumerate() {
            assert_eq!(rules.action(mv), Some(action as u32));
            assert_eq!(rules.decode(action as u32), Some(mv));
        }
        assert_eq!(all.len(), Batch::new(0, 1, rules).unwrap().actions());
        assert_eq!((rules.decode(all.len() as u32), rules.decode(u32::MAX)), (None, None));
        let side = size as u8;
        for point in [Point { x: side, y: 0 }, Point { x: 0, y: side }, Point { x: 255, y: 255 }] {
            assert_eq!(rules.action(Move::Play(point)), None);
        }
    }
}

#[test]
fn the_abilities_of_every_batch() {
    for size in [5, 9] {
        let rules = BatchRules { ko: Ko::Situational, suicide: Suicide::Multi, ..BatchRules::new(size) };
        testkit::check_batch(&|level, n, seed| Batch::new_on(level, n, seed, rules).expect("a size"));
    }
    let batch = |komi_half_points| {
        Batch::new(2, 1, BatchRules { komi_half_points, ..BatchRules::new(5) }).expect("a size")
    };
    testkit::check_other_rules(&mut batch(15), &batch(14));
}
