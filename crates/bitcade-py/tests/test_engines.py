"""Engine functions: what the binding passes on. The crates' own tests hold the engines against published numbers."""

import inspect
import math
import pickle

import bitcade
import numpy as np
import pytest
from conftest import refused
from games.match3_level import TEXT

LEARNER = bitcade.g2048.Learner(seed=3, num_threads=2)
LEARNER.learn(60)
NETWORK = LEARNER.network()
MATCH3_BOARD = [[1, 1, 2, 1], [3, 4, 3, 4], [1, 2, 1, 2], [3, 4, 4, 3]]


def learned(**options):
    learner = bitcade.g2048.Learner(**options)
    learner.learn(30)
    return learner.save()


STONES = np.repeat([0, 1, 0, 2, 0], [2, 1, 3, 1, 2])[:, None].repeat(9, axis=1)
SLOT = [[int(cell == "#") for cell in row] for row in ("##........", "#...######", "##.#######")]
KICK = [[int(cell == "#") for cell in row] for row in ("##........", "#.........", "#.########", "#..#######")]
TALL = [[0] + [1] * 9] * 20
#: Calls of functions, each with other values of options. A seed gives the same result on any number of threads.
OPTIONS = [
    (bitcade.g2048.playouts, {"games": 300}, {"width": 5, "height": 3, "seed": 2, "num_threads": 2}),
    (bitcade.go.playouts, {"games": 300}, {"size": 5, "suicide": "all", "seed": 2, "num_threads": 2}),
    (bitcade.go.best_move, {"board": STONES, "playouts": 400}, {"to_move": "white", "komi": 0.5, "playouts": 300, "seed": 2}),
    (bitcade.go.ownership, {"board": STONES}, {"games": 200, "seed": 2}),
    (bitcade.match3.evaluate, {"games": 50}, {"agent": "random", "width": 7, "height": 7, "colors": 5, "moves": 7}),
    (bitcade.match3.evaluate, {"games": 50}, {"seed": 2, "first": 1, "num_threads": 2}),
    (bitcade.match3.evaluate, {"games": 2, "agent": "rollout", "moves": 3}, {"budget": 200}),
    (
        bitcade.match3.playtest,
        {"level": TEXT, "agent": "random"},
        {"games": 999, "seed": 2, "first": 500, "num_threads": 2},
    ),
    (bitcade.tetris.bot, {"board": SLOT, "queue": "TIOS"}, {"hold": "L", "combo": 5, "back_to_back": True, "nodes": 300}),
    (bitcade.tetris.bot, {"board": TALL, "queue": "TIO", "nodes": 300}, {"second_spawn_row": False, "spins": "none"}),
    (bitcade.tetris.bot, {"board": KICK, "queue": "LTSZ", "nodes": 300}, {"rotation": "srs-plus"}),
    (bitcade.tetris.control, {"pieces": 3001}, {"weights": "dellacherie", "seed": 2, "num_threads": 2}),
    (bitcade.tetris.placements, {"board": SLOT, "piece": "T"}, {"spins": "none", "rotation": "srs-plus"}),
    (bitcade.tetris.placements, {"board": TALL, "piece": "T"}, {"second_spawn_row": False}),
    (bitcade.contest.solve, {"pieces": 40, "width": 20}, {"seed": 1, "pieces": 41, "width": 3, "num_threads": 2}),
    (NETWORK.evaluate, {"games": 6}, {"depth": 2, "seed": 2, "first": 1, "num_threads": 2}),
    (learned, {}, {"seed": 2, "learning_rate": 0.5, "coherence": False}),
]


@pytest.mark.parametrize("rules", [{"rotation": "srs-plus", "spins": "all-mini"}, {"rotation": "srs-x", "spins": "none"}])
def test_a_batch_has_the_moves_of_placements(rules):
    games = bitcade.tetris.Batch(40, starts=[KICK], hold=False, **rules)
    for game, mask in enumerate(games.action_mask):
        found = bitcade.tetris.placements(KICK, games.bot_arguments(game)["queue"][0], **rules)
        actions = {bitcade.tetris.encode_action(at["orientation"], at["x"], at["y"]) for at in found}
        assert {*np.flatnonzero(mask)} == actions


