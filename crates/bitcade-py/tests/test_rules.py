"""The games against the reference rules in Python."""

from __future__ import annotations

import bitcade
import numpy as np
import pytest
import reference


@pytest.mark.parametrize(("width", "height"), [(4, 4), (3, 3), (2, 5), (5, 3)])
def test_2048_moves_as_by_plain_rules(width, height):
    games = bitcade.g2048.Batch(8, seed=7, width=width, height=height, autoreset_mode="NextStep")
    waiting = np.zeros(8, bool)
    spawns = {1: 0, 2: 0}
    for _ in range(250):
        before, mask = games.obs.copy(), games.action_mask.copy()
        actions = games.sample().copy()
        obs, reward, terminated, truncated, _ = games.step(actions)
        assert not truncated.any()
        for game in range(8):
            if waiting[game]:
                assert reward[game] == 0 and not terminated[game] and np.count_nonzero(obs[game]) == 2
                continue
            board = before[game].tolist()
            legal = [reference.slide(board, direction)[0] != board for direction in range(4)]
            assert mask[game].tolist() == legal
            moved, gain = reference.slide(board, int(actions[game]))
            assert gain == reward[game]
            changed = np.argwhere(obs[game] != np.array(moved))
            assert len(changed) == 1, "one tile appears"
            ((y, x),) = changed.tolist()
            assert moved[y][x] == 0
            spawns[int(obs[game][y, x])] += 1
            after = obs[game].tolist()
            over = all(reference.slide(after, direction)[0] == after for direction in range(4))
            assert bool(terminated[game]) == over
        waiting = terminated.copy()
    # Nine out of ten new tiles are a 2.
    assert 0.85 < spawns[1] / (spawns[1] + spawns[2]) < 0.95


#: Number of games, arguments of the class, autoreset mode, number of steps.
LEVELS = [
    (1000, {"moves": 30}, "NextStep", 31),
    (60, {"moves": 30}, "SameStep", 61),
    (60, {"moves": 1}, "Disabled", 5),
    (60, {"moves": 5, "width": 6, "height": 9, "colors": 4}, "SameStep", 23),
    (60, {"moves": 12, "max_episode_steps": 7}, "Disabled", 22),
    (60, {"moves": 7, "max_episode_steps": 7, "width": 16, "height": 3, "colors": 3}, "NextStep", 20),
    (60, {"moves": 6, "max_episode_steps": 50, "colors": 7}, "NextStep", 20),
    (20, {"moves": 300, "max_episode_steps": 48}, "SameStep", 60),
    (60, {"moves": 9, "on_illegal": "noop"}, "Disabled", 30),
    (60, {"moves": 9, "max_episode_steps": 4, "on_illegal": "noop"}, "SameStep", 30),
    (60, {"moves": 9, "width": 5, "height": 7, "colors": 4}, "Disabled", 14),
    (60, {"moves": 9, "width": 9, "height": 4, "colors": 5}, "Disabled", 14),
]


