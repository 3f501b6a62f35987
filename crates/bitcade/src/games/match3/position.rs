//! [`Position`]: a game and its upcoming pieces, for `play` and `watch`.

use super::animation::Animation;
use crate::play::turns;
use bitcore::Rng;
use match3::{CascadeResult, Colors, Error, Game, RandomColors, Rules, Swap, SwapError, try_swap};
use std::time::Duration;

/// The state after a move, with everything the next move depends on.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Position {
    pub(super) game: Game,
    pub(super) last: CascadeResult,
    /// `true` if the last move left a dead board, which was replaced.
    pub(super) is_redealt: bool,
    colors: RandomColors,
}

impl Position {
    pub(super) fn deal(rules: Rules, rng: Rng) -> Result<Self, Error> {
        let mut colors = RandomColors::new(rules.colors, rng)?;
        let game = Game::new(rules, &mut colors)?;
        Ok(Self { game, last: CascadeResult::default(), is_redealt: false, colors })
    }

    pub(super) fn after(
        &self,
        swap: Swap,
        start: Duration,
    ) -> Result<(Self, Animation), SwapError> {
        let mut next = self.clone();
        next.last = next.game.play(swap, &mut next.colors)?;
        // The same move on cells, with the same colors, to record its events.
        let before = self.game.board();
        let mut colors = self.colors.clone();
        let mut events = Vec::new();
        let mut board = before.clone();
        try_swap(&mut board, swap, || colors.next(), &mut events)?;
        let mut animation = Animation::new(&before, &events, self.game.score(), start);
        next.is_redealt = next.game.board() != board;
        if next.is_redealt {
            animation.rest(next.game.score(), &next.game.board());
        }
        Ok((next, animation))
    }
}

impl turns::Position for Position {
    type Move = Swap;

    fn score(&self) -> u64 {
        self.game.score()
    }

    fn is_over(&self) -> bool {
        self.game.is_over()
    }

    fn after_move(&self, swap: Swap) -> Option<Self> {
        self.after(swap, Duration::ZERO).ok().map(|(next, _)| next)
    }

    fn board_text(&self) -> String {
        self.game.board().to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use match3::{Board, has_swap, is_stable};

    fn play_last(position: &Position) -> (Position, Animation) {
        let swap = position.game.legal_moves().pop().expect("a swap");
        position.after(swap, Duration::ZERO).expect("legal")
    }

    #[test]
    fn moves_are_those_of_the_rules() {
        let rules = Rules { width: 4, height: 4, colors: 5, moves: 30 };
        let mut redealt = 0;
        for seed in 0..40 {
            let mut position = Position::deal(rules, Rng::new(seed)).expect("a board");
            let mut colors = RandomColors::new(rules.colors, Rng::new(seed)).expect("five colors");
            let mut game = Game::new(rules, &mut colors).expect("a board");
            for moves in 0..rules.moves {
                assert_eq!(position.game.moves_left(), rules.moves - moves);
                let swap = game.legal_moves().pop().expect("a swap");
                let (next, animation) = play_last(&position);
                let result = game.play(swap, &mut colors).expect("legal");
                assert_eq!(&next.game, &game);
                assert_eq!(next.last, result);
                assert_eq!(&next.colors, &colors);
                // The last step shows the dead board.
                let end = animation.end_time().saturating_sub(Duration::from_millis(1));
                let last = animation.at(end).expect("a step").0.board.clone();
                if next.is_redealt {
                    redealt += 1;
                    assert!(is_stable(&last) && !has_swap(&last) && has_swap(&next.game.board()));
                }
                position = next;
            }
            assert!(turns::Position::is_over(&position) && !position.is_redealt);
            let any = Swap { x: 0, y: 0, axis: match3::Axis::Vertical };
            assert_eq!(position.after(any, Duration::ZERO).err(), Some(SwapError::GameOver));
        }
        assert!(redealt > 10, "{redealt}");
    }

    #[test]
    fn an_illegal_swap_is_refused() {
        let position = Position::deal(Rules::default(), Rng::new(1)).expect("a board");
        let board: Board = position.game.board();
        let outside = Swap { x: 7, y: 0, axis: match3::Axis::Horizontal };
        assert_eq!(position.after(outside, Duration::ZERO).err(), Some(SwapError::Outside((8, 0))));
        assert_eq!(position.game.board(), board);
    }
}
