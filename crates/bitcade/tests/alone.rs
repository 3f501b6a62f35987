//! Tests that want the machine's cores for themselves, since they judge times:
//! `cargo test -p bitcade --test main alone:: -- --test-threads 1`. All others may run at the same time.

#[cfg(unix)]
mod long_runs;
#[cfg(target_os = "linux")]
mod soak;
mod tour;
