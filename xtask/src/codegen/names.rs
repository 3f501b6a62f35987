//! Reads symbols of functions (v0 mangling): the crate of a function, the crate that compiled it, and for the
//! entry of a kernel the kernel, its parameters and its level.

/// A function that bitcore compiled for one level around a kernel's closure.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    /// The crate that the kernel belongs to, as symbols spell it: `go_mc`.
    pub(super) owner: String,
    /// The crate that compiled it, if the symbol has it.
    pub(super) compiled_in: Option<String>,
    /// The kernel's path, without parameters.
    pub(super) kernel: String,
    /// The kernel's parameters: two instances that differ here are two layouts.
    pub(super) layout: String,
    /// The token's name: `Portable`, `X86V3`.
    pub(super) level: String,
}

/// Returns the name as written in the source, without the hash.
pub(super) fn demangle(symbol: &str) -> String {
    format!("{:#}", rustc_demangle::demangle(symbol))
}

impl Entry {
    /// Parses a symbol; `None` if it isn't the entry of a kernel.
    pub(super) fn parse(symbol: &str) -> Option<Self> {
        let name = demangle(symbol);
        let rest = name.strip_prefix("<bitcore::isa::")?;
        // In any module of bitcore.
        let (token, rest) = rest.split_once(" as bitcore::")?;
        let rest = rest.split_once("Isa>::")?.1;
        let (method, rest) = rest.split_once("::")?;
        let parameters = match method {
            "enter" => rest.strip_prefix("inside::<")?,
            _ if method.starts_with("call") => rest.strip_prefix("entry::<")?,
            _ => return None,
        };
        let closure = last_parameter(parameters.strip_suffix('>')?);
        let level = token.rsplit("::").next()?.to_owned();
        let (path, layout) = split(closure);
        // The two arms of `dispatch!` are two closures of one function.
        let kernel =
            path.rsplit_once("::{closure").map_or(path.as_str(), |(function, _)| function).to_owned();
        let closure = path.strip_prefix(&kernel).unwrap_or_default();
        // The token is in `level` already.
        let layout = layout.replace(&format!("bitcore::isa::{token}"), "_");
        Some(Self {
            owner: crate_of(&path)?.to_owned(),
            compiled_in: compiled_in(symbol),
            layout: format!("{layout}{closure}"),
            kernel,
            level,
        })
    }
}

/// Returns the text behind the last comma that no bracket encloses.
fn last_parameter(parameters: &str) -> &str {
    let (mut depth, mut start) = (0, 0);
    let mut previous = ' ';
    for (i, c) in parameters.char_indices() {
        match c {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' if previous == '-' => {}
            '>' | ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => start = i + 1,
            _ => {}
        }
        previous = c;
    }
    parameters[start..].trim()
}

/// Splits a path from its parameters: `<a::B<2>>::c` gives `a::B::c` and `2;`.
pub(super) fn split(path: &str) -> (String, String) {
    let (mut plain, mut parameters) = (String::new(), String::new());
    // `true` for each open `<` that encloses parameters; the others enclose the type of an impl.
    let mut open: Vec<bool> = Vec::new();
    let mut previous = ' ';
    for c in path.chars() {
        let inside = open.contains(&true);
        match c {
            '<' => {
                let of_name = plain.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
                open.push(inside || of_name);
                if inside {
                    parameters.push(c);
                } else if of_name {
                    plain.truncate(plain.trim_end_matches(':').len());
                }
            }
            '>' if previous != '-' => {
                let of_name = open.pop().unwrap_or(false);
                if open.contains(&true) {
                    parameters.push(c);
                } else if of_name {
                    parameters.push(';');
                }
            }
            _ if inside => parameters.push(c),
            _ => plain.push(c),
        }
        previous = c;
    }
    (plain, parameters)
}

/// Returns the crate that a path without parameters begins with; if the type is one of the language, the
/// crate of the trait.
pub(super) fn crate_of(path: &str) -> Option<&str> {
    let mut words = path.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
    let path = words.find(|word| word.contains("::"))?;
    path.split("::").find(|word| !word.is_empty())
}

/// Returns the crate that compiled a generic function. Behind the function's path, its symbol has the root of
/// that crate, either in full or as a reference to an earlier place in the symbol.
pub(super) fn compiled_in(symbol: &str) -> Option<String> {
    let mangled = symbol.strip_prefix("_R").or_else(|| symbol.strip_prefix("__R"))?;
    // Without the suffix of the linker or LLVM: `.llvm.123`.
    let mangled = mangled.split('.').next()?;
    if let Some(inner) = mangled.strip_suffix('_') {
        let digits = inner.rfind('B').map(|at| &inner[at + 1..])?;
        return crate_root(mangled.get(base_62(digits)?..)?).map(|(name, _)| name);
    }
    // In full: the last `C` that begins a root that ends where the symbol does.
    let roots = mangled.rmatch_indices('C').filter_map(|(at, _)| crate_root(&mangled[at..]));
    roots.filter(|(_, rest)| rest.is_empty()).map(|(name, _)| name).next()
}

/// Returns the name in a crate's root `C [s<number>_] <length> [_] <name>`, and the rest of the text.
fn crate_root(text: &str) -> Option<(String, &str)> {
    let mut rest = text.strip_prefix('C')?;
    if let Some(disambiguated) = rest.strip_prefix('s') {
        rest = disambiguated.split_once('_')?.1;
    }
    let digits = rest.find(|c: char| !c.is_ascii_digit())?;
    let length: usize = rest[..digits].parse().ok()?;
    let name = rest[digits..].strip_prefix('_').unwrap_or(&rest[digits..]);
    Some((name.get(..length)?.to_owned(), &name[length..]))
}

