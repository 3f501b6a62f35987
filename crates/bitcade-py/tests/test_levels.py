"""Level files, playtests and their reports; `test_options.py` and others have their environments."""

import json
import pathlib
from dataclasses import replace

import numpy as np
import pytest
from bitcade.jobs import Job, JobError, Policy, run
from bitcade.match3 import Level, LevelBatch, PlaytestReport, decode_action, playtest
from conftest import copies, refused
from games.match3_level import OTHER, TEXT

CRATES = pathlib.Path(__file__).parents[2]
LEVEL = Level.parse(TEXT)


def test_a_level_is_a_value(tmp_path):
    for each in (LEVEL, Level.parse(LEVEL.to_toml()), *copies(LEVEL)):
        assert each == LEVEL and hash(each) == hash(LEVEL) and each.to_toml() == LEVEL.to_toml()
    assert LEVEL != OTHER and LEVEL != TEXT
    assert (LEVEL.name, LEVEL.width, LEVEL.height, LEVEL.colors, LEVEL.moves) == ("Bits", 6, 6, 4, 8)
    assert LEVEL.goals == {"color 1": 9, "jelly": 2} and repr(LEVEL) == '<bitcade.match3.Level "Bits": 6 x 6>'
    assert Level.parse(TEXT.replace("moves = 8", "time = 8")).moves is None
    file = tmp_path / "a.toml"
    file.write_text(TEXT)
    assert Level.load(file) == Level.load(str(file)) == LEVEL
    file.write_text(TEXT.replace("?R??2?", "?R!?2?"))
    assert refused(Level.load, file).startswith(f"ValueError: {file}: line 12, column 3: pieces: expected ?")
    file.write_bytes(b"\xff")
    assert refused(Level.load, file) == f"ValueError: {file}: expected text in UTF-8"
    with pytest.raises(FileNotFoundError, match=r"none\.toml"):
        Level.load(tmp_path / "none.toml")
    assert refused(playtest, "a.toml", "greedy").endswith("(Level.load reads a file)")


def test_numbers_are_those_of_the_program():
    # The tests of the program have the same file.
    for line in (CRATES / "bitcade/tests/data/playtests.jsonl").read_text().splitlines():
        told = json.loads(line)
        level = Level.load(CRATES / "match3/levels" / told["level"])
        report = playtest(level, told["agent"], games=told["games"], seed=7, num_threads=2)
        lost, left = report.games - report.won, report.left_at_win
        assert told == {
            "level": told["level"],
            "agent": told["agent"],
            "games": report.games,
            **dict(zip(("pass_rate", "pass_rate_low", "pass_rate_high"), report.pass_rate, strict=True)),
            "moves_of_best_5_percent": report.moves_of_best,
            "left_at_win": sum(key * count for key, count in left.items()) / report.won if report.won else None,
            **{f"score_{percent}": report.score_at(percent / 100) for percent in (10, 50, 90)},
            "lacked": {goal: count / lost for goal, count in report.lacked.items()},
            "near_misses": report.near_misses,
            "dead": report.dead,
            "shuffles": report.shuffles,
            "cascades_cut": report.limited,
            "choices_per_move": report.choices / report.moves,
            "cascade_levels_per_move": report.cascade_levels / report.moves,
            "cleared": report.cleared.ravel().tolist(),
            "lost_at": report.lost_at.ravel().tolist(),
        }
        assert report.cleared.shape == report.lost_at.shape == (level.height, level.width)
        assert sum(report.scores.values()) == report.games and sum(report.moves_needed.values()) == report.won


def test_reports_of_parts_add_up():
    whole = playtest(TEXT, "human:4,0.3", games=50, seed=3)
    parts = [playtest(LEVEL, "human:4,0.3", games=games, seed=3, first=first) for first, games in ((0, 7), (7, 0), (7, 43))]
    assert 0 < whole.won < 50 and sum(parts) == parts[0] + parts[1] + parts[2] == whole
    assert hash(sum(parts)) == hash(whole) and whole != parts[0] and whole.longest_cascade > 1
    for each in (PlaytestReport.from_json(whole.to_json()), *copies(whole)):
        assert each == whole and each.lost_at.tolist() == whole.lost_at.tolist()
    empty = playtest(LEVEL, "random", games=0)
    assert (empty.moves_of_best, empty.score_at(0.5), empty.cleared.sum()) == (None, None, 0)
    assert np.isnan(empty.pass_rate).all()
    assert empty + whole == whole and empty.cleared.shape == (6, 6)
    of_other = playtest(TEXT.replace('{ jelly = "all" }', "{ score = 100 }"), "random", games=1)
    assert refused(lambda: whole + of_other) == "ValueError: sum: the reports of different levels"
    for other in (1, None, "x"):
        assert "PlaytestReport" in refused(lambda other=other: whole + other)
        assert "PlaytestReport" in refused(lambda other=other: other + whole)
    for text in ("", "{}", whole.to_json().replace('"width":6', '"width":7'), whole.to_json()[:-1]):
        assert refused(PlaytestReport.from_json, text).startswith("ValueError: text: ")
    for share in (-0.1, 1.1, float("nan")):
        assert "expected 0 to 1" in refused(whole.score_at, share)


