//! Finds 64-byte loads of the stack in AVX-512 code.
//!
//! A load that is wider than the stores before it waits until they have left the store buffer,
//! about twenty cycles. LLVM makes such loads of two 32-byte registers that a function has returned
//! through memory, for example to count the ones of all their words.

/// Returns the number of instructions in x86-64 code that load 64 bytes from an address relative to
/// `rsp`, other than from where the same code stores 64 bytes.
///
/// Looks for the bytes of such instructions at each offset. The chance that another instruction
/// contains them is about one in ten million.
///
/// ```text
/// 62 P0 P1 P2   EVEX: P0 has the opcode's table, P2 the length
/// opcode
/// mod reg 100   mod: no, an 8-bit or a 32-bit displacement
/// SIB           00 100 100: rsp
/// displacement  in units of 64 bytes, if 8 bits
/// ```
pub(super) fn wide_stack_loads(code: &[u8]) -> usize {
    let accesses: Vec<_> = (0..code.len()).filter_map(|at| access(&code[at..])).collect();
    let stored = |place| accesses.iter().any(|access| access.store && access.place == place);
    accesses.iter().filter(|access| !access.store && !stored(access.place)).count()
}

/// A 64-byte access to the stack.
struct Access {
    /// The distance from `rsp`.
    place: i32,
    store: bool,
}

/// Parses the instruction at the start of the bytes.
fn access(bytes: &[u8]) -> Option<Access> {
    let (&[0x62, p0, p1, p2, opcode, modrm, 0x24], displacement) = bytes.split_first_chunk()?
    else {
        return None;
    };
    let table = p0 & 7;
    // The base register is rsp, not r12 (P0), the index is none (P0), and the length is 512 bits
    // (P2), without a broadcast.
    let rsp_and_wide =
        p0 & 0b0110_1000 == 0b0110_0000 && p1 & 4 != 0 && p2 & 0b0111_0000 == 0b0100_0000;
    if !rsp_and_wide || !(1..=3).contains(&table) || modrm & 7 != 4 {
        return None;
    }
    let place = match modrm >> 6 {
        0 => 0,
        1 => 64 * i32::from(displacement.first()?.cast_signed()),
        2 => i32::from_le_bytes(displacement.first_chunk().copied()?),
        _ => return None,
    };
    // VMOVUPS, VMOVAPS, VMOVNTPS, VMOVDQA and VMOVDQU, VMOVNTDQ.
    let store = table == 1 && matches!(opcode, 0x11 | 0x29 | 0x2B | 0x7F | 0xE7);
    // Loads of 32 bytes or less: broadcasts, extensions, insertions.
    let narrow = match table {
        2 => matches!(opcode, 0x18..=0x1B | 0x20..=0x25 | 0x30..=0x35 | 0x58..=0x5B | 0x78 | 0x79),
        3 => matches!(opcode, 0x18..=0x1B | 0x38..=0x3B),
        _ => false,
    };
    (!narrow).then_some(Access { place, store })
}

#[cfg(test)]
mod tests {
    use super::wide_stack_loads;

    #[test]
    fn loads_of_64_bytes_from_the_stack_are_found() {
        // vpopcntq 0x280(%rsp),%zmm0; vmovdqu64 0x60(%rsp),%zmm0; vmovaps (%rsp),%zmm0
        let popcount = [0x62, 0xF2, 0xFD, 0x48, 0x55, 0x44, 0x24, 0x0A];
        let unaligned = [0x62, 0xF1, 0xFE, 0x48, 0x6F, 0x84, 0x24, 0x60, 0, 0, 0];
        let first = [0x62, 0xF1, 0x7C, 0x48, 0x28, 0x04, 0x24];
        // vmovups %zmm0,(%rsp); vpopcntq (%rdi),%zmm0; vpmovzxbw (%rsp),%zmm0; vmovdqu
        // 0x20(%rsp),%ymm0
        let store = [0x62, 0xF1, 0x7C, 0x48, 0x11, 0x04, 0x24];
        let heap = [0x62, 0xF2, 0xFD, 0x48, 0x55, 0x07];
        let narrow = [0x62, 0xF2, 0x7D, 0x48, 0x30, 0x04, 0x24];
        let half = [0xC5, 0xFE, 0x6F, 0x44, 0x24, 0x20];
        let count = |instructions: &[&[u8]]| wide_stack_loads(&instructions.concat());
        assert_eq!(count(&[&popcount, &half, &unaligned, &heap, &first, &narrow]), 3);
        // A register that the code has spilled itself.
        assert_eq!(count(&[&store, &popcount, &first]), 1);
    }
}
