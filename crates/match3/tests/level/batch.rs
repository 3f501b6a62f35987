//! [`LevelBatch`], game by game: moves by the second engine, on random levels.

use super::{plain, random};
use bitcore::Rng;
use match3::level::{
    Content, Cover, Ground, Kind, Level, LevelBoard, LevelGame, LevelGames, LevelPlace, LevelRules,
    LevelSave, LevelSpec, Limit, Outcome,
};
use match3::{LevelBatch, RandomColors, Swap};
use std::sync::Arc;
use testkit::{Calls, Input, OneThread, Plain, check_batch};

#[derive(Clone)]
struct One<'a> {
    rules: &'a LevelRules,
    /// The levels whose pieces are those of the starts.
    starts: &'a [LevelSpec],
    game: plain::Plain,
    colors: RandomColors,
    is_won: bool,
}

impl<'a> One<'a> {
    fn new(rules: &'a LevelRules, starts: &'a [LevelSpec], rng: Rng) -> Self {
        let colors = RandomColors::new(rules.level().colors(), rng).expect("few colors");
        // Replaced by the start.
        let game = plain::Plain::new(rules.level().spec(), &mut colors.clone());
        let mut one = Self { rules, starts, game, colors, is_won: false };
        one.start();
        one
    }

    fn size(&self) -> (usize, usize) {
        (self.rules.level().width(), self.rules.level().height())
    }
}

impl Plain for One<'_> {
    type Games = LevelGames;

    fn observation(&self) -> Vec<u8> {
        let cells = &self.game.cells;
        let plane = |value: &dyn Fn(Content) -> u8| -> Vec<u8> {
            cells.iter().map(|cell| value(cell.content)).collect()
        };
        let mut planes = Vec::new();
        for wanted in [Kind::Row, Kind::Column, Kind::Bomb, Kind::Color, Kind::Square] {
            planes.push(plane(&|content| {
                matches!(content, Content::Piece { special: Some(kind), .. } if kind == wanted)
                    .into()
            }));
        }
        planes.push(plane(&|content| {
            matches!(content, Content::Piece { cover: Cover::Lock, .. }).into()
        }));
        planes.push(plane(&|content| match content {
            Content::Piece { cover: Cover::Ice(layers), .. } => layers,
            _ => 0,
        }));
        planes.push(plane(&|content| match content {
            Content::Crate(layers) => layers,
            _ => 0,
        }));
        planes.push(plane(&|content| (content == Content::Item).into()));
        planes.push(cells.iter().map(|cell| cell.jelly).collect());
        for ground in [Ground::Wall, Ground::Void] {
            planes.push(cells.iter().map(|cell| u8::from(cell.ground == ground)).collect());
        }
        planes.push(vec![self.game.limit_left.min(255) as u8; cells.len()]);
        for wanted in 1..=self.rules.level().colors() {
            planes.push(plane(&|content| {
                matches!(content, Content::Piece { color, .. } if color == wanted).into()
            }));
        }
        for (goal, &left) in self.rules.level().spec().goals.iter().zip(&self.game.left) {
            let part = (f64::from(left) * 255.0 / f64::from(goal.count)).ceil();
            planes.push(vec![part as u8; cells.len()]);
        }
        planes.concat()
    }

    fn plane(&self) -> Option<usize> {
        Some(self.game.cells.len())
    }

    fn legal(&self) -> Vec<u32> {
        let (width, height) = self.size();
        let action = |swap: Swap| swap.action(width, height).expect("a swap") as u32;
        let mut legal: Vec<u32> = self.game.legal_swaps().into_iter().map(action).collect();
        legal.sort_unstable();
        legal
    }

    fn rng(&mut self) -> &mut Rng {
        self.colors.rng()
    }

    fn start(&mut self) {
        let spec = match self.starts {
            [] => self.rules.level().spec(),
            starts => &starts[self.colors.rng().below(starts.len() as u32) as usize],
        };
        // A start has no random pieces, so its deal draws nothing.
        self.game = plain::Plain::new(spec, &mut self.colors);
    }

    fn play(&mut self, action: u32, _: bool) -> (i64, bool) {
        let (width, height) = self.size();
        let swap = Swap::from_action(action as usize, width, height).expect("a legal action");
        let open = |game: &plain::Plain| game.left.iter().filter(|&&left| left > 0).count() as i64;
        let (score, before) = (self.game.score, open(&self.game));
        self.game.play(swap, &mut self.colors).expect("a legal swap");
        self.is_won = self.game.outcome == Some(Outcome::Won);
        let reached = before - open(&self.game);
        let points = (self.game.score - score) as i64;
        (points + reached * i64::from(self.rules.goal_reward()), self.game.outcome.is_some())
    }

    fn assert_is(&self, found: &LevelPlace, action: Option<u32>) {
        assert!(found.game().board().cells().eq(self.game.cells.iter().copied()));
        assert_eq!(found.score(), self.game.score);
        assert_eq!(found.left(), &self.game.left[..]);
        assert_eq!(found.is_won(), self.is_won && action.is_some());
    }
}

