"""Jobs of `bitcade.shards` with policies: evaluations, matches with a sequential test, trajectories."""

from __future__ import annotations

import itertools
import json
import math
import os
import pickle
import random
import threading
from typing import Any

import numpy as np
import pytest
from bitcade import _native
from bitcade._games import GAMES
from bitcade._play import game_seed
from bitcade._policy import draws, random_actions
from bitcade._sprt import elo_score, tilted
from bitcade.ray import run
from bitcade.shards import (
    Case,
    CheckpointError,
    Driver,
    Job,
    Policy,
    ShardResult,
    Sprt,
    read_trajectories,
    run_local,
    run_shard,
)
from conftest import refused, run_python

#: Small games that end soon.
SMALL: dict[str, dict[str, Any]] = {
    "2048": {"width": 3, "height": 3},
    "match3": {"width": 5, "height": 5, "colors": 4, "moves": 6},
    "match3-goals": {"rules": {"board": ["11111"] * 5, "colors": 4, "moves": 6, "goals": {"color": {1: 6}}}},
    "tetris": {"actions": "drops", "max_episode_steps": 30},
    "tetris-keys": {"level": 15, "frames": 20, "max_episode_steps": 40},
    "go": {"size": 5, "komi": 0.5},
}


def last_legal(obs: np.ndarray, action_mask: np.ndarray) -> np.ndarray:
    """Play the legal action with the largest number."""
    return action_mask.shape[1] - 1 - action_mask[:, ::-1].argmax(axis=1)


def by_content(obs: np.ndarray, action_mask: np.ndarray) -> np.ndarray:
    """Play an action that depends on every byte of the observation."""
    weights = np.arange(1, obs[0].size + 1, dtype=np.uint64)
    return random_actions(action_mask, draws(obs.reshape(len(obs), -1) @ weights, np.zeros(len(obs))))


def evaluate(game: str, policy: Any = by_content, games: int = 20, shard_games: int = 10, **options: Any) -> Case:
    """Return the totals of an evaluation."""
    params = {"game": game, **SMALL[game], **options}
    (case,) = run_local(Job("evaluate", params, games=games, shard_games=shard_games, policy=policy)).cases
    assert case.games == games
    return case


def match(policy: Any, opponent: Any, game: str = "go", games: int = 40, shard_games: int = 10, **options: Any) -> Job:
    """Create a job of a match."""
    params = {"game": game, **SMALL[game], **options}
    return Job("match", params, games=games, shard_games=shard_games, policy=policy, opponent=opponent)


def by_hand(game: str, number: int, policy: Any = by_content) -> list[tuple[np.ndarray, np.ndarray, int, float, bool]]:
    """Play one game of a job with seed 1 alone: observation, mask, action, reward and truncation of each step."""
    batch = GAMES[game].batch(1, seed=[game_seed(1, number)], **SMALL[game])
    steps = []
    while True:
        obs, mask = batch.obs.copy(), batch.action_mask.copy()
        action = policy(obs, mask)
        _, reward, terminated, truncated, _ = batch.step(action)
        steps.append((obs[0], mask[0], int(action[0]), float(reward[0]), bool(truncated[0])))
        if terminated[0] or truncated[0]:
            return steps


@pytest.mark.parametrize("game", GAMES)
def test_an_evaluation_depends_on_neither_shards_nor_slots(game):
    cases = [
        evaluate(game, shard_games=shard_games, num_envs=num_envs)
        for shard_games, num_envs in ((20, 64), (20, 3), (10, 4), (6, 1))
    ]
    assert all(case == cases[0] for case in cases)
    assert cases[0].sums["steps"] > 20 * 3


@pytest.mark.parametrize("game", ["2048", "match3", "tetris"])
def test_an_evaluation_equals_games_by_hand(game):
    played = [by_hand(game, number) for number in range(20)]
    returns = [sum(int(reward) for *_, reward, _ in steps) for steps in played]
    sums = evaluate(game).sums
    assert sums["return"] == sum(returns) and sums["return_squares"] == sum(value**2 for value in returns)
    assert sums["steps"] == sum(map(len, played))
    assert sums["truncated"] == sum(steps[-1][-1] for steps in played)


