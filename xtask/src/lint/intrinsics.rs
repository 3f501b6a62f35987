//! The rule for bitcore's tokens: `unsafe` stands in four named places, and intrinsics that read or write
//! through a pointer in two of them. All others pass through the macro `v3!`, which takes only intrinsics of
//! which the compiler has seen that they need nothing but their features.

use super::tokens::Token;

/// The macros and functions that may have an `unsafe` block.
const UNSAFE_ITEMS: [&str; 4] = ["v3", "enter", "load", "store"];
/// The functions that may name an intrinsic with a precondition on memory.
const MEMORY_ITEMS: [&str; 2] = ["load", "store"];
/// Parts of the names of intrinsics that read or write through a pointer.
const MEMORY_WORDS: [&str; 7] = ["load", "store", "gather", "scatter", "maskmove", "stream", "lddqu"];

/// Returns the offenses of a file of tokens, each with its line.
pub(super) fn findings(tokens: &[Token]) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut item = "";
    let mut in_import = false;
    for (i, token) in tokens.iter().enumerate() {
        let Some(word) = token.ident() else {
            in_import &= !token.is_punct(';');
            continue;
        };
        let named = |n: usize| tokens.get(i + n).and_then(Token::ident).unwrap_or_default();
        match word {
            "fn" => item = named(1),
            // `macro_rules`, `!`, the name.
            "macro_rules" => item = named(2),
            "use" => in_import = true,
            "unsafe" if !UNSAFE_ITEMS.contains(&item) => {
                found.push((
                    token.line,
                    format!("unsafe in `{item}`: allowed in {}", UNSAFE_ITEMS.join(", ")),
                ));
            }
            _ if !in_import && touches_memory(word) && !MEMORY_ITEMS.contains(&item) => {
                let allowed = MEMORY_ITEMS.join(", ");
                found.push((token.line, format!("{word} in `{item}`: allowed in {allowed}")));
            }
            _ => {}
        }
    }
    found
}

/// Returns whether the name is that of an intrinsic with a precondition on memory.
fn touches_memory(word: &str) -> bool {
    word.starts_with("_mm") && MEMORY_WORDS.iter().any(|part| word.contains(part))
}

#[cfg(test)]
mod tests {
    use super::findings;
    use crate::lint::tokens::parse;

    fn lines(text: &str) -> Vec<usize> {
        findings(&parse(text).unwrap()).into_iter().map(|(line, _)| line).collect()
    }

    #[test]
    fn intrinsics_with_a_precondition_on_memory_are_refused() {
        for name in
            ["_mm256_maskload_epi32", "_mm256_i32gather_epi32", "_mm256_stream_si256", "_mm_lddqu_si128"]
        {
            assert_eq!(lines(&format!("fn f() {{\n v3!({name}(p, k)) }}")), [2], "{name}");
            assert_eq!(
                lines(&format!("macro_rules! listed {{ () => {{}} }}\nlisted! {{ {name}(p, r); }}")),
                [2]
            );
        }
        assert!(lines("fn load() { unsafe { _mm256_loadu_si256(p) } }").is_empty());
        assert!(lines("use core::arch::x86_64::{_mm256_loadu_si256, _mm256_storeu_si256};").is_empty());
        assert!(lines("fn f() { v3!(_mm256_add_epi8(a, b)); v3!(_mm_prefetch::<0>(p)) }").is_empty());
    }

    #[test]
    fn unsafe_blocks_have_four_places() {
        assert_eq!(lines("fn f() { unsafe { _mm256_add_epi8(a, b) } }"), [1]);
        assert_eq!(lines("macro_rules! v3 { () => { unsafe { } } }\nfn g() { unsafe { } }"), [2]);
        assert!(lines("macro_rules! enter { () => { unsafe { } } } fn store() { unsafe { } }").is_empty());
    }
}
