//! [`Turns`]: the session of a turn-based game: positions and undo, seeds, the best score, saved games.

use super::best_scores::BestScores;
use super::saved_games::{FORMAT, SavedFile, SavedGame, SavedGames};
use crate::screen::widgets::grouped;
use bitcore::Rng;
use ratatui::crossterm::event::KeyCode;
use std::fmt::Display;
use std::mem;
use std::str::FromStr;

/// The question before a new game, while one is in progress: unlike one that is left by `q`, it
/// isn't saved.
pub(crate) const GIVE_UP: &str = "Give up this game for a new one?";

/// A position with everything the next move depends on, including random numbers: a move that is
/// undone and replayed has the same result.
pub(crate) trait Position: Clone {
    /// A move, with its text form in saved games.
    type Move: Copy + Display + FromStr;

    fn score(&self) -> u64;

    fn is_over(&self) -> bool;

    /// Returns the position after a move, or `None` if the move is illegal.
    fn after_move(&self, mv: Self::Move) -> Option<Self>;

    fn board_text(&self) -> String;
}

/// A game with its moves, on a random stream of a seed.
struct Played<P: Position> {
    position: P,
    /// Each move with the position before it.
    history: Vec<(P, P::Move)>,
    seed: u64,
    stream: u64,
}

impl<P: Position> Played<P> {
    fn deal<E>(seed: u64, stream: u64, deal: impl FnOnce(Rng) -> Result<P, E>) -> Result<Self, E> {
        Ok(Self { position: deal(Rng::stream(seed, stream))?, history: Vec::new(), seed, stream })
    }

    fn play(&mut self, mv: P::Move, next: P) {
        self.history.push((mem::replace(&mut self.position, next), mv));
    }

    fn is_running(&self) -> bool {
        !self.history.is_empty() && !self.position.is_over()
    }

    fn saved(&self, rules: &str) -> SavedGame {
        SavedGame {
            format: FORMAT,
            rules: rules.to_owned(),
            seed: self.seed,
            stream: self.stream,
            moves: self.history.iter().map(|(_, mv)| mv.to_string()).collect(),
            score: self.position.score(),
            board: self.position.board_text(),
        }
    }

    /// Plays a saved game again. `None` unless its moves lead to its board, and the game goes on
    /// from there.
    fn restore<E>(saved: &SavedGame, deal: impl Fn(Rng) -> Result<P, E>) -> Option<Self> {
        let mut game = Self::deal(saved.seed, saved.stream, deal).ok()?;
        for mv in &saved.moves {
            let mv = mv.parse().ok()?;
            let next = game.position.after_move(mv)?;
            game.play(mv, next);
        }
        let is_same =
            game.position.score() == saved.score && game.position.board_text() == saved.board;
        (is_same && game.is_running()).then_some(game)
    }
}

/// Where unfinished games are saved.
struct Saves<P: Position> {
    games: SavedGames,
    /// The file that this game was continued from.
    file: Option<SavedFile>,
    /// A saved game to continue instead of a new one.
    offer: Option<(SavedFile, Played<P>)>,
}

/// Consecutive games, each with its moves.
pub(crate) struct Turns<P: Position> {
    game: Played<P>,
    scores: BestScores,
    /// The best score before this game.
    to_beat: Option<u64>,
    saves: Option<Saves<P>>,
}

impl<P: Position> Turns<P> {
    pub(crate) fn new<E>(
        seed: u64,
        scores: BestScores,
        deal: impl FnOnce(Rng) -> Result<P, E>,
    ) -> Result<Self, E> {
        let game = Played::deal(seed, 0, deal)?;
        let to_beat = scores.best();
        Ok(Self { game, scores, to_beat, saves: None })
    }

    /// Saves unfinished games from now on and, if `offers`, offers to continue the latest one.
    /// `deal` is as for [`new`](Self::new).
    pub(crate) fn save_games<E>(
        &mut self,
        mut games: SavedGames,
        offers: bool,
        deal: impl Fn(Rng) -> Result<P, E>,
    ) {
        let offer = if offers { games.latest(|saved| Played::restore(saved, &deal)) } else { None };
        self.saves = Some(Saves { games, file: None, offer });
    }

