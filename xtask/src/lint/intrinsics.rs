//! The allowed places of `unsafe`: a few macros and functions of bitcore's tokens. Three of them
//! may name an intrinsic that reads or writes through a pointer. All other intrinsics go through
//! macros such as `v3!` and `neon!`, which only accept intrinsics with no precondition besides
//! their features, as proved by the compiler. (WebAssembly's are safe functions.)

use super::tokens::items;
use proc_macro2::TokenStream;

/// The macros and functions of the tokens that may contain an `unsafe` block.
const UNSAFE_ITEMS: [&str; 7] = ["v3", "v4_or", "neon", "enter", "load", "store", "store_flags"];
/// The functions of the tokens that may name an intrinsic with a precondition on memory.
const MEMORY_ITEMS: [&str; 3] = ["load", "store", "store_flags"];
/// The macro that exports C names, in [`Place::Exports`]. Its `unsafe` is that of an attribute, and
/// runs no code.
const EXPORTING_MACRO: &str = "exports";
const ATTRIBUTE: [&str; 2] = ["unsafe", "(no_mangle)"];
/// Parts of the names of intrinsics that read or write through a pointer.
const MEMORY_WORDS: [&str; 9] =
    ["load", "store", "gather", "scatter", "maskmove", "stream", "lddqu", "vld", "vst"];

/// What a file is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// A token of bitcore.
    Tokens,
    /// The crate whose functions have C names.
    Exports,
    Other,
}

/// Returns the misplaced `unsafe` and intrinsics of a file, or of a part of the item `name`, each
/// with its line.
pub(super) fn findings(tokens: &TokenStream, name: &str, place: Place) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for item in items(tokens) {
        let behind =
            |word: &str, n: usize| item.words.get(item.words.iter().position(|w| w == word)? + n);
        // `macro_rules`, `!`, the name.
        let own = behind("fn", 1).or_else(|| behind("macro_rules", 2));
        // A function named by a macro's caller counts as the macro.
        let own = own.filter(|name| *name != "$");
        let name = own.map_or(name, String::as_str);
        let is_import = behind("use", 1).is_some_and(|next| *next != "<");
        for (tree, word) in item.trees.iter().zip(&item.words) {
            let allowed = match word.as_str() {
                "unsafe" => &UNSAFE_ITEMS[..],
                word if touches_memory(word) && !is_import && !word.contains('"') => &MEMORY_ITEMS,
                _ => continue,
            };
            let is_attribute = item.trees.iter().map(ToString::to_string).eq(ATTRIBUTE);
            let exports = place == Place::Exports && name == EXPORTING_MACRO && is_attribute;
            if !(exports || place == Place::Tokens && allowed.contains(&name)) {
                let allowed = allowed.join(", ");
                let text =
                    format!("{word} in `{name}`: call a method of a token; only {allowed} may");
                found.push((tree.span().start().line, text));
            }
        }
        for group in item.groups().filter(|_| !is_import) {
            found.extend(findings(&group.stream(), name, place));
        }
    }
    found
}

/// Returns `true` for the name of an intrinsic with a memory precondition: `_mm_load_ps`,
/// `vld1q_u8`, `v128_load`, `i16x8_load_extend_u8x8`.
fn touches_memory(word: &str) -> bool {
    let is_intrinsic = word.starts_with("_mm") || word.contains(|c: char| c.is_ascii_digit());
    is_intrinsic && MEMORY_WORDS.iter().any(|part| word.contains(part))
}

#[cfg(test)]
mod tests {
    use super::Place;

    fn lines(text: &str) -> Vec<usize> {
        lines_in(text, Place::Tokens)
    }

    fn lines_in(text: &str, place: Place) -> Vec<usize> {
        let found = super::findings(&text.parse().unwrap(), "", place);
        found.into_iter().map(|(line, _)| line).collect()
    }

    #[test]
    fn intrinsics_with_a_precondition_on_memory_are_refused() {
        let names = "_mm256_maskload_epi32 _mm256_i32gather_epi32 _mm256_stream_si256 _mm_lddqu_si128 \
            vld1q_u8 vst1q_u8 vld2q_lane_u16 v128_load v128_store64_lane i16x8_load_extend_u8x8";
        for name in names.split(' ') {
            assert_eq!(lines(&format!("fn f() {{\n v3!({name}(p, k)) }}")), [2], "{name}");
            assert_eq!(
                lines(&format!("macro_rules! listed {{ }}\nlisted! {{ {name}(p, r); }}")),
                [2]
            );
        }
        assert!(lines("fn store() { unsafe { vst1q_u8(p, a); v128_store(p, a) } }").is_empty());
        assert!(
            lines("fn f() { neon!(vaddq_u8(a, b)); i8x16_add(a, b); self.u64x4(load(p)) }")
                .is_empty()
        );
        assert!(
            lines("use core::arch::x86_64::{_mm256_loadu_si256, _mm256_storeu_si256};").is_empty()
        );
        assert!(
            lines("fn f() { v3!(_mm256_add_epi8(a, b)); v3!(_mm_prefetch::<0>(p)) }").is_empty()
        );
    }

    #[test]
    fn unsafe_blocks_have_few_places() {
        assert_eq!(lines("fn f() { unsafe { _mm256_add_epi8(a, b) } }"), [1]);
        assert_eq!(
            lines("macro_rules! v3 { () => { unsafe { } } }\nfn g() { made!(unsafe { }) }"),
            [2]
        );
        assert!(lines("// unsafe\nfn f<'unsafe_>() { \"unsafe\"; r#\"unsafe { }\"# }").is_empty());
        assert_eq!(lines("fn f() -> impl A + use<'_> { unsafe { } }"), [1]);
        let defined =
            "macro_rules! neon { ($f:ident) => { fn $f() { fn g() { }\n unsafe { g() } } } }";
        assert!(lines(defined).is_empty());
        assert_eq!(lines(&defined.replace("neon", "other")), [2]);
        let entry = "fn enter() { unsafe { } }";
        assert!(lines(entry).is_empty());
        assert_eq!(lines_in(entry, Place::Other), [1]);
    }

    #[test]
    fn exports_have_one_unsafe_attribute() {
        let exports = "macro_rules! exports { ($f:ident) => {\n #[unsafe(no_mangle)]\n \
            extern \"C\" fn $f() { } } }";
        assert!(lines_in(exports, Place::Exports).is_empty());
        assert_eq!(lines_in(exports, Place::Other), [2]);
        for (other, line) in [
            (exports.replace("exports", "others"), 2),
            (exports.replace("no_mangle", "link_section = \"a\""), 2),
            (exports.replace("{ }", "{ unsafe { } }"), 3),
            (exports.replace("extern \"C\"", "unsafe extern \"C\""), 3),
        ] {
            assert_eq!(lines_in(&other, Place::Exports), [line], "{other}");
        }
    }
}
