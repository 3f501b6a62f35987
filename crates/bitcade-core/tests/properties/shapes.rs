//! Shapes of any size: overflowing lengths match no slice, and allocate nothing.

use bitcade_core::batch::{Shape, StepBuffers, TooManyGames, WrongLength};
use testkit::Input;

pub(crate) fn run(input: &Input) {
    let shape = Shape { games: input.size(), cells: input.size(), actions: input.size() };
    let wide = |each: usize| each as u128 * shape.games as u128;
    let needed = [wide(shape.cells), wide(1), wide(1), wide(1), wide(shape.actions)];
    // Most slices have the required length, or nearly.
    let lengths: [usize; 5] = std::array::from_fn(|i| {
        let byte = usize::from(input.byte());
        let least = if i % 4 == 0 { byte % 64 } else { byte % 8 };
        match usize::try_from(needed[i]) {
            Ok(needed) if byte >= 64 && needed < 1 << 16 => needed + usize::from(byte >= 240),
            _ => least,
        }
    });
    let [obs, reward, terminated, truncated, mask] = lengths;
    let mut buffers = StepBuffers {
        obs: vec![0; obs],
        reward: vec![0.0; reward],
        terminated: vec![false; terminated],
        truncated: vec![false; truncated],
        mask: vec![false; mask],
    };
    let slices = ["obs", "reward", "terminated", "truncated", "mask"];
    let check = |slice, needed: u128, found: usize| {
        let expected = usize::try_from(needed).unwrap_or(usize::MAX);
        if needed == found as u128 { Ok(()) } else { Err(WrongLength { slice, expected, found }) }
    };
    // The error names the first slice that doesn't fit.
    let first = |of: &[usize]| of.iter().try_for_each(|&i| check(slices[i], needed[i], lengths[i]));
    assert_eq!(shape.check_step(&buffers.out()), first(&[0, 1, 2, 3, 4]));
    assert_eq!(shape.check_reset(&buffers.obs, &buffers.mask), first(&[0, 4]));
    assert_eq!(shape.check_actions(&vec![0; reward]), check("actions", wide(1), reward));
    assert_eq!(shape.check_which(&buffers.terminated), check("which", wide(1), terminated));
    // At most half a MiB, or refused before allocating.
    let together = 1 + input.below(40);
    let most = needed.iter().copied().max().unwrap_or(0).max(4 * wide(1));
    let fits = most <= isize::MAX as u128;
    if shape.games < 1 << 16 || !fits {
        let reserved = shape.reserve_games::<u64>(together);
        let states = reserved.as_ref().map_or(0, Vec::capacity);
        assert!(states <= 1 << 16 && (!fits || states >= shape.games.div_ceil(together)));
        assert_eq!(
            reserved,
            if fits { Ok(vec![]) } else { Err(TooManyGames { games: shape.games }) }
        );
    }
    if shape.cells > 0 && shape.actions > 0 {
        let together = 1 + input.size() % (usize::MAX - 1);
        let all_fit = shape.check_step(&buffers.out()).is_ok();
        let mut cells = 0;
        let mut flags = 0;
        for (i, part) in buffers.out().split(shape, together).enumerate() {
            cells += part.obs.len();
            flags += part.mask.len();
            if all_fit {
                let games = together.min(shape.games - i * together);
                let rows = [part.obs.len() / shape.cells, part.mask.len() / shape.actions];
                let ends = [part.reward.len(), part.terminated.len(), part.truncated.len()];
                assert_eq!(rows, [games; 2]);
                assert_eq!(ends, [games; 3]);
                part.reward.fill(i as f32);
            }
        }
        assert!(if all_fit {
            [cells, flags] == [obs, mask]
        } else {
            cells <= obs && flags <= mask
        });
        let part_of = |game: usize| (game / together) as f32;
        assert!(!all_fit || (0..shape.games).map(part_of).eq(buffers.reward));
    }
}
