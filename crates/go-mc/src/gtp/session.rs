//! [`Session`]: the game, the engine and the handlers of the commands.

use super::analysis::AnalysisFormat;
use super::clock::{ByoYomi, Clock, TimeSettings, UNSEEN_TIME};
use super::command::Command;
use super::error::{Arguments, CommandError, CommandResult};
use super::host::Host;
use super::running::{Goal, MoveBudget, RunningAnalysis};
use crate::playout::dead_stones::dead_stones;
use crate::playout::seki::seki_stones;
use crate::rules::board::{Board, Color, IllegalMove, Size};
use crate::rules::error::Error;
use crate::rules::game::{Game, Move, Rules};
use crate::rules::handicap::{fixed_handicap, free_handicap};
use crate::rules::komi::Komi;
use crate::rules::points::{Point, Points};
use crate::rules::rule_set::{RuleSet, opening_handicap};
use crate::search::{Decision, Ending, MAX_KOMI, RESIGN_TURNS, Search, Settings, score};
use crate::search::{check_komi, is_komi};
use crate::sgf::{Action, Reading, Record, shown};
use std::format;
use std::string::{String, ToString};
use std::time::Duration;
use std::vec::Vec;

/// The search budget of the engine per move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// A number of playouts. The clock is ignored, and with one thread every machine finds the same
    /// moves.
    Playouts(u64),
    /// A time per move, replaced by the time settings if any are known.
    Time(Duration),
}

/// The options of a session.
#[derive(Clone, Debug)]
pub struct Options {
    /// The rules of the first game; the board must be a square of 5, 9, 13 or 19. Their komi is
    /// ignored.
    pub rules: Rules,
    /// White's compensation for moving second: any number, as the protocol allows.
    pub komi: f64,
    /// The search budget per move.
    pub budget: Budget,
    /// The settings of the search.
    pub search: Settings,
}

impl Default for Options {
    /// Returns the options for 9 x 9, komi 7.5, positional superko, no suicide and one second per
    /// move.
    fn default() -> Self {
        Self {
            rules: Rules::default(),
            komi: Rules::default().komi.into(),
            budget: Budget::Time(Duration::from_secs(1)),
            search: Settings::default(),
        }
    }
}

/// The response to a line, or one part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Response {
    /// The text to write now. It ends with the empty line of the protocol unless there is
    /// [more](Self::more).
    pub text: String,
    /// `true` if the command was `quit`.
    pub quit: bool,
    /// `true` if the response is unfinished: [`Session::continue_response`] returns the next part.
    pub more: bool,
}

/// A GTP session: a game and an engine.
pub struct Session {
    /// The rules of the next game, and their name if one was given.
    rules: Rules,
    rule_set: Option<RuleSet>,
    /// The name of the rules of the game.
    game_rule_set: Option<RuleSet>,
    budget: Budget,
    settings: Settings,
    komi: f64,
    clock: Clock,
    /// The handicap stones of the game's start.
    handicap: u32,
    pub(super) game: Game,
    /// The numbers of the moves, from 0, that the engine played although its search chose to
    /// resign.
    hopeless: Vec<usize>,
    /// The search of the position, possibly with the other player to move.
    pub(super) search: Option<Search>,
    /// The analysis with an unfinished response.
    pub(super) running: Option<RunningAnalysis>,
    missing_threads: usize,
    remarks: Vec<String>,
}

/// The seed increment between games: large, because the threads of a search count up from its seed.
const NEXT_SEED: u64 = 0x9e37_79b9_7f4a_7c15;

type Handler = fn(&mut Session, Arguments, &dyn Host) -> CommandResult;

/// The number of arguments of a command. Extra arguments are an error: an ignored argument can't
/// have had its effect.
#[derive(Clone, Copy)]
enum Arity {
    /// At most this many. The handler rejects too few.
    UpTo(usize),
    /// A list whose every word the handler parses.
    List,
}
use Arity::{List, UpTo};

