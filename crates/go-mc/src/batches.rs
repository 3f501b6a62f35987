//! [`Batch`](crate::Batch): the batches by name.

use crate::batch::BatchGames;

/// Many games of Go, stepped together. [The module](crate::batch) defines actions, observations and
/// rewards.
///
/// See [`bitcade_core::batch::Batch`] for its methods, and [`bitcade_core::batch`] for the slices
/// that they fill.
///
/// ```
/// use go_mc::batch::StepBuffers;
/// use go_mc::{Batch, Move, Rules};
/// let rules = Rules::default();
/// let mut batch = Batch::new(100, rules, 42)?;
/// assert_eq!((batch.cells(), batch.actions()), (6 * 81, 82));
/// let mut buffers = StepBuffers::new(batch.shape());
/// batch.reset_into(&mut buffers.obs, &mut buffers.mask)?;
/// let e5 = "E5".parse::<Move>()?.action(rules.size).unwrap();
/// batch.step_into(&[e5; 100], buffers.out())?;
/// for _ in 0..500 {
///     batch.random_step_into(buffers.out())?;
/// }
/// let game = batch.game(0).unwrap();
/// println!("{}{} to move", game.board(), game.to_move());
/// # assert_eq!(game.moves() % 2 == 0, game.to_move() == go_mc::Color::Black);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Batch = bitcade_core::batch::Batch<BatchGames>;