def test_go_swaps_the_colors_of_every_pair():
    # Black passes, and White passes: White wins by the komi.
    sums = run_local(match(last_legal, last_legal, opening_moves=0)).cases[0].sums
    assert (sums["white_wins"], sums["wins"], sums["losses"], sums["steps"]) == (40, 20, 20, 80)
    assert sums["pairs_2"] == 20
    # Both games of a pair have the same opening; players that are the same then play the same game.
    for opponent, pairs in ((by_content, True), ("random", False)):
        sums = run_local(match(by_content, opponent, opening_moves=6)).cases[0].sums
        assert (sums["pairs_2"] == 20) == pairs
        assert sums["black_wins"] + sums["white_wins"] + sums["draws"] == 40
    # An evaluation is a match against random moves.
    params = {"game": "go", **SMALL["go"]}
    (case,) = run_local(Job("evaluate", params, games=40, shard_games=10, policy=by_content)).cases
    assert case.sums == sums | run_local(match(by_content, "random")).cases[0].sums


def test_a_go_game_by_hand():
    sums = run_local(match(by_content, last_legal, games=2, shard_games=2, opening_moves=2)).cases[0].sums
    results, steps = [], 0
    for number in range(2):
        batch = _native.GoBatch(1, seed=[game_seed(1, 0)], **SMALL["go"])
        for ply in itertools.count():
            black = ply % 2 == 0
            if ply < 2:
                word = draws(np.array([game_seed(1, 0)], np.uint64), np.array([3 * ply + 2]))
                action = random_actions(batch.action_mask, word)
            else:
                player = by_content if black == (number == 0) else last_legal
                action = player(batch.obs.copy(), batch.action_mask.copy())
            _, reward, terminated, truncated, _ = batch.step(action)
            if terminated[0] or truncated[0]:
                break
        results.append(int(reward[0]) * (1 if black == (number == 0) else -1))
        steps += ply + 1
    assert (sums["return"], sums["steps"]) == (sum(results), steps)
    assert sums[f"pairs_{sum(results) + 2}"] == 1


def test_a_match_compares_the_same_seeds():
    case = run_local(match("greedy", by_content, "match3")).cases[0]
    policy, opponent = (evaluate("match3", player, games=40) for player in ("greedy", by_content))
    assert case.sums["return"] == policy.sums["return"]
    assert case.sums["opponent_return"] == opponent.sums["return"]
    assert case.sums["difference"] == policy.sums["return"] - opponent.sums["return"]
    assert case.sums["wins"] > 25 and sum(case.sums[name] for name in ("wins", "draws", "losses")) == 40
    assert case.name == "greedy against by_content" and case.stderr("difference") > 0
    alone = run_local(match(by_content, by_content, "2048")).cases[0].sums
    assert (alone["draws"], alone["difference_squares"]) == (40, 0)


def test_players_by_name():
    random_play = evaluate("match3", "random", games=60)
    assert evaluate("match3", "greedy", games=60).mean("return") > 1.3 * random_play.mean("return")
    bot = evaluate("tetris", Policy("bot", nodes=300), games=4, shard_games=2, actions="placements", max_episode_steps=60)
    # 60 pieces fill 24 rows.
    assert bot.mean("return") > 15
    won = run_local(match(Policy("search", playouts=60), "random", games=8)).cases[0].sums
    assert won["wins"] >= 7
    learner = _native.Learner2048(seed=1)
    learner.learn(100)
    params = {"game": "2048"}
    learned, drawn = (
        run_local(Job("evaluate", params, games=10, policy=policy)).cases[0] for policy in (learner.network(), "random")
    )
    assert learned.mean("return") > 1.5 * drawn.mean("return") and learned.name == "evaluate of Network2048(depth=1)"


class NoOther(np.ndarray):
    """An action mask of which the bot can't take just any legal action."""

    def argmax(self, *_: Any, **__: Any) -> Any:
        """Fail."""
        raise AssertionError("none of the bot's moves is an action of the batch")


