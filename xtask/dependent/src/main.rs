//! Calls public operations of all crates, each on a thread with a small stack, on each level, and
//! reports to `cargo xtask test-matrix --cell dependent`.
//!
//! `dependent KIB [NAME ..]` runs all operations, or the named ones, on stacks of this size.

#![deny(warnings)]

use bitcade_core::ThreadPool;
use bitcade_core::batch::{Batch, Games, StepBuffers};
use bitcore::{Level, Rng, dispatch};
use std::error::Error;
use std::fmt::Debug;
use std::thread::Builder;

/// A digest of an operation's result.
type Result = std::result::Result<u64, Box<dyn Error>>;

fn digest(result: impl Debug) -> Result {
    Ok(format!("{result:?}").bytes().fold(0xcbf2_9ce4_8422_2325, |digest, byte| {
        (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    }))
}

fn pool() -> ThreadPool {
    ThreadPool::new(3.try_into().unwrap())
}

/// Resets and steps a batch, on one thread and on several, and copies a game.
fn step<G: Games>(mut batch: Batch<G>) -> Result
where
    Batch<G>: Clone,
{
    let mut buffers = StepBuffers::new(batch.shape());
    let mut again = StepBuffers::new(batch.shape());
    batch.reset_into(&mut buffers.obs, &mut buffers.mask)?;
    let mut twin = batch.clone();
    for _ in 0..20 {
        batch.random_step_into(buffers.out())?;
        twin.random_step_into_parallel(&pool(), again.out())?;
    }
    assert!(buffers.obs == again.obs && buffers.mask == again.mask);
    let state = batch.state(1).unwrap();
    batch.set_state(0, &state).unwrap();
    batch.write_into(&mut buffers.obs, &mut buffers.mask)?;
    digest((&buffers.obs, &buffers.mask, &buffers.reward))
}

mod bitcore_operations {
    use super::*;

    pub fn lanes() -> Result {
        use bitcore::{Isa, Lanes};
        let words: Vec<u64> =
            (1..=64).map(|i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        digest(dispatch!(isa => {
            let mut sum = isa.splat_u64(0);
            for &word in &words {
                sum = sum + isa.splat_u64(isa.pext(word, !word >> 3) ^ isa.pdep(word, word >> 5));
                sum = sum | isa.splat_u64(u64::from(isa.select(word, 3)));
            }
            sum.to_array()
        }))
    }

    pub fn streams() -> Result {
        let mut rng = Rng::new(7);
        let draws: Vec<u32> = (0..100).map(|i| rng.below(i + 1)).collect();
        digest((draws, Rng::stream(7, 5).next_u64()))
    }

    pub fn threads() -> Result {
        digest(pool().map(0..100u64, |i| Some(i * i)))
    }
}

mod g2048_operations {
    use super::*;
    use g2048::expectimax::Limits;
    use g2048::network::LearnerSettings;
    use g2048::{
        Boards32, Direction, Expectimax, Game, Kernel, Packed, Perft, Player, Playouts,
        RandomPlayer, Rules, Size,
    };

    pub fn slides() -> Result {
        let mut rng = Rng::new(1);
        let boards: Vec<_> =
            (0..32).map(|_| g2048::Board::start(Size::CLASSIC, &mut rng)).collect();
        let slides = Boards32::try_from(&boards[..])?.slide(Direction::Left);
        digest((boards[0].slide(Direction::Up), slides.boards, slides.gains))
    }

    pub fn playouts() -> Result {
        let mut games = Playouts::new(Size::new(5, 3)?, 1);
        digest((games.play(40), games.play_until(&pool(), 40, &|| false, |_| {})?))
    }

    pub fn game() -> Result {
        let mut rng = Rng::new(1);
        let mut player = RandomPlayer::new(Rng::new(2));
        let mut game = Game::new(Rules::default(), &mut rng);
        for _ in 0..20 {
            let direction = player.choose(&game).ok_or("the game is over")?;
            game.play(direction, &mut rng)?;
        }
        game.play_out(&mut rng);
        digest(game)
    }

    pub fn playouts4x4() -> Result {
        let [mut lanes, mut packed] = [Kernel::Lanes, Kernel::Interleaved]
            .map(|kernel| Playouts::with_kernel(Rules::default(), 1, kernel));
        digest((lanes.play(40), packed.play(10)))
    }

    pub fn perft() -> Result {
        let board = "2 2 4 .\n. . 4 4".parse()?;
        digest(Perft::new(&board).take(3).collect::<Vec<_>>())
    }

    pub fn solve() -> Result {
        digest(g2048::solve_until(&pool(), Size::new(2, 2)?, &|| false)??)
    }

    pub fn expectimax() -> Result {
        let empty = |after: Packed| after.empty_cells() as f32;
        let game: Game = "2 4 8 2\n. . . 2\n. . . .\n. . . 2".parse::<g2048::Board>()?.into();
        digest(Expectimax::new(&empty, Limits::depth(2)).choose(&game))
    }

    pub fn learner() -> Result {
        let mut learner = g2048::Learner::new(LearnerSettings::default(), 1)?;
        learner.learn(300);
        learner.learn_parallel(&ThreadPool::single(), 50);
        let network = learner.network();
        digest((learner.moves(), network.value(Packed::from_bits(0x1234))))
    }

    pub fn batch() -> Result {
        step(g2048::Batch::new(40, Size::new(3, 3)?, 1)?)
    }
}

mod go_operations {
    use super::*;
    use go_mc::gtp::{Budget, NullHost, Options, Session};
    use go_mc::playout::{SequentialPlayouts, SimdPlayouts};
    use go_mc::search::{Search, Settings};
    use go_mc::{Chains, Color, Move, Ownership, Playouts, Policy, Position, Size};

    fn game(side: usize) -> std::result::Result<go_mc::Game, Box<dyn Error>> {
        let mut game = go_mc::Game::new(Size::square(side).unwrap().into());
        for mv in ["C3", "D4", "E3", "B2"] {
            game.play(mv.parse::<Move>()?)?;
        }
        Ok(game)
    }

    pub fn rules() -> Result {
        let game = game(19)?;
        digest((
            game.board(),
            game.board().area(),
            go_mc::perft::perft(&game, 1, go_mc::perft::Passes::Counted),
        ))
    }

    pub fn light_playouts() -> Result {
        let mut stats = Vec::new();
        for side in [5, 9, 13, 19] {
            let mut games = Playouts::new(Size::square(side).unwrap().into(), 1)?;
            stats.push(games.play(20));
            stats.push(games.play_until(&pool(), 40, &|| false, |_| {})?);
        }
        digest(stats)
    }

    pub fn playouts_from_a_position() -> Result {
        let position = Position::<9>::new(game(9)?.board(), Color::White).ok_or("9x9")?;
        let mut scores = Vec::new();
        let mut games = SimdPlayouts::new(Policy::NoSuicide, 1).ok_or("light")?;
        games.play_each(&position, 32, |playout| scores.push(playout.result.score()));
        // Visited in no particular order.
        scores.sort_unstable();
        let mut games = SequentialPlayouts::new(Policy::NoSuicide, 1).ok_or("light")?;
        games.play_each(&position, 4, |playout| scores.push(playout.result.score()));
        digest((scores, Chains::from(&position).empty()))
    }

    pub fn ownership() -> Result {
        let game = game(9)?;
        let board = game.board();
        digest((
            Ownership::estimate(board, 64, 1).map(|ownership| ownership.games()),
            go_mc::dead_stones(board, 64, 1)?,
            go_mc::seki_stones(board, 64, 1)?,
        ))
    }

    pub fn search() -> Result {
        let mut choices = Vec::new();
        for (side, settings) in
            [(5, Settings::default()), (9, Settings::light()), (19, Settings::default())]
        {
            let mut search = Search::new(&game(side)?, &settings)?;
            search.run(60);
            choices.push((search.choose(), search.principal_variation()));
        }
        digest(choices)
    }

    pub fn gtp() -> Result {
        let mut session =
            Session::new(Options { budget: Budget::Playouts(50), ..Options::default() })?;
        let lines =
            ["play b E5", "genmove w", "undo", "kata-analyze b 50", "final_score", "showboard"];
        digest(lines.map(|line| session.respond(line.as_bytes(), &NullHost)))
    }

    pub fn sgf() -> Result {
        let record = go_mc::sgf::Record::from_bytes(b"(;SZ[9]KM[7];B[ee];W[cc])")?.record;
        digest((record.board(), record.to_string()))
    }

    pub fn batch() -> Result {
        let batch = |side| go_mc::Batch::new(3, Size::square(side).unwrap(), 1);
        digest((step(batch(9)?)?, step(batch(19)?)?))
    }
}

mod match3_operations {
    use super::*;
    use match3::player::Greedy;
    use match3::special::SpecialBoard;
    use match3::{
        Board8, Board16, Colors, Game, Player, PlayerKind, Playouts, RandomColors, Rules,
    };

    pub fn swaps() -> Result {
        let mut rng = Rng::new(1);
        let mut found = Vec::new();
        for side in [8, 13, 40] {
            let board = match3::deal(side, side, 6, &mut rng)?;
            found.push((match3::swaps(&board), match3::has_swap(&board)));
        }
        digest(found)
    }

    pub fn moves() -> Result {
        let mut board = match3::deal(8, 8, 5, &mut Rng::new(1))?;
        let mut colors = RandomColors::new(5, Rng::new(2))?;
        let mut board8 = Board8::<3>::try_from(&board)?;
        let mut board16 = Board16::<3>::try_from(&board)?;
        let random = [board8.random_move(&mut colors), board16.random_move(&mut colors)];
        let (best, _) = match3::ranked_swaps(&board)[0];
        let mut events = Vec::new();
        let played = match3::try_swap(&mut board, best, || colors.next(), &mut events)?;
        digest((random, played, events, board))
    }

    pub fn special_pieces() -> Result {
        let mut board = SpecialBoard::from(match3::deal(8, 8, 5, &mut Rng::new(1))?);
        let mut colors = RandomColors::new(5, Rng::new(2))?;
        let mut events = Vec::new();
        let swap = board.swaps()[0];
        digest((board.try_swap(swap, || colors.next(), &mut events)?, events, board))
    }

    pub fn playouts() -> Result {
        let mut games = Playouts::new(Rules { moves: 20, ..Rules::default() }, 1)?;
        let results = games.play(70);
        digest((results, games.play_until(&pool(), 1000, &|| false, |_| ())?))
    }

    pub fn games() -> Result {
        let mut colors = RandomColors::new(6, Rng::new(1))?;
        let mut game = Game::new(Rules::default(), &mut colors)?;
        while let Some(swap) = Greedy.choose(&game) {
            game.play(swap, &mut colors)?;
        }
        digest((game.score(), game))
    }

    pub fn players() -> Result {
        let rules = Rules { moves: 3, ..Rules::default() };
        let players = [PlayerKind::Random, PlayerKind::Greedy, PlayerKind::Rollout(2)];
        digest(players.map(|player| player.games(rules, 1, 0..3).collect::<Vec<_>>()))
    }

    pub fn batch() -> Result {
        step(match3::Batch::new(40, Rules::default(), 1)?)
    }
}

mod tetris_operations {
    use super::*;
    use tetris::movegen::{self, Placements, SpinMode};
    use tetris::real_time::{Handling, Key, RealTimeGame, RealTimeRules};
    use tetris::{Board, Game, Location, Piece, Placement, Rules, Spin, fumen, perft};

    /// Boards of different heights, for each kind of search.
    fn boards() -> Vec<Board> {
        [0, 6, 15, 18, 24, 30]
            .iter()
            .map(|&height: &u64| {
                let column = |x: u64| (1u64 << (height - height.min(x % 3))) - 1 & !(1 << (x % 5));
                Board::try_from(std::array::from_fn(|x| column(x as u64))).unwrap()
            })
            .collect()
    }

    pub fn placements() -> Result {
        let mut found = Vec::new();
        for board in boards() {
            for piece in Piece::ALL {
                let mut placements = Placements::new();
                placements.fill(&board, piece, SpinMode::TSpins);
                let mut list =
                    vec![Placement { at: Location::spawn(piece), spin: Spin::None }; 1024];
                let len = movegen::list(&board, piece, SpinMode::TSpins, &mut list);
                assert!(placements.iter().eq(list[..len].iter().copied()));
                assert_eq!(len, movegen::count(&board, piece, SpinMode::TSpins) as usize);
                found.push(list[..len].to_vec());
            }
        }
        digest(found)
    }

    pub fn legal_moves() -> Result {
        digest(Game::new(Rules::default(), &mut Rng::new(7)).legal_moves())
    }

    pub fn random_game() -> Result {
        let mut rng = Rng::new(7);
        let mut game = Game::new(Rules::default(), &mut rng);
        let mut results = Vec::new();
        while let Some(result) = game.play_random(&mut rng) {
            results.push(result);
        }
        digest((results, game))
    }

    pub fn path() -> Result {
        let board = boards()[1];
        let piece = Piece::T;
        let to = Placements::of(&board, piece, SpinMode::TSpins);
        digest(to.iter().map(|to| movegen::path(&board, to, SpinMode::TSpins)).collect::<Vec<_>>())
    }

    pub fn perft() -> Result {
        let queue = [Piece::T, Piece::I, Piece::S];
        digest((
            perft::perft(&boards()[1], &queue[..2], SpinMode::TSpins),
            perft::hard_drops(&boards()[1], &queue),
            perft::perft_until(&pool(), &boards()[1], &queue[..2], SpinMode::Ignore, &|| false)?,
        ))
    }

    pub fn features() -> Result {
        digest(boards().iter().map(|board| board.features()).collect::<Vec<_>>())
    }

    pub fn simd_board() -> Result {
        let mut board = tetris::simd_board::SimdBoard::try_from(boards()[1])?;
        let placed = board.place(0x4e00, 3, 8);
        digest((placed, board.holes(), board.full_lines(), board.clear_lines()))
    }

    pub fn random_play() -> Result {
        let mut game = tetris::RandomGame::new(Rng::new(7));
        digest((game.play(100), game.board()))
    }

    pub fn real_time() -> Result {
        let mut game = RealTimeGame::new(RealTimeRules::MARATHON, Handling::default(), 7);
        let mut events = Vec::new();
        for _ in 0..5 {
            game.press(Key::Left);
            (0..20).for_each(|_| game.tick(&mut events));
            game.release(Key::Left);
            game.tap(Key::HardDrop);
        }
        digest((events, game.ghost(), game.board()))
    }

    pub fn fumen() -> Result {
        let pages =
            boards().into_iter().take(3).map(|board| fumen::Page { board, ..Default::default() });
        let text = fumen::encode(&pages.collect::<Vec<_>>())?;
        digest((fumen::decode(&text)?, text))
    }

    pub fn batch() -> Result {
        step(tetris::Batch::new(40, tetris::Rules::default(), 1)?)
    }
}

mod tetris_ai_operations {
    use super::*;
    use tetris_ai::bot::tbp::Session;
    use tetris_ai::bot::{BotWeights, GameState, Search};
    use tetris_ai::contest::beam::{AdvanceSettings, Beam, BeamWeights};
    use tetris_ai::contest::tree::{Settings, Solver};
    use tetris_ai::contest::{self, Sequence};
    use tetris_ai::control::{Controller, ControllerWeights, GamesSettings, play_games};

    pub fn bot() -> Result {
        let board = "##........\n#...######\n##.#######".parse()?;
        let queue = vec![tetris::Piece::T, tetris::Piece::O];
        let mut search =
            Search::new(&GameState { board, queue, ..GameState::default() }, BotWeights::default());
        search.run(300);
        digest(search.ranked())
    }

    pub fn tbp() -> Result {
        let start = r#"{"type":"start","board":[],"queue":["T","O","I"],"hold":null,"combo":0,"back_to_back":false}"#;
        let mut session = Session::new(BotWeights::default());
        session.receive(serde_json::from_str(start)?);
        session.think(200);
        digest(session.suggestion())
    }

    pub fn versus() -> Result {
        digest(tetris_ai::bot::versus::VersusGame::new(1).sides())
    }

    pub fn controller() -> Result {
        let controller = Controller::new(ControllerWeights::DT20);
        let settings = GamesSettings { pieces: Some(60), threads: 2, ..GamesSettings::default() };
        digest(play_games(&controller, settings, 1))
    }

    pub fn beam() -> Result {
        let mut beam = Beam::new(Sequence::contest(), 20, BeamWeights::FITTED).with_threads(2);
        beam.advance(AdvanceSettings { pieces: 20, width: 10 });
        digest((beam.score(), contest::verify(&beam.record(), beam.sequence())?.score))
    }

    pub fn solver() -> Result {
        let settings = Settings { depth: 4, ..Settings::default() };
        let mut solver = Solver::new(Sequence::contest(), settings).with_threads(2);
        let steps = [(); 3].map(|()| solver.step());
        digest((
            steps,
            solver.record().to_string(),
            contest::bound(&Sequence::contest().pieces()[..100]),
        ))
    }
}

/// Names each operation by its path.
macro_rules! operations {
    ($($module:ident: $($operation:ident)*;)*) => {
        [$($((
            concat!(stringify!($module), "::", stringify!($operation)),
            $module::$operation as fn() -> Result,
        ),)*)*]
    };
}

/// Runs an operation on each level, on a separate stack each time, and returns the digest.
fn run(operation: impl Fn() -> Result + Copy + Send + 'static, stack: usize) -> u64 {
    let digests = Level::all().map(|level| {
        Level::set_active(level);
        let run = move || operation().unwrap_or_else(|error| panic!("{error}"));
        let thread = Builder::new().stack_size(stack).spawn(run).expect("a thread");
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    });
    let digests: Vec<u64> = digests.collect();
    assert!(digests.iter().all(|digest| *digest == digests[0]), "digests differ: {digests:x?}");
    digests[0]
}

fn main() {
    let operations = operations! {
        bitcore_operations: lanes streams threads;
        g2048_operations: slides game playouts playouts4x4 perft solve expectimax learner batch;
        go_operations: rules light_playouts playouts_from_a_position ownership search gtp sgf batch;
        match3_operations: swaps moves special_pieces playouts games players batch;
        tetris_operations: placements legal_moves random_game path perft features simd_board random_play real_time
            fumen batch;
        tetris_ai_operations: bot tbp versus controller beam solver;
    };
    // Same as in the crates' tests, which are optimized.
    macro_rules! digests {
        ($($name:literal: $digest:expr,)*) => {
            [$(($name, include_str!(concat!("../../../crates/", $name, "/tests/data/digest.txt")), $digest),)*]
        };
    }
    let digests: [(&str, &str, fn() -> u64); 5] = digests! {
        "g2048": g2048::digest,
        "go-mc": go_mc::digest,
        "match3": match3::digest,
        "tetris": tetris::digest,
        "tetris-ai": tetris_ai::digest,
    };
    let mut arguments = std::env::args().skip(1);
    let kib: usize = arguments.next().and_then(|kib| kib.parse().ok()).expect("the KiB of a stack");
    let names: Vec<String> = arguments.collect();
    let chosen = |name: &&str| names.is_empty() || names.iter().any(|chosen| chosen == name);
    let mut passed = 0;
    // A stack overflow ends the program, with the operation's name as the last line.
    for (name, operation) in operations.into_iter().filter(|(name, _)| chosen(name)) {
        println!("{name}");
        run(operation, kib << 10);
        passed += 1;
    }
    for (name, stored, digest) in digests.into_iter().filter(|(name, ..)| chosen(name)) {
        println!("{name}");
        let found = run(move || Ok(digest()), kib << 10);
        assert_eq!(
            Some(format!("{found:016x}").as_str()),
            stored.split(' ').next(),
            "the digest of {name}"
        );
        passed += 1;
    }
    println!("test result: ok. {passed} passed; 0 failed");
}
