//! [`Session`]: our bot's side of a conversation.

use super::message::{BotMessage, FrontendMessage, MoveInfo, Start};
use crate::bot::{BotWeights, GameState, Search};
use bitcore::Level;
use tetris::Piece;

/// A bot in a conversation. Messages come in by [`receive`](Self::receive); between them the caller lets it
/// [think](Self::think) for as long as it likes and asks for the [suggestion](Self::suggestion).
#[derive(Clone)]
pub struct Session {
    weights: BotWeights,
    level: Level,
    /// The game, from `start` on.
    state: Option<GameState>,
    /// What is known of the state's turns. None if it has changed since.
    search: Option<Search>,
}

impl Default for Session {
    /// With the default weights, on the best level.
    fn default() -> Self {
        Self::new(BotWeights::default())
    }
}

impl Session {
    /// A bot with such weights.
    pub fn new(weights: BotWeights) -> Self {
        Self::new_on(Level::detect(), weights)
    }

    /// [`new`](Self::new) with an instruction set; the same at every one.
    pub fn new_on(level: Level, weights: BotWeights) -> Self {
        Self { weights, level, state: None, search: None }
    }

    /// Its first words.
    pub fn info() -> BotMessage {
        BotMessage::Info {
            name: "bitcade".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            author: env!("CARGO_PKG_AUTHORS").to_owned(),
            features: Vec::new(),
        }
    }

    /// Takes a message. Returns the answer, if it has one at once; `suggest` is for the caller to answer, by
    /// [`suggestion`](Self::suggestion), and so is `quit`. What makes no sense here is ignored; a turn that can't have
    /// been played ends the game, as `stop` does.
    pub fn receive(&mut self, message: FrontendMessage) -> Option<BotMessage> {
        match message {
            FrontendMessage::Rules {} => return Some(BotMessage::Ready),
            FrontendMessage::Start(start) => self.set(Some(start.into())),
            FrontendMessage::Stop => self.set(None),
            FrontendMessage::NewPiece { piece } => {
                if let Some(mut state) = self.state.take() {
                    let piece = Piece::from(piece);
                    // It came from the bag, unless pieces aren't drawn from bags.
                    if !state.bag.take(piece) {
                        state.bag = tetris::Bag::FULL;
                    }
                    state.queue.push(piece);
                    self.set(Some(state));
                }
            }
            FrontendMessage::Play { mv } => {
                if let Some(mut state) = self.state.take() {
                    let turn = state.move_for(mv.into());
                    let played = state.play(turn).is_some();
                    self.set(played.then_some(state));
                }
            }
            FrontendMessage::Suggest | FrontendMessage::Quit | FrontendMessage::Unknown => {}
        }
        None
    }

    fn set(&mut self, state: Option<GameState>) {
        (self.state, self.search) = (state, None);
    }

    /// Whether it has a piece in play, and so something to think about.
    pub fn has_turn(&self) -> bool {
        self.state.as_ref().is_some_and(|state| !state.queue.is_empty())
    }

    /// Thinks about the turn until it has looked at so many boards in all, or `stop` says so. False if there is nothing
    /// to think about, or nothing more.
    pub fn think(&mut self, nodes: u64, stop: &dyn Fn() -> bool) -> bool {
        let Some(state) = self.state.as_ref().filter(|state| !state.queue.is_empty()) else {
            return false;
        };
        let search = self.search.get_or_insert_with(|| Search::new(state, self.weights.clone()));
        search.run_on(self.level, nodes, stop)
    }

    /// What it would play by what it has thought, which is all legal turns if it has thought at all. None without a piece
    /// in play. How fast it thought is for the caller to add.
    pub fn suggestion(&mut self) -> Option<BotMessage> {
        // The first look finds every turn.
        self.think(1, &|| false);
        let search = self.search.as_ref()?;
        let moves = search.ranked().into_iter().map(|turn| turn.placement.into()).collect();
        let (nodes, depth) = (search.nodes(), search.depth() as f64);
        Some(BotMessage::Suggestion { moves, move_info: MoveInfo { nodes, depth, ..MoveInfo::default() } })
    }
}

impl From<Start> for GameState {
    fn from(start: Start) -> Self {
        Self {
            board: start.board.0,
            hold: start.hold.map(Piece::from),
            queue: start.queue.into_iter().map(Piece::from).collect(),
            combo: start.combo,
            back_to_back: start.back_to_back,
            bag: start.randomizer.bag(),
        }
    }
}