/// The commands in alphabetical order.
const COMMANDS: [(&str, Arity, Handler); 31] = [
    ("bitcade-tromp_taylor", UpTo(1), |session, arguments, _| session.set_tromp_taylor(arguments)),
    ("bitcade-winrate", UpTo(0), |session, _, _| Ok(session.win_rate())),
    ("boardsize", UpTo(2), |session, arguments, _| session.boardsize(arguments)),
    ("clear_board", UpTo(0), |session, _, _| Ok(session.clear_board())),
    ("final_score", UpTo(0), |session, _, _| Ok(session.final_score())),
    ("final_status_list", UpTo(1), |session, arguments, _| session.final_status_list(arguments)),
    ("fixed_handicap", UpTo(1), |session, arguments, _| {
        session.standard_handicap(arguments, fixed_handicap)
    }),
    ("genmove", UpTo(1), Session::genmove),
    ("kata-analyze", List, |session, arguments, host| {
        session.analyze(AnalysisFormat::KataGo, Goal::Analyze, arguments, host)
    }),
    ("kata-genmove_analyze", List, |session, arguments, host| {
        session.analyze(AnalysisFormat::KataGo, Goal::Move, arguments, host)
    }),
    ("kgs-genmove_cleanup", UpTo(1), Session::genmove_cleanup),
    ("kgs-rules", UpTo(1), |session, arguments, _| session.kgs_rules(arguments)),
    ("kgs-time_settings", UpTo(4), |session, arguments, _| session.kgs_time_settings(arguments)),
    ("known_command", UpTo(1), |_, arguments, _| {
        Ok(find(&argument::<String>(arguments, 0)?).is_some().to_string())
    }),
    ("komi", UpTo(1), |session, arguments, _| session.set_komi(arguments)),
    ("list_commands", UpTo(0), |_, _, _| Ok(COMMANDS.map(|(name, ..)| name).join("\n"))),
    ("loadsgf", UpTo(2), Session::loadsgf),
    ("lz-analyze", List, |session, arguments, host| {
        session.analyze(AnalysisFormat::LeelaZero, Goal::Analyze, arguments, host)
    }),
    ("lz-genmove_analyze", List, |session, arguments, host| {
        session.analyze(AnalysisFormat::LeelaZero, Goal::Move, arguments, host)
    }),
    ("name", UpTo(0), |_, _, _| Ok("bitcade".into())),
    ("place_free_handicap", UpTo(1), |session, arguments, _| {
        session.standard_handicap(arguments, free_handicap)
    }),
    ("play", UpTo(2), |session, arguments, _| session.play(arguments)),
    ("protocol_version", UpTo(0), |_, _, _| Ok("2".into())),
    ("quit", UpTo(0), |_, _, _| Ok(String::new())),
    ("reg_genmove", UpTo(1), Session::reg_genmove),
    ("set_free_handicap", List, |session, arguments, _| session.set_free_handicap(arguments)),
    ("showboard", UpTo(0), |session, _, _| Ok(session.showboard())),
    ("time_left", UpTo(3), |session, arguments, _| session.time_left(arguments)),
    ("time_settings", UpTo(3), |session, arguments, _| session.time_settings(arguments)),
    ("undo", UpTo(0), |session, _, _| session.undo()),
    ("version", UpTo(0), |_, _, _| Ok(env!("CARGO_PKG_VERSION").into())),
];

fn find(name: &str) -> Option<(&'static str, Arity, Handler)> {
    COMMANDS.into_iter().find(|(command, ..)| *command == name)
}

fn argument<T: core::str::FromStr>(arguments: Arguments, nth: usize) -> Result<T, CommandError> {
    arguments.get(nth).and_then(|text| text.parse().ok()).ok_or(CommandError::Syntax)
}

fn seconds(arguments: Arguments, nth: usize) -> Result<Duration, CommandError> {
    let seconds: f64 = argument(arguments, nth)?;
    if seconds < 0.0 {
        return Err(CommandError::NegativeTime(arguments[nth].clone()));
    }
    Duration::try_from_secs_f64(seconds).map_err(|_| CommandError::Syntax)
}

