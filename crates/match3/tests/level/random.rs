//! Random levels with all features, for tests.

use bitcore::Rng;
use match3::level::{
    Cover, Effects, Falls, Goal, Gravity, Ground, Items, Kind, Level, LevelSpec, Limit, Portal,
    ShuffleRule, Spawner, Start, Target,
};

/// Returns the level of a seed: the first valid one of its stream of random levels.
pub(crate) fn level(seed: u64) -> Level {
    let mut rng = Rng::new(seed);
    loop {
        if let Ok(level) = Level::new(spec(&mut rng)) {
            return level;
        }
    }
}

struct Dice<'a>(&'a mut Rng);

impl Dice<'_> {
    fn below(&mut self, n: usize) -> usize {
        self.0.below(n as u32) as usize
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    fn at(&mut self, spec: &LevelSpec) -> (usize, usize) {
        (self.below(spec.width), self.below(spec.height))
    }
}

/// Returns a random level that may be invalid.
fn spec(rng: &mut Rng) -> LevelSpec {
    let dice = &mut Dice(rng);
    let width = 4 + dice.below(6);
    let height = 4 + dice.below(6);
    let mut spec = LevelSpec::new(width, height);
    let colors = 3 + dice.below(4);
    spec.colors = vec![1; colors];
    if dice.one_in(3) {
        spec.colors = (0..colors).map(|_| dice.below(5) as u32).collect();
    }
    let limit = 5 + dice.below(30) as u32;
    spec.limit = if dice.one_in(8) { Limit::Time(limit) } else { Limit::Moves(limit) };
    spec.falls = dice.pick(&[Falls::Straight, Falls::Diagonal, Falls::Diagonal]);
    spec.gravity = dice.pick(&[Gravity::Down, Gravity::Up, Gravity::Left, Gravity::Right]);
    let specials = !dice.one_in(5);
    let pairs = specials && !dice.one_in(3);
    let square = specials && dice.one_in(2);
    spec.effects = Effects { specials, pairs, square };
    spec.cascade_limit = dice.pick(&[1, 2, 5, 100]);
    spec.shuffle = dice.pick(&[ShuffleRule::Rearrange, ShuffleRule::Recolor, ShuffleRule::End]);
    spec.bonus = dice.pick(&[0, 100]);
    cells(&mut spec, dice);
    places(&mut spec, dice);
    goals(&mut spec, dice);
    spec
}

fn cells(spec: &mut LevelSpec, dice: &mut Dice<'_>) {
    let walls = dice.pick(&[0, 0, 1, 3]);
    let voids = dice.pick(&[0, 0, 1, 3]);
    let things = dice.pick(&[0, 1, 2, 4]);
    let jelly = dice.pick(&[0, 0, 3]);
    let effects = spec.effects;
    let colors = spec.colors.len();
    for cell in &mut spec.cells {
        if dice.below(20) < walls {
            cell.ground = Ground::Wall;
            continue;
        }
        if dice.below(20) < voids {
            cell.ground = Ground::Void;
            continue;
        }
        if dice.below(10) < jelly {
            cell.jelly = 1 + dice.below(3) as u8;
        }
        if dice.below(20) >= things {
            continue;
        }
        let color = dice.one_in(2).then(|| 1 + dice.below(colors) as u8);
        let kinds = [Kind::Row, Kind::Column, Kind::Bomb, Kind::Color, Kind::Square];
        let kinds = &kinds[..if effects.square { 5 } else { 4 }];
        let special = (effects.specials && dice.one_in(2)).then(|| dice.pick(kinds));
        let layers = 1 + dice.below(3) as u8;
        cell.start = match dice.below(6) {
            0 => Start::Empty,
            1 => Start::Crate(layers),
            2 => Start::Piece { color, special, cover: Cover::Lock },
            3 => Start::Piece { color, special, cover: Cover::Ice(layers) },
            _ => Start::Piece { color, special, cover: Cover::None },
        };
    }
}

fn places(spec: &mut LevelSpec, dice: &mut Dice<'_>) {
    if dice.one_in(3) {
        for _ in 0..=dice.below(3) {
            spec.exits.push(dice.at(spec));
            let at = dice.at(spec);
            if spec.cell(at).ground == Ground::Open {
                spec.cell(at).start = Start::Item;
            }
        }
        if dice.one_in(2) {
            spec.items =
                Items { total: 3 + dice.below(4) as u32, at_once: 1 + dice.below(3) as u32 };
        }
    }
    for _ in 0..if dice.one_in(3) { 1 + dice.below(2) } else { 0 } {
        let entrance = dice.at(spec);
        spec.portals.push(Portal { entrance, exit: dice.at(spec) });
    }
    if dice.one_in(3) {
        let mut spawners = Vec::new();
        for _ in 0..=dice.below(spec.width) {
            let mut spawner = Spawner::new(dice.at(spec));
            spawner.items = dice.one_in(2);
            if dice.one_in(3) {
                spawner.limit = Some(dice.below(5) as u32);
            }
            if dice.one_in(3) {
                spawner.weights = Some(spec.colors.iter().map(|_| dice.below(4) as u32).collect());
            }
            spawners.push(spawner);
        }
        spec.spawners = Some(spawners);
    }
}

fn goals(spec: &mut LevelSpec, dice: &mut Dice<'_>) {
    let color = Target::Color(1 + dice.below(spec.colors.len()) as u8);
    let mut targets = vec![
        Target::Score,
        color,
        Target::Locked,
        Target::Jelly,
        Target::Crates,
        Target::Ice,
        Target::Items,
    ];
    if spec.effects.specials {
        targets.extend([Target::SetOff, Target::Made]);
    }
    for target in targets {
        if !dice.one_in(2) {
            continue;
        }
        let count = match spec.count(target) {
            Some(0) => continue,
            Some(all) => 1 + dice.below(all as usize) as u32,
            None if target == Target::Score => 100 * (1 + dice.below(30) as u32),
            None => 1 + dice.below(20) as u32,
        };
        spec.goals.push(Goal { target, count });
    }
}

/// Each feature occurs, so that a test of a thousand levels tests it.
#[test]
fn a_thousand_levels_have_all_features() {
    let mut sums = [0; 12];
    for seed in 0..1000 {
        let level = level(seed);
        let spec = level.spec();
        let has = |has: &dyn Fn(Start) -> bool| spec.cells.iter().any(|cell| has(cell.start));
        let counts = [
            spec.falls == Falls::Diagonal,
            spec.gravity != Gravity::Down,
            spec.effects.pairs,
            spec.effects.square,
            !spec.portals.is_empty(),
            spec.spawners.is_some(),
            spec.items.total > 0,
            has(&|start| start == Start::Item),
            has(&|start| matches!(start, Start::Crate(_))),
            has(&|start| matches!(start, Start::Piece { cover: Cover::Ice(_), .. })),
            spec.cells.iter().any(|cell| cell.jelly > 0),
            spec.cells.iter().any(|cell| cell.ground == Ground::Void),
        ];
        for (sum, has) in sums.iter_mut().zip(counts) {
            *sum += u32::from(has);
        }
    }
    assert!(sums.iter().all(|&sum| sum > 50), "{sums:?}");
}
