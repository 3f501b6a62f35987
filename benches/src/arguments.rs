//! Arguments common to both programs.

pub(crate) fn is_wanted(name: &str, prefixes: &[String]) -> bool {
    prefixes.is_empty() || prefixes.iter().any(|prefix| name.starts_with(prefix))
}

/// Parses a program's arguments. On an error, prints it as one line and exits with status 2.
pub(crate) fn parse_arguments<T: clap::Parser>() -> T {
    T::try_parse().unwrap_or_else(|error| {
        if !error.use_stderr() {
            error.exit();
        }
        eprintln!("{} (see --help)", error.to_string().lines().next().unwrap_or_default());
        std::process::exit(2)
    })
}