impl Session {
    /// Creates a session with an empty board.
    ///
    /// # Errors
    ///
    /// [`Error`] if the board is not a square of 5, 9, 13 or 19, or the komi is out of range.
    pub fn new(options: Options) -> Result<Self, Error> {
        let Options { komi, rules, budget, search: settings } = options;
        check_komi(komi)?;
        let rules = Rules { komi: Komi::nearest(komi), ..rules };
        let start = rules.size.side().and_then(|side| new_game(side, rules));
        let game = start.ok_or(Error::NoPlayouts(rules.size))?;
        Ok(Self {
            rules,
            rule_set: None,
            game_rule_set: None,
            budget,
            settings,
            komi,
            clock: Clock::default(),
            handicap: 0,
            game,
            hopeless: Vec::new(),
            search: None,
            running: None,
            missing_threads: 0,
            remarks: Vec::new(),
        })
    }

    /// Responds to a line, given without its line ending. If an analysis is running, the text
    /// starts with the rest of its response. Returns `None` for a line without a command if no
    /// analysis is running.
    pub fn respond(&mut self, line: &[u8], host: &dyn Host) -> Option<Response> {
        let mut text = self.finish(host);
        let Some(command) = Command::parse(line) else {
            return (!text.is_empty()).then_some(Response { text, quit: false, more: false });
        };
        let reply = self.run_command(&command, host);
        let quit = command.name == "quit" && reply.is_ok();
        let more = self.running.is_some();
        text += &if more {
            command.response_start()
        } else {
            command.response(reply.map_err(|error| error.to_string()))
        };
        Some(Response { text, quit, more })
    }

    fn run_command(&mut self, command: &Command, host: &dyn Host) -> CommandResult {
        let (name, arity, handler) = find(&command.name).ok_or(CommandError::UnknownCommand)?;
        match arity {
            UpTo(most) if command.arguments.len() > most => {
                Err(CommandError::TooManyArguments { command: name, most })
            }
            _ => handler(self, &command.arguments, host),
        }
    }

    /// Returns the next part of an unfinished response: a report line after each interval of the
    /// analysis, or earlier if input is pending or the move is found. The text is empty if no
    /// response is unfinished.
    ///
    /// ```
    /// use go_mc::Rules;
    /// use go_mc::gtp::{NullHost, Options, Session};
    /// let rules = Rules { size: "5x5".parse().unwrap(), ..Rules::default() };
    /// let mut session = Session::new(Options { rules, ..Options::default() })?;
    /// let mut answer = session.respond(b"1 lz-analyze b 10", &NullHost).unwrap();
    /// assert_eq!(answer.text, "=1\n");
    /// while answer.more {
    ///     answer = session.continue_response(&NullHost);
    ///     assert!(answer.text.starts_with("info move "));
    /// }
    /// assert!(answer.text.ends_with("\n\n"));
    /// # Ok::<(), go_mc::Error>(())
    /// ```
    pub fn continue_response(&mut self, host: &dyn Host) -> Response {
        let text = self.next_text(host, &|| host.input_pending());
        Response { text, quit: false, more: self.running.is_some() }
    }

    /// Returns the game. The komi of its rules is the multiple of 0.5 nearest to
    /// [`komi`](Self::komi).
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Returns the number of moves that `undo` can take back.
    pub fn move_count(&self) -> usize {
        self.game.moves().count()
    }

    /// Returns White's compensation for moving second.
    pub fn komi(&self) -> f64 {
        self.komi
    }

    /// Returns the points that White gets for the handicap stones under the rules of the game,
    /// besides the [`komi`](Self::komi): 0 without a named [`RuleSet`].
    pub fn handicap_bonus(&self) -> u32 {
        let start = self.game.start();
        let is_empty = start.board().empty() == start.board().size().points();
        let stones = if is_empty { opening_handicap(self.game.moves()) } else { self.handicap };
        self.game_rule_set.map_or(0, |set| set.handicap_bonus(stones))
    }

