"""Behavior when no thread can start, for example in a container at its process limit."""

import sys

import pytest
from conftest import run_python

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a limit of processes that counts threads")
CODE = """
import os, resource, threading
import bitcade
from bitcade import jobs

sizes = {{"num_threads": 4}}
before = repr({call})
learner = bitcade.g2048.Learner(num_threads=2)
# No limit counts for root; no user has this number.
if os.getuid() == 0:
    os.setgid(54321)
    os.setuid(54321)
resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
try:
    threading.Thread(target=int).start()
except RuntimeError:
    pass
else:
    raise SystemExit("a thread has started")
assert repr({call}) == before
print("same")
"""

CALLS = [
    "[games := bitcade.go.Batch(2500, size=5, **sizes), games.reset(3)[0].tolist(), games.scores().tolist()][1:]",
    "bitcade.g2048.playouts(2000, **sizes)",
    "bitcade.match3.evaluate(20, **sizes)",
    "bitcade.tetris.bot([[0] * 10], 'TIOSZ', nodes=20_000)",
    "bitcade.contest.solve(pieces=20, width=5, **sizes)",
    "str(jobs.run(jobs.Job('evaluate', '2048', 'random', num_envs=3000, games=3000, shard_games=3000)))",
    "[learner.learn(learner.games + 20) if 'learner' in globals() else None, 1][1]",
]


@pytest.mark.parametrize("call", CALLS)
def test_without_threads_the_caller_works(call):
    done = run_python(CODE.format(call=call))
    assert (done.stdout, done.stderr, done.returncode) == ("same\n", "", 0)


HEARD = """
import _thread, signal
signal.signal(signal.SIGALRM, lambda *_: _thread.interrupt_main())
for call in (lambda: bitcade.g2048.playouts(10**9, num_threads=4), lambda: bitcade.go.playouts(10**9)):
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        call()
    except KeyboardInterrupt:
        print("heard")
"""


def test_without_threads_control_c_is_heard():
    done = run_python(CODE.format(call="1") + HEARD)
    assert (done.stdout, done.stderr, done.returncode) == ("same\nheard\nheard\n", "", 0)
