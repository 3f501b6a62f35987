"""The batches from Python are those of Rust, byte by byte.

The checksums were printed by a Rust program that steps each crate's `Batch::new(67, 7, rules)` 300 times by
`random_step_into` and feeds CRC-32 with the slices: observations and mask of the reset, then in each step
observations, rewards (64-bit, little-endian), terminated, truncated and mask.
"""

from __future__ import annotations

import zlib
from typing import Any

import bitcade
import numpy as np
import pytest

CASES: list[tuple[type, dict[str, Any], int]] = [
    (bitcade.g2048.Batch, {}, 0x36a169a0),
    (bitcade.g2048.Batch, {"width": 3, "height": 2}, 0x82ea4c50),
    (bitcade.match3.Batch, {}, 0xbb132919),
    (bitcade.match3.Batch, {"width": 9, "height": 6, "colors": 5, "moves": 20}, 0x809c5867),
    (bitcade.tetris.Batch, {}, 0x4ecfed6d),
    (bitcade.tetris.Batch, {"second_spawn_row": False}, 0x3347bd71),
    (bitcade.tetris.Batch, {"actions": "drops", "garbage": (4, 2), "reward": "attack", "hold": False}, 0xf948f80e),
    (bitcade.go.Batch, {}, 0x273c0a30),
    (bitcade.go.Batch, {"size": 5, "ko": "simple", "suicide": "multi", "komi": 0.5}, 0x75b8c7ef),
]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(("games", "rules", "expected"), CASES)
def test_steps_are_those_of_rust(games, rules, expected, threads):
    batch = games(67, seed=7, num_threads=threads, **rules)
    checksum = zlib.crc32(batch.action_mask.tobytes(), zlib.crc32(batch.obs.tobytes()))
    for step in range(300):
        # Both ways to play the same game.
        played = batch.random_step() if step % 2 else batch.step(batch.sample())
        obs, reward, terminated, truncated, mask = played
        for array in (obs, reward.astype("<i8"), terminated, truncated, mask):
            checksum = zlib.crc32(np.ascontiguousarray(array).tobytes(), checksum)
    assert checksum == expected
