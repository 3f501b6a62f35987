"""The Tetris contest: one game with a known piece sequence, solved by beam search and verified by the rules."""

from ._native import contest_solve as solve
from ._native import contest_verify as verify

__all__ = ["solve", "verify"]
