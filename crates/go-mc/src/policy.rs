//! [`Policy`]: the points from which a random player chooses.

use crate::board::{Color, Suicide};
use crate::chains::Chains;
use crate::eyes;
use crate::points::Points;
use crate::results::simple_area;
use bitcore::{Level, dispatch};

/// The points from which a player of a playout chooses uniformly. The ko point is never among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Policy {
    /// Light playouts: every legal move that does not fill an own eye
    /// ([`Board::is_eye`](crate::Board::is_eye)); suicide is forbidden.
    NoSuicide,
    /// Light playouts in which suicide of two stones or more is allowed.
    MultiSuicide,
    /// The policy of chncwang's articles on `FooGo`: every empty point except the eyelike points of both
    /// players (points whose neighbors are all of one color). An opponent's eyelike point and an own false
    /// eye become playable when a chain around them is in atari. Suicide is not tested: suicide of a single
    /// stone could only happen in an opponent's eye.
    FooGo,
}

/// Maps `Forbidden` and `Multi` to the light policies and `All` to `FooGo`. There is no light policy with all
/// suicide: if single stones may remove themselves anywhere, a random game hardly ever ends.
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
    /// Returns the points from which `color` may choose, before the ko point is removed.
    pub fn playable<const N: usize>(self, chains: &Chains<N>, color: Color) -> Points<N> {
        self.playable_at(Level::active(), chains, color)
    }

    /// Does the same on a level that a loop over plies has read once.
    #[inline(always)]
    pub(crate) fn playable_at<const N: usize>(
        self,
        level: Level,
        chains: &Chains<N>,
        color: Color,
    ) -> Points<N> {
        // For the wide registers of the level: sets of points need no token.
        dispatch!(level, _isa [policy = self, chains, color] => policy.playable_kernel(chains, color))
    }

    #[inline(always)]
    fn playable_kernel<const N: usize>(self, chains: &Chains<N>, color: Color) -> Points<N> {
        let (own, enemy, empty) = (chains.stones(color), chains.stones(color.other()), chains.empty());
        let captures = chains.atari(color.other());
        let eyes = eyes::eyelike(own);
        match self {
            Self::NoSuicide | Self::MultiSuicide => {
                // A stone there has a liberty, captures, or joins a chain that keeps a liberty.
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

    /// Returns each color's area at the end, Black's first: its stones and the empty points that belong to
    /// it, which are those whose neighbors are all its stones, or its real eyes under [`FooGo`](Self::FooGo).
    pub fn area<const N: usize>(self, chains: &Chains<N>) -> [u32; 2] {
        let stones = *chains.stones_by_color();
        if self == Self::FooGo {
            let area = |own: Points<N>| {
                let eyes = eyes::eyelike(own);
                own.len() + eyes::real_eyes(eyes, !(own | eyes)).len()
            };
            [area(stones[0]), area(stones[1])]
        } else {
            simple_area(stones)
        }
    }
}
