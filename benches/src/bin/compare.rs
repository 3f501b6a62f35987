//! Times the operations. `cargo xtask compare` starts it.

fn main() -> std::process::ExitCode {
    benches::compare::main()
}