    /// Returns all points that White gets besides the area.
    fn compensation(&self) -> f64 {
        self.komi + f64::from(self.handicap_bonus())
    }

    /// Returns how many of the [`Settings::threads`] the system could not start for the last
    /// search.
    pub fn missing_threads(&self) -> usize {
        self.missing_threads
    }

    /// Takes the remarks on the last loaded file: the parts that were reinterpreted or skipped.
    pub fn take_remarks(&mut self) -> Vec<String> {
        core::mem::take(&mut self.remarks)
    }

    /// Starts another game with another seed; with the same seed, all games of a match would be
    /// equal.
    fn next_game(&mut self, start: Game) {
        if self.move_count() > 0 {
            self.settings.seed = self.settings.seed.wrapping_add(NEXT_SEED);
        }
        self.game_rule_set = self.rule_set;
        self.set_up(start, 0);
    }

    fn set_up(&mut self, game: Game, handicap: u32) {
        (self.game, self.handicap) = (game, handicap);
        self.forget_search();
    }

    /// Drops the engine's knowledge of the game because its scoring changes.
    fn forget_search(&mut self) {
        self.search = None;
        self.hopeless.clear();
    }

    fn side(&self) -> usize {
        self.game.board().size().width()
    }

    /// Starts a game on a board of one side, or of a width and a height from controllers that
    /// support rectangles.
    fn boardsize(&mut self, arguments: Arguments) -> CommandResult {
        let width = argument(arguments, 0)?;
        let height = if arguments.len() > 1 { argument(arguments, 1)? } else { width };
        let is_square = width == height;
        let start = new_game(width, self.rules)
            .filter(|_| is_square)
            .ok_or(CommandError::UnacceptableSize)?;
        self.next_game(start);
        Ok(String::new())
    }

    fn clear_board(&mut self) -> String {
        self.next_game(Game::new(Rules { size: self.game.board().size(), ..self.rules }));
        self.clock.restart();
        String::new()
    }

    fn set_komi(&mut self, arguments: Arguments) -> CommandResult {
        let komi: f64 = argument(arguments, 0)?;
        if !is_komi(komi) {
            return Err(CommandError::KomiOutOfRange);
        }
        // Adding zero drops the sign of -0, which the board would show.
        let komi = komi + 0.0;
        if komi.to_bits() != self.komi.to_bits() {
            self.use_komi(komi);
            self.forget_search();
        }
        Ok(String::new())
    }

    fn use_komi(&mut self, komi: f64) {
        self.komi = komi;
        self.rules.komi = Komi::nearest(komi);
        self.game.set_komi(self.rules.komi);
    }

    fn play(&mut self, arguments: Arguments) -> CommandResult {
        let color = argument(arguments, 0)?;
        let mv = argument(arguments, 1)?;
        self.play_move(color, mv)?;
        Ok(String::new())
    }

    /// Plays a move for either player, even out of turn.
    fn play_move(&mut self, color: Color, mv: Move) -> Result<(), CommandError> {
        self.game.play_as(color, mv).map_err(|_| CommandError::IllegalMove)?;
        self.search = self.search.take().filter(|search| is_turn_of(search.game(), color));
        self.search =
            self.search.take().and_then(|mut search| search.play(mv).is_ok().then_some(search));
        Ok(())
    }

    fn undo(&mut self) -> CommandResult {
        self.game.undo().ok_or(CommandError::CannotUndo)?;
        let moves = self.move_count();
        self.hopeless.retain(|&number| number < moves);
        self.search = None;
        Ok(String::new())
    }

