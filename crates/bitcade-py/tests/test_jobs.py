"""`bitcade.jobs` without Ray: what it plays, where, and what is left after an error."""

import functools
import os
import random
import signal
import subprocess
import sys
from dataclasses import fields, replace

import numpy as np
import psutil
import pytest
from bitcade import _executors, _native, jobs, tetris
from bitcade._files import write_file
from bitcade._games import GAMES
from bitcade._play import game_seed
from bitcade._policy import draws, random_actions
from bitcade._sprt import tilted
from bitcade.jobs import FolderError, Job, JobError, Policy, Sprt, read_trajectories, run
from conftest import ENVIRONMENT, refused
from games import FACTS


def last_legal(obs, action_mask):
    return action_mask.shape[1] - 1 - action_mask[:, ::-1].argmax(axis=1)


def by_content(obs, action_mask):
    weights = np.arange(1, obs[0].size + 1, dtype=np.uint64)
    return random_actions(action_mask, draws(obs.reshape(len(obs), -1) @ weights, np.zeros(len(obs))))


class Fragile:
    # Fails in about 1 % of the shards; with `marks`, kills its process, until that file has as many bytes as `times`.

    def __init__(self, marks=None, times=0):
        self.marks, self.times = marks, times

    def seed(self, seed):
        self.fails = seed % 100 == 0

    def __call__(self, obs, action_mask):
        if self.fails and self.marks is None:
            raise RuntimeError("no idea\nfor this board")
        if self.fails and len(self.marks.read_bytes()) < self.times:
            with self.marks.open("ab") as file:
                file.write(b"x")
            os.kill(os.getpid(), signal.SIGKILL)
        return last_legal(obs, action_mask)


def small(game, policy=by_content, kind="evaluate", games=20, **more):
    # Create a job of small games; `options` are added to the game's.
    options = {**FACTS[game].small, "max_episode_steps": 40, **more.pop("options", {})}
    return Job(kind, game, policy, options=options, games=games, **{"shard_games": 10, **more})


def lists(result):
    return {name: column.tolist() for name, column in result.columns.items()}


def same(one, other):
    assert (lists(one), one.failures, one.sprt) == (lists(other), other.failures, other.sprt)


