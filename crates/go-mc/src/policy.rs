//! [`Policy`]: which points a random player chooses from.

use crate::board::{Color, Suicide};
use crate::chains::Chains;
use crate::eyes;
use crate::points::Points;
use crate::results::light_points;
use bitcore::{Level, dispatch};

/// Which points a player chooses from, uniformly. The ko point is never one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Policy {
    /// Light playouts: every legal move but into an own eye ([`Board::is_eye`](crate::Board::is_eye)), all suicide
    /// forbidden.
    NoSuicide,
    /// The same, suicide of two stones or more allowed.
    MultiSuicide,
    /// Of chncwang's articles on `FooGo`: every empty point but the eyes of both players, where a point is an eye if
    /// its neighbors are all of one color; an opponent's eye and an own fake one open when a chain around them is
    /// in atari. Suicide isn't tested at all: of a single stone it would have to be in an opponent's eye.
    FooGo,
}

/// `Forbidden` and `Multi` as in light playouts, `All` as in `FooGo` (with single stones free to take themselves off
/// anywhere a game would hardly end).
impl From<Suicide> for Policy {
    fn from(suicide: Suicide) -> Self {
        match suicide {
            Suicide::Forbidden => Self::NoSuicide,
            Suicide::Multi => Self::MultiSuicide,
            Suicide::All => Self::FooGo,
        }
    }
}

impl Policy {
    /// The points that `color` may choose from but for the ko.
    pub fn playable<const N: usize>(self, chains: &Chains<N>, color: Color) -> Points<N> {
        self.playable_on(Level::detect(), chains, color)
    }

    /// [`playable`](Self::playable) on a level: sets of the whole board are worth wide registers.
    pub fn playable_on<const N: usize>(self, level: Level, chains: &Chains<N>, color: Color) -> Points<N> {
        dispatch!(level, _isa [policy = self, chains, color] => policy.playable_kernel(chains, color))
    }

    #[inline(always)]
    fn playable_kernel<const N: usize>(self, chains: &Chains<N>, color: Color) -> Points<N> {
        let (own, enemy, empty) = (chains.stones(color), chains.stones(color.other()), chains.empty());
        let captures = chains.atari(color.other());
        let eyes = eyes::eyelike(own);
        match self {
            Self::NoSuicide | Self::MultiSuicide => {
                // A stone there has a liberty, takes one, or joins a chain that keeps one.
                let joined = if self == Self::NoSuicide { own - chains.atari(color) } else { own };
                (empty & (empty | captures | joined).neighbors()) - eyes::real_eyes(eyes, enemy)
            }
            Self::FooGo => {
                let enemy_eyes = eyes::eyelike(enemy);
                let mut playable = empty - enemy_eyes - eyes;
                if !enemy_eyes.is_empty() {
                    playable |= enemy_eyes & captures.neighbors();
                }
                if !eyes.is_empty() {
                    let fake = eyes - eyes::real_eyes(eyes, !(own | eyes));
                    playable |= fake & chains.atari(color).neighbors();
                }
                playable
            }
        }
    }

    /// Each color's points at the end, Black's first: the stones, and the empty points that are its own: those
    /// whose neighbors are all its stones, under [`FooGo`](Self::FooGo) its real eyes.
    pub fn points<const N: usize>(self, chains: &Chains<N>) -> [u32; 2] {
        let stones = *chains.stones_by_color();
        if self == Self::FooGo {
            let points = |own: Points<N>| {
                let eyes = eyes::eyelike(own);
                own.len() + eyes::real_eyes(eyes, !(own | eyes)).len()
            };
            [points(stones[0]), points(stones[1])]
        } else {
            light_points(stones)
        }
    }
}