    /// Returns the question whether to continue the saved game that is offered. The offer ends with
    /// an answer, a move or a new game.
    pub(crate) fn offer(&self) -> Option<String> {
        let (_, game) = self.saves.as_ref()?.offer.as_ref()?;
        Some(format!("Continue your game of {} points?", grouped(game.position.score())))
    }

    /// Continues the saved game that is offered, with its moves to undo.
    pub(crate) fn resume(&mut self) {
        if let Some(saves) = &mut self.saves
            && let Some((file, game)) = saves.offer.take()
        {
            (self.game, saves.file) = (game, Some(file));
        }
    }

    /// Leaves the saved game that is offered for later.
    fn decline(&mut self) {
        if let Some(saves) = &mut self.saves {
            saves.offer = None;
        }
    }

    /// Answers the offer by a key; only those for yes and no are answers.
    pub(crate) fn answer_offer(&mut self, code: KeyCode) {
        match code {
            KeyCode::Char('y' | 'Y') | KeyCode::Enter => self.resume(),
            KeyCode::Char('n' | 'N') | KeyCode::Esc => self.decline(),
            _ => {}
        }
    }

    /// Starts the next game on its own random stream. If it can't be dealt, the current game goes
    /// on.
    pub(crate) fn begin<E>(&mut self, deal: impl FnOnce(Rng) -> Result<P, E>) -> Result<(), E> {
        let next = Played::deal(self.game.seed, self.game.stream.wrapping_add(1), deal)?;
        self.keep_score();
        self.decline();
        self.game = next;
        self.to_beat = self.scores.best();
        Ok(())
    }

    pub(crate) fn position(&self) -> &P {
        &self.game.position
    }

    /// Changes the position by something else than a move, such as time that passes.
    pub(crate) fn change(&mut self, change: impl FnOnce(&mut P)) {
        change(&mut self.game.position);
    }

    pub(crate) fn before(&self) -> Option<&P> {
        self.game.history.last().map(|(before, _)| before)
    }

    pub(crate) fn moves(&self) -> usize {
        self.game.history.len()
    }

    pub(crate) fn play(&mut self, mv: P::Move, next: P) {
        self.decline();
        self.game.play(mv, next);
        if self.game.position.is_over() {
            self.keep_score();
        }
    }

    pub(crate) fn undo(&mut self) -> bool {
        let undone = self.game.history.pop();
        let is_undone = undone.is_some();
        if let Some((before, _)) = undone {
            self.game.position = before;
        }
        is_undone
    }

    /// Returns whether a game is in progress.
    pub(crate) fn is_running(&self) -> bool {
        self.game.is_running()
    }

    /// Returns the question before the end of the screen, if a game is in progress.
    pub(crate) fn quit_question(&self) -> Option<String> {
        let is_saved = self.saves.as_ref().is_some_and(|saves| saves.games.has_folder());
        let question =
            if is_saved { "Quit this game? It will be saved." } else { "Quit this game?" };
        self.is_running().then(|| question.to_owned())
    }

    pub(crate) fn keep_score(&mut self) {
        let score = self.game.position.score();
        if score > 0 {
            self.scores.add(score);
        }
    }

    pub(crate) fn best(&self) -> u64 {
        self.best_with(self.game.position.score())
    }

    /// Returns the best score so far, including the displayed score of this game.
    pub(crate) fn best_with(&self, score: u64) -> u64 {
        self.scores.best().unwrap_or(0).max(score)
    }

    /// Returns whether this position has the best score of all games, including undone moves.
    pub(crate) fn is_best(&self) -> bool {
        let score = self.game.position.score();
        score > self.to_beat.unwrap_or(0) && score >= self.best()
    }

    /// Saves the score and an unfinished game, and prints the problems with their files. For the
    /// end of the screen. Returns the lines to print last.
    pub(crate) fn finish(&mut self) -> String {
        self.keep_score();
        let is_saved = self.save();
        self.scores.report();
        let score = format!("score {}\n", self.game.position.score());
        if is_saved {
            score + "the game is saved; the next one offers to continue it\n"
        } else {
            score
        }
    }