def test_the_bot_finds_its_moves_in_the_batch():
    batch, policy = _native.TetrisBatch(4, seed=3, max_episode_steps=200), Policy("bot", nodes=100)
    holds = 0
    for _ in range(100):
        actions = [policy._bot(batch, i, batch.action_mask[i].view(NoOther), {}) for i in range(4)]
        holds += sum(action >= 880 for action in actions)
        batch.step(actions)
    assert 40 < holds < 360


class Seeded:
    """A random policy."""

    def seed(self, seed: int) -> None:
        """Restart the random numbers."""
        self.random = np.random.default_rng(seed)

    def __call__(self, obs: np.ndarray, action_mask: np.ndarray) -> np.ndarray:
        """Draw legal actions."""
        return random_actions(action_mask, self.random.integers(0, 1 << 63, len(obs), np.uint64))


def test_a_random_policy_is_seeded_for_each_shard():
    job = Job("evaluate", {"game": "match3", **SMALL["match3"]}, games=30, shard_games=10, policy=Seeded())
    shards = job.shards()
    first = [run_shard(job, shard) for shard in shards]
    assert [run_shard(job, shard) for shard in reversed(shards)] == first[::-1]
    assert first[0] != first[1]


def raises_sometimes(obs: np.ndarray, action_mask: np.ndarray) -> np.ndarray:
    """Fail in the shards in which some game starts with a certain board."""
    if (obs.reshape(len(obs), -1)[:, :2] == 2).all(axis=1).any():
        raise RuntimeError("no idea\nfor this board")
    return last_legal(obs, action_mask)


def test_a_policy_that_fails_in_some_shards_loses_only_these(tmp_path):
    params = {"game": "match3", "width": 5, "height": 5, "colors": 7, "moves": 1}
    job = Job("evaluate", params, games=100, shard_games=1, policy=raises_sometimes)
    seen: list[int] = []
    for _ in range(2):
        result = run(job, executor="local", checkpoint=tmp_path / "c.json", progress=lambda now: seen.append(now.failed))
        assert 0 < len(result.failures) < 10 and result.cases[0].games == 100 - len(result.failures)
        assert {failure.error for failure in result.failures} == {"RuntimeError: no idea for this board"}
        for failure in result.failures:
            assert f"evaluate of raises_sometimes, games {failure.shard} to {failure.shard}" in str(failure)
    assert len(seen) == 100 + len(result.failures)


@pytest.mark.parametrize(
    ("policy", "reason"),
    [
        (lambda obs, mask: mask.argmax(axis=1)[:-1], "expected 10 integers"),
        (lambda obs, mask: mask.argmax(axis=1)[:, None], "expected 10 integers"),
        (lambda obs, mask: mask.argmax(axis=1).astype(float), "float64 of shape (10,)"),
        (lambda obs, mask: None, "expected 10 integers"),
        (lambda obs, mask: np.full(len(obs), 10**6), "1000000"),
        (lambda obs, mask: (~mask).argmax(axis=1), "legal"),
    ],
)
def test_wrong_actions_are_named(policy, reason):
    job = Job("evaluate", {"game": "2048"}, games=20, shard_games=10, policy=policy)
    assert reason in refused(run_shard, job, job.shards()[0])


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"policy": 5}, "int"),
        ({"policy": "best"}, "random, greedy, bot, search"),
        ({"policy": "greedy"}, "plays match3, not 2048"),
        ({"params": {"game": "tetris", "actions": "drops"}, "policy": "bot"}, "placements"),
        ({"params": {"game": "tetris", "planes": True}, "policy": "bot"}, "planes"),
        ({"kind": "self_play", "policy": "random"}, "kind='self_play'"),
        ({"kind": "match", "policy": "random"}, "opponent"),
        ({"kind": "match"}, "a policy"),
        ({"kind": "trajectories"}, "a policy"),
        ({"policy": "random", "opponent": "random"}, "no opponent"),
        ({"opponent": "random", "policy": None}, "policy"),
        ({"policy": "random", "params": {"game": "chess"}}, "chess"),
        ({"policy": "random", "params": {"game": "2048", "depth": 3}}, "depth"),
        ({"policy": "random", "params": {"game": "2048", "wings": 3}}, "wings"),
        ({"policy": "random", "params": {"game": "2048", "seed": 3}}, "seed"),
        ({"policy": "random", "params": {"game": "2048", "num_envs": 0}}, "num_envs=0"),
        ({"policy": "random", "params": {"game": "go", "opening_moves": -1}}, "opening_moves=-1"),
        ({"policy": "random", "params": {"game": "go"}, "games": 3}, "even"),
        ({"policy": "random", "params": {"game": "go"}, "shard_games": 3}, "even"),
        ({"kind": "trajectories", "policy": "random"}, "out"),
        ({"kind": "trajectories", "policy": "random", "params": {"game": "2048", "out": "x", "gamma": 2}}, "gamma=2"),
        ({"policy": "random", "network": "here"}, "network"),
    ],
)
def test_a_job_that_makes_no_sense_is_refused(arguments, reason):
    job: dict[str, Any] = {"kind": "evaluate", "params": {"game": "2048"}, **arguments}
    assert reason in refused(lambda: Job(**job))


