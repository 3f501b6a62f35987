//! The rule for bitcore's tokens: `unsafe` stands in a few named places, and intrinsics that read or write
//! through a pointer in three of them. All others pass through macros such as `v3!` and `neon!`, which take
//! only intrinsics of which the compiler has seen that they need nothing but their features. (Those of
//! WebAssembly are safe functions.)

use super::tokens::Token;

/// The macros and functions that may have an `unsafe` block.
const UNSAFE_ITEMS: [&str; 7] = ["v3", "v4_or", "neon", "enter", "load", "store", "store_flags"];
/// The functions that may name an intrinsic with a precondition on memory.
const MEMORY_ITEMS: [&str; 3] = ["load", "store", "store_flags"];
/// Parts of the names of x86-64's and WebAssembly's intrinsics that read or write through a pointer.
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
    // `_mm256_loadu_si256`; `v128_load`, `i16x8_load_extend_u8x8`.
    let named = || MEMORY_WORDS.iter().any(|part| word.contains(part));
    let of_x86 = || word.starts_with("_mm");
    let of_wasm = || {
        let shape = word.split('_').next().unwrap_or_default();
        shape == "v128" || shape.contains('x') && shape.ends_with(|c: char| c.is_ascii_digit())
    };
    // `vld1q_u8`, `vst4q_lane_u8`.
    let of_neon = || {
        let rest = word.strip_prefix("vld").or_else(|| word.strip_prefix("vst"));
        rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    (of_x86() || of_wasm()) && named() || of_neon()
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
        for name in [
            "vld1q_u8",
            "vst1q_u8",
            "vld2q_lane_u16",
            "v128_load",
            "v128_store64_lane",
            "i16x8_load_extend_u8x8",
        ] {
            assert_eq!(lines(&format!("fn f() {{\n {name}(p) }}")), [2], "{name}");
        }
        assert!(lines("fn store() { unsafe { vst1q_u8(p, a); v128_store(p, a) } }").is_empty());
        assert!(lines("fn f() { neon!(vaddq_u8(a, b)); i8x16_add(a, b); self.u64x4(load(p)) }").is_empty());
        assert!(lines("fn load() { unsafe { _mm256_loadu_si256(p) } }").is_empty());
        assert!(lines("use core::arch::x86_64::{_mm256_loadu_si256, _mm256_storeu_si256};").is_empty());
        assert!(lines("fn f() { v3!(_mm256_add_epi8(a, b)); v3!(_mm_prefetch::<0>(p)) }").is_empty());
    }

    #[test]
    fn unsafe_blocks_have_few_places() {
        assert_eq!(lines("fn f() { unsafe { _mm256_add_epi8(a, b) } }"), [1]);
        assert_eq!(lines("macro_rules! v3 { () => { unsafe { } } }\nfn g() { unsafe { } }"), [2]);
        assert!(lines("macro_rules! enter { () => { unsafe { } } } fn store() { unsafe { } }").is_empty());
    }
}
