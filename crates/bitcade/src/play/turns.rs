//! [`Turns`]: the session of a turn-based game: positions and undo, seeds, the best score.

use super::best_scores::BestScores;
use bitcore::Rng;

/// A position with everything the next move depends on, including random numbers: a move that is undone and
/// replayed has the same result.
pub(crate) trait Position: Clone {
    fn score(&self) -> u64;

    fn is_over(&self) -> bool;
}

/// Consecutive games, each with its moves.
pub(crate) struct Turns<P> {
    position: P,
    history: Vec<P>,
    seed: u64,
    /// The number of games begun.
    games: u64,
    scores: BestScores,
    /// The best score before this game.
    to_beat: Option<u64>,
}

impl<P: Position> Turns<P> {
    pub(crate) fn new<E>(
        seed: u64,
        scores: BestScores,
        deal: impl FnOnce(Rng) -> Result<P, E>,
    ) -> Result<Self, E> {
        let position = deal(Rng::new(seed))?;
        let to_beat = scores.best();
        Ok(Self { position, history: Vec::new(), seed, games: 1, scores, to_beat })
    }

    /// Starts the next game on its own random stream. If it can't be dealt, the current game goes on.
    pub(crate) fn begin<E>(&mut self, deal: impl FnOnce(Rng) -> Result<P, E>) -> Result<(), E> {
        let position = deal(Rng::stream(self.seed, self.games))?;
        self.keep_score();
        self.position = position;
        self.history.clear();
        self.games += 1;
        self.to_beat = self.scores.best();
        Ok(())
    }

    pub(crate) fn position(&self) -> &P {
        &self.position
    }

    pub(crate) fn before(&self) -> Option<&P> {
        self.history.last()
    }

    pub(crate) fn moves(&self) -> usize {
        self.history.len()
    }

    pub(crate) fn play(&mut self, next: P) {
        self.history.push(std::mem::replace(&mut self.position, next));
        if self.position.is_over() {
            self.keep_score();
        }
    }

    pub(crate) fn undo(&mut self) -> bool {
        let before = self.history.pop();
        let undone = before.is_some();
        self.position = before.unwrap_or_else(|| self.position.clone());
        undone
    }

    /// Returns whether quitting now would lose progress.
    pub(crate) fn is_running(&self) -> bool {
        !self.history.is_empty() && !self.position.is_over()
    }

    pub(crate) fn keep_score(&mut self) {
        let score = self.position.score();
        if score > 0 {
            self.scores.add(score);
        }
    }

    pub(crate) fn best(&self) -> u64 {
        self.best_with(self.position.score())
    }

    /// Returns the best score so far, including the displayed score of this game.
    pub(crate) fn best_with(&self, score: u64) -> u64 {
        self.scores.best().unwrap_or(0).max(score)
    }

    /// Returns whether this position has the best score of all games, including undone moves.
    pub(crate) fn is_best(&self) -> bool {
        let score = self.position.score();
        score > self.to_beat.unwrap_or(0) && score >= self.best()
    }

    /// Saves the score and prints the problems with the score file. For the end of the screen.
    pub(crate) fn finish(&mut self) {
        self.keep_score();
        self.scores.report();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::best_scores::Better;

    impl Position for u64 {
        fn score(&self) -> u64 {
            *self
        }

        fn is_over(&self) -> bool {
            self.is_multiple_of(10)
        }
    }

    fn deal(mut rng: Rng) -> u64 {
        1 + 10 * u64::from(rng.below(1 << 20))
    }

    #[test]
    fn a_best_score_is_higher_than_all_before() {
        let scores = BestScores::at(None, "test", Better::Higher);
        let mut turns = Turns::new(1, scores, |_| Ok::<u64, ()>(1)).expect("a deal");
        turns.play(20);
        assert!(turns.is_best() && turns.best() == 20);
        // Lower after an undone move.
        assert!(turns.undo() && turns.is_running() == turns.undo());
        turns.play(10);
        assert!(!turns.is_best() && turns.best() == 20);
        assert!(turns.undo());
        turns.play(20);
        assert!(turns.is_best());
        turns.begin(|_| Ok::<u64, ()>(1)).expect("a deal");
        turns.play(20);
        assert!(!turns.is_best(), "the same again");
        assert!(turns.undo());
        turns.play(30);
        assert!(turns.is_best());
    }

    #[test]
    fn each_game_has_a_stream() {
        let scores = || BestScores::at(None, "test", Better::Higher);
        let mut turns = Turns::new(5, scores(), |rng| Ok::<_, ()>(deal(rng))).expect("a deal");
        let first = *turns.position();
        turns.play(7);
        assert_eq!((turns.before(), turns.moves(), turns.is_running()), (Some(&first), 1, true));
        assert_eq!(turns.begin(|_| Err("no deal")), Err("no deal"));
        assert_eq!((*turns.position(), turns.moves()), (7, 1));
        turns.begin(|rng| Ok::<_, ()>(deal(rng))).expect("a deal");
        assert_eq!(turns.position(), &deal(Rng::stream(5, 1)));
        assert_eq!((turns.moves(), turns.undo(), turns.is_running()), (0, false, false));
    }
}