def greedy(game):
    # The package's greedy player, written anew.
    def value(swap):
        points, left = game.foresee(swap)
        goals = game.goals_left.items()
        done = sum((before - left[name]) * 1_000_000 // LEVEL.goals[name] for name, before in goals)
        x, y, axis = swap
        return done, points, y, axis == "H", -x

    return max(game.swaps, key=value)


def test_a_bot_in_python_plays_like_that_of_the_package():
    assert playtest(LEVEL, greedy, games=40, seed=5) == playtest(LEVEL, "greedy", games=40, seed=5)


def test_what_a_bot_sees():
    seen = []

    def first(game):
        seen.append(game)
        return game.swaps[0]

    playtest(LEVEL, first, games=2, seed=9, first=1, num_threads=3)
    assert repr(seen[0]) == "<bitcade.match3.LevelGame after 0 moves>"
    starts = [number for number, game in enumerate(seen) if game.moves == 0]
    assert starts == [0, starts[1]] and len({game.seed for game in seen}) == 2
    for number, start in enumerate(starts):
        # Beside the environment, whose game i is that of the seed, too.
        batch = LevelBatch(3, LEVEL, seed=9)
        assert seen[start].score == 0 and seen[start].goals_left == LEVEL.goals
        for game in seen[start : starts[1] if number == 0 else None]:
            obs, place = batch.obs[1 + number], 1 + number
            swaps = [decode_action(action, width=6, height=6) for action in np.flatnonzero(batch.action_mask[place])]
            assert sorted(game.swaps) == sorted(swaps) and game.score == batch.scores()[place]
            layers = {name: layer.tolist() for name, layer in game.layers.items()}
            kinds = np.tensordot(range(1, 6), obs[:5], 1)
            colors = np.tensordot(range(1, 5), obs[13:17], 1)
            names = ("lock", "ice", "crate", "item", "jelly", "wall", "void")
            shown = {"color": colors, "special": kinds, **dict(zip(names, obs[5:12], strict=True))}
            assert layers == {name: layer.tolist() for name, layer in shown.items()}
            assert (obs[12] == game.left).all() and list(game.goals_left.values()) == batch.goals_left()[place].tolist()
            assert game.left + game.moves == 8
            # A sample would draw from the game's stream.
            actions = batch.action_mask.argmax(axis=1)
            actions[place] = np.flatnonzero(batch.action_mask[place])[swaps.index(game.swaps[0])]
            batch.step(actions)


def test_a_bot_that_fails_ends_the_playtest():
    class Tired(Exception):
        pass

    def tired(game):
        if game.moves == 3:
            raise Tired
        return game.swaps[-1]

    with pytest.raises(Tired):
        playtest(LEVEL, tired, games=10)
    for answer in (None, 1, (1, 2), (0, 0, 1), "x"):
        assert refused(playtest, LEVEL, lambda game, answer=answer: answer).startswith("TypeError: agent: expected a swap")
    for answer in ((63, 0, "H"), (0, 0, "X")):
        assert "is not a legal swap" in refused(playtest, LEVEL, lambda game, answer=answer: answer)
    for swap in ((63, 0, "H"), None):
        assert "swap: " in refused(playtest, LEVEL, lambda game, swap=swap: game.foresee(swap))


def test_a_job_plays_the_same_games(tmp_path):
    levels = [LEVEL, OTHER.to_toml()]
    job = Job("playtest", policy="human", levels=levels, games=25, seed=4, shard_games=10)
    whole = [playtest(level, "human", games=25, seed=4) for level in levels]
    result = run(job, folder=tmp_path)
    assert result.reports() == whole
    for number, report in enumerate(whole):
        rows = result["level"] == number
        assert result["won"][rows].sum() == report.won and result["length"][rows].sum() == report.moves
        returns = result["return"][rows].tolist()
        assert {score: returns.count(score) for score in returns} == report.scores
    (tmp_path / "000001.npz").unlink()
    again = run(job, folder=tmp_path)
    assert again.resumed == 5 and again.reports() == whole and str(again) == str(result)
    assert str(result).startswith("playtest by human, level 0: 25 games, return ")
    for other in (2, None):
        assert run(replace(job, shard_games=4), executor=other).reports() == whole
    bot = Job("playtest", policy=Policy(greedy, name="1"), levels=[LEVEL], games=6, seed=4, shard_games=2)
    assert run(bot, executor=2, folder=tmp_path / "bot").reports() == [playtest(LEVEL, "greedy", games=6, seed=4)]
    assert "of another job" in refused(run, replace(bot, policy="greedy"), folder=tmp_path / "bot")

    def failing(game):
        raise RuntimeError("no idea")

    with pytest.raises(JobError, match=r"games 0 to 1, first seed 4.*no idea"):
        run(replace(bot, policy=failing))


def test_jobs_that_make_no_sense():
    good = {"kind": "playtest", "policy": "greedy", "levels": [LEVEL]}
    for reason, arguments in (
        ("levels", {"levels": None}),
        ("levels", {"levels": []}),
        ("level: line 1", {"levels": ["x"]}),
        ("level: expected a Level", {"levels": [{"width": 3}]}),
        ("expected random, greedy", {"policy": "search"}),
        ("agent: expected", {"policy": None}),
        ("no game", {"game": "match3-level"}),
        ("no game", {"opponent": "random"}),
        ("no game", {"options": {"goal_reward": 1}}),
    ):
        assert reason in refused(Job, **{**good, **arguments})
