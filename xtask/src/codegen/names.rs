//! Parses the symbols of kernel entries (v0 mangling): the kernel with its parameters, and its
//! level.

/// A function of bitcore that wraps a kernel's closure for one level.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    /// The kernel's crate, spelled as in symbols: `go_mc`.
    pub(super) owner: String,
    pub(super) compiled_in: String,
    /// The path of the kernel's closure. Two instances with different parameters are two layouts.
    pub(super) kernel: String,
    /// The token's name: `Portable`, `X86V3`.
    pub(super) level: String,
    pub(super) bytes: u64,
}

/// Returns the name as in the source, without the hash.
pub(super) fn demangle(symbol: &str) -> String {
    format!("{:#}", rustc_demangle::demangle(symbol))
}

impl Entry {
    /// Parses a symbol; `None` if it isn't a kernel entry.
    pub(super) fn parse(symbol: &str, compiled_in: &str, bytes: u64) -> Option<Self> {
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
        Some(Self {
            owner: crate_of(closure)?.to_owned(),
            compiled_in: compiled_in.to_owned(),
            // The token is already in `level`.
            kernel: closure.replace(&format!("bitcore::isa::{token}"), "_"),
            level: token.rsplit("::").next()?.to_owned(),
            bytes,
        })
    }
}

/// Returns the text after the last comma outside of brackets.
fn last_parameter(parameters: &str) -> &str {
    let mut depth = 0;
    let mut start = 0;
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

/// Returns the crate at the start of a path or, if the type is a primitive, the crate of the trait.
fn crate_of(path: &str) -> Option<&str> {
    let mut words = path.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
    let path = words.find(|word| word.contains("::"))?;
    path.split("::").find(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{Entry, crate_of, last_parameter};

    // From a release build of a crate `klib` and of a program `probe` that uses it.
    const METHOD_BELOW: &str = "_RINvNvXs0_NtNtCs3yFyMo5ziwt_7bitcore3isa6x86_v3NtB8_5X86V3NtBa_3Isa5call25entryRINtNtCsepiKutSI5pB_4klib5inner5BoardKj3_EmmNCNvMs_B1j_B1g_6gen_on0ECsiuNoIf5Gh8C_5probe";
    const FUNCTION: &str = "_RINvNvXs0_NtNtCs3yFyMo5ziwt_7bitcore3isa8portableNtB8_8PortableNtBa_3Isa5call25entryRSymmNCNvCsepiKutSI5pB_4klib6nth_ons_0EB1t_";
    const BIG: &str = "_RINvNvXs0_NtNtCs3yFyMo5ziwt_7bitcore3isa6x86_v3NtB8_5X86V3NtBa_3Isa5enter6insidemNCINvNtCsepiKutSI5pB_4klib5inner3bigBJ_E0EB1o_";
    const BY_TRAIT: &str = "_RINvNvXs0_NtNtCs3yFyMo5ziwt_7bitcore3isa6x86_v3NtB8_5X86V3NtBa_3Isa5call25entryRINtNtCsepiKutSI5pB_4klib5inner5BoardKj2_EmmNCNvXs0_B1j_B1g_NtB1j_3Lay8count_on0EB1l_";

    #[test]
    fn an_entry_names_kernel_layout_level_and_crate() {
        let read = |symbol| {
            let Entry { owner, kernel, level, .. } = Entry::parse(symbol, "klib", 1).unwrap();
            [owner, kernel, level]
        };
        assert_eq!(read(FUNCTION), ["klib", "klib::nth_on::{closure#1}", "Portable"]);
        assert_eq!(
            read(METHOD_BELOW),
            ["klib", "<klib::inner::Board<3>>::gen_on::{closure#0}", "X86V3"]
        );
        let by_trait = "<klib::inner::Board<2> as klib::inner::Lay>::count_on::{closure#0}";
        assert_eq!(read(BY_TRAIT), ["klib", by_trait, "X86V3"]);
        // The token doesn't count as a layout.
        assert_eq!(read(BIG), ["klib", "klib::inner::big<_>::{closure#0}", "X86V3"]);
    }

    #[test]
    fn other_functions_are_no_entries() {
        let intrinsic = "_RNvNtNtCs5QSdWC790r4_4core9core_arch3x864avx2__mm256_add_epi16";
        for symbol in ["_RNvCsepiKutSI5pB_4klib6nth_on", intrinsic, "main"] {
            assert_eq!(Entry::parse(symbol, "klib", 1), None);
        }
    }

    #[test]
    fn a_path_is_of_the_crate_that_it_begins_with() {
        assert_eq!(
            last_parameter("&a::B<2, 3>, (u8, u8), a::f<u8>::{closure#0}"),
            "a::f<u8>::{closure#0}"
        );
        assert_eq!(crate_of("<&[u8] as match3::Mask<go_mc::Board>>::count"), Some("match3"));
        assert_eq!(crate_of("main"), None);
    }
}
