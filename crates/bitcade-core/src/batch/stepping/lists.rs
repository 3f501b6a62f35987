//! [`LegalLists`]: the legal actions of a batch as lists of different lengths, and the positions they lead to.

use super::{Batch, Group, first_places};
use crate::ThreadPool;
use crate::batch::afterstates::{Afterstates, AfterstatesOut};
use crate::batch::games::Games;
use crate::batch::shape::{BatchError, check_length};
use alloc::vec;
use alloc::vec::Vec;
use core::slice::from_ref;

static CALLER: ThreadPool = ThreadPool::single();

/// The legal actions of all games of a [`Batch`], as lists of different lengths, from
/// [`Batch::legal_lists`].
///
/// Game i's actions, in ascending order, are the elements `offsets()[i]..offsets()[i + 1]` of the
/// slice that [`actions_into`](Self::actions_into) fills. A game that awaits its restart has none.
#[derive(Clone, Debug)]
pub struct LegalLists<'a, G: Games> {
    batch: &'a Batch<G>,
    pool: &'a ThreadPool,
    offsets: Vec<usize>,
}

impl<G: Games> Batch<G> {
    /// Counts the legal actions of each game, to list them.
    pub fn legal_lists(&self) -> LegalLists<'_, G> {
        LegalLists::new(self, &CALLER)
    }

    /// Like [`legal_lists`](Self::legal_lists), on the threads of a pool, which then also fill the
    /// slices.
    #[cfg(feature = "parallel")]
    pub fn legal_lists_parallel<'a>(&'a self, pool: &'a ThreadPool) -> LegalLists<'a, G> {
        LegalLists::new(self, pool)
    }
}

impl<G: Games> Group<G> {
    /// Returns the mask of the games that have legal actions.
    fn running(&self) -> u64 {
        first_places(self.steps.len()) & !self.finished
    }
}

impl<'a, G: Games> LegalLists<'a, G> {
    fn new(batch: &'a Batch<G>, pool: &'a ThreadPool) -> Self {
        let mut offsets = vec![0; batch.games + 1];
        let context = &batch.context;
        let share = pool.share(batch.games, G::TOGETHER);
        let shares = batch.groups.chunks(share / G::TOGETHER).zip(offsets[1..].chunks_mut(share));
        pool.for_each(shares, |(groups, counts)| {
            for (group, counts) in groups.iter().zip(counts.chunks_mut(G::TOGETHER)) {
                group.games.count_legal(context, group.running(), counts);
            }
        });
        let mut sum = 0;
        for offset in &mut offsets {
            sum += *offset;
            *offset = sum;
        }
        Self { batch, pool, offsets }
    }

    /// Returns where the games' lists begin, and finally the length of all lists: one number more
    /// than games.
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// Returns the length of all lists.
    pub fn len(&self) -> usize {
        self.offsets[self.batch.games]
    }

    /// Returns `true` if no game has a legal action.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes the lists, one after the other.
    ///
    /// # Errors
    ///
    /// [`BatchError::Length`] if the slice doesn't have [`len`](Self::len) elements.
    pub fn actions_into(&self, actions: &mut [u32]) -> Result<(), BatchError> {
        check_length("actions", self.len(), actions.len())?;
        let context = &self.batch.context;
        self.for_each_group(
            actions,
            |rest, rows| rest.split_off_mut(..rows).unwrap_or_default(),
            |group, actions| group.games.list_legal(context, group.running(), actions),
        );
        Ok(())
    }

    /// Writes the [afterstate](Afterstates) of each action, in the order of the lists.
    ///
    /// # Errors
    ///
    /// [`BatchError::Length`] for the first slice of the wrong length, in the order of the fields.
    pub fn afterstates_into(&self, out: AfterstatesOut<'_>) -> Result<(), BatchError>
    where
        G: Afterstates,
    {
        let context = &self.batch.context;
        let shape = G::afterstate_shape(&context.rules);
        out.check(shape, self.len())?;
        self.for_each_group(
            out,
            |rest, rows| rest.take(shape, rows),
            |group, out| group.games.write_afterstates(context, group.running(), out),
        );
        Ok(())
    }

    /// Calls `work` with each group and its part of the rows, which `take` splits off.
    fn for_each_group<T: Send>(
        &self,
        mut rest: T,
        take: impl Fn(&mut T, usize) -> T + Sync,
        work: impl Fn(&Group<G>, T) + Sync,
    ) {
        let Self { batch, pool, offsets } = self;
        let each = pool.share(batch.games, G::TOGETHER) / G::TOGETHER;
        let rows = |first: usize, groups: &[Group<G>]| {
            let [first, end] =
                [first, first + groups.len()].map(|group| batch.games.min(G::TOGETHER * group));
            offsets[end] - offsets[first]
        };
        let shares = batch.groups.chunks(each).enumerate().map(|(i, groups)| {
            let first = each * i;
            (first, groups, take(&mut rest, rows(first, groups)))
        });
        pool.for_each(shares, |(first, groups, mut share)| {
            for (group, i) in groups.iter().zip(first..) {
                work(group, take(&mut share, rows(i, from_ref(group))));
            }
        });
    }
}
