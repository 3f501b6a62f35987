//! Counts the instructions of the operations. `cargo xtask counts` starts it.

fn main() -> std::process::ExitCode {
    benches::counts::main()
}
