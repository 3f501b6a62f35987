//! The character set of a file.

use super::error::RemarkKind;
use super::scanner::Scanner;
use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    BIG5, DecoderResult, EUC_JP, EUC_KR, Encoding, GBK, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16BE,
    UTF_16LE, WINDOWS_1252,
};

/// The maximum number of bytes of a character set name shown in a remark.
const MAX_NAME: usize = 40;

/// The number of bytes at the beginning of a file from which its character set is guessed.
const MAX_SAMPLE: usize = 1 << 16;

/// The character sets with several bytes per character that a guess can find.
const GUESSES: [&Encoding; 6] = [SHIFT_JIS, GBK, BIG5, EUC_KR, EUC_JP, ISO_2022_JP];

/// The character sets whose second bytes can be brackets and backslashes, with their range of first
/// bytes of signs, kana and frequent ideographs, and the least second byte of these.
const BRACKETS: [(&Encoding, u8, u8); 3] =
    [(SHIFT_JIS, 0x98, 0x40), (GBK, 0xd7, 0xa1), (BIG5, 0xc6, 0x40)];

/// The first bytes of UTF-16 files without a byte order mark.
const UTF_16_STARTS: [(&[u8], &Encoding); 2] = [(b"(\0;\0", UTF_16LE), (b"\0(\0;", UTF_16BE)];

/// Names from RFC 1345, Windows and Java that the Encoding Standard lacks.
const OTHER_NAMES: [(&str, &Encoding); 8] = [
    ("euc-cn", GBK),
    ("cp936", GBK),
    ("ms936", GBK),
    ("cp932", SHIFT_JIS),
    ("ms932", SHIFT_JIS),
    ("cp949", EUC_KR),
    ("uhc", EUC_KR),
    ("cp950", BIG5),
];

/// Decodes a file: in the character set of its byte order mark, otherwise of its property `CA` if
/// the text is valid in it, otherwise in a guessed set. Invalid bytes become U+FFFD.
pub(super) fn decode(bytes: &[u8]) -> (Cow<'_, str>, Vec<RemarkKind>) {
    let marked = Encoding::for_bom(bytes);
    let bytes = &bytes[marked.map_or(0, |(_, length)| length)..];
    let utf_16 = UTF_16_STARTS.into_iter().find(|(start, _)| bytes.starts_with(start));
    let sure = marked.or(utf_16.map(|(_, encoding)| (encoding, 0)));
    let (encoding, remark) = if let Some((encoding, _)) = sure {
        (encoding, None)
    } else {
        let name = charset_property(bytes).filter(|name| !name.is_empty());
        let named = name.and_then(encoding);
        let valid = named
            .and_then(|named| named.decode_without_bom_handling_and_without_replacement(bytes));
        if let Some(text) = valid
            && !is_rather_utf_8(bytes, named)
        {
            return (text, Vec::new());
        }
        chosen(bytes, name, named)
    };
    let (text, has_errors) = encoding.decode_without_bom_handling(bytes);
    let invalid = has_errors.then(|| RemarkKind::InvalidBytes(encoding.name()));
    (text, remark.into_iter().chain(invalid).collect())
}

/// Returns the character set of a file that names none, an unknown one, or one in which it isn't
/// valid.
fn chosen(
    bytes: &[u8],
    name: Option<&[u8]>,
    named: Option<&'static Encoding>,
) -> (&'static Encoding, Option<RemarkKind>) {
    let guess = guessed(bytes);
    let read = if guess == WINDOWS_1252 { "Latin-1" } else { guess.name() };
    let is_found = GUESSES.contains(&guess);
    let shown =
        |name: &[u8]| String::from_utf8_lossy(&name[..name.len().min(MAX_NAME)]).trim().to_string();
    let remark = match (name.map(shown), named) {
        // Every text is valid Latin-1.
        (_, Some(named)) if guess == WINDOWS_1252 || guess == named => return (named, None),
        (Some(name), Some(_)) => Some(RemarkKind::OtherCharset { name, read }),
        (Some(name), None) if is_found || !bytes.is_ascii() => {
            Some(RemarkKind::Charset { name, read })
        }
        (None, _) if is_found => Some(RemarkKind::GuessedCharset(read)),
        _ => None,
    };
    (guess, remark)
}

/// Returns the encoding of a name; UTF-8 for UTF-16 names, because the name was read as single
/// bytes.
fn encoding(name: &[u8]) -> Option<&'static Encoding> {
    let other = || {
        let name = core::str::from_utf8(name).ok()?.trim();
        OTHER_NAMES
            .into_iter()
            .find(|(other, _)| other.eq_ignore_ascii_case(name))
            .map(|(_, encoding)| encoding)
    };
    let encoding = Encoding::for_label_no_replacement(name).or_else(other)?;
    Some(if [UTF_16BE, UTF_16LE].contains(&encoding) { UTF_8 } else { encoding })
}

