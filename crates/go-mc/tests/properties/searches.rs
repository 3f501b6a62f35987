//! A search that keeps its tree over the moves of a game.

use super::values::{COLORS, point, rules};
use go_mc::search::{Choice, MAX_KOMI, NetLearner, PlayoutKind, Prior, Search, Settings};
use go_mc::{Game, Komi, Move, Rules, Size};
use testkit::{Input, on_each_level};

pub(crate) fn search(input: &Input) {
    let rules = rules(input);
    let side = if input.below(32) == 0 { 9 } else { 5 };
    let size = Size::new(side, side).expect("a size");
    let mut game = Game::new(Rules { size, komi: Komi::ZERO, ..rules });
    for _ in 0..input.below(32) {
        // An illegal move only uses up input.
        let _ = game.play(Move::Play(point(input, size)));
    }
    if input.flag() {
        game.set_to_move(*input.pick(&COLORS));
    }
    let heavy = input.flag();
    let komi = if input.below(8) == 0 { f64::from_bits(input.u64()) } else { 7.5 };
    let playouts_per_leaf = if input.below(8) == 0 { input.below(20) as u32 } else { 1 };
    let threads = usize::from(input.flag());
    let max_nodes = if input.flag() { input.below(300) } else { 1 << 10 };
    let seed = input.u64();
    let settings = Settings {
        playout_kind: if heavy { PlayoutKind::Heavy } else { PlayoutKind::Light },
        playouts_per_leaf,
        threads,
        max_nodes,
        seed,
        resign_threshold: f64::from(input.byte()) / 128.0,
        tromp_taylor: true,
        prior: if seed.is_multiple_of(4) { Prior::none() } else { Prior::builtin() },
        net: seed.is_multiple_of(3).then(|| NetLearner::new(seed).net()),
        net_visits: (seed >> 32) as u32 % 6,
    };
    if komi.is_nan() || komi.abs() > f64::from(MAX_KOMI) {
        assert!(Search::with_komi(&game, komi, &settings).is_err());
        return;
    }
    let mut searches = Vec::new();
    on_each_level(|| {
        searches.push(Search::with_komi(&game, komi, &settings).expect("a size with playouts"));
    });
    // Calls each search at a different level than the previous call.
    let call_each = |searches: &mut Vec<Search>, call: &dyn Fn(&mut Search)| {
        searches.rotate_left(1);
        let mut next = searches.iter_mut();
        on_each_level(|| call(next.next().expect("a search for each level")));
    };
    for _ in input.steps(5) {
        let before = searches[0].candidates();
        let kind = input.below(4);
        if kind < 2 {
            let mv = if kind == 0 { Move::Play(point(input, size)) } else { Move::Pass };
            let played = game.play(mv);
            call_each(&mut searches, &|search| assert_eq!(search.play(mv), played));
            assert!(played.is_ok() || searches[0].candidates() == before);
        } else {
            let budget = input.below(6) as u64;
            call_each(&mut searches, &|search| {
                search.run(budget);
            });
        }
        let first = &searches[0];
        let candidates = first.candidates();
        let choice = first.choose();
        for search in &searches {
            assert_eq!(search.game().board(), game.board());
            assert_eq!(search.game().to_move(), game.to_move());
            assert_eq!(search.game().passes(), game.passes());
            assert_eq!(search.candidates(), candidates.clone());
            assert_eq!(search.choose(), choice);
            assert_eq!(search.visits(), first.visits());
            assert_eq!(search.variations(), first.variations());
            assert!(
                search.node_count() <= settings.max_nodes.max(size.points().len() as usize + 2)
            );
        }
        let best = candidates.first().filter(|best| best.visits > 0);
        let mover = game.to_move();
        let other = game.to_move().other();
        assert_eq!(first.win_rate(mover), best.map(|best| best.win_rate));
        assert_eq!(first.win_rate(other), best.map(|best| 1.0 - best.win_rate));
        assert_eq!(first.expected_score(mover), best.map(|best| best.score));
        assert_eq!(first.expected_score(other), best.map(|best| -best.score));
        for candidate in &candidates {
            assert!((0.0..=1.0).contains(&candidate.win_rate));
            if !game.is_over() {
                game.clone().play(candidate.mv).expect("a candidate is legal");
            }
        }
        let mut line = game.clone();
        for mv in first.principal_variation() {
            line.play(mv).expect("the moves of the variation are legal");
        }
        if let (Choice::Move(mv), false) = (choice, game.is_over()) {
            game.clone().play(mv).expect("the choice is legal");
        }
    }
}
