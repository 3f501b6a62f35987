//! Tetris played by the bot: each piece's path to its placement, and the pieces to come.

use super::cells::Cells;
use super::field::{Canvas, Field, PIECE, ROWS, WIDTH, placed, scale_for};
use crate::io::output::Failure;
use crate::screen::picture::Picture;
use crate::screen::theme::Theme;
use crate::screen::widgets::grouped;
use crate::watch::player::{AnimatedMove, Fact, Player, timed};
use crate::watch::watched::PlayerOptions;
use bitcade_core::Stop;
use bitcore::Rng;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::time::Duration;
use tetris::movegen::{Movement, SpinMode, apply, path};
use tetris::{Board, Game, Location, Move, Piece, Rules, Spin};
use tetris_ai::bot::{BotWeights, GameState, Search};

/// The placements that are searched for each piece.
const NODES: u64 = 5_000;
struct GamePicture {
    cells: Cells,
    falling: Option<Location>,
    hold: Option<Piece>,
    next: Vec<Piece>,
}

impl GamePicture {
    /// Returns the columns and rows of the field, the hold and the queue.
    fn size_at(scale: u16) -> (u16, u16) {
        ((WIDTH + PIECE) * scale + 2, ROWS * scale)
    }
}

impl Picture for GamePicture {
    fn size(&self, room: (u16, u16), _: Theme) -> (u16, u16) {
        Self::size_at(scale_for(room, Self::size_at))
    }

    fn draw(&self, buffer: &mut Buffer, area: Rect, theme: Theme) {
        let scale = scale_for((area.width, area.height), Self::size_at);
        let mut canvas = Canvas { buffer, area, scale, theme };
        let falling = self.falling.map(placed);
        let field = Field { cells: &self.cells, falling, ghost: None, flash: 0 };
        canvas.field(area.x, area.bottom(), Some(&field));
        if area.width >= Self::size_at(scale).0 {
            let x = area.x + WIDTH * scale + 2;
            canvas.pieces(x, area.y, "hold", self.hold.as_slice(), false);
            canvas.pieces(x, area.y + 2 * scale + 2, "next", &self.next, false);
        }
    }
}

#[expect(clippy::unnecessary_wraps, reason = "players of other games read files")]
pub(super) fn player(options: &PlayerOptions) -> Result<Box<dyn Player>, Failure> {
    Ok(Box::new(BotPlayer::new(options.seed)))
}

struct BotPlayer {
    rng: Rng,
    game: Game,
    cells: Cells,
    attack: u64,
    lines: u64,
}

impl BotPlayer {
    fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let game = Game::new(Rules::default(), &mut rng);
        Self { rng, game, cells: Cells::default(), attack: 0, lines: 0 }
    }

    fn picture(&self, falling: Option<Location>) -> Box<dyn Picture> {
        let hold = self.game.held();
        let next = self.game.next().to_vec();
        Box::new(GamePicture { cells: self.cells.clone(), falling, hold, next })
    }

    /// Returns a description of the clear.
    fn play(&mut self, mv: Move, pictures: &mut Vec<(Box<dyn Picture>, Duration)>) -> String {
        let board = *self.game.board();
        let at = mv.placement.at;
        let rules = self.game.rules();
        let keys = path(&board, mv.placement, rules).unwrap_or_default();
        let spawn = board.spawn(at.piece, rules).unwrap_or(at);
        for place in way(&board, &keys, spawn) {
            pictures.push((self.picture(Some(place)), STEP));
        }
        pictures.push((self.picture(Some(at)), LOCKED));
        // The search only finds legal moves.
        let Ok(result) = self.game.play(mv, &mut self.rng) else { return String::new() };
        self.cells.lock(at, result.garbage_rows, self.game.board());
        self.attack += u64::from(result.attack);
        self.lines += u64::from(result.clear.lines);
        describe(&result)
    }

    fn begin(&mut self) -> String {
        self.game = Game::new(Rules::default(), &mut self.rng);
        (self.attack, self.lines, self.cells) = (0, 0, Cells::default());
        "topped out".to_owned()
    }

    fn facts(&self, last: &str) -> Vec<Fact> {
        let pieces = self.game.pieces();
        let per_piece = if pieces > 0 { self.attack as f64 / pieces as f64 } else { 0.0 };
        let letters =
            |pieces: &[Piece]| pieces.iter().map(|piece| piece.letter()).collect::<String>();
        let hold = self.game.held().map_or_else(String::new, |piece| letters(&[piece]));
        vec![
            ("attack", format!("{} {per_piece:.2} APP", grouped(self.attack))),
            ("lines", format!("{} of {pieces} pc", grouped(self.lines))),
            ("last", last.to_owned()),
            ("queue", format!("{} hold {hold}", letters(self.game.next()))),
        ]
    }
}

const STEP: Duration = Duration::from_millis(30);
const LOCKED: Duration = Duration::from_millis(180);
const REST: Duration = Duration::from_millis(150);