def test_options_of_players_are_checked():
    assert "depth" in refused(Policy, "search", depth=1)
    assert "playouts=0" in refused(Policy, "search", playouts=0)
    assert "nodes" in refused(Policy, last_legal, nodes=1)
    with pytest.raises(FileNotFoundError, match="none.onnx"):
        Policy("none.onnx")


def model(kind: str, masked: bool, actions: bool) -> bytes:
    """Make an ONNX model of 2048: the logit of an action is a weighted sum of the board, or the smallest if masked."""
    onnx = pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    from onnx import TensorProto, helper, numpy_helper

    weights = np.random.default_rng(1).normal(size=(16, 4)).astype(np.float32)
    constants = [
        numpy_helper.from_array(weights, "weights"),
        numpy_helper.from_array(np.array([-1, 16]), "flat"),
        numpy_helper.from_array(np.float32(-1e9), "least"),
    ]
    inputs = [helper.make_tensor_value_info("obs", getattr(TensorProto, kind), ["n", 4, 4])]
    nodes = [
        helper.make_node("Cast", ["obs"], ["float"], to=TensorProto.FLOAT),
        helper.make_node("Reshape", ["float", "flat"], ["rows"]),
        helper.make_node("MatMul", ["rows", "weights"], ["sums"]),
    ]
    if masked:
        inputs.append(helper.make_tensor_value_info("action_mask", TensorProto.BOOL, ["n", 4]))
        nodes.append(helper.make_node("Where", ["action_mask", "sums", "least"], ["logits"]))
    else:
        nodes.append(helper.make_node("Identity", ["sums"], ["logits"]))
    output = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["n", 4])
    if actions:
        nodes.append(helper.make_node("ArgMax", ["logits"], ["actions"], axis=1, keepdims=0))
        output = helper.make_tensor_value_info("actions", TensorProto.INT64, ["n"])
    graph = helper.make_graph(nodes, "policy", inputs, [output], constants)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.checker.check_model(made)
    return made.SerializeToString()


def test_an_onnx_model_plays(tmp_path):
    weights = np.random.default_rng(1).normal(size=(16, 4)).astype(np.float32)

    def same(obs: np.ndarray, mask: np.ndarray) -> np.ndarray:
        return np.where(mask, obs.reshape(-1, 16).astype(np.float32) @ weights, -np.inf).argmax(axis=1)

    expected = run_local(Job("evaluate", {"game": "2048"}, games=30, policy=same)).cases[0].sums
    for kind, masked, actions in (("FLOAT", False, False), ("UINT8", True, False), ("INT64", True, True)):
        path = tmp_path / "net.onnx"
        path.write_bytes(model(kind, masked, actions))
        for policy in (Policy(path), pickle.loads(pickle.dumps(Policy(path.read_bytes())))):
            result = run_local(Job("evaluate", {"game": "2048"}, games=30, policy=policy))
            assert result.cases[0].sums == expected
        assert Policy(path).id == Policy(path.read_bytes()).id and str(Policy(path)) == "net.onnx"
    assert "not an ONNX model" in refused(Policy, b"model")
    # The model chooses among all actions if it doesn't see the masks.
    job = Job("evaluate", {"game": "2048"}, games=30, policy=model("FLOAT", False, True))
    assert "legal" in refused(run_shard, job, job.shards()[0])
    job = Job("evaluate", {"game": "2048", "width": 3}, games=30, policy=path)
    assert refused(lambda: run_shard_by_failure(job)).count("\n") == 0