/// Returns a level with these pieces.
fn with_pieces(spec: &LevelSpec, board: &LevelBoard) -> LevelSpec {
    let mut spec = spec.clone();
    for (start, cell) in spec.cells.iter_mut().zip(board.cells()) {
        if let Content::Piece { color, special, cover } = cell.content {
            start.start = match3::level::Start::Piece { color: Some(color), special, cover };
        }
    }
    spec
}

/// Batches of a random level whose random games, by the calls, are those of the second engine.
pub(crate) fn by(input: &Input<'_>, calls: &dyn Calls<LevelGames>) {
    let mut spec =
        random::level(u64::from(input.byte()) << 8 | u64::from(input.byte())).spec().clone();
    spec.limit = Limit::Moves(match input.byte() {
        // The observation has one byte for the number of moves left.
        byte @ 240.. => 250 + u32::from(byte) % 15,
        byte => 1 + u32::from(byte) % 8,
    });
    let level = Arc::new(Level::new(spec).expect("moves of any number"));
    let reward = u32::from(input.byte()) * 100;
    let rules = LevelRules::new(level.clone(), reward).expect("a level with moves");
    let choice = usize::from(input.byte());
    let n = if choice < 240 { choice % 4 } else { [5, 33][choice % 2] };
    let seed = u64::from(input.byte());
    let mut starts = Vec::new();
    let mut specs = Vec::new();
    if choice / 4 % 4 == 3 {
        for i in 0..3 {
            let mut colors = RandomColors::new(level.colors(), Rng::stream(!seed, i)).expect("few");
            let game = LevelGame::new(level.clone(), &mut colors).expect("the level's colors");
            specs.push(with_pieces(level.spec(), game.board()));
            let numbers = game.board().numbers();
            starts.push(LevelSave::start(&level, &numbers).expect("the level's cells"));
        }
    }
    let batch = || {
        let batch = LevelBatch::new(n, rules.clone(), seed).expect("few games");
        if starts.is_empty() { batch } else { batch.with_starts(starts.clone()).expect("dealt") }
    };
    check_batch(input, 24, calls, (seed, None), batch, |rng| One::new(&rules, &specs, rng));
}

/// `levels` calls it on every level.
pub(crate) fn run(input: &Input<'_>) {
    by(input, &OneThread);
}

#[cfg(all(feature = "serde", feature = "level-files"))]
mod saved {
    testkit::calls_through_json!();

    #[test]
    fn saved_batches_play_on() {
        testkit::inputs(50, |input| super::by(input, &ThroughJson));
    }
}

#[test]
fn what_a_batch_refuses() {
    let mut spec = LevelSpec::new(6, 6);
    spec.limit = Limit::Time(60);
    let timed = LevelRules::new(Level::new(spec).expect("a level"), 0).map_err(|e| e.to_string());
    assert_eq!(timed, Err("time: a batch has no clock, expected a level with moves".to_owned()));
    let mut spec = LevelSpec::new(6, 6);
    spec.cell((2, 2)).ground = Ground::Wall;
    let level = Arc::new(Level::new(spec).expect("a level"));
    let game = LevelGame::new(level.clone(), &mut Rng::new(1)).expect("a level");
    let numbers = game.board().numbers();
    assert_eq!(numbers[14], 16);
    let batch = LevelBatch::new(2, LevelRules::new(level.clone(), 0).expect("moves"), 1);
    let batch = batch.expect("few games");
    let changed = |at: usize, number: u8| {
        let mut numbers = numbers.clone();
        numbers[at] = number;
        LevelSave::start(&level, &numbers)
    };
    // Another thing than the level has there, no kind of piece, and a lock that the level lacks.
    for (at, number) in [(14, 1), (14, 0), (0, 0), (0, 16), (0, 96 + 1), (0, 128 + 1)] {
        assert_eq!(changed(at, number), None, "{number} at {at}");
    }
    assert_eq!(LevelSave::start(&level, &numbers[1..]), None);
    // A color that the level lacks, and a board without a swap.
    for start in [changed(0, 7).expect("a start"), game_in_play(&game)] {
        let refused = batch.clone().with_starts(vec![start]).map(|_| ()).map_err(|e| e.to_string());
        let reason = "no game of the level begins so";
        assert!(refused.clone().is_err_and(|error| error.contains(reason)), "{refused:?}");
    }
}

fn game_in_play(game: &LevelGame) -> LevelSave {
    let mut game = game.clone();
    let swap = game.legal_moves()[0];
    game.play(swap, &mut Rng::new(2), &mut ()).expect("a legal swap");
    game.save()
}