    pub(super) fn prepare_search(
        &mut self,
        color: Color,
        host: &dyn Host,
    ) -> Result<MoveBudget, CommandError> {
        let start = host.line_arrived().unwrap_or_else(|| host.now());
        // A bonus could exceed the largest komi, which already wins for White.
        let komi = self.compensation().min(MAX_KOMI.into());
        // The bonus of a handicap that is played move by move grows.
        let fits = |search: &Search| is_turn_of(search.game(), color) && search.has_komi(komi);
        if !self.search.as_ref().is_some_and(fits) {
            let mut game = self.game.clone();
            game.set_to_move(color);
            self.search = Some(
                Search::with_komi(&game, komi, &self.settings)
                    .map_err(|_| CommandError::UnacceptableSize)?,
            );
        }
        let points = self.game.board().size().points().len();
        let clock_time = self.clock.time_for_move(color, self.move_count(), points);
        let (playouts, time_limit) = match self.budget {
            Budget::Playouts(playouts) => (playouts, None),
            Budget::Time(time) => (u64::MAX, Some(clock_time.unwrap_or(time))),
        };
        Ok(MoveBudget { playouts, time_limit, start })
    }

    /// Searches until the budget is spent or `pause` returns `true`. Returns the number of
    /// playouts.
    pub(super) fn run_search(
        &mut self,
        budget: &MoveBudget,
        host: &dyn Host,
        pause: &(dyn Fn() -> bool + Sync),
    ) -> u64 {
        let Some(search) = &mut self.search else { return 0 };
        let before = search.visits();
        // With zero playouts no thread is started; starting threads would take longer than the
        // move.
        let playouts = if budget.is_empty() { 0 } else { budget.playouts };
        // A spent budget is the usual end.
        let _ = search.run_until(playouts, &|| budget.is_spent(host) || pause());
        self.missing_threads = search.missing_threads();
        search.visits() - before
    }

    fn genmove(&mut self, arguments: Arguments, host: &dyn Host) -> CommandResult {
        self.generate_move(arguments, self.ending(), host)
    }

    fn generate_move(
        &mut self,
        arguments: Arguments,
        ending: Ending,
        host: &dyn Host,
    ) -> CommandResult {
        let color = argument(arguments, 0)?;
        let budget = self.prepare_search(color, host)?;
        self.run_search(&budget, host, &|| false);
        let mv = self.make_move(color, &budget, ending)?;
        self.end_turn(color, &budget, host);
        Ok(mv)
    }

    /// Charges a move's time, measured from the arrival of its line.
    pub(super) fn end_turn(&mut self, color: Color, budget: &MoveBudget, host: &dyn Host) {
        self.clock.spend(color, budget.elapsed(host).saturating_add(UNSEEN_TIME));
    }

    /// Returns how the game ends, except in a cleanup.
    pub(super) fn ending(&self) -> Ending {
        Ending::of(&self.settings)
    }

    /// Plays the move chosen by the search, or resigns in the last of [`RESIGN_TURNS`] hopeless
    /// turns.
    pub(super) fn make_move(
        &mut self,
        color: Color,
        budget: &MoveBudget,
        ending: Ending,
    ) -> CommandResult {
        let search = self.search.as_ref().ok_or(CommandError::UnacceptableSize)?;
        let Decision { mv, is_hopeless } = search.decide(budget.pace(), ending);
        let number = self.move_count();
        let turns = (0..number)
            .rev()
            .zip(self.game.moves().rev())
            .filter(|(_, (player, _))| *player == color);
        let hopeless_turns = turns.take_while(|(number, _)| self.hopeless.contains(number)).count();
        if is_hopeless && hopeless_turns + 1 >= RESIGN_TURNS {
            return Ok("resign".into());
        }
        self.play_move(color, mv)?;
        self.hopeless.extend(is_hopeless.then_some(number));
        Ok(mv.to_string())
    }

    /// Returns the move that `genmove` would play, but neither plays nor resigns nor uses up time.
    fn reg_genmove(&mut self, arguments: Arguments, host: &dyn Host) -> CommandResult {
        let budget = self.prepare_search(argument(arguments, 0)?, host)?;
        self.run_search(&budget, host, &|| false);
        let search = self.search.as_ref().ok_or(CommandError::UnacceptableSize)?;
        Ok(search.decide(budget.pace(), self.ending()).mv.to_string())
    }

