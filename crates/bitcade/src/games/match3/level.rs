//! Levels: `bitcade match3 level`, which checks and draws them, and their screen.

mod animation;
mod cells;
mod list;
mod picture;
mod play;
mod position;
mod text;

use crate::io::color;
use crate::io::input::Input;
use crate::io::output::{Failure, Output, printable, remark};
use cells::Cells;
pub(super) use list::{fuzzed, run_list};
use match3::level::{Effects, Falls, Level, LevelSpec, Limit, ShuffleRule};
pub(super) use play::run_level;
use serde::Serialize;
use std::path::PathBuf;

/// Reads a level from a file, or from standard input if it is `-`.
pub(super) fn read(file: PathBuf) -> Result<Level, Failure> {
    let input = Input::read(Some(file))?;
    Level::from_toml(&input.text).map_err(|error| input.error(error))
}

#[derive(Serialize)]
struct LevelRecord {
    file: String,
    name: String,
    width: usize,
    height: usize,
    colors: Vec<u32>,
    moves: Option<u32>,
    time: Option<u32>,
    goals: Vec<String>,
}

/// Checks levels and draws them. The command fails if one isn't a level: a line says why.
pub(super) fn check(mut files: Vec<PathBuf>, output: &mut Output) -> Result<(), Failure> {
    if files.is_empty() {
        files.push("-".into());
    }
    let mut wrong = None;
    for (i, file) in files.into_iter().enumerate() {
        let name = file.display().to_string();
        let level = match read(file) {
            Ok(level) => level,
            Err(Failure::Input(why)) => {
                output.flush()?;
                wrong.replace(why).into_iter().for_each(remark);
                continue;
            }
            Err(other) => return Err(other),
        };
        let spec = level.spec();
        let (moves, time) = match spec.limit {
            Limit::Moves(moves) => (Some(moves), None),
            Limit::Time(seconds) => (None, Some(seconds)),
        };
        let goals = spec.goals.iter().map(|&goal| text::goal(goal)).collect();
        let record = LevelRecord {
            file: name.clone(),
            name: spec.name.clone(),
            width: spec.width,
            height: spec.height,
            colors: spec.colors.clone(),
            moves,
            time,
            goals,
        };
        if output.is_json() {
            output.json_line(&record)?;
        } else {
            let gap = if i > 0 { "\n" } else { "" };
            output.colored(&format!("{gap}{}: {}", printable(&name), described(spec)))?;
        }
    }
    wrong.map_or(Ok(()), |why| Err(Failure::Check(why)))
}

/// Returns the rules and the goals of a level, and its cells.
fn described(spec: &LevelSpec) -> String {
    let mut lines = vec![format!("{}{}", named(spec), text::size(spec))];
    lines.push(format!("{}, {}", text::limit(spec), text::colors(spec)));
    let mut rules = vec![match spec.falls {
        Falls::Straight => "straight falls".to_owned(),
        Falls::Diagonal => "diagonal falls".to_owned(),
    }];
    rules.push(format!("gravity {}", text::gravity(spec.gravity)));
    let Effects { specials, pairs, square } = spec.effects;
    rules.push(match (specials, pairs, square) {
        (false, ..) => "no special pieces".to_owned(),
        (true, false, false) => "special pieces".to_owned(),
        (true, true, false) => "special pieces and pairs".to_owned(),
        (true, false, true) => "special pieces and squares".to_owned(),
        (true, true, true) => "special pieces, pairs and squares".to_owned(),
    });
    if spec.shuffle != ShuffleRule::default() {
        rules.push(match spec.shuffle {
            ShuffleRule::Recolor => "new colors when no swap is left".to_owned(),
            _ => "over when no swap is left".to_owned(),
        });
    }
    if spec.cascade_limit != 100 {
        rules.push(format!("cascades of at most {} levels", spec.cascade_limit));
    }
    if spec.items.total > 0 {
        rules.push(format!("{} items, {} at once", spec.items.total, spec.items.at_once));
    }
    lines.push(rules.join(", "));
    let goals: Vec<String> = spec.goals.iter().map(|&goal| text::goal(goal)).collect();
    lines.push(if goals.is_empty() { "no goals".to_owned() } else { goals.join(", ") });
    let mut described = lines.join("\n") + "\n";
    for row in text::drawn(spec, &Cells::start(spec)) {
        let digit = |c: char| c.to_digit(10).filter(|&n| n > 0);
        described += &color::characters(&row, |c| match c {
            '#' => Some(color::GRAY),
            c => digit(c).map(|color| color::palette(color as usize)),
        });
        described.push('\n');
    }
    described
}

fn named(spec: &LevelSpec) -> String {
    if spec.name.is_empty() { String::new() } else { format!("{}, ", printable(&spec.name)) }
}
