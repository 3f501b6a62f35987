"""The Tetris contest: a game of a known piece sequence, solved by beam search and checked by the rules."""

from ._native import contest_solve as solve
from ._native import contest_verify as verify

__all__ = ["solve", "verify"]
