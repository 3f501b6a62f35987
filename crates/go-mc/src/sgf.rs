//! [`Record`]: a game record, read from and written to SGF (FF\[4\]). The crate `encoding_rs` decodes the
//! character sets of files.
//!
//! The reader accepts as much of a text as possible; the rest is reported as a [`Remark`] with its
//! place. The main line is the first variation at each branch; the others are kept beside it.
//!
//! Play a record with its own rules, komi and comments:
//!
//! ```
//! use go_mc::sgf::{Action, Record};
//! use go_mc::{Komi, Rules};
//! let text = b"(;SZ[9]KM[6.5]RU[AGA]HA[2]AB[cg][gc]C[Two stones];W[ee];B[ce]C[B3 is better])";
//! let record = Record::from_bytes(text)?.record;
//! let mut rules = record.rule_set().map_or(Rules::default(), |set| set.applied_to(Rules::default()));
//! if let Some(komi) = record.komi {
//!     rules.komi = Komi::try_from(komi)?;
//! }
//! let mut game = record.new_game(rules);
//! for node in &record.nodes {
//!     if let Some(broken) = node.play(&mut game) {
//!         println!("{broken}");
//!     }
//!     if let Action::Move(color, mv) = node.action {
//!         println!("{color} {mv}");
//!     }
//!     println!("{}", node.comment);
//! }
//! assert_eq!((game.board().to_string().matches('X').count(), record.handicap_bonus()), (3, 1));
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! The rules of a game don't contain the [bonus](Record::handicap_bonus) for a handicap. For a
//! search, add it to the komi:
//! `Search::with_komi(&game, komi + f64::from(record.handicap_bonus()), ..)`. This function also
//! takes a komi that is no multiple of 0.5.

mod charset;
mod error;
mod reader;
mod record;
mod scanner;
mod text;
mod writer;

#[cfg(feature = "gtp")]
pub(crate) use error::shown;
pub use error::{
    MAX_IN_VARIATIONS, MAX_NODES, MAX_REMARKS, MAX_VALUES, Remark, RemarkKind, SgfError,
};
pub use record::{Action, Node, Place, Property, Reading, Record, Variation};

impl Record {
    /// Reads the first game of a file. The character set comes from the byte order mark or the
    /// property `CA`, which may be any label of the Encoding Standard or one of the names that
    /// other programs write. Without both, or if the text isn't valid in the named set, valid UTF-8
    /// is recognized, other sets of Chinese, Japanese and Korean are guessed, with a remark, and
    /// anything else is read as Latin-1, the default of SGF. Bytes invalid in a named set become
    /// U+FFFD.
    ///
    /// ```
    /// use go_mc::sgf::Record;
    /// let reading = Record::from_bytes(b"(;SZ[9]KM[half]PB[Ren\xe9];B[ee]C[a [good] move])")?;
    /// assert_eq!(reading.record.player_names[0], "Ren\u{e9}");
    /// assert_eq!(reading.record.nodes[1].comment, "a [good] move");
    /// let remarks: Vec<String> = reading.remarks.iter().map(ToString::to_string).collect();
    /// assert_eq!(
    ///     remarks,
    ///     [
    ///         "line 1, column 11: skipped: KM[half] is not a valid value",
    ///         "line 1, column 39: C: a bracket is not escaped",
    ///     ]
    /// );
    /// # Ok::<(), go_mc::sgf::SgfError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SgfError`] if the file has no game of Go on a board of at most 19 x 19, or exceeds a
    /// limit.
    pub fn from_bytes(bytes: &[u8]) -> Result<Reading, SgfError> {
        read_bytes(bytes, None)
    }

    /// Like [`from_bytes`](Self::from_bytes), but stops after the node of the move with this
    /// number, counted from 1, on the main line. The text after it may be anything.
    ///
    /// # Errors
    ///
    /// Same as [`from_bytes`](Self::from_bytes).
    pub fn from_bytes_to_move(bytes: &[u8], number: usize) -> Result<Reading, SgfError> {
        read_bytes(bytes, Some(number))
    }
}

fn read_bytes(bytes: &[u8], moves: Option<usize>) -> Result<Reading, SgfError> {
    let (text, remarks) = charset::decode(bytes);
    let mut reading = reader::read(&text, moves)?;
    let remark = |kind| Remark { line: 1, column: 1, kind };
    reading.remarks.splice(..0, remarks.into_iter().map(remark));
    Ok(reading)
}

impl core::str::FromStr for Record {
    type Err = SgfError;

    /// Reads the first game of a text; a text that needs a [remark](Reading::remarks) is an
    /// error.
    fn from_str(text: &str) -> Result<Self, SgfError> {
        let Reading { record, remarks, .. } = reader::read(text, None)?;
        remarks.into_iter().next().map_or(Ok(record), |remark| Err(SgfError::Remark(remark)))
    }
}