    /// Saves the game if it is unfinished; otherwise the file that it was continued from goes.
    /// Returns whether the game is saved.
    fn save(&mut self) -> bool {
        let Some(saves) = &mut self.saves else { return false };
        // It stays for later.
        saves.offer = None;
        let games = &mut saves.games;
        let file = saves.file.take();
        let is_saved = if self.game.is_running() {
            games.save(file, &self.game.saved(games.rules()))
        } else {
            if let Some(file) = file {
                games.remove(file);
            }
            false
        };
        games.report();
        is_saved
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::best_scores::Better;

    /// A move leads to any number.
    impl Position for u64 {
        type Move = u64;

        fn score(&self) -> u64 {
            *self
        }

        fn is_over(&self) -> bool {
            self.is_multiple_of(10)
        }

        fn after_move(&self, mv: u64) -> Option<u64> {
            (!self.is_over()).then_some(mv)
        }

        fn board_text(&self) -> String {
            format!("[{self}]")
        }
    }

    impl Turns<u64> {
        fn play_to(&mut self, number: u64) {
            self.play(number, number);
        }
    }

    fn deal(mut rng: Rng) -> u64 {
        1 + 10 * u64::from(rng.below(1 << 20))
    }

    #[test]
    fn a_best_score_is_higher_than_all_before() {
        let scores = BestScores::at(None, "test", Better::Higher);
        let mut turns = Turns::new(1, scores, |_| Ok::<u64, ()>(1)).expect("a deal");
        turns.play_to(20);
        assert!(turns.is_best() && turns.best() == 20);
        // Lower after an undone move.
        assert!(turns.undo() && turns.is_running() == turns.undo());
        turns.play_to(10);
        assert!(!turns.is_best() && turns.best() == 20);
        assert!(turns.undo());
        turns.play_to(20);
        assert!(turns.is_best());
        turns.begin(|_| Ok::<u64, ()>(1)).expect("a deal");
        turns.play_to(20);
        assert!(!turns.is_best(), "the same again");
        assert!(turns.undo());
        turns.play_to(30);
        assert!(turns.is_best());
    }

    #[test]
    fn each_game_has_a_stream() {
        let scores = || BestScores::at(None, "test", Better::Higher);
        let mut turns = Turns::new(5, scores(), |rng| Ok::<_, ()>(deal(rng))).expect("a deal");
        let first = *turns.position();
        turns.play_to(7);
        assert_eq!(turns.before(), Some(&first));
        assert_eq!(turns.moves(), 1);
        assert!(turns.is_running());
        assert_eq!(turns.begin(|_| Err("no deal")), Err("no deal"));
        assert_eq!(*turns.position(), 7);
        assert_eq!(turns.moves(), 1);
        turns.begin(|rng| Ok::<_, ()>(deal(rng))).expect("a deal");
        assert_eq!(turns.position(), &deal(Rng::stream(5, 1)));
        assert_eq!(turns.moves(), 0);
        assert!(!turns.undo());
        assert!(!turns.is_running());
    }

    /// A session in a folder, with its new game at 1.
    fn session(folder: &std::path::Path, offers: bool) -> Turns<u64> {
        let scores = BestScores::at(None, "test", Better::Higher);
        let start = |_| Ok::<u64, ()>(1);
        let mut turns = Turns::new(7, scores, start).expect("a deal");
        turns.save_games(SavedGames::at(Some(folder.join("games")), "test"), offers, start);
        turns
    }

    fn files(folder: &std::path::Path) -> usize {
        std::fs::read_dir(folder.join("games")).map_or(0, Iterator::count)
    }

    const SAVED: &str = "the game is saved; the next one offers to continue it\n";

    #[test]
    fn an_unfinished_game_is_saved_and_offered() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        let mut turns = session(folder, true);
        assert_eq!(turns.offer(), None);
        turns.play_to(5);
        turns.play_to(6);
        assert_eq!(turns.finish(), format!("score 6\n{SAVED}"));
        assert_eq!(session(folder, false).offer(), None);
        // Left without an answer.
        let mut unanswered = session(folder, true);
        assert_eq!(unanswered.offer().as_deref(), Some("Continue your game of 6 points?"));
        assert_eq!(unanswered.finish(), "score 1\n");
        let mut turns = session(folder, true);
        turns.answer_offer(KeyCode::Left);
        assert!(turns.offer().is_some());
        turns.answer_offer(KeyCode::Char('y'));
        assert_eq!(turns.offer(), None);
        assert_eq!(*turns.position(), 6);
        assert_eq!(turns.before(), Some(&5));
        assert_eq!(turns.moves(), 2);
        // It is saved in the same file.
        turns.play_to(8);
        assert_eq!(turns.finish(), format!("score 8\n{SAVED}"));
        assert_eq!(files(folder), 1);
    }