/// Returns a piece's positions along its path, one picture each; soft drops go in steps of three
/// rows to keep long falls short.
fn way(board: &Board, movements: &[Movement], spawn: Location) -> Vec<Location> {
    let mut at = spawn;
    let mut spin = Spin::None;
    let mut places = vec![at];
    let mut falls = 0;
    for &movement in movements {
        let Some(moved) = apply(board, at, spin, movement, SpinMode::TSpins) else { break };
        (at, spin) = moved;
        falls = if movement == Movement::SoftDrop { falls + 1 } else { 0 };
        if falls % 3 == 0 {
            places.push(at);
        }
    }
    places
}

impl Player for BotPlayer {
    fn next_move(&mut self, stop: Stop<'_>) -> AnimatedMove {
        let mut pictures = Vec::new();
        let mut search = Search::new(&GameState::from(&self.game), BotWeights::default());
        // After a stop, the best move so far is played.
        let (_, thinking) = timed(|| search.run_until(NODES, stop));
        let last = match search.best() {
            None => self.begin(),
            Some(mv) => self.play(mv, &mut pictures),
        };
        pictures.push((self.picture(None), REST));
        AnimatedMove { pictures, facts: self.facts(&last), nodes: search.nodes(), thinking }
    }
}

fn describe(result: &tetris::LockResult) -> String {
    let clear = &result.clear;
    let spin = match clear.spin {
        Spin::None => "",
        Spin::Mini => "mini T-spin ",
        Spin::Full => "T-spin ",
    };
    let lines = match clear.lines {
        0 => "",
        1 => "single",
        2 => "double",
        3 => "triple",
        _ => "tetris",
    };
    let name = if clear.perfect { "perfect clear".to_owned() } else { format!("{spin}{lines}") };
    let attack = if result.attack > 0 { format!(" +{}", result.attack) } else { String::new() };
    let name = name.trim();
    if name.is_empty() { "-".to_owned() } else { format!("{name}{attack}") }
}

#[cfg(test)]
mod tests {
    use super::super::field::color_of;
    use super::*;

    #[test]
    fn stack_and_piece_are_seen_without_colors() {
        let mut player = BotPlayer::new(5);
        for _ in 0..30 {
            player.next_move(&|| false);
        }
        let at = Location::spawn(Piece::T);
        let at = Location { y: 10, ..at };
        let picture = player.picture(Some(at));
        for theme in [Theme::NO_COLOR, Theme::PLAIN] {
            let (width, height) = picture.size((0, 0), theme);
            let area = Rect::new(0, 0, width, height);
            let mut buffer = Buffer::empty(area);
            picture.draw(&mut buffer, area, theme);
            let text = |x: u16, y: u16| [x, x + 1].map(|x| buffer[(x, y)].symbol()).concat();
            let mut cells = 0;
            for (x, y) in (0..10).flat_map(|x| (0..20).map(move |y| (x, y))) {
                let expected = if at.cells().contains(&(x, y)) {
                    "TT"
                } else if player.game.board().occupied(x, y) {
                    cells += 1;
                    "[]"
                } else {
                    theme.pick("· ", ". ")
                };
                assert_eq!(text(2 * x as u16, ROWS - 1 - y as u16), expected, "{x} {y}");
            }
            assert!(cells >= 8, "{cells}");
            // The next piece.
            let next = String::from_iter([player.game.next()[0].letter(); 2]);
            assert!((WIDTH..width - 1).any(|x| text(x, 5) == next || text(x, 6) == next));
        }
    }

    #[test]
    fn the_stack_has_the_colors_of_its_pieces() {
        let mut player = BotPlayer::new(5);
        for _ in 0..30 {
            player.next_move(&|| false);
        }
        let picture = player.picture(None);
        let theme = Theme::FULL;
        for (room, scale) in [((0, 0), 1), ((120, 46), 2)] {
            let (width, height) = picture.size(room, theme);
            let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
            let area = buffer.area;
            picture.draw(&mut buffer, area, theme);
            let color =
                |x: i32, y: i32| buffer[(2 * scale * x as u16, height - 1 - scale * y as u16)].bg;
            let mut pieces = Vec::new();
            for (x, y) in (0..10).flat_map(|x| (0..20).map(move |y| (x, y))) {
                let of = Piece::ALL
                    .into_iter()
                    .find(|&piece| theme.color(color_of(piece)) == color(x, y));
                assert_eq!(of.is_some(), player.game.board().occupied(x, y), "{x} {y}");
                pieces.extend(of.filter(|piece| !pieces.contains(piece)));
            }
            assert!(pieces.len() > 2, "{pieces:?}");
        }
    }

    #[test]
    fn pieces_arrive_where_they_lock() {
        let mut player = BotPlayer::new(5);
        for _ in 0..30 {
            let before = player.game.clone();
            let made = player.next_move(&|| false);
            assert!(made.pictures.len() >= 3 && made.nodes > 0);
            assert_eq!(player.game.pieces(), before.pieces() + 1);
        }
        assert!(player.attack > 0, "the bot attacks");
        let board = Board::EMPTY;
        let placement = tetris::movegen::Placements::of(&board, Piece::L, SpinMode::TSpins);
        for placement in &placement {
            let keys = path(&board, placement, SpinMode::TSpins).expect("reachable");
            let last = *way(&board, &keys, Location::spawn(Piece::L)).last().expect("the spawn");
            assert_eq!(last.canonical(), placement.at.canonical());
        }
    }
}
