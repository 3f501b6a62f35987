//! Levels as text: their goals and rules in words, and their cells in characters.

use super::cells::Cells;
use crate::screen::widgets::grouped;
use match3::level::{
    Content, Cover, Goal, Gravity, Ground, Kind, LevelCell, LevelSpec, Limit, Target,
};

pub(super) fn size(spec: &LevelSpec) -> String {
    format!("{}x{}", spec.width, spec.height)
}

pub(super) fn limit(spec: &LevelSpec) -> String {
    match spec.limit {
        Limit::Moves(1) => "1 move".to_owned(),
        Limit::Moves(moves) => format!("{} moves", grouped(moves.into())),
        Limit::Time(seconds) => format!("{} seconds", grouped(seconds.into())),
    }
}

pub(super) fn colors(spec: &LevelSpec) -> String {
    let colors = spec.colors.len();
    let is_even = spec.colors.iter().all(|&weight| weight == spec.colors[0]);
    if is_even { format!("{colors} colors") } else { format!("colors {:?}", spec.colors) }
}

pub(super) fn gravity(gravity: Gravity) -> &'static str {
    match gravity {
        Gravity::Down => "down",
        Gravity::Up => "up",
        Gravity::Left => "left",
        Gravity::Right => "right",
    }
}

/// Returns a goal in words, such as `20 of color 1`.
pub(super) fn goal(Goal { target, count }: Goal) -> String {
    let count = grouped(count.into());
    match target {
        Target::Score => format!("{count} points"),
        Target::Color(color) => format!("{count} of color {color}"),
        Target::Locked => format!("{count} locked"),
        Target::Jelly => format!("{count} jelly"),
        Target::Crates => format!("{count} crates"),
        Target::Ice => format!("{count} ice"),
        Target::Items => format!("{count} items"),
        Target::SetOff => format!("{count} set off"),
        Target::Made => format!("{count} special pieces made"),
    }
}

/// Returns a cell in three characters: lock or ice, color or content, kind or layers.
pub(super) fn cell(cell: LevelCell) -> String {
    let digit = |n: u8| char::from_digit(n.into(), 36).unwrap_or('?');
    let [cover, symbol, more] = match (cell.ground, cell.content) {
        (Ground::Wall, _) => ['#', '#', '#'],
        (Ground::Void, _) => [' ', ' ', ' '],
        (Ground::Open, Content::Empty) => [' ', '.', ' '],
        (Ground::Open, Content::Item) => [' ', 'o', ' '],
        (Ground::Open, Content::Crate(layers)) => ['[', digit(layers), ']'],
        (Ground::Open, Content::Piece { color, special, cover }) => {
            let cover = match cover {
                Cover::None => ' ',
                Cover::Lock => '!',
                Cover::Ice(1) => '\'',
                Cover::Ice(_) => '"',
            };
            let kind = match special {
                None => ' ',
                Some(Kind::Row) => '-',
                Some(Kind::Column) => '|',
                Some(Kind::Bomb) => '*',
                Some(Kind::Color) => '@',
                Some(Kind::Square) => '+',
            };
            [cover, if color == 0 { '?' } else { digit(color) }, kind]
        }
    };
    [cover, symbol, more].iter().collect()
}

/// Returns the rows of a level: its contents; beside them its jelly, and where things come and go, if
/// there are any.
pub(super) fn drawn(spec: &LevelSpec, cells: &Cells) -> Vec<String> {
    let has_jelly = cells.all().any(|(_, cell)| cell.jelly > 0);
    let has_places = spec.spawners.is_some() || !spec.exits.is_empty() || !spec.portals.is_empty();
    let place = |at| {
        let portals = ('A'..='Z').zip(&spec.portals);
        let mut ends = portals.filter_map(|(name, portal)| {
            let exit = (portal.exit == at).then(|| name.to_ascii_lowercase());
            if portal.entrance == at { Some(name) } else { exit }
        });
        let is_spawner = spec.spawners.iter().flatten().any(|spawner| spawner.at == at);
        match ends.next() {
            Some(name) => name,
            None if spec.exits.contains(&at) => 'x',
            None if is_spawner => '+',
            None => '.',
        }
    };
    let rows = cells.rows().enumerate().map(|(y, row)| {
        let mut text: String = row.iter().map(|&found| cell(found)).collect();
        if has_jelly {
            let jelly = row.iter().map(|cell| match (cell.ground, cell.jelly) {
                (Ground::Void, _) => ' ',
                (_, 0) => '.',
                (_, layers) => char::from_digit(layers.into(), 36).unwrap_or('9'),
            });
            text += "   ";
            text.extend(jelly);
        }
        if has_places {
            text += "   ";
            text.extend((0..spec.width).map(|x| place((x, y))));
        }
        text.trim_end().to_owned()
    });
    rows.collect()
}
