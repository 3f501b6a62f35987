//! A check for available memory before work that needs much of it.

use crate::io::output::Failure;

/// The bytes kept free for everything else.
const SPARE_BYTES: u64 = 16 << 20;

pub(crate) fn check_memory(bytes: u64, name: &str) -> Result<(), Failure> {
    let wanted = usize::try_from(bytes.saturating_add(SPARE_BYTES)).unwrap_or(usize::MAX);
    Vec::<u8>::new().try_reserve_exact(wanted).map_err(|_| {
        Failure::Check(format!(
            "{name}: not enough memory, {} megabytes are needed",
            bytes.div_ceil(1 << 20)
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_sizes_are_refused() {
        assert!(check_memory(1 << 20, "a megabyte").is_ok());
        for bytes in [1 << 60, u64::MAX] {
            let error = check_memory(bytes, "x").expect_err("no machine has it").to_string();
            assert!(error.starts_with("x: not enough memory, "), "{error}");
        }
    }
}