def run_shard_by_failure(job: Job) -> None:
    """Raise the message of a shard's failure."""
    try:
        run_shard(job, job.shards()[0])
    except Exception as error:
        raise ValueError(job.failure(job.shards()[0], error).error) from None


def test_a_checkpoint_knows_its_policy(tmp_path):
    path, params = tmp_path / "c.json", {"game": "match3", **SMALL["match3"]}

    def job(policy: Any) -> Job:
        return Job("evaluate", params, games=20, shard_games=10, policy=policy)

    def scaled(factor: int) -> Any:
        return lambda obs, mask: (mask * factor).argmax(axis=1)

    run_local(job(scaled(1)), checkpoint=path)
    assert run_local(job(scaled(1)), checkpoint=path).resumed == 2
    for other in (scaled(2), last_legal, "greedy", Policy(scaled(1), name="scaled")):
        with pytest.raises(CheckpointError, match="policy is 'pickle"):
            run_local(job(other), checkpoint=path)
    path.unlink()
    run_local(job(Policy(scaled(1), name="v1")), checkpoint=path)
    # A name stands for the policy, whatever its code.
    assert run_local(job(Policy(scaled(2), name="v1")), checkpoint=path).resumed == 2
    with pytest.raises(CheckpointError, match="policy is 'named v1' there, 'named v2' here"):
        run_local(job(Policy(scaled(1), name="v2")), checkpoint=path)
    lock = threading.Lock()
    assert "give it a name" in refused(lambda: Policy(lambda obs, mask: lock).id)


HASH = """
import numpy as np, sys
from bitcade.shards import Policy
factor = 3
class Base:
    def scale(self):
        return factor
class Net(Base):
    def __init__(self):
        super().__init__()
        self.weights = np.arange(12.0) * int(sys.argv[1])
    def scale(self):
        return super().scale() + 1
    def __call__(self, obs, mask):
        return (mask * self.scale()).argmax(axis=1)
policies = [Net(), lambda obs, mask: (mask * factor).argmax(axis=1)]
if sys.argv[2] == "torch":
    import torch
    class Module(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = torch.nn.Linear(4, 2)
            torch.nn.init.constant_(self.linear.weight, float(sys.argv[1]))
            torch.nn.init.zeros_(self.linear.bias)
        def forward(self, obs, mask):
            return self.linear(obs)
    policies = [Module()]
print([Policy(policy).id for policy in policies])
"""


@pytest.mark.parametrize("library", ["numpy", pytest.param("torch", marks=pytest.mark.slow)])
def test_the_hash_of_a_policy_is_the_same_in_every_process(library):
    pytest.importorskip("cloudpickle")
    pytest.importorskip(library)
    ids = []
    for factor in ("1", "1", "2"):
        done = run_python(HASH, factor, library, timeout=120)
        assert done.returncode == 0, done.stderr
        ids.append(eval(done.stdout))
    assert ids[0] == ids[1] and ids[0][0] != ids[2][0]


def test_the_likelihoods_of_a_sequential_test():
    # Against the maximum of the likelihood over a grid of trinomial distributions with the given mean.
    counts, test = {"losses": 20, "draws": 31, "wins": 30}, Sprt(-10, 30)
    likely = []
    for elo in (test.elo0, test.elo1):
        mean = elo_score(elo)
        draws_ = np.linspace(1e-6, 2 * min(mean, 1 - mean) - 1e-6, 2_000_000)
        wins, losses = mean - draws_ / 2, 1 - mean - draws_ / 2
        likely.append((20 * np.log(losses) + 31 * np.log(draws_) + 30 * np.log(wins)).max())
    assert test.llr(counts) == pytest.approx(likely[1] - likely[0], abs=1e-4)
    # The pairs of wins and losses only are trinomial, too; and the ratio doesn't depend on the order of hypotheses.
    pairs = {"pairs_0": 20, "pairs_1": 0, "pairs_2": 31, "pairs_3": 0, "pairs_4": 30}
    assert test.llr(pairs) == pytest.approx(test.llr(counts), abs=0.01)
    shares = tilted([0, 0.25, 0.5, 0.75, 1], [0.1, 0.2, 0.3, 0.3, 0.1], 0.6)
    assert sum(shares) == pytest.approx(1) and np.dot(shares, [0, 0.25, 0.5, 0.75, 1]) == pytest.approx(0.6)
    assert Sprt(0, 5).bounds == pytest.approx((-math.log(19), math.log(19)))
    assert Sprt().llr({}) == 0 and math.isnan(Sprt().test({}).elo)
    assert Sprt().test({"wins": 30, "losses": 10}).elo == pytest.approx(400 * math.log10(3))