    /// Generates a move that treats all stones on the board as alive, after a dispute about dead
    /// stones.
    fn genmove_cleanup(&mut self, arguments: Arguments, host: &dyn Host) -> CommandResult {
        argument::<Color>(arguments, 0)?;
        let tromp_taylor = core::mem::replace(&mut self.settings.tromp_taylor, true);
        self.search = None;
        let reply = self.generate_move(arguments, Ending::Cleanup, host);
        self.settings.tromp_taylor = tromp_taylor;
        self.search = None;
        reply
    }

    /// Sets whether all stones on the board count as alive at the end.
    fn set_tromp_taylor(&mut self, arguments: Arguments) -> CommandResult {
        self.settings.tromp_taylor = argument(arguments, 0)?;
        self.forget_search();
        Ok(String::new())
    }

    /// Sets the rules by their KGS names, for the game and later ones. Moves that they forbid stay.
    fn kgs_rules(&mut self, arguments: Arguments) -> CommandResult {
        let name: String = argument(arguments, 0)?;
        let set = RuleSet::from_name(&name).ok_or(CommandError::UnsupportedRules(name))?;
        self.rules = set.applied_to(self.rules);
        (self.rule_set, self.game_rule_set) = (Some(set), Some(set));
        self.game.set_rules(self.rules);
        self.forget_search();
        Ok(String::new())
    }

    fn time_settings(&mut self, arguments: Arguments) -> CommandResult {
        let main_time = seconds(arguments, 0)?;
        let byo_yomi_time = seconds(arguments, 1)?;
        let stones = argument(arguments, 2)?;
        // The protocol's form of unlimited time, whatever the main time.
        let unlimited = !byo_yomi_time.is_zero() && stones == 0;
        let byo_yomi = ByoYomi::Canadian { time: byo_yomi_time, stones };
        self.clock = Clock::new((!unlimited).then_some(TimeSettings { main_time, byo_yomi }));
        Ok(String::new())
    }

    fn kgs_time_settings(&mut self, arguments: Arguments) -> CommandResult {
        let system: String = argument(arguments, 0)?;
        let (byo_yomi, most) = match system.as_str() {
            "none" => (None, 1),
            "absolute" => (Some(ByoYomi::None), 2),
            "byoyomi" => {
                let time = seconds(arguments, 2)?;
                let periods = argument(arguments, 3)?;
                (Some(ByoYomi::Japanese { time, periods }), 4)
            }
            "canadian" => {
                let time = seconds(arguments, 2)?;
                let stones = argument(arguments, 3)?;
                (Some(ByoYomi::Canadian { time, stones }), 4)
            }
            _ => return Err(CommandError::Syntax),
        };
        if arguments.len() > most {
            return Err(CommandError::Syntax);
        }
        let settings = |byo_yomi| Ok(TimeSettings { main_time: seconds(arguments, 1)?, byo_yomi });
        self.clock = Clock::new(byo_yomi.map(settings).transpose()?);
        Ok(String::new())
    }

    fn time_left(&mut self, arguments: Arguments) -> CommandResult {
        let color = argument(arguments, 0)?;
        let time = seconds(arguments, 1)?;
        self.clock.set(color, time, argument(arguments, 2)?);
        Ok(String::new())
    }

    fn final_score(&self) -> String {
        let score = score(self.game.board(), self.compensation(), self.settings.tromp_taylor);
        let winner = if score > 0.0 { 'B' } else { 'W' };
        // Rounding hides the error of a komi without an exact binary representation, for example
        // 2.01.
        let points = format!("{:.6}", score.abs());
        match points.trim_end_matches('0').trim_end_matches('.') {
            "" | "0" => "0".into(),
            points => format!("{winner}+{points}"),
        }
    }

