//! Sets `cfg(unoptimized)` for builds at opt-level 0. There, every inlined function uses its own
//! stack space, and the move generator, inlined into one function, would need four megabytes.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(unoptimized)");
    if std::env::var_os("OPT_LEVEL").is_some_and(|level| level == "0") {
        println!("cargo::rustc-cfg=unoptimized");
    }
}
