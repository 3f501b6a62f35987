//! [`Policy`]: the candidate points of a random player.

use crate::playout::results::simple_area;
use crate::rules::board::{Color, Suicide};
use crate::rules::chains::Chains;
use crate::rules::eyes;
use crate::rules::points::Points;
use bitcore::dispatch;

/// The candidate points of a playout: each move is chosen uniformly among them. The ko point is
/// always excluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Policy {
    /// Light playouts: every legal move that does not fill one of the player's own eyes
    /// ([`Board::is_eye`](crate::Board::is_eye)); suicide is forbidden.
    NoSuicide,
    /// Light playouts in which suicide of two stones or more is allowed.
    MultiSuicide,
    /// The policy of chncwang's articles on `FooGo`: every empty point except the eyelike points of
    /// both players (points whose neighbors are all of one color). An enemy eyelike point or an own
    /// false eye becomes playable when a chain around it is in atari. Suicide is not checked: a
    /// single-stone suicide could only happen in an enemy eye.
    FooGo,
}

/// Maps `Forbidden` and `Multi` to the light policies and `All` to `FooGo`. There is no light
/// policy that allows all suicide: if single stones may remove themselves anywhere, random games
/// hardly ever end.
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
    /// Returns the candidate points of `color`, before the ko point is excluded.
    pub fn playable<const N: usize, const W: usize>(
        self,
        chains: &Chains<N, W>,
        color: Color,
    ) -> Points<N, W> {
        // Dispatched for the level's wide registers: sets of points need no token.
        dispatch!(_isa [policy = self, chains, color] => policy.playable_kernel(chains, color))
    }

    #[inline(always)]
    pub(crate) fn playable_kernel<const N: usize, const W: usize>(
        self,
        chains: &Chains<N, W>,
        color: Color,
    ) -> Points<N, W> {
        let own = chains.stones(color);
        let enemy = chains.stones(color.other());
        let empty = chains.empty();
        let captures = chains.atari(color.other());
        let eyes = eyes::eyelike(own);
        match self {
            Self::NoSuicide | Self::MultiSuicide => {
                // A stone here has a liberty, captures, or joins a chain that keeps a liberty.
                let joined = if self == Self::NoSuicide { own - chains.atari(color) } else { own };
                (empty & (empty | captures | joined).neighbors()) - eyes::real_eyes(eyes, enemy)
            }
            Self::FooGo => {
                let enemy_eyes = eyes::eyelike(enemy);
                let fake = eyes - eyes::real_eyes(eyes, !(own | eyes));
                // An eyelike point is empty.
                (empty - enemy_eyes - eyes)
                    | (enemy_eyes & captures.neighbors())
                    | (fake & chains.atari(color).neighbors())
            }
        }
    }

    /// Returns each color's area at the end, Black's first: its stones and the empty points that
    /// belong to it. These are the points surrounded by its stones, or under [`FooGo`](Self::FooGo)
    /// its real eyes.
    pub fn area<const N: usize, const W: usize>(self, chains: &Chains<N, W>) -> [u32; 2] {
        let stones = *chains.stones_by_color();
        if self == Self::FooGo {
            let area = |own: Points<N, W>| {
                let eyes = eyes::eyelike(own);
                own.len() + eyes::real_eyes(eyes, !(own | eyes)).len()
            };
            [area(stones[0]), area(stones[1])]
        } else {
            simple_area(stones)
        }
    }
}