@pytest.mark.parametrize(("n", "options", "autoreset_mode", "steps"), LEVELS)
def test_match3_as_by_plain_rules(n, options, autoreset_mode, steps):
    """A game terminates when its moves are used up; only `max_episode_steps` truncates it."""
    draws = np.random.default_rng(17)
    games = bitcade.match3.Batch(n, seed=5, autoreset_mode=autoreset_mode, **options)
    moves, limit = options["moves"], options.get("max_episode_steps") or 1 << 40
    pairs = reference.pairs(*games.obs_shape[1:])
    assert games.num_actions == len(pairs)
    names = [(x, y, "H" if y == b else "V") for y, x, b, _ in pairs]
    played = np.zeros(n, int)
    over = np.zeros(n, bool)
    legal = np.zeros((n, games.num_actions), bool)
    ends = {"terminated": 0, "truncated": 0}
    single = dealt = 0

    def check(obs: np.ndarray, mask: np.ndarray) -> None:
        boards = obs[:, 0]
        assert boards.min() >= 1 and boards.max() <= options.get("colors", 6) and not reference.runs(boards).any()
        left = np.minimum(moves - played, 255)
        assert (obs[:, 1] == left[:, None, None]).all()
        legal[:] = reference.legal_swaps(boards) & ~over[:, None]
        assert (mask == legal).all()
        assert legal.any(axis=1)[~over].all(), "a board without a legal swap is replaced"
        for place, row in enumerate(games.hints()[:3]):
            if not over[place]:
                swaps = {name for name, flag in zip(names, mask[place], strict=True) if flag}
                hints = bitcade.match3.hints(boards[place].tolist())
                assert set(bitcade.match3.swaps(boards[place].tolist())) == swaps == {hint[:3] for hint in hints}
                assert [hint[3] for hint in hints] == sorted((hint[3] for hint in hints), reverse=True)
                points = {hint[:3]: hint[3] for hint in hints}
                assert row.tolist() == [points.get(name, 0) for name in names] and row.dtype == np.float32

    check(games.obs, games.action_mask)
    for _ in range(steps):
        before = games.obs[:, 0].copy()
        # Any legal action; if illegal ones are ignored, any action at all.
        wanted = legal if "on_illegal" not in options else np.ones_like(legal)
        actions = (draws.random(legal.shape) * wanted).argmax(axis=1)
        stays = ~legal[np.arange(n), actions]
        waiting = over.copy()
        obs, reward, terminated, truncated, mask = games.step(actions)
        played[waiting] = 0
        played[~waiting] += 1
        assert (terminated == (~waiting & (played == moves))).all()
        assert (truncated == (~waiting & (played == limit) & (played < moves))).all()
        assert ((reward > 0) == (~waiting & ~stays)).all()
        ended = terminated | truncated
        assert (obs[:, 0] == before)[stays & ~waiting & ~(ended & (autoreset_mode == "SameStep"))].all()
        for place in np.flatnonzero(~waiting & ~stays & ~ended)[:9]:
            swapped = reference.exchange(before[place], pairs[actions[place]])
            cleared = reference.runs(swapped)
            assert reward[place] >= 10 * cleared.sum() >= 30
            if reward[place] == 10 * cleared.sum():
                # Only one clear (no chain): all cells but the refilled ones are known, unless the board
                # had no legal swap left and a new one was dealt.
                fallen = reference.fall(swapped, cleared)
                known = bool(((fallen == obs[place, 0]) | (fallen == 0)).all())
                single, dealt = single + known, dealt + (not known)
        ends["terminated"] += int(terminated.sum())
        ends["truncated"] += int(truncated.sum())
        if autoreset_mode == "SameStep":
            if ended.any():
                final = games.final_obs(np.flatnonzero(ended))
                assert (final[:, 1] == np.minimum(moves - played[ended], 255)[:, None, None]).all()
                assert not reference.runs(final[:, 0]).any()
            played[ended] = 0
        else:
            over = ended.copy()
        check(obs, mask)
        if autoreset_mode == "Disabled" and over.any():
            played[over] = 0
            which, over = over, np.zeros(n, bool)
            check(*games.reset_some(which))
    assert moves == 1 or (single > 5 and dealt <= single // 20), (single, dealt)
    assert ends["terminated" if moves <= limit else "truncated"] >= n
    assert ends["truncated" if moves <= limit else "terminated"] == 0


@pytest.mark.parametrize("size", [5, 7])
def test_go_is_legal_as_by_flood_fill(size):
    games = bitcade.go.Batch(3, seed=11, size=size, komi=0.5, autoreset_mode="Disabled", max_episode_steps=4 * size * size)
    plain = [reference.GoGame(size, 0.5) for _ in range(3)]
    endings = 0
    for _ in range(170):
        assert (games.to_move() == [game.to_move - 1 for game in plain]).all()
        for game, obs, mask in zip(plain, games.obs, games.action_mask, strict=True):
            legal = game.legal()
            assert mask.tolist() == legal
            points = np.array(game.points)
            own, other = (points == game.to_move), (points == 3 - game.to_move)
            assert (obs[0] == own).all() and (obs[1] == other).all()
            assert obs[2].ravel().tolist() == game.forbidden_by_ko()
            for plane, back in ((3, 1), (4, 2)):
                expected = np.zeros(size * size + 1)
                if len(game.moves) >= back:
                    expected[game.moves[-back]] = 1
                assert (obs[plane].ravel() == expected[:-1]).all()
            assert (obs[5] == (game.to_move == 1)).all()
        actions = games.sample().copy()
        movers = [game.to_move for game in plain]
        _, reward, terminated, truncated, _ = games.step(actions)
        for game, action in zip(plain, actions.tolist(), strict=True):
            game.play(action)
        assert terminated.tolist() == [game.passes == 2 for game in plain]
        scores = games.scores()
        for i, game in enumerate(plain):
            assert scores[i] == game.score()
            won = np.sign(game.score()) * (1 if movers[i] == 1 else -1)
            assert reward[i] == (won if terminated[i] else 0)
        ended = terminated | truncated
        if ended.any():
            endings += int(ended.sum())
            games.reset_some(ended)
            plain = [reference.GoGame(size, 0.5) if over else g for g, over in zip(plain, ended, strict=True)]
    assert endings > 0


def test_go_forbids_a_ko_and_superko():
    # Black captures at (1, 1); White may not recapture immediately.
    start = np.zeros((1, 5, 5), np.uint8)
    start[0, 0, 1] = start[0, 1, 0] = start[0, 2, 1] = 1
    start[0, 0, 2] = start[0, 1, 3] = start[0, 2, 2] = 2
    start[0, 1, 1] = 2
    for ko in ("simple", "positional", "situational"):
        games = bitcade.go.Batch(1, size=5, starts=start, ko=ko)
        games.step(np.array([1 * 5 + 2]))
        assert games.obs[0, 0].sum() == 3 and games.obs[0, 1].sum() == 4
        assert not games.action_mask[0, 1 * 5 + 1] and games.obs[0, 2, 1, 1] == 1


ORIENTATIONS = "NESW"


def tetris_pieces(obs: np.ndarray) -> list[int]:
    return obs[400:-2].tolist()


@pytest.mark.parametrize("actions", ["placements", "drops"])
def test_tetris_masks_agree_with_the_placements(actions):
    games = bitcade.tetris.Batch(4, seed=5, actions=actions, hold=False, rows=40, autoreset_mode="Disabled")
    names = "?IOTSZJL"
    rows = 22 if actions == "placements" else 1
    assert games.num_actions == 4 * 10 * rows
    for _ in range(60):
        for obs, mask in zip(games.obs, games.action_mask, strict=True):
            board, piece = obs[:400].reshape(40, 10), names[tetris_pieces(obs)[0]]
            found = bitcade.tetris.placements(board.tolist(), piece)
            numbers = set()
            for placement in found:
                way = ORIENTATIONS.index(placement["orientation"][0].upper()) * 10 + placement["x"]
                # A drop may end in any row.
                if placement["y"] < rows or rows == 1:
                    numbers.add(way * rows + (placement["y"] if rows > 1 else 0))
            legal = set(np.flatnonzero(mask).tolist())
            # Drops reach only some of the placements.
            assert legal == numbers if actions == "placements" else legal <= numbers
            assert legal
        before = games.obs.copy()
        chosen = games.sample().copy()
        obs, reward, terminated, truncated, _ = games.step(chosen)
        for game in np.flatnonzero(~terminated):
            cells = before[game, :400].sum() + 4 - 10 * reward[game]
            assert obs[game, :400].sum() == cells
            assert tetris_pieces(obs[game])[:1] == tetris_pieces(before[game])[2:3]
        if (terminated | truncated).any():
            games.reset_some(terminated | truncated)


def test_tetris_keys_lead_to_clears():
    board = [[0] * 10 for _ in range(19)] + [[1] * 9 + [0]]
    found = bitcade.tetris.placements(board, "I")
    clears = [placement for placement in found if placement["lines"] == 1]
    assert clears and all(placement["keys"] for placement in clears)
    assert bitcade.tetris.bot(board, "IOTSZ", nodes=500)[0]["piece"] in "IO"