@pytest.mark.parametrize(("call", "given", "options"), OPTIONS)
def test_every_option_counts_but_threads(call, given, options):
    result = repr(call(**given))
    for name, value in options.items():
        assert (repr(call(**{**given, name: value})) == result) == (name == "num_threads"), name
    # With more threads, a search and training vary.
    known = {name for other, _, names in OPTIONS if other == call for name in (*names, "num_threads")}
    parameters = inspect.signature(bitcade.g2048.Learner if call is learned else call).parameters.values()
    assert {each.name for each in parameters if each.default is not each.empty} <= known


@pytest.mark.parametrize("evaluate", [NETWORK.evaluate, bitcade.match3.evaluate])
def test_games_of_a_seed_are_numbered(evaluate):
    whole = evaluate(6, seed=4)
    assert len(whole) == 6 and whole[2:] == evaluate(4, seed=4, first=2)
    assert len(evaluate(2, first=2**64 - 3)) == 2 and evaluate(0, first=2**64 - 1) == []
    expected = f"ValueError: first={2**64 - 3}: expected 0 to {2**64 - 4} for 3 games"
    assert refused(evaluate, 3, first=2**64 - 3) == expected


def test_playouts_and_a_solution():
    played = bitcade.g2048.playouts(2000, seed=1)
    assert played["games"] == sum(played["largest"].values()) == 2000
    assert 1000 < played["mean_score"] < 1200 and 110 < played["mean_moves"] < 130
    played = bitcade.go.playouts(500, size=9, seed=1)
    assert played["games"] == 500 and 90 < played["mean_stones"] < played["mean_plies"] < 130
    solution = bitcade.g2048.solve(2, 2)
    assert solution["canonical"] == 110 < solution["states"] and round(solution["expected_score"], 6) == 66.964149


@pytest.mark.parametrize(
    "batch, options, episode",
    [
        (bitcade.g2048.Batch, {"width": 3, "height": 3, "starts": [[[1, 2, 3], [2, 0, 0], [0, 0, 4]]]}, "moves"),
        (
            bitcade.match3.Batch,
            {"width": 4, "height": 4, "colors": 4, "moves": 6, "starts": [MATCH3_BOARD]},
            "moves",
        ),
        (bitcade.tetris.Batch, {}, "pieces"),
        (bitcade.go.Batch, {"size": 5}, "plies"),
    ],
)
def test_playouts_of_a_state_are_games_from_it(batch, options, episode):
    games = batch(600, seed=2, **options)
    state = games.get_state(0)
    played = state.playouts(600, seed=1)
    assert played["games"] == 600 and played == state.playouts(600, seed=1, num_threads=3)
    assert played != state.playouts(600)
    alive, lengths, rewards = np.full(600, True), 0, 0.0
    while alive.any():
        _, reward, terminated, truncated, _ = games.random_step()
        lengths, rewards = lengths + alive.sum(), rewards + reward[alive].sum()
        alive &= ~(terminated | truncated)
    # The batch's games of Go may pass at any time.
    mean = played[f"mean_{episode}"]
    assert 30 < mean < 100 if episode == "plies" else abs(mean - lengths / 600) < 0.06 * mean
    if episode == "moves":
        assert abs(played["mean_score"] - rewards / 600) < 5 * played["stderr_score"]
    if batch is bitcade.match3.Batch:
        games = batch(1, seed=2, **options)
        games.random_step()
        assert games.get_state(0).playouts(9)["mean_moves"] == 5
    done = batch(1, seed=2, autoreset_mode="Disabled", **options)
    while done.action_mask.any():
        done.random_step()
    over = done.get_state(0).playouts(5)
    assert over["games"] == 5 and over[f"mean_{episode}"] == 0
    assert math.isnan(state.playouts(0)[f"mean_{episode}"])