    /// Lists the dead, [seki](seki_stones) or alive chains, one per line.
    fn final_status_list(&self, arguments: Arguments) -> CommandResult {
        let board = self.game.board();
        let stones = board.stones(Color::Black) | board.stones(Color::White);
        let dead = || {
            if self.settings.tromp_taylor {
                Ok(Points::EMPTY)
            } else {
                dead_stones(board, STATUS_PLAYOUTS, 1)
            }
        };
        let seki = || seki_stones(board, STATUS_PLAYOUTS, 1);
        let listed = match argument::<String>(arguments, 0)?.as_str() {
            "dead" => dead(),
            "seki" => seki(),
            "alive" => dead().and_then(|dead| Ok(stones - dead - seki()?)),
            _ => return Err(CommandError::Syntax),
        };
        let mut left = listed.map_err(|_| CommandError::UnacceptableSize)?;
        let mut lines = Vec::new();
        while let Some(first) = left.iter().next() {
            let chain = board.chain(Points::<19>::point(first));
            lines.push(vertex_list(chain.iter().map(Points::<19>::point)));
            left -= chain;
        }
        Ok(lines.join("\n"))
    }

    /// Places handicap stones on the points that `points` returns for a size and a number.
    fn standard_handicap(
        &mut self,
        arguments: Arguments,
        points: fn(Size, usize) -> Option<Vec<Point>>,
    ) -> CommandResult {
        let count = argument::<usize>(arguments, 0)?;
        let points =
            points(self.game.board().size(), count).ok_or(CommandError::InvalidStoneCount)?;
        self.place_handicap(&points)?;
        Ok(vertex_list(points.into_iter()))
    }

    fn set_free_handicap(&mut self, arguments: Arguments) -> CommandResult {
        let moves = arguments.iter().map(|text| text.parse()).collect::<Result<Vec<Move>, _>>();
        let point = |mv| match mv {
            Move::Play(point) => Ok(point),
            Move::Pass => Err(CommandError::BadVertexList),
        };
        let points = moves
            .map_err(|_| CommandError::Syntax)?
            .into_iter()
            .map(point)
            .collect::<Result<Vec<Point>, _>>()?;
        if points.len() < 2 {
            return Err(CommandError::BadVertexList);
        }
        self.place_handicap(&points)?;
        Ok(String::new())
    }

    fn place_handicap(&mut self, points: &[Point]) -> Result<(), CommandError> {
        let size = self.game.board().size();
        if self.game.board().empty() != size.points() || self.move_count() > 0 {
            return Err(CommandError::BoardNotEmpty);
        }
        let stones: Points<19> = points.iter().copied().filter_map(Points::<19>::index).collect();
        let board = Board::from_stones(size, stones, Points::EMPTY)
            .map_err(|_| CommandError::BadVertexList)?;
        if stones.len() as usize != points.len() {
            return Err(CommandError::BadVertexList);
        }
        self.set_up(Game::from_board(board, Color::White, self.game.rules()), stones.len());
        Ok(())
    }

    /// Loads the main line of an SGF file up to the position before a given move, or to the end. A
    /// komi out of range, such as `KM[375]` from servers that count in hundredths, is ignored.
    fn loadsgf(&mut self, arguments: Arguments, host: &dyn Host) -> CommandResult {
        let path: String = argument(arguments, 0)?;
        let before = if arguments.len() > 1 { Some(argument(arguments, 1)?) } else { None };
        let Reading { record, remarks } =
            host.read_record(&path, before).map_err(CommandError::CannotLoadFile)?;
        let repeats =
            self.load_before(&record, before).map_err(|_| CommandError::UnacceptableSize)?;
        let remarks = remarks.iter().map(ToString::to_string);
        let repeats =
            repeats.map(|mv| format!("{mv} repeats a position: superko applies after the record"));
        let komi = record.komi.filter(|&komi| !is_komi(komi));
        let shown_komi = |komi: f64| shown(&komi.to_string());
        let komi =
            komi.map(|komi| format!("KM[{}]: {}", shown_komi(komi), CommandError::KomiOutOfRange));
        let rules = record.other_rules();
        let rules =
            rules.map(|name| format!("RU[{}]: not played; the score is the area", shown(&name)));
        self.remarks = remarks
            .chain(repeats)
            .chain(komi)
            .chain(rules)
            .map(|remark| format!("{path}: {remark}"))
            .collect();
        Ok(String::new())
    }

