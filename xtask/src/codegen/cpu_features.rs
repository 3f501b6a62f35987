//! Finds instructions that not every CPU of a level has.

use iced_x86::{CpuidFeature, Decoder, DecoderOptions, Mnemonic};
use std::collections::BTreeSet;

/// The features of every x86-64 CPU.
const BASELINE: [CpuidFeature; 20] = [
    CpuidFeature::INTEL8086,
    CpuidFeature::INTEL186,
    CpuidFeature::INTEL286,
    CpuidFeature::INTEL386,
    CpuidFeature::INTEL486,
    CpuidFeature::X64,
    CpuidFeature::FPU,
    CpuidFeature::FPU287,
    CpuidFeature::FPU387,
    CpuidFeature::CMOV,
    CpuidFeature::CPUID,
    CpuidFeature::CX8,
    CpuidFeature::FXSR,
    CpuidFeature::MMX,
    CpuidFeature::MULTIBYTENOP,
    CpuidFeature::PAUSE,
    CpuidFeature::SSE,
    CpuidFeature::SSE2,
    CpuidFeature::SYSCALL,
    // A no-op on other CPUs.
    CpuidFeature::CET_IBT,
];
/// The additional features of the level x86-64-v3, as in bitcore's tokens. AVX2 includes all SSE.
const V3: [CpuidFeature; 9] = [
    CpuidFeature::AVX,
    CpuidFeature::AVX2,
    CpuidFeature::BMI1,
    CpuidFeature::BMI2,
    CpuidFeature::LZCNT,
    CpuidFeature::POPCNT,
    CpuidFeature::SSE3,
    CpuidFeature::SSSE3,
    CpuidFeature::SSE4_1,
];
/// The additional features of the level x86-64-v4. AVX-512 includes FMA and F16C.
const V4: [CpuidFeature; 12] = [
    CpuidFeature::AVX512F,
    CpuidFeature::AVX512BW,
    CpuidFeature::AVX512CD,
    CpuidFeature::AVX512DQ,
    CpuidFeature::AVX512VL,
    CpuidFeature::AVX512_VBMI,
    CpuidFeature::AVX512_VBMI2,
    CpuidFeature::AVX512_BITALG,
    CpuidFeature::AVX512_VPOPCNTDQ,
    CpuidFeature::AVX512_VNNI,
    CpuidFeature::FMA,
    CpuidFeature::F16C,
];

/// Returns the features that x86-64 code needs and the CPUs of its level may lack. `level` is the
/// name of a token.
pub(super) fn foreign_features(code: &[u8], level: &str) -> BTreeSet<String> {
    let levels: &[&[CpuidFeature]] = match level {
        "X86V4" => &[&BASELINE, &V3, &V4],
        "X86V3" | "X86V3SlowPext" => &[&BASELINE, &V3],
        _ => &[&BASELINE],
    };
    let foreign = |feature: &CpuidFeature| !levels.iter().any(|level| level.contains(feature));
    // On a CPU without BMI1, TZCNT is BSF, and the compiler means that one, too: they differ only
    // for 0.
    let instructions = Decoder::new(64, code, DecoderOptions::NONE)
        .into_iter()
        .filter(|instruction| instruction.mnemonic() != Mnemonic::Tzcnt);
    let features = instructions.flat_map(|instruction| instruction.cpuid_features());
    features.copied().filter(foreign).map(|feature| format!("{feature:?}")).collect()
}

#[cfg(test)]
mod tests {
    use super::foreign_features;

    #[test]
    fn an_instruction_is_only_on_the_levels_that_have_it() {
        let code: [(&[u8], [usize; 3]); 6] = [
            // ret; paddq %xmm1,%xmm0; rep bsf %rdi,%rax
            (&[0xC3], [0, 0, 0]),
            (&[0x66, 0x0F, 0xD4, 0xC1], [0, 0, 0]),
            (&[0xF3, 0x48, 0x0F, 0xBC, 0xC7], [0, 0, 0]),
            // popcnt %rdi,%rax; vpaddq %ymm1,%ymm0,%ymm0
            (&[0xF3, 0x48, 0x0F, 0xB8, 0xC7], [1, 0, 0]),
            (&[0xC5, 0xFD, 0xD4, 0xC1], [1, 0, 0]),
            // vpopcntq %zmm0,%zmm0
            (&[0x62, 0xF2, 0xFD, 0x48, 0x55, 0xC0], [1, 1, 0]),
        ];
        for (code, expected) in code {
            let found =
                ["Portable", "X86V3", "X86V4"].map(|level| foreign_features(code, level).len());
            assert_eq!(found, expected, "{code:x?}");
        }
        let two = [0xC5, 0xFD, 0xD4, 0xC1, 0xF3, 0x48, 0x0F, 0xB8, 0xC7];
        let found: Vec<String> = foreign_features(&two, "Portable").into_iter().collect();
        assert_eq!(found, ["AVX2", "POPCNT"]);
    }
}
