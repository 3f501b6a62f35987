"""A program with one type error per marked line (`# error: ` and mypy's code), and correct ones beside them."""

from typing import Any

import bitcade
import numpy as np
from bitcade.pettingzoo import raw_env
from bitcade.vector import BitcadeEnv, BitcadeVectorEnv, DictObservation
from numpy.typing import NDArray

bitcade.go.best_move([[0] * 5] * 5)["actoin"]  # error: typeddict-item
bitcade.tetris.Batch(4, actions="placement")  # error: arg-type
bitcade.tetris.Batch(2, starts=np.zeros((1, 4, 10), np.uint8), garbage=(3, 1))
bitcade.go.Batch(4, size=8)  # error: arg-type
state: bitcade.State = bitcade.go.Batch(4, size=5, seed=[1, 2, 3, 4]).get_state(0)
bitcade.g2048.Batch(4, widht=5)  # error: call-arg
bitcade.match3.hints("12")  # error: arg-type
hints: list[tuple[int, int, str, int]] = [hint for hint in bitcade.match3.hints(np.ones((3, 3), bool))]
bitcade.match3.encode_action(0, 0, "X")  # error: arg-type
column: int = bitcade.tetris.decode_action(3)["x"]
BitcadeEnv("chess")  # error: arg-type
BitcadeEnv("2048", widht=5)  # error: call-arg
board: NDArray[Any] = BitcadeEnv("2048", width=5, one_hot=True, seed=1).reset()[0]
BitcadeVectorEnv("2048", 4, widht=5)  # error: call-arg
BitcadeVectorEnv("2048", 4, autoreset_mode="same_step")  # error: arg-type
envs: BitcadeVectorEnv[DictObservation] = BitcadeVectorEnv("2048", 4, dict_observation=True)
envs.reset()[0]["observation"]  # error: typeddict-item
mask: NDArray[np.int8] = envs.reset()[0]["action_mask"]
raw_env(size=8)  # error: arg-type
