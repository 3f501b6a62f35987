//! Counts the operations' instructions. Started by `cargo xtask counts`.

fn main() -> std::process::ExitCode {
    benches::counts::main()
}
