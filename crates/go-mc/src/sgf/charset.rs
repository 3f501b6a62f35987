//! The character set of a file.

use super::error::SgfError;
use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// The most characters of an unknown name in an error message.
const MAX_NAME: usize = 40;

/// Decodes a file: in the character set of its byte order mark, otherwise of its property `CA`, otherwise as
/// UTF-8 if it is valid and as Latin-1, the default of SGF, if not. Bytes that the character set doesn't have
/// become U+FFFD. [`SgfError::UnknownCharset`] if `CA` names another set and the file is not ASCII.
pub(super) fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, SgfError> {
    let (encoding, bytes) = match Encoding::for_bom(bytes) {
        Some((encoding, mark)) => (encoding, &bytes[mark..]),
        None => (named(bytes)?.unwrap_or_else(|| guessed(bytes)), bytes),
    };
    Ok(encoding.decode_without_bom_handling(bytes).0)
}

/// Returns the character set that `CA` names, if any. UTF-16 is none: the property was read as single bytes.
fn named(bytes: &[u8]) -> Result<Option<&'static Encoding>, SgfError> {
    let Some(name) = charset_property(bytes) else { return Ok(None) };
    match Encoding::for_label_no_replacement(name) {
        Some(encoding) => Ok(Some(encoding).filter(|encoding| ![UTF_16BE, UTF_16LE].contains(encoding))),
        None if bytes.is_ascii() => Ok(None),
        None => {
            let name = String::from_utf8_lossy(name).chars().take(MAX_NAME).collect::<String>();
            Err(SgfError::UnknownCharset(name.trim().to_string()))
        }
    }
}

fn guessed(bytes: &[u8]) -> &'static Encoding {
    // The Encoding Standard's Latin-1, with quotation marks and dashes in the place of control characters.
    if core::str::from_utf8(bytes).is_ok() { UTF_8 } else { WINDOWS_1252 }
}

/// Returns the value of the first property `CA`, after a `;` or the `]` of another one. All of it is ASCII in
/// every character set that a file can name.
fn charset_property(bytes: &[u8]) -> Option<&[u8]> {
    let names = bytes.windows(2).enumerate().filter(|(_, name)| name == b"CA");
    names.map(|(at, _)| at).find_map(|at| {
        let (&last, before) = bytes[..at].trim_ascii_end().split_last()?;
        // A bracket in a text is escaped.
        let escapes = before.iter().rev().take_while(|&&byte| byte == b'\\').count();
        let value = bytes[at + 2..].trim_ascii_start().strip_prefix(b"[")?;
        let is_property = [b';', b']'].contains(&last) && escapes.is_multiple_of(2);
        is_property.then(|| value.split(|&byte| byte == b']').next())?
    })
}