@pytest.mark.parametrize("true_elo", [0, 60])
def test_the_error_rates_of_a_sequential_test(true_elo):
    # Pairs of games that tend to end alike, as after an unbalanced opening.
    generator, wrong, runs = random.Random(1), 0, 300
    test = Sprt(0, 60, alpha=0.05, beta=0.05)
    win = elo_score(true_elo)
    shift = 1 - win if win > 0.5 else win
    for _ in range(runs):
        sums = {f"pairs_{i}": 0 for i in range(5)}
        state = test.test(sums)
        while state.accepted is None:
            for _ in range(8):
                tilt = generator.choice((-0.8, 0.8)) * shift
                halves = (generator.random() < win + tilt) + (generator.random() < win - tilt)
                sums[f"pairs_{2 * halves}"] += 1
            state = test.test(sums)
        wrong += state.accepted != ("H1" if true_elo else "H0")
    # At most 5 %, give or take three standard deviations.
    assert wrong / runs < 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)


def test_a_sequential_test_ends_the_job_the_same_in_any_order(tmp_path):
    job, test = match("greedy", "random", "match3", games=400, shard_games=5), Sprt(0, 60)
    expected = run_local(job, sprt=test)
    assert expected.sprt is not None and expected.sprt.accepted == "H1" and "H1 accepted" in str(expected)
    played = expected.cases[0].games
    assert 5 <= played < 100 and expected.shards == 80
    assert expected.cases[0].sums == run_local(match("greedy", "random", "match3", games=played)).cases[0].sums
    shards = [(shard, run_shard(job, shard)) for shard in job.shards()[:30]]
    for seed in range(5):
        random.Random(seed).shuffle(shards)
        driver = Driver(job, sprt=test)
        for shard, result in shards:
            driver.done(shard, result)
        assert driver.left() == [] and driver.result().cases == expected.cases
        assert driver.result().sprt == expected.sprt
    # A stricter test continues from the checkpoint.
    first = run_local(job, sprt=test, checkpoint=tmp_path / "c.json")
    second = run_local(job, sprt=Sprt(0, 60, alpha=1e-4, beta=1e-4), checkpoint=tmp_path / "c.json")
    assert second.resumed == played // 5 and second.cases[0].games > first.cases[0].games
    # Shards that fail don't count.
    driver = Driver(job, sprt=test)
    driver.failed(job.shards()[0], "lost")
    for shard in job.shards()[1:30]:
        driver.done(shard, run_shard(job, shard))
    assert driver.decided() and driver.result().failures[0].shard == 0


