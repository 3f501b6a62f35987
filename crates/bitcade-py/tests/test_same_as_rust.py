"""Batches in Python and in Rust are identical, byte by byte.

The checksums were printed by a Rust program that steps each crate's `Batch::new(67, 7, rules)` 300 times with
`random_step_into` and computes the CRC-32 of the slices: observations and mask of the reset, then for each step
observations, rewards (64-bit, little-endian), terminated, truncated and mask.
"""

import zlib

import numpy as np
import pytest
from bitcade._games import GAMES
from games import FACTS

CASES = [
    (GAMES[name].batch, rules, expected) for name, facts in FACTS.items() for rules, expected in facts.checksums
]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(("games", "rules", "expected"), CASES)
def test_steps_are_those_of_rust(games, rules, expected, threads):
    batch = games(67, seed=7, num_threads=threads, **rules)
    checksum = zlib.crc32(batch.action_mask.tobytes(), zlib.crc32(batch.obs.tobytes()))
    for step in range(300):
        # Alternate between both ways to play the same moves.
        played = batch.random_step() if step % 2 else batch.step(batch.sample())
        obs, reward, terminated, truncated, mask = played
        for array in (obs, reward.astype("<i8"), terminated, truncated, mask):
            checksum = zlib.crc32(np.ascontiguousarray(array).tobytes(), checksum)
    assert checksum == expected