    type Act = fn(&mut Turns<u64>);

    /// The cases of leaving a continued game, each with the files that stay.
    #[test]
    fn a_game_that_is_finished_or_given_up_is_not_offered_again() {
        let finish = |turns: &mut Turns<u64>| turns.play_to(20);
        let give_up = |turns: &mut Turns<u64>| turns.begin(|_| Ok::<u64, ()>(1)).expect("a deal");
        let undo_all = |turns: &mut Turns<u64>| while turns.undo() {};
        let give_up_and_play = |turns: &mut Turns<u64>| {
            turns.begin(|_| Ok::<u64, ()>(1)).expect("a deal");
            turns.play_to(3);
        };
        let cases: [(Act, Option<u64>); 4] =
            [(finish, None), (give_up, None), (undo_all, None), (give_up_and_play, Some(3))];
        for (leave, left) in cases {
            let folder = tempfile::tempdir().expect("a folder");
            let folder = folder.path();
            let mut turns = session(folder, true);
            turns.play_to(5);
            turns.finish();
            let mut turns = session(folder, true);
            turns.resume();
            leave(&mut turns);
            turns.finish();
            assert_eq!(files(folder), usize::from(left.is_some()));
            let mut turns = session(folder, true);
            turns.resume();
            assert_eq!(*turns.position(), left.unwrap_or(1));
        }
    }

    #[test]
    fn a_new_game_leaves_the_saved_one_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        let mut turns = session(folder, true);
        turns.play_to(5);
        turns.finish();
        for (number, decline) in (2..).zip([
            (|turns| turns.answer_offer(KeyCode::Char('n'))) as Act,
            |turns| turns.answer_offer(KeyCode::Esc),
            |turns| turns.begin(|_| Ok::<u64, ()>(1)).expect("a deal"),
            |_| (),
        ]) {
            let mut turns = session(folder, true);
            decline(&mut turns);
            // A move is a refusal, too.
            turns.play_to(3);
            assert_eq!(turns.offer(), None);
            // Others may continue it at once.
            assert!(session(folder, true).offer().is_some());
            assert_eq!(turns.finish(), format!("score 3\n{SAVED}"));
            assert_eq!(files(folder), number);
        }
    }

    #[test]
    fn a_file_that_tells_another_game_is_set_aside() {
        for (from, to) in [
            (r#""moves":["5"]"#, r#""moves":["4"]"#),
            (r#""moves":["5"]"#, r#""moves":["20","5"]"#),
            (r#""moves":["5"]"#, r#""moves":["x"]"#),
            (
                r#""moves":["5"],"score":5,"board":"[5]""#,
                r#""moves":["10"],"score":10,"board":"[10]""#,
            ),
            (r#""moves":["5"],"score":5,"board":"[5]""#, r#""moves":[],"score":1,"board":"[1]""#),
            (r#""score":5"#, r#""score":6"#),
            (r#""board":"[5]""#, r#""board":"[6]""#),
        ] {
            let folder = tempfile::tempdir().expect("a folder");
            let folder = folder.path();
            let mut turns = session(folder, true);
            turns.play_to(5);
            turns.finish();
            let path = folder.join("games/test-1.json");
            let text = std::fs::read_to_string(&path).expect("saved");
            assert!(text.contains(from), "{text}");
            std::fs::write(&path, text.replace(from, to)).expect("written");
            assert_eq!(session(folder, true).offer(), None, "{to}");
            assert!(folder.join("games/test-1.json.damaged").exists(), "{to}");
        }
        // The largest numbers are no reason to panic.
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        let mut turns = session(folder, true);
        turns.play_to(5);
        turns.finish();
        let path = folder.join("games/test-1.json");
        let text = std::fs::read_to_string(&path).expect("saved");
        let largest = format!("\"stream\":{}", u64::MAX);
        std::fs::write(&path, text.replace("\"stream\":0", &largest)).expect("written");
        let mut turns = session(folder, true);
        turns.resume();
        turns.begin(|_| Ok::<u64, ()>(1)).expect("a deal");
        assert_eq!(turns.moves(), 0);
    }
}
