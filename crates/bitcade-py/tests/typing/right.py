"""A correct program, without type errors; the programs of the pages have more."""

from typing import Any

import bitcade
import numpy as np
from bitcade.vector import BitcadeEnv, BitcadeVectorEnv, DictObservation
from numpy.typing import NDArray

games = bitcade.match3.Batch(8, colors=5, seed=[1, 2, 3, 4, 5, 6, 7, 8], autoreset_mode="NextStep")
obs, reward, terminated, truncated, action_mask = games.step(games.sample())
hints: list[tuple[int, int, str, int]] = [hint for hint in bitcade.match3.hints(games.board(0))]
for rows in (obs[0, 0], np.ones((3, 3), bool), [[1, 2], [2, 1]]):
    bitcade.match3.swaps(rows)
column: int = bitcade.tetris.decode_action(3)["x"]
score: float = bitcade.g2048.playouts(10)["mean_score"]
boards = bitcade.tetris.Batch(2, starts=np.zeros((1, 4, 10), np.uint8), garbage=(3, 1))
state: bitcade.State = bitcade.go.Batch(4, size=5).get_state(0)
board: NDArray[Any] = BitcadeEnv("2048", width=5, one_hot=True, seed=1).reset()[0]
envs: BitcadeVectorEnv = BitcadeVectorEnv("go", 4, size=9, autoreset_mode="SameStep", render_mode="rgb_array")
envs.step(envs.sample())
dictionaries: BitcadeVectorEnv[DictObservation] = BitcadeVectorEnv("tetris", 4, actions="drops", dict_observation=True)
mask: NDArray[np.int8] = dictionaries.reset()[0]["action_mask"]
