//! The places of `unsafe`: a few macros and functions of bitcore's tokens, three of which may name an
//! intrinsic that reads or writes through a pointer. All others pass through macros such as `v3!` and
//! `neon!`, which take only intrinsics of which the compiler has seen that they need nothing but their
//! features. (Those of WebAssembly are safe functions.)

use proc_macro2::{TokenStream, TokenTree};

/// The macros and functions of the tokens that may have an `unsafe` block.
const UNSAFE_ITEMS: [&str; 7] = ["v3", "v4_or", "neon", "enter", "load", "store", "store_flags"];
/// The functions of the tokens that may name an intrinsic with a precondition on memory.
const MEMORY_ITEMS: [&str; 3] = ["load", "store", "store_flags"];
/// Parts of the names of intrinsics that read or write through a pointer.
const MEMORY_WORDS: [&str; 9] =
    ["load", "store", "gather", "scatter", "maskmove", "stream", "lddqu", "vld", "vst"];

/// Returns the misplaced `unsafe` and intrinsics of a file, each with its line.
pub(super) fn findings(tokens: &TokenStream, is_of_tokens: bool) -> Vec<(usize, String)> {
    let mut scan = Scan { is_of_tokens, item: String::new(), in_import: false, found: Vec::new() };
    scan.visit(tokens);
    scan.found
}

struct Scan {
    is_of_tokens: bool,
    /// The last function or macro that began.
    item: String,
    in_import: bool,
    found: Vec<(usize, String)>,
}

impl Scan {
    fn visit(&mut self, tokens: &TokenStream) {
        let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
        for (i, tree) in trees.iter().enumerate() {
            let word = match tree {
                TokenTree::Ident(word) => word.to_string(),
                TokenTree::Group(group) => {
                    self.visit(&group.stream());
                    continue;
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {
                    self.in_import &= tree.to_string() != ";";
                    continue;
                }
            };
            let named = |n: usize| trees.get(i + n).map(TokenTree::to_string).unwrap_or_default();
            let may = |items: &[&str]| self.is_of_tokens && items.contains(&self.item.as_str());
            match word.as_str() {
                "fn" => self.item = named(1),
                // `macro_rules`, `!`, the name.
                "macro_rules" => self.item = named(2),
                "use" => self.in_import = true,
                "unsafe" if !may(&UNSAFE_ITEMS) => self.report(tree, &UNSAFE_ITEMS),
                word if touches_memory(word) && !self.in_import && !may(&MEMORY_ITEMS) => {
                    self.report(tree, &MEMORY_ITEMS);
                }
                _ => {}
            }
        }
    }

    fn report(&mut self, tree: &TokenTree, allowed: &[&str]) {
        let (item, allowed) = (&self.item, allowed.join(", "));
        let text = format!(
            "{tree} in `{item}`: call a method of bitcore's tokens instead, whose {allowed} alone may have it"
        );
        self.found.push((tree.span().start().line, text));
    }
}

/// Returns whether the name is that of an intrinsic with a precondition on memory.
fn touches_memory(word: &str) -> bool {
    // `_mm_load_ps`; `v128_load`, `i16x8_load_extend_u8x8`, `vld1q_u8`, `vst4q_lane_u8`.
    let is_intrinsic = word.starts_with("_mm") || word.contains(|c: char| c.is_ascii_digit());
    is_intrinsic && MEMORY_WORDS.iter().any(|part| word.contains(part))
}

#[cfg(test)]
mod tests {
    fn lines(text: &str) -> Vec<usize> {
        super::findings(&text.parse().unwrap(), true).into_iter().map(|(line, _)| line).collect()
    }

    #[test]
    fn intrinsics_with_a_precondition_on_memory_are_refused() {
        let names = "_mm256_maskload_epi32 _mm256_i32gather_epi32 _mm256_stream_si256 _mm_lddqu_si128 vld1q_u8 \
            vst1q_u8 vld2q_lane_u16 v128_load v128_store64_lane i16x8_load_extend_u8x8";
        for name in names.split(' ') {
            assert_eq!(lines(&format!("fn f() {{\n v3!({name}(p, k)) }}")), [2], "{name}");
            assert_eq!(lines(&format!("macro_rules! listed {{ }}\nlisted! {{ {name}(p, r); }}")), [2]);
        }
        assert!(lines("fn store() { unsafe { vst1q_u8(p, a); v128_store(p, a) } }").is_empty());
        assert!(lines("fn f() { neon!(vaddq_u8(a, b)); i8x16_add(a, b); self.u64x4(load(p)) }").is_empty());
        assert!(lines("use core::arch::x86_64::{_mm256_loadu_si256, _mm256_storeu_si256};").is_empty());
        assert!(lines("fn f() { v3!(_mm256_add_epi8(a, b)); v3!(_mm_prefetch::<0>(p)) }").is_empty());
    }

    #[test]
    fn unsafe_blocks_have_few_places() {
        assert_eq!(lines("fn f() { unsafe { _mm256_add_epi8(a, b) } }"), [1]);
        assert_eq!(lines("macro_rules! v3 { () => { unsafe { } } }\nfn g() { made!(unsafe { }) }"), [2]);
        assert!(lines("// unsafe\nfn f<'unsafe_>() { \"unsafe\"; r#\"unsafe { }\"# }").is_empty());
        let entry = "fn enter() { unsafe { } }";
        assert!(lines(entry).is_empty());
        assert_eq!(super::findings(&entry.parse().unwrap(), false).len(), 1);
    }
}
