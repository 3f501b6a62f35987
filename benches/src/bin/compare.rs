//! Times the operations. Started by `cargo xtask compare`.

fn main() -> std::process::ExitCode {
    benches::compare::main()
}