/// Returns UTF-8 if the file is valid in it. Otherwise, of the sets in which its beginning is
/// valid, the one under which the scanner has the least to remark: in a wrong set, bytes of letters
/// are brackets and backslashes, or the reverse. If that decides nothing, the set to which its
/// letters look most likely, or Latin-1, the default of SGF.
fn guessed(bytes: &[u8]) -> &'static Encoding {
    // ISO-2022-JP is ASCII with escape sequences.
    if core::str::from_utf8(bytes).is_ok() && !(bytes.is_ascii() && bytes.contains(&0x1b)) {
        return UTF_8;
    }
    let sample = &bytes[..bytes.len().min(MAX_SAMPLE)];
    let is_whole = sample.len() == bytes.len();
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(sample, is_whole);
    let likely = detector.guess(None, Utf8Detection::Deny);
    // Names are too short to tell the other sets with single bytes from Latin-1.
    let likely = if GUESSES.contains(&likely) { likely } else { WINDOWS_1252 };
    let mut others = BRACKETS;
    others.sort_by_key(|&(encoding, last, least)| rare_letters(encoding, last, least, sample));
    let others = others.into_iter().map(|(encoding, ..)| encoding);
    // The Encoding Standard's Latin-1 has quotation marks and dashes in place of control
    // characters.
    let candidates = [likely].into_iter().chain(others).chain([WINDOWS_1252]);
    let remarks = candidates
        .filter_map(|encoding| Some((count_remarks(encoding, sample, is_whole)?, encoding)));
    remarks.min_by_key(|&(remarks, _)| remarks).map_or(WINDOWS_1252, |(_, encoding)| encoding)
}

/// Returns whether a file is UTF-8 although it names another set in which it is valid, too: under
/// that set, more brackets are wrong.
fn is_rather_utf_8(bytes: &[u8], named: Option<&'static Encoding>) -> bool {
    let sample = &bytes[..bytes.len().min(MAX_SAMPLE)];
    let remarks = |encoding| count_remarks(encoding, sample, sample.len() == bytes.len());
    let is_utf_8 = !bytes.is_ascii() && core::str::from_utf8(bytes).is_ok();
    is_utf_8 && named.is_some_and(|named| named != UTF_8 && remarks(UTF_8) < remarks(named))
}

/// Returns the number of remarks on a text in this character set, or `None` if it isn't valid in
/// it.
fn count_remarks(encoding: &'static Encoding, sample: &[u8], is_whole: bool) -> Option<usize> {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let length = decoder.max_utf8_buffer_length_without_replacement(sample.len())?;
    let mut text = String::with_capacity(length);
    let (result, _) = decoder.decode_to_string_without_replacement(sample, &mut text, is_whole);
    // As if each byte of a text without a game were wrong.
    let remarks = || Scanner::count_remarks(&text).unwrap_or(text.len());
    (result == DecoderResult::InputEmpty).then(remarks)
}

/// Returns the number of characters that aren't frequent, as [`BRACKETS`] describes them.
fn rare_letters(encoding: &Encoding, last: u8, least: u8, mut text: &[u8]) -> usize {
    let first = if encoding == SHIFT_JIS { 0x81 } else { 0xa1 };
    let mut rare = 0;
    while let Some((&lead, rest)) = text.split_first() {
        text = rest;
        if !lead.is_ascii() {
            let is_single = encoding == SHIFT_JIS && (0xa1..=0xdf).contains(&lead);
            let trail = rest.first().filter(|_| !is_single);
            let is_frequent =
                (first..=last).contains(&lead) && trail.is_some_and(|&trail| trail >= least);
            rare += usize::from(!is_frequent);
            text = &rest[usize::from(trail.is_some())..];
        }
    }
    rare
}

/// Returns the value of the first property `CA`, after a `;`, a `(` or the `]` of another property.
/// All of it is ASCII in every character set that a file can name.
fn charset_property(bytes: &[u8]) -> Option<&[u8]> {
    let names = bytes.windows(2).enumerate().filter(|(_, name)| name == b"CA");
    names.map(|(at, _)| at).find_map(|at| {
        let (&last, before) = bytes[..at].trim_ascii_end().split_last()?;
        // A bracket within a text is escaped.
        let escapes = before.iter().rev().take_while(|&&byte| byte == b'\\').count();
        let value = bytes[at + 2..].trim_ascii_start().strip_prefix(b"[")?;
        let is_property = [b';', b'(', b']'].contains(&last) && escapes.is_multiple_of(2);
        is_property.then(|| value.split(|&byte| byte == b']').next().map(<[u8]>::trim_ascii))?
    })
}
