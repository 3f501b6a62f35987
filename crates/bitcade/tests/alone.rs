//! Timing tests, which need the machine's cores for themselves:
//! `cargo test -p bitcade --test main alone:: -- --test-threads 1`. All other tests may run
//! concurrently.

#[cfg(unix)]
mod long_runs;
#[cfg(target_os = "linux")]
mod soak;
mod tour;
