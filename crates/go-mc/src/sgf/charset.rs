//! The character set of a file.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use encoding_rs::{BIG5, EUC_KR, Encoding, GBK, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// The maximum number of bytes of a character set name shown in a remark.
const MAX_NAME: usize = 40;

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

/// Decodes a file: in the character set of its byte order mark, otherwise of its property `CA`, otherwise as
/// UTF-8 if valid and as Latin-1, the default of SGF, if not. Invalid bytes become U+FFFD. The second value
/// is the name of an unknown character set, unless the file is ASCII.
pub(super) fn decode(bytes: &[u8]) -> (Cow<'_, str>, Option<String>) {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return (encoding.decode_without_bom_handling(&bytes[mark..]).0, None);
    }
    let utf_16 = UTF_16_STARTS.into_iter().find(|(start, _)| bytes.starts_with(start));
    let named = charset_property(bytes).filter(|name| !name.is_empty());
    let known = utf_16.map(|(_, encoding)| encoding).or_else(|| named.and_then(encoding));
    let unknown = named.filter(|_| known.is_none() && !bytes.is_ascii());
    // A file that names an unknown character set can still be valid UTF-8.
    let text = known.unwrap_or_else(|| guessed(bytes)).decode_without_bom_handling(bytes).0;
    let name = |name: &[u8]| String::from_utf8_lossy(&name[..name.len().min(MAX_NAME)]).trim().to_string();
    (text, unknown.map(name))
}

/// Returns the encoding of a name; UTF-8 for UTF-16 names, because the name was read as single bytes.
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

fn guessed(bytes: &[u8]) -> &'static Encoding {
    // The Encoding Standard's Latin-1, with quotation marks and dashes in place of control characters.
    if core::str::from_utf8(bytes).is_ok() { UTF_8 } else { WINDOWS_1252 }
}

/// Returns the value of the first property `CA`, after a `;`, a `(` or the `]` of another property. All of it
/// is ASCII in every character set that a file can name.
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
