//! Every parser of `tetris`: boards, pieces, queues, fumens.

use super::pages::{there_and_back, write_and_read};
use super::properties::texts::{self, board_columns, board_text, queue_text};
use crate::kit::{Input, read_as, same_form};
use bitcore::Rng;
use tetris::real_time::{Handling, RealTimeGame, RealTimeRules};
use tetris::{Attack, Bag, Board, Game, Move, Queue, Rules, fumen};

pub(crate) fn doors(data: &[u8]) {
    match data {
        [253, text @ ..] => return saved(&String::from_utf8_lossy(text)),
        [252, data @ ..] => return texts::written(&Input::new(data)),
        [251, text @ ..] => return texts::any(&Input::new(text)),
        _ => {}
    }
    let input = Input::new(data);
    match input.below(5) {
        0 => board_text(&input.text()),
        1 => queue_text(&input.text()),
        2 => fumen_text(&input.text()),
        3 => there_and_back(&input),
        _ => board_columns(&input),
    }
}

fn saved(text: &str) {
    read_as!(same_form(text): Board, Queue, Bag, Move, Rules);
    let [handling, _] = same_form(text).unwrap_or([Handling::default(); 2]);
    if let Some([rules, _]) = same_form::<RealTimeRules>(text) {
        let recording = "0 press right\n9 press soft-drop\n18446744073709551615 end"
            .parse()
            .expect("a recording");
        let game = RealTimeGame::new(rules, handling, 1).replay(&recording);
        assert!(game.end().is_some() || game.ticks() == u64::MAX);
    }
    let Some([mut game, _]) = same_form::<Game>(text) else { return };
    let mut rng = Rng::new(1);
    for column in 0..10 {
        let legal = game.legal_moves();
        assert_eq!(legal.is_empty(), game.is_over());
        let result = game.play_random(&mut rng);
        assert_eq!(result.is_none(), legal.is_empty());
        let _ = game.receive(Attack { lines: 2, column });
        same_form::<Game>(&serde_json::to_string(&game).expect("a form"));
    }
}

fn fumen_text(text: &str) {
    match fumen::decode(text) {
        Ok(pages) => drop(write_and_read(&pages)),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
