//! The frame of a network's or learner's file, which gets random content past the checksum.

/// Frames content: name, version and length of a file before it, checksum after it.
pub(crate) fn file(name: [u8; 8], version: u32, content: &[u8]) -> Vec<u8> {
    let mut bytes = name.to_vec();
    bytes.extend(version.to_le_bytes());
    bytes.extend((20 + content.len() as u64 + 8).to_le_bytes());
    bytes.extend(content);
    let checksum = checksum(&bytes);
    bytes.extend(checksum.to_le_bytes());
    bytes
}

fn checksum(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let mut state = 0x2048u64;
    let whole = words.iter().copied().map(u64::from_le_bytes);
    for word in whole.chain([u64::from_le_bytes(last), bytes.len() as u64]) {
        state = (state ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    }
    state
}

#[cfg(test)]
mod tests {
    use super::file;
    use g2048::Learner;
    use g2048::network::LearnerSettings;

    #[test]
    fn a_learner_in_this_frame_is_the_saved_file() {
        let settings = LearnerSettings { concurrent_games: 1, ..LearnerSettings::default() };
        let mut saved = Vec::new();
        Learner::new(settings, 1).unwrap().save(&mut |part| saved.extend_from_slice(part));
        assert_eq!(file(*b"2048-lrn", 2, &saved[20..saved.len() - 8]), saved);
    }
}