def test_wins_are_at_the_komi_of_the_state():
    for komi, wins in ((-25.5, 20), (25.5, 0)):
        assert bitcade.go.Batch(1, size=5, komi=komi).get_state(0).playouts(20)["black_wins"] == wins


def test_states_without_playouts():
    for games in (bitcade.go.Batch(1, size=7), bitcade.match3.LevelBatch(1, TEXT), bitcade.tetris.KeysBatch(1)):
        assert refused(games.get_state(0).playouts, 1).startswith("ValueError: ")


def test_2048_learner_and_network():
    assert LEARNER.games >= 60 and LEARNER.moves > 60 and LEARNER.curve == []
    boards = np.array([np.tri(4, 1, dtype=int) @ [[1, 0, 0, 0]], np.arange(16).reshape(4, 4) % 7 + 1])
    for depth in (1, 2):
        first, stuck = NETWORK.actions(boards, depth)
        assert first in (1, 2, 3) and stuck == -1
    assert all(score > 0 and tile & (tile - 1) == 0 for score, tile in NETWORK.evaluate(6))
    assert pickle.loads(pickle.dumps(NETWORK)).save() == NETWORK.save()
    builtin = bitcade.g2048.Network.builtin()
    assert len(builtin.save()) < 2_000_000 and pickle.loads(pickle.dumps(builtin)).save() == builtin.save()
    assert min(score for score, _ in builtin.evaluate(6)) > max(score for score, _ in NETWORK.evaluate(6))
    assert builtin.actions(boards)[1] == -1
    resumed = bitcade.g2048.Learner.load(LEARNER.save())
    assert resumed.games == LEARNER.games and resumed.network().save() == NETWORK.save()


def test_tetris_functions():
    assert [len(bitcade.tetris.placements([[0] * 10], piece)) for piece in "IOTSZJL"] == [17, 9, 34, 17, 17, 34, 34]
    ranked = bitcade.tetris.bot([[0] * 10], "TIOS", hold="L", nodes=2000)
    assert {(move["piece"], move["hold"]) for move in ranked} == {("T", False), ("L", True)}
    played = bitcade.tetris.control(3000, weights="dellacherie")
    assert (played["pieces"], played["games"], played["unfinished_games"]) == (3000, 0, 3)


def test_go_functions():
    owners = bitcade.go.ownership(STONES, games=200)
    assert owners.dtype == np.float32 and owners[:3].min() > 0.5 and owners[6:].max() < -0.5
    # The middle is the best first move on 5 x 5.
    best = bitcade.go.best_move(np.zeros((5, 5), int), komi=0.5, playouts=3000)
    assert best["action"] == best["candidates"][0][0] == 12
    assert best["to_move"] == "black" and 0 <= best["win_rate"] <= 1


@pytest.mark.parametrize("seed", [None, 7])
def test_contest(seed):
    solved = bitcade.contest.solve(seed=seed, pieces=40, width=20)
    assert solved["pieces"] == 40 and 0 <= solved["score"] <= solved["bound"]
    checked = bitcade.contest.verify(solved["record"], seed=seed)
    assert checked == {key: value for key, value in solved.items() if key != "record"}


def test_means_of_nothing_are_no_numbers():
    for playouts in (bitcade.g2048.playouts, bitcade.go.playouts):
        none, one, two = (playouts(games, seed=1) for games in (0, 1, 2))
        assert all(math.isnan(none[name]) for name in none if name.startswith("mean_"))
        assert [math.isnan(played["stderr_score"]) for played in (none, one, two)] == [True, True, False]
    assert np.isnan(bitcade.go.ownership([[0] * 5] * 5, games=0)).all()
    assert bitcade.go.best_move([[0] * 5] * 5, playouts=0)["win_rate"] is None