    /// Replaces the game with a record. Its moves are played as written, even where the rules of
    /// the session forbid them. Later moves must obey the rules, and superko includes all positions
    /// of the record since the last setup. Only moves after the last setup can be undone. The komi
    /// is taken from the record if it has one in range. A [rule set](Record::rule_set) of the
    /// record applies to its game, with the bonus for its handicap; otherwise those of the session
    /// do.
    ///
    /// ```
    /// use go_mc::gtp::{Options, Session};
    /// let mut session = Session::new(Options::default())?;
    /// session.load(&"(;SZ[5]KM[2];B[cc];W[];AW[aa])".parse()?)?;
    /// assert_eq!((session.game().board().size().width(), session.komi()), (5, 2.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::NoPlayouts`] if the board is not a square of 5, 9, 13 or 19; the game is then
    /// unchanged.
    pub fn load(&mut self, record: &Record) -> Result<(), Error> {
        self.load_before(record, None).map(drop)
    }

    /// Loads the position before the given move number, or after the last node without one. Returns the first
    /// move that repeats a position.
    fn load_before(
        &mut self,
        record: &Record,
        before: Option<usize>,
    ) -> Result<Option<Move>, Error> {
        if record.size.side().is_none_or(|side| new_game(side, self.rules).is_none()) {
            return Err(Error::NoPlayouts(record.size));
        }
        let rule_set = record.rule_set();
        let mut game =
            record.new_game(rule_set.map_or(self.rules, |set| set.applied_to(self.rules)));
        let mut number = 1;
        let mut repeats = None;
        for node in &record.nodes {
            if let Action::Move(color, mv) = node.action {
                if before.is_some_and(|before| number >= before) {
                    game.set_to_move(color);
                    break;
                }
                number += 1;
                let broken = node.play(&mut game);
                repeats = repeats.or((broken == Some(IllegalMove::Superko)).then_some(mv));
            } else {
                node.play(&mut game);
            }
        }
        self.game_rule_set = rule_set.or(self.rule_set);
        self.set_up(game, record.handicap());
        if let Some(komi) = record.komi.filter(|&komi| is_komi(komi)) {
            self.use_komi(komi);
        }
        Ok(repeats)
    }

    /// Returns a diagram of the board with coordinates on all sides, the player to move and the
    /// komi.
    fn showboard(&self) -> String {
        let side = self.side();
        let columns: String =
            (0..side as u8).map(|x| format!(" {}", &Point { x, y: 0 }.to_string()[..1])).collect();
        let mut text = format!("\n  {columns}\n");
        for (row, y) in self.game.board().to_string().lines().zip((1..=side).rev()) {
            let points: String = row.chars().map(|c| format!(" {c}")).collect();
            text += &format!("{y:2}{points} {y}\n");
        }
        text += &format!("  {columns}\nto move: {}, komi {}", self.game.to_move(), self.komi);
        match self.handicap_bonus() {
            0 => text,
            bonus => text + &format!(", handicap bonus {bonus}"),
        }
    }

    /// Returns the best move of the last search, its win rate in percent and its visits.
    fn win_rate(&self) -> String {
        let best = self.search.as_ref().and_then(|search| search.candidates().first().copied());
        best.map_or_else(
            || "unknown".into(),
            |best| format!("{} {:.1} {}", best.mv, 100.0 * best.win_rate, best.visits),
        )
    }
}

/// The playouts that decide which stones are dead, and the ownership of points.
pub(super) const STATUS_PLAYOUTS: u32 = 1000;

fn new_game(side: usize, rules: Rules) -> Option<Game> {
    let size = Size::square(side).filter(|_| [5, 9, 13, 19].contains(&side))?;
    Some(Game::new(Rules { size, ..rules }))
}

fn is_turn_of(game: &Game, color: Color) -> bool {
    game.to_move() == color && !game.is_over()
}

fn vertex_list(points: impl Iterator<Item = Point>) -> String {
    points.map(|point| point.to_string()).collect::<Vec<_>>().join(" ")
}
