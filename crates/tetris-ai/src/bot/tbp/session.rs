//! The bot's side of a protocol session.

use super::message::{BotMessage, FrontendMessage, MoveInfo, Start};
use crate::bot::evaluation::BotWeights;
use crate::bot::game_state::GameState;
use crate::bot::search::Search;
use bitcade_core::{Stop, Stopped};
use tetris::Piece;

/// The bot's side of a protocol session.
///
/// The caller passes each message to [`receive`](Self::receive), lets the bot
/// [`think`](Self::think) between messages, and answers `suggest` with the
/// [`suggestion`](Self::suggestion). What it thought about the next position stays after a move.
///
/// ```
/// use tetris::{Board, Piece};
/// use tetris_ai::bot::tbp::{BotMessage, FrontendMessage, Randomizer, Session, Start, TbpBoard};
/// let nodes_after_a_move = |nodes| {
///     let mut session = Session::default();
///     session.receive(FrontendMessage::Start(Start {
///         hold: None,
///         queue: Piece::ALL.map(Into::into).to_vec(),
///         combo: 0,
///         back_to_back: false,
///         board: TbpBoard(Board::EMPTY),
///         randomizer: Randomizer::Unknown,
///     }));
///     session.think(nodes);
///     let Some(BotMessage::Suggestion { moves, .. }) = session.suggestion() else { panic!() };
///     session.receive(FrontendMessage::Play { mv: moves[0] });
///     let Some(BotMessage::Suggestion { move_info, .. }) = session.suggestion() else { panic!() };
///     move_info.unwrap().nodes
/// };
/// assert!(nodes_after_a_move(20_000) > nodes_after_a_move(1) + 500);
/// ```
#[derive(Clone)]
pub struct Session {
    weights: BotWeights,
    state: Option<GameState>,
    /// The search of the state `moves` moves ago, or `None` if it has not started.
    search: Option<Search>,
    /// `None` if the search is the current state's.
    moves: Option<usize>,
}

impl Default for Session {
    /// Returns a session with the default weights.
    fn default() -> Self {
        Self::new(BotWeights::default())
    }
}

impl Session {
    /// Creates a session with these weights.
    pub fn new(weights: BotWeights) -> Self {
        Self { weights, state: None, search: None, moves: None }
    }

    /// Returns the bot's first message.
    pub fn info() -> BotMessage {
        BotMessage::Info {
            name: "bitcade".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            author: env!("CARGO_PKG_AUTHORS").to_owned(),
            // Named after their documents in the specification.
            features: vec!["randomizer".to_owned(), "move_info".to_owned()],
        }
    }

    /// Processes a message and returns the immediate reply, if it has one. The caller handles
    /// `suggest`, with [`suggestion`](Self::suggestion), and `quit`. Messages that do not fit the
    /// state are ignored; an impossible move ends the game, like `stop`. A caller that fails to
    /// parse a `start`, `play` or `new_piece` must call [`forget`](Self::forget): otherwise the
    /// session and the frontend disagree about the game.
    pub fn receive(&mut self, message: FrontendMessage) -> Option<BotMessage> {
        match message {
            FrontendMessage::Rules { .. } => return Some(BotMessage::Ready),
            FrontendMessage::Start(start) => self.set(Some(start.into())),
            FrontendMessage::Stop => self.forget(),
            FrontendMessage::NewPiece { piece } => self.update(0, |state| {
                let piece = Piece::from(piece);
                // A piece that is not in the bag shows that the randomizer does not use bags.
                if !state.bag.take(piece) {
                    state.bag = tetris::Bag::FULL;
                }
                state.queue.push(piece);
                Some(())
            }),
            FrontendMessage::Play { mv } => {
                self.update(1, |state| state.play(state.move_for(mv.into())).map(drop));
            }
            FrontendMessage::Suggest | FrontendMessage::Quit | FrontendMessage::Unknown => {}
        }
        None
    }

    /// Ends the game, like the message `stop`.
    pub fn forget(&mut self) {
        self.set(None);
    }

    /// Changes the state by this many moves. If `change` returns `None`, the game ends.
    fn update(&mut self, moves: usize, change: impl FnOnce(&mut GameState) -> Option<()>) {
        let state = self.state.take().and_then(|mut state| change(&mut state).map(|()| state));
        if state.is_none() {
            return self.forget();
        }
        self.state = state;
        self.moves = Some(self.moves.unwrap_or(0) + moves);
    }

    fn set(&mut self, state: Option<GameState>) {
        (self.state, self.search, self.moves) = (state, None, None);
    }

    /// Returns whether the bot has a piece in play, and therefore a move to think about.
    pub fn has_piece_in_play(&self) -> bool {
        self.state.as_ref().is_some_and(|state| !state.queue.is_empty())
    }

    /// Continues the search of the current state until it has searched `nodes` placements in total,
    /// those that it [kept](Search::advance) from earlier states included. Returns `false` if
    /// nothing is left to search.
    pub fn think(&mut self, nodes: u64) -> bool {
        self.think_until(nodes, &|| false).unwrap_or(true)
    }

    /// Does the same, unless `stop` ends it.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if `stop` returned `true`. The next call goes on, and
    /// [`suggestion`](Self::suggestion) returns the best moves so far.
    pub fn think_until(&mut self, nodes: u64, stop: Stop<'_>) -> Result<bool, Stopped> {
        let Some(state) = self.state.as_ref().filter(|state| !state.queue.is_empty()) else {
            return Ok(false);
        };
        let moves = self.moves.take();
        if let (Some(search), Some(moves)) = (&mut self.search, moves) {
            search.advance(state, moves);
        }
        let search = self.search.get_or_insert_with(|| Search::new(state, self.weights.clone()));
        search.run_until(nodes, stop)
    }

    /// Returns a suggestion from the search so far: all legal moves, best first. Returns `None` if
    /// there is no piece in play; the frontend still waits for a reply, so send
    /// [`BotMessage::resignation`]. The caller fills in the nodes per second.
    pub fn suggestion(&mut self) -> Option<BotMessage> {
        // Even the smallest search lists every move.
        self.think(1);
        let search = self.search.as_ref()?;
        let moves = search.ranked().into_iter().map(|turn| turn.placement.into()).collect();
        let nodes = search.nodes();
        let depth = search.depth() as f64;
        let move_info = Some(MoveInfo { nodes, depth, ..MoveInfo::default() });
        Some(BotMessage::Suggestion { moves, move_info })
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
            ..Self::default()
        }
    }
}