/// Returns the number in a reference `B<digits>_`: 0 without a digit, else the digits in base 62 plus 1.
fn base_62(digits: &str) -> Option<usize> {
    if digits.is_empty() {
        return Some(0);
    }
    let mut number = 0usize;
    for c in digits.chars() {
        let digit = match c {
            '0'..='9' => c as usize - '0' as usize,
            'a'..='z' => c as usize - 'a' as usize + 10,
            'A'..='Z' => c as usize - 'A' as usize + 36,
            _ => return None,
        };
        number = number.checked_mul(62)?.checked_add(digit)?;
    }
    number.checked_add(1)
}

#[cfg(test)]
mod tests {
    use super::{Entry, compiled_in, crate_of, demangle, last_parameter, split};

    // From a release build of a crate `klib` and a program `probe` that uses it.
    const METHOD_BELOW: &str = "_RINvNvXs0_NtNtCs3yFyMo5ziwt_7bitcore3isa6x86_v3NtB8_5X86V3NtBa_3Isa5call25entryRINtNtCsepiKutSI5pB_4klib5inner5BoardKj3_EmmNCNvMs_B1j_B1g_6gen_on0ECsiuNoIf5Gh8C_5probe";
    const FUNCTION: &str = "_RINvNvXs0_NtNtCs3yFyMo5ziwt_7bitcore3isa8portableNtB8_8PortableNtBa_3Isa5call25entryRSymmNCNvCsepiKutSI5pB_4klib6nth_ons_0EB1t_";
    const BIG: &str = "_RINvNvXs0_NtNtCs3yFyMo5ziwt_7bitcore3isa6x86_v3NtB8_5X86V3NtBa_3Isa5enter6insidemNCINvNtCsepiKutSI5pB_4klib5inner3bigBJ_E0EB1o_";
    const BY_TRAIT: &str = "_RINvNvXs0_NtNtCs3yFyMo5ziwt_7bitcore3isa6x86_v3NtB8_5X86V3NtBa_3Isa5call25entryRINtNtCsepiKutSI5pB_4klib5inner5BoardKj2_EmmNCNvXs0_B1j_B1g_NtB1j_3Lay8count_on0EB1l_";

    #[test]
    fn an_entry_names_kernel_layout_level_and_crates() {
        let function = Entry::parse(FUNCTION).unwrap();
        assert_eq!((function.owner.as_str(), function.compiled_in.as_deref()), ("klib", Some("klib")));
        assert_eq!((function.kernel.as_str(), function.level.as_str()), ("klib::nth_on", "Portable"));
        let method = Entry::parse(METHOD_BELOW).unwrap();
        assert_eq!((method.owner.as_str(), method.compiled_in.as_deref()), ("klib", Some("probe")));
        assert_eq!((method.kernel.as_str(), method.level.as_str()), ("klib::inner::Board::gen_on", "X86V3"));
        assert!(method.layout.starts_with("3;"));
        let by_trait = Entry::parse(BY_TRAIT).unwrap();
        assert_eq!(by_trait.kernel, "klib::inner::Board as klib::inner::Lay::count_on");
        assert_eq!(by_trait.compiled_in.as_deref(), Some("klib"));
    }

    #[test]
    fn the_token_is_no_layout() {
        let big = Entry::parse(BIG).unwrap();
        assert_eq!((big.kernel.as_str(), big.layout.as_str()), ("klib::inner::big", "_;::{closure#0}"));
    }

    #[test]
    fn other_functions_are_no_entries() {
        assert_eq!(Entry::parse("_RNvCsepiKutSI5pB_4klib6nth_on"), None);
        assert_eq!(Entry::parse("_RNvNtNtCs5QSdWC790r4_4core9core_arch3x864avx2__mm256_add_epi16"), None);
        assert_eq!(Entry::parse("main"), None);
    }

    #[test]
    fn generic_functions_say_who_compiled_them() {
        let big = "_RINvNtCsepiKutSI5pB_4klib5inner3bigNtNtNtCs3yFyMo5ziwt_7bitcore3isa6x86_v35X86V3EB4_";
        assert_eq!(demangle(big), "klib::inner::big::<bitcore::isa::x86_v3::X86V3>");
        assert_eq!(compiled_in(big).as_deref(), Some("klib"));
        assert_eq!(compiled_in(&format!("{big}.llvm.12")).as_deref(), Some("klib"));
        assert_eq!(compiled_in("_RNvCsepiKutSI5pB_4klib6nth_on"), None);
        assert_eq!(compiled_in("_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE"), None);
    }

    #[test]
    fn paths_are_split_from_their_parameters() {
        let split = |path| split(path);
        assert_eq!(
            split("a::b::<C<2>, fn() -> D>::{closure#0}"),
            ("a::b::{closure#0}".into(), "C<2>, fn() -> D;".into())
        );
        assert_eq!(split("<a::B<2> as a::C<D>>::e"), ("a::B as a::C::e".into(), "2;D;".into()));
        assert_eq!(split("a::b"), ("a::b".into(), String::new()));
        assert_eq!(last_parameter("&a::B<2, 3>, (u8, u8), a::f<u8>::{closure#0}"), "a::f<u8>::{closure#0}");
    }

    #[test]
    fn a_path_is_of_the_crate_that_it_begins_with() {
        assert_eq!(crate_of("go_mc::board::Board::new"), Some("go_mc"));
        assert_eq!(crate_of("&[u8] as match3::Mask::count"), Some("match3"));
        assert_eq!(crate_of("main"), None);
    }
}