def contents(folder):
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def by_hand(game, number, first, second=None):
    # Play a game of a job with seed 1 alone; return its row of the result, and the rows of its trajectory.
    seed = game_seed(1, number // 2 if second else number)
    is_black = not second or number % 2 == 0
    batch = GAMES[game].batch(1, seed=[seed], autoreset_mode="Disabled", **small(game, first).options)
    steps = []
    total, is_over = 0, False
    while not is_over:
        black = game != "go" or batch.to_move()[0] == 0
        seen = {"obs": batch.obs[0].copy(), "action_mask": batch.action_mask[0].copy()}
        if second and len(steps) < 4:
            word = draws(np.array([seed], np.uint64), np.array([3 * len(steps) + 2]))
            action = random_actions(batch.action_mask, word)
        else:
            player = second if second and black != is_black else first
            action = player(batch.obs.copy(), batch.action_mask.copy())
        _, (reward,), (terminated,), (truncated,), _ = batch.step(action)
        outcome = {"reward": reward, "terminated": terminated, "truncated": truncated}
        steps.append({"game": number, "step": len(steps), **seen, "action": action[0], **outcome})
        total += int(reward) * (1 if black == is_black else -1)
        is_over = terminated or truncated
    result = {"game": number, "return": total, "length": len(steps), "truncated": truncated and not terminated}
    result |= {"largest": 1 << batch.board(0).max()} if game == "2048" else {}
    result |= {"won": batch.won()[0]} if game == "match3-level" else {}
    return result | ({"black": is_black} if second else {}), steps


#: Every game, and what else decides who plays it.
CASES = [
    *((game, {"kind": "trajectories"}) for game in GAMES),
    ("match3", {"kind": "match", "opponent": last_legal}),
    ("go", {"kind": "evaluate", "opponent": last_legal}),
]


@pytest.mark.parametrize(("game", "more"), CASES)
def test_results_and_files_are_games_by_hand(tmp_path, game, more):
    has_files, opponent, gamma = more["kind"] == "trajectories", more.get("opponent"), 0.9
    if has_files:
        pytest.importorskip("pyarrow")
    job = small(game, Policy(by_content, name="1"), **more, gamma=gamma)
    expected = run(job, folder=tmp_path if has_files else None)
    played = [by_hand(game, number, by_content, opponent if game == "go" else None) for number in range(20)]
    rows = [row for row, _ in played]
    if opponent and game != "go":
        for row in rows:
            row["opponent_return"] = by_hand(game, row["game"], opponent)[0]["return"]
            row["difference"] = row["return"] - row["opponent_return"]
    assert lists(expected) == {name: [row[name] for row in rows] for name in rows[0]}
    # All games of Go begin alike.
    assert len({(row["return"], row["length"]) for row in rows}) > 3 or game == "go" and not opponent
    # Anywhere, in any shards and slots.
    for shard_games, num_envs, executor in ((20, 3, None), (6, 1, None), (4, 64, 2)):
        same(run(replace(job, shard_games=shard_games, num_envs=num_envs), executor=executor), expected)
    for first in (0, 10) if has_files else ():
        columns, metadata = read_trajectories(tmp_path / f"{first // 10:06}.parquet")
        assert (metadata["game"], metadata["policy"]) == (game, "1")
        assert metadata["seeds"] == [job.seed_of(number) for number in range(first, first + 10)]
        steps, to_go = [step for _, part in played[first : first + 10] for step in part], 0.0
        for step in steps[::-1]:
            ended = step["terminated"] or step["truncated"]
            to_go = float(step["reward"]) + gamma * to_go * (-1 if game == "go" else 1) * (not ended)
            step["return_to_go"] = np.float32(to_go)
        assert set(columns) == set(steps[0])
        assert all((column == [step[name] for step in steps]).all() for name, column in columns.items())


@functools.cache
def network():
    learner = _native.Learner2048(seed=1)
    learner.learn(100)
    return learner.network()


def test_players_of_the_package_play_any_layout_of_observations():
    for game, policy, options, layout in (
        ("match3", "greedy", {}, {"one_hot": True}),
        ("2048", network(), {"width": 4, "height": 4, "max_episode_steps": 300}, {"one_hot": True}),
        ("tetris", Policy("bot", nodes=200), {}, {"planes": True, "rows": 12}),
        ("go", Policy("search", playouts=30), {}, {"history": 3}),
    ):
        expected = run(small(game, policy, options=options))
        assert expected.mean("return") > run(small(game, "random", options=options)).mean("return")
        same(run(small(game, policy, options={**options, **layout, "dtype": "float32", "channels": "last"})), expected)
    assert len({Policy(network(), depth=depth).id for depth in (1, 2)} | {Policy(_native.Learner2048().network()).id}) == 3


def test_the_bot_hears_what_the_observation_says():
    rules = {"second_spawn_row": False, "rotation": "srs-x", "spins": "all-mini"}
    options = rules | {"next": 2, "garbage": (3, 1)}
    batch, policy, names = tetris.Batch(4, seed=3, **options), Policy("bot", nodes=100), "-IOTSZJL"
    for _ in range(60):
        for slot, obs in enumerate(batch.obs[:, 200:206].tolist()):
            current, hold, *queue, combo, back_to_back = obs
            assert batch.bot_arguments(slot) == {
                "queue": "".join(names[piece] for piece in (current, *queue)),
                "hold": names[hold] if hold else None,
                "combo": combo,
                "back_to_back": back_to_back > 0,
            } | rules
        batch.step(policy.actions(batch, np.arange(4), np.zeros(4), options))


LAST = Policy(last_legal, name="last")
MATCH = Job("match", "go", "random", LAST, options={"size": 5}, games=12, shard_games=4)
LEVELS = Job("level_test", "match3", "random", levels=[{"moves": 6}], games=4)
TRAJECTORIES = Job("trajectories", "match3", "random", options={"moves": np.int64(6)}, games=4)
#: For each argument of a job: a job, another value, and whether the results differ.
VALUES = {
    "kind": (MATCH, "evaluate", False),
    "game": (MATCH, "match3", True),
    "policy": (MATCH, LAST, True),
    "opponent": (MATCH, "random", True),
    "options": (TRAJECTORIES, {"moves": 7}, True),
    "levels": (LEVELS, [{"moves": 6}, {"moves": 7}], True),
    "games": (MATCH, 14, True),
    "seed": (MATCH, 2**64 - 1, True),
    "shard_games": (MATCH, 6, False),
    "num_envs": (MATCH, 1, False),
    "opening_moves": (MATCH, 2, True),
    "gamma": (TRAJECTORIES, 0.5, False),
}


@pytest.mark.parametrize("name", [field.name for field in fields(Job)])
def test_an_argument_matters_and_its_folder_is_refused(name, tmp_path):
    job, value, differs = VALUES[name]
    other = replace(job, **{name: value}, **({"options": {}} if name == "game" else {}))
    result = run(job, folder=tmp_path)
    assert differs == (lists(result) != lists(run(other)))
    before = contents(tmp_path)
    if name == "num_envs":
        assert run(other, folder=tmp_path).resumed == 3
    else:
        shown = {"policy": "policies", "opponent": "policies", "options": "levels"}.get(name, name)
        with pytest.raises(FolderError, match=rf"the folder of another job: .*{shown} .* there, .* here"):
            run(other, folder=tmp_path)
    assert contents(tmp_path) == before


CONTEST = {"kind": "contest", "game": None, "policy": None}
#: Wrong arguments of a job, on top of those of a right one, each with a part of the message.
WRONG = [
    *((f"{name}=", {name: value}) for name in ("games", "shard_games", "num_envs") for value in (0, 2.5, True)),
    ("kind='dance'", {"kind": "dance"}),
    ("seed=", {"seed": 2**64}),
    ("gamma=2", {"gamma": 2}),
    ("opening_moves=-1", {"opening_moves": -1}),
    ("game='chess'", {"game": "chess"}),
    ("a policy", {"policy": None}),
    ("not int", {"policy": 5}),
    ("random, greedy, bot, search", {"policy": "best"}),
    ("plays match3, not 2048", {"policy": "greedy", "game": "2048"}),
    ("placements", {"policy": "bot", "game": "tetris", "options": {"actions": "drops"}}),
    ("no opponent", {"opponent": "random"}),
    ("an opponent", {"kind": "match"}),
    ("even", {"game": "go", "games": 3}),
    ("even", {"game": "go", "shard_games": 3}),
    ("can't be set", {"options": {"autoreset_mode": "Disabled"}}),
    ("levels", {"levels": [{}]}),
    ("levels", {"kind": "level_test"}),
    ("levels", {"kind": "level_test", "levels": []}),
    ("width", {"kind": "level_test", "levels": [{}, {"width": 99}]}),
    ("no game", {"kind": "contest"}),
    ("unknown moves", {**CONTEST, "options": {"moves": 3}}),
    ("pieces=0", {**CONTEST, "options": {"pieces": 0}}),
]


def test_what_makes_no_sense_is_refused(tmp_path):
    for reason, arguments in WRONG:
        assert reason in refused(Job, **{"kind": "evaluate", "game": "match3", "policy": "random", **arguments})
    job, lock = small("match3", "random"), os.scandir(tmp_path)
    for executor in (0, "threads", True):
        assert f"executor={executor!r}" in refused(run, job, executor=executor)
    assert "ray_options" in refused(run, job, ray_options={"num_cpus": 1})
    assert "match" in refused(run, job, sprt=Sprt())
    assert "a name in a folder" in refused(run, small("match3"), folder=tmp_path)
    assert "can't be sent" in refused(run, small("match3", lambda obs, mask: lock), executor=2)
    for name, value in (("depth", 1), ("playouts", 0), ("playouts", 1.5)):
        assert name in refused(Policy, "search", **{name: value})
    for name, value in (("elo1", 0), ("alpha", 0), ("beta", 0.5)):
        assert name in refused(Sprt, **{name: value})
    assert "board" in refused(Job, "evaluate", "2048", network(), options={"width": 5})
    with pytest.raises(FileNotFoundError, match=r"none\.onnx"):
        Policy("none.onnx")


@pytest.mark.parametrize(
    ("reason", "policy"),
    {
        r"int64 of shape \(9,\)": lambda obs, mask: mask.argmax(axis=1)[:-1],
        r"float64 of shape \(10,\)": lambda obs, mask: mask.argmax(axis=1).astype(float),
        "legal": lambda obs, mask: (~mask).argmax(axis=1),
        "SystemExit: 3": lambda obs, mask: sys.exit(3),
    }.items(),
)
def test_a_job_of_which_every_shard_fails_raises(reason, policy):
    with pytest.raises(JobError, match=rf"^all 2 shards failed; shard 0 \(games 0 to 9, first seed \d+\).*{reason}"):
        run(small("2048", policy))


@pytest.mark.parametrize(("kind", "executor"), [("evaluate", 2), ("trajectories", None)])
def test_a_folder_after_interrupts_losses_and_damage(tmp_path, kind, executor):
    resource = pytest.importorskip("resource", reason="Windows has no limits of files")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    job = small("match3", Policy(by_content, name="1"), kind, games=50, shard_games=4)
    expected = run(job, folder=tmp_path / "whole")
    folder, seen = tmp_path / "parts", []

    def progress(done, shards):
        seen.append((done, shards))
        if len(seen) == 5:
            raise KeyboardInterrupt
        if len(seen) == 7:
            # The disk is full, so to speak.
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))

    with pytest.raises(KeyboardInterrupt):
        run(job, folder=folder, executor=executor, progress=progress)
    assert len(contents(folder)) == 1 + 5
    path, other = sorted(folder.glob("0*"))[:2]
    whole = path.read_bytes()
    for content in (b"", whole[:-1], whole[: len(whole) // 2], other.read_bytes()):
        path.write_bytes(content)
        with pytest.raises(FolderError, match=f"{path}: .*delete it"):
            run(job, folder=folder)
        assert path.read_bytes() == content
    path.unlink()
    try:
        with pytest.raises(OSError, match=str(folder)):
            run(job, folder=folder, executor=executor, progress=progress)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert len(contents(folder)) == 1 + 6, "nothing is lost or half written"
    result = run(job, folder=folder, executor=executor, progress=progress)
    same(result, expected)
    assert result.resumed == 6 and seen[5:] == [(done, 13) for done in range(5, 14)]
    assert contents(folder) == contents(tmp_path / "whole")
    (folder / "_job.json").write_text("[1]")
    assert "not the description" in refused(run, job, folder=folder)
    (folder / "_job.json").unlink()
    assert "not the folder of a job: has 00000" in refused(run, job, folder=folder)


def test_a_file_is_replaced_whole(tmp_path):
    far, link = tmp_path / "far", tmp_path / "link"
    far.touch(0o640)
    link.symlink_to(far)
    write_file(link, b"2")
    assert link.is_symlink() and far.read_bytes() == b"2" and far.stat().st_mode & 0o777 == 0o640
    assert "regular" in refused(write_file, tmp_path, b"")


@pytest.mark.parametrize(("executor", "times"), [(None, 0), (2, 0), (2, 2), (2, 100)])
def test_a_shard_that_fails_or_loses_its_process_loses_nothing_else(tmp_path, executor, times):
    if times and sys.platform == "win32":
        pytest.skip("Windows has no SIGKILL")
    marks = tmp_path / "marks"
    marks.touch()
    options = {"games": 400, "shard_games": 2, "options": {"moves": 1}}
    job = small("match3", Policy(Fragile(marks if times else None, times), name="1"), **options)
    result, expected = run(job, folder=tmp_path / "job", executor=executor), run(small("match3", last_legal, **options))
    failed = {number for failure in result.failures for number in failure.games}
    kept = [number for number in range(400) if number not in failed]
    assert result["game"].tolist() == kept and (result["return"] == expected["return"][kept]).all()
    assert (len(failed) > 0) == (times != 2) and len(failed) < 16
    assert result.lost == len(marks.read_bytes()) == min(times, jobs.ATTEMPTS * len(result.failures) if failed else 2)
    error = f"lost with its process {jobs.ATTEMPTS} times" if times else "RuntimeError: no idea for this board"
    for failure in result.failures:
        games = f"games {failure.games[0]} to {failure.games[-1]}, first seed {game_seed(1, failure.games[0])}"
        assert f"shard {failure.shard} ({games}) failed: {error}" in str(result)
    assert times or run(job, folder=tmp_path / "job").resumed == 200 - len(result.failures)


DRIVER = """
import sys
from bitcade.jobs import Job, run
job = Job("evaluate", "match3", "greedy", games=10**6, shard_games=1000)
run(job, executor=2, folder=sys.argv[1], progress=lambda done, _: print(done, flush=True))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_driver_that_ends_leaves_files_and_no_processes(tmp_path, number):
    command, pipe = [sys.executable, "-c", DRIVER, str(tmp_path)], subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=ENVIRONMENT) as driver:
        assert driver.stdout is not None
        while driver.stdout.readline() != "3\n":
            assert driver.poll() is None
        children = psutil.Process(driver.pid).children(recursive=True)
        driver.send_signal(number)
        assert driver.wait(20) == -number
    assert len(children) >= 2 and psutil.wait_procs(children, timeout=10)[1] == []
    files = list(tmp_path.glob("*.npz"))
    assert len(files) >= 3 and all(len(np.load(file)["game"]) == 1000 for file in files)


def test_a_sequential_test_ends_the_same_in_any_order(tmp_path, monkeypatch):
    test = Sprt(elo0=0, elo1=60)
    played = [
        small("match3", "greedy", "match", opponent=Fragile(), games=400, shard_games=5),
        # Go counts pairs.
        small("go", Policy(last_legal, name="1"), "match", opponent="random", games=200, shard_games=4),
        small("go", kind="match", opponent=by_content),
    ]
    expected = [run(job, sprt=test) for job in played]
    assert [result.sprt.accepted for result in expected] == ["H1", "H0", None] and "H1 accepted" in str(expected[0])
    assert 5 <= expected[0].games < 100 and expected[2].games == 20
    assert expected[0]["game"].tolist() == list(range(expected[0].games))

    def shuffled(play, queue):
        while queue:
            generator.shuffle(queue)
            shard = queue.popleft()
            yield shard, _executors.LOST if generator.random() < 0.1 else _executors.outcome(play, shard)

    with monkeypatch.context() as patch:
        patch.setattr(jobs, "choose", lambda *_: shuffled)
        for seed in range(5):
            generator = random.Random(seed)
            for job, result in zip(played, expected, strict=True):
                same(run(job, sprt=test), result)
    # A stricter test continues from the folder.
    first = run(played[1], sprt=Sprt(0, 100, alpha=0.2, beta=0.2), folder=tmp_path, executor=2)
    strict = run(played[1], sprt=Sprt(0, 100, alpha=1e-3, beta=1e-3), folder=tmp_path)
    assert strict.games > first.games and strict.resumed >= first.games // 4
    # Also where every shard has a file.
    run(played[1], folder=tmp_path)
    same(run(played[1], sprt=test, folder=tmp_path), expected[1])


@pytest.mark.parametrize("counts", [[20, 31, 30], [7, 3, 25, 12, 9]])
def test_the_likelihoods_of_a_sequential_test(counts):
    shares, scores = np.array(counts) / sum(counts), np.linspace(0, 1, len(counts))
    likely = []
    for elo in (-10, 30):
        mean = 1 / (1 + 10 ** (-elo / 400))
        found = np.array(tilted(scores.tolist(), shares.tolist(), mean))
        assert found.sum() == pytest.approx(1) and found @ scores == pytest.approx(mean)
        # By Lagrange's multipliers, the quotients of the likeliest distribution are linear in the scores.
        assert np.diff(shares / found, 2) == pytest.approx(0, abs=1e-9)
        likely.append(np.array(counts) @ np.log(found))
    state = Sprt(-10, 30, alpha=0.01, beta=0.2).test(counts)
    assert state.llr == pytest.approx(likely[1] - likely[0], abs=1e-3)
    assert state.bounds == pytest.approx((np.log(0.2 / 0.99), np.log(0.8 / 0.01)))
    elo, low, high = state.elo
    assert 1 / (1 + 10 ** (-elo / 400)) == pytest.approx(shares @ scores) and low < elo < high
    assert Sprt().llr([0, 0, 0]) == 0 and np.isnan(Sprt().test([0, 0, 0]).elo).all()


def test_levels_are_evaluations():
    levels = [{"moves": 12}, {"colors": 5}]
    result = run(small("match3", "greedy", "level_test", levels=levels, games=30))
    for number, (level, line) in enumerate(zip(levels, str(result).splitlines(), strict=True)):
        expected = run(small("match3", "greedy", options=level, games=30))
        rows, returns = result["level"] == number, expected["return"]
        assert lists(expected) == {name: result[name][rows].tolist() for name in expected.columns}
        shown = f"30 games, return {returns.mean():.2f} ± {returns.std(ddof=1) / 30**0.5:.2f}, length"
        assert line.startswith(f"level_test of match3 by greedy, level {number}: {shown}")


def test_a_contest_keeps_its_records_and_names_lost_games():
    # A search this narrow loses the games of some of these seeds, late in the game.
    options = {"pieces": 200, "width": 20}
    result = run(Job("contest", options=options, seed=1, games=8, shard_games=1))
    errors = {failure.seed: failure.error for failure in result.failures}
    for seed, error in errors.items():
        assert error == refused(_native.contest_solve, seed=seed, **options).replace(":", f": seed {seed}:", 1)
    solved = [{"seed": seed, **_native.contest_solve(seed=seed, **options)} for seed in result["seed"].tolist()]
    assert solved and errors and sorted([*errors, *result["seed"]]) == list(range(1, 9))
    for name in ("score", "bound", "lines", "pieces", "record"):
        assert result[name].tolist() == [game[name] for game in solved]


def test_an_onnx_model_plays(tmp_path):
    parser = pytest.importorskip("onnx.parser")
    pytest.importorskip("onnxruntime")
    path, weights = tmp_path / "net.onnx", np.random.default_rng(1).normal(size=(9, 4)).astype(np.float32)

    def model(inputs, output, nodes=""):
        # Make a model of 2048: `sums` are weighted sums of the board, one for each action.
        text = f"""<ir_version: 8, opset_import: ["" : 13]> policy ({inputs}) => ({output})
        <float[9, 4] weights = {{{", ".join(map(str, weights.flat))}}}, int64[2] flat = {{-1, 9}},
        float least = {{-1e9}}>
        {{ numbers = Cast<to = 1>(obs) rows = Reshape(numbers, flat) sums = MatMul(rows, weights) {nodes} }}"""
        return bytes(parser.parse_model(text).SerializeToString())

    def same_sums(obs, mask):
        return np.where(mask, obs.reshape(-1, 9).astype(np.float32) @ weights, -np.inf).argmax(axis=1)

    best = "best = ArgMax<axis = 1, keepdims = 0>"
    masked = f"legal = Where(action_mask, sums, least) {best}(legal)"
    for content in (
        model("float[n, 3, 3] obs", "float[n, 4] sums"),
        model("uint8[n, 3, 3] obs, bool[n, 4] action_mask", "int64[n] best", masked),
    ):
        path.write_bytes(content)
        same(run(small("2048", path), executor=2), run(small("2048", same_sums)))
        assert Policy(path).id == Policy(content).id != Policy(path, name="best").id == "best"
    # The model chooses among all actions if it doesn't see the masks.
    with pytest.raises(JobError, match="legal"):
        run(small("2048", model("int64[n, 3, 3] obs", "int64[n] best", f"{best}(sums)")))
    assert "the model failed" in refused(small, "2048", path, options={"width": 4})
    assert "not an ONNX model" in refused(Policy, b"model")


def test_random_actions_are_uniform():
    mask = np.tile([True, False, True, True], (20_000, 1))
    actions = random_actions(mask, draws(np.arange(20_000), np.zeros(20_000)))
    assert np.bincount(actions, minlength=4) / 20_000 == pytest.approx([1 / 3, 0, 1 / 3, 1 / 3], abs=0.015)
    # The games of a pair have the same seed, and other random moves.
    pairs = run(small("go", "random", opponent="random"))["return"].reshape(-1, 2)
    assert pairs.sum(axis=1).any()
