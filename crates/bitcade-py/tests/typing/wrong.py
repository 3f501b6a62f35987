"""A program with one type error per marked line: `# error: ` and mypy's code."""

import bitcade
from bitcade.pettingzoo import raw_env
from bitcade.vector import BitcadeEnv, BitcadeVectorEnv, DictObservation

bitcade.go.best_move([[0] * 5] * 5)["actoin"]  # error: typeddict-item
bitcade.tetris.Batch(4, actions="placement")  # error: arg-type
bitcade.go.Batch(4, size=8)  # error: arg-type
bitcade.g2048.Batch(4, widht=5)  # error: call-arg
bitcade.match3.hints("12")  # error: arg-type
bitcade.match3.encode_action(0, 0, "X")  # error: arg-type
BitcadeEnv("chess")  # error: arg-type
BitcadeEnv("2048", widht=5)  # error: call-arg
BitcadeVectorEnv("2048", 4, widht=5)  # error: call-arg
BitcadeVectorEnv("2048", 4, autoreset_mode="same_step")  # error: arg-type
envs: BitcadeVectorEnv[DictObservation] = BitcadeVectorEnv("2048", 4, dict_observation=True)
envs.reset()[0]["observation"]  # error: typeddict-item
raw_env(size=8)  # error: arg-type