def test_a_sequential_test_that_makes_no_sense_is_refused():
    assert "elo0" in refused(Sprt, 5, 5)
    assert "alpha" in refused(Sprt, alpha=0)
    assert "beta" in refused(Sprt, beta=0.5)
    job = Job("evaluate", {"game": "2048"}, policy="random")
    assert "opponent" in refused(run_local, job, sprt=Sprt())


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("gamma", [1.0, 0.9])
def test_trajectories_equal_the_run(tmp_path, game, gamma):
    pytest.importorskip("pyarrow")
    params = {"game": game, **SMALL[game], "num_envs": 4, "out": str(tmp_path / "data"), "gamma": gamma}
    job = Job("trajectories", params, games=25, shard_games=10, policy=by_content)
    result = run_local(job, checkpoint=tmp_path / "c.json")
    files = sorted(os.listdir(tmp_path / "data"))
    assert files == [f"shard-{i:06}.parquet" for i in range(3)] == sorted(result.records.values())
    numbers, total = [], 0
    for file in files:
        columns, metadata = read_trajectories(tmp_path / "data" / file)
        assert metadata["game"] == game and metadata["policy"] == "by_content"
        assert (np.lexsort((columns["step"], columns["game"])) == np.arange(len(columns["step"]))).all()
        for number in np.unique(columns["game"]).tolist():
            rows = {name: column[columns["game"] == number] for name, column in columns.items()}
            assert rows["step"].tolist() == list(range(len(rows["step"])))
            # Replay the actions from the game's seed.
            seed = (metadata["first_seed"] + number - metadata["first_game"]) % 2**64
            batch = GAMES[game].batch(1, seed=[seed], **metadata["options"])
            for t, action in enumerate(rows["action"]):
                assert (rows["obs"][t] == batch.obs[0]).all() and (rows["action_mask"][t] == batch.action_mask[0]).all()
                _, reward, terminated, truncated, _ = batch.step([action])
                found = (rows["reward"][t], rows["terminated"][t], rows["truncated"][t])
                assert found == (reward[0], terminated[0], truncated[0])
            assert rows["terminated"][-1] or rows["truncated"][-1]
            # They are the games of the policy.
            if game != "go":
                assert [step[2] for step in by_hand(game, number)] == rows["action"].tolist()
            sign, expected = (-1 if game == "go" else 1), 0.0
            for t in range(len(rows["reward"]) - 1, -1, -1):
                expected = float(rows["reward"][t]) + sign * gamma * expected
                assert rows["return_to_go"][t] == np.float32(expected)
            numbers.append(number)
            total += int(rows["reward"].sum())
    assert numbers == list(range(25))
    if game != "go":
        assert result.cases[0].sums["return"] == total
        assert result.cases[0].sums == evaluate(game, games=25, num_envs=4).sums


def test_a_shard_of_trajectories_is_written_again_the_same(tmp_path):
    pytest.importorskip("pyarrow")
    folder, checkpoint = tmp_path / "data", tmp_path / "c.json"
    params = {"game": "2048", "out": str(folder)}
    job = Job("trajectories", params, games=20, shard_games=5, policy="random")
    run_local(job, checkpoint=checkpoint)
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    run_shard(job, job.shards()[2])
    # A file that was lost is written again, too.
    (folder / "shard-000001.parquet").unlink()
    result = run_local(job, checkpoint=checkpoint)
    assert result.resumed == 3 and len(json.loads(checkpoint.read_text())["shards"]) == 4
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before


def test_a_file_without_trajectories_is_refused(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet

    path = tmp_path / "x.parquet"
    pyarrow.parquet.write_table(pyarrow.table({"a": [1]}), path)
    assert f"{path}: expected" in refused(read_trajectories, path)


def test_a_driver_of_a_match_takes_results():
    job = match("random", "random", games=10)
    with Driver(job, sprt=Sprt()) as driver:
        assert not driver.decided()
        driver.done(job.shards()[0], ShardResult({"pairs_0": 0, "pairs_4": 500, "games": 1000}))
        assert driver.decided()


def test_random_actions_are_uniform():
    mask = np.random.default_rng(1).random((5, 7)) < 0.5
    mask[:, 3] = True
    words = draws(np.arange(20_000), np.zeros(20_000))
    for row in mask:
        actions = random_actions(np.repeat(row[None], 20_000, 0), words)
        shares = np.bincount(actions, minlength=7) / 20_000
        assert (shares[~row] == 0).all() and np.allclose(shares[row], 1 / row.sum(), atol=0.015)


def test_formats_do_not_change_results(tmp_path):
    pytest.importorskip("pyarrow")
    formats = {"one_hot": True, "channels": "last", "dtype": "float32"}
    plain, other = (evaluate("2048", "random", **options) for options in ({}, formats))
    assert plain.sums == other.sums
    job = Job("trajectories", {"game": "2048", **formats, "out": str(tmp_path)}, games=2, shard_games=2, policy="random")
    run_local(job)
    columns, metadata = read_trajectories(tmp_path / "shard-000000.parquet")
    assert metadata["obs_dtype"] == "float32" == columns["obs"].dtype and columns["obs"].shape[1:] == (4, 4, 18)
