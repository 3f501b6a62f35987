"""Every environment under each option and each pair of options of its signature, beside the batch's own state."""

import copy
import inspect
import itertools
import json

import numpy as np
import pytest
from conftest import GAMES, make, noted, refused, small
from games import FACTS
from players import KINDS, PettingZoo, Player, Single, Vector
from shown import SHOWN, tetris

from bitcade import render
from bitcade._games.entry import channels_first
from bitcade._options import GoEnvOptions
from bitcade.pettingzoo import tetris_parallel_env

#: Values that aren't the default, of the options that all batches have.
SHARED = {
    "seed": [2**100],
    "max_episode_steps": [3],
    "dtype": ["float32"],
    "channels": ["last"],
    "on_illegal": ["noop", "terminate"],
    "num_threads": [2],
}
#: Of the options that an environment has itself, and the options of a batch that it refuses.
OWN = {
    Player: ({"autoreset_mode": ["NextStep", "Disabled"]}, set()),
    Vector: (
        {
            "autoreset_mode": ["SameStep", "Disabled"],
            "render_mode": [None, "rgb_array"],
            "dict_observation": [True],
            "copy": [False],
        },
        set(),
    ),
    Single: ({"render_mode": [None, "rgb_array"], "dict_observation": [True]}, {"autoreset_mode"}),
    PettingZoo: ({"render_mode": [None, "rgb_array"]}, {"autoreset_mode", "on_illegal"}),
}
NAMED = [(kind, game) for kind in OWN for game in KINDS[kind] if " " not in game]


def values_of(kind, game):
    own, without = OWN[kind]
    options = SHARED | FACTS[game].values | own
    starts = [make(game, 3, seed=5).board(0)[None]]
    return {name: values for name, values in (options | {"starts": starts}).items() if name not in without}


def choices(values):
    # Return each value of each option, and each pair of values of two options.
    each_one = [(name, value) for name, all_values in values.items() for value in all_values]
    pairs = [dict(pair) for pair in itertools.combinations(each_one, 2) if pair[0][0] != pair[1][0]]
    return [{}, *({name: value} for name, value in each_one), *pairs]


@pytest.mark.parametrize(("kind", "game"), NAMED)
def test_every_option_has_values_here(kind, game):
    refusing = OWN[kind][1] | ({"num_envs"} if issubclass(kind, Single) else set())
    found = inspect.signature(type(kind.make(game, 1).env)).parameters.keys() | ({"render_mode"} & OWN[kind][0].keys())
    if "options" in found:
        found |= inspect.signature(GAMES[game][0]).parameters.keys()
    plumbing = {"game", "num_envs", "buf", "options"}
    assert found - refusing - plumbing == values_of(kind, game).keys()
    assert kind is not PettingZoo or GoEnvOptions.__annotations__.keys() == values_of(kind, game).keys()
    for name in {"chess", "colors_", *refusing}:
        message = refused(lambda name=name: kind.create(game, 2, kind.modes[0], {**small(game)[1], name: 1}))
        assert message.startswith("TypeError: ") and name in message


def shown(batch, game, place, options, mask=None, **more):
    text = json.loads(bytes(batch.get_state(place)))
    if game == "go":
        more["mask"] = mask
    if game == "tetris-keys":
        # What the planes show is proven by the tests of the crate `tetris`.
        rules = {name: value for name, value in options.items() if name in FACTS[game].values}
        standard = make(game, 1, **rules)
        standard.set_state(0, batch.get_state(place))
        obs = standard.obs[0]
    else:
        obs = SHOWN[game](text, {**small(game)[1], **options}, **more)
    obs = np.moveaxis(obs, 0, -1) if options.get("channels") == "last" else obs
    return obs.astype(options.get("dtype", "uint8"))


#: Options of what is shown, not of the game.
FORMATS = {"one_hot", "planes", "history", "dtype", "channels"}


def check_frames(one, game, options, total):
    mode = options.get("render_mode", "ansi")
    standard = {name: value for name, value in options.items() if name not in FORMATS}
    layout = {"rows": options.get("rows", 20), "garbage": options.get("garbage") is not None}
    for place, frame in enumerate(one.frames() if mode and type(one) is not Player else []):
        # A history doesn't always show the last move.
        if options.get("history"):
            continue
        obs = shown(one.batch, game, place, standard, one.batch.action_mask[place])
        if mode == "ansi":
            assert frame == render.text(game, obs, **layout)
        else:
            caption = f"step {one.batch.steps[place]}" + ("" if total is None else f"  return {total:g}")
            caption = None if type(one) is PettingZoo else caption
            assert (frame == render.rgb_array(game, obs, caption=caption, **layout)).all()


def without_ko(obs, options, is_over):
    # Return the observation without what ko would forbid after the end of a game of Go, which is nobody's business.
    obs = obs.copy()
    if is_over and not options.get("history"):
        channels_first(obs, options.get("channels", "first"))[2] = 0
    return obs


def check_one(one, batch, game, place, options, obs):
    # Compare an observation with the state of a game in a batch.
    is_over = not batch.action_mask[place].any()
    expected = shown(batch, game, place, options, None if is_over else batch.action_mask[place])
    found = without_ko(obs, options, is_over and game == "go")
    assert found.dtype == expected.dtype and (found == expected).all()
    if type(one) in (Vector, Single):
        space = one.env.observation_space if type(one) is Single else one.env.single_observation_space
        assert obs in (space["observations"] if options.get("dict_observation") else space)


def check(one, game, options, seen, frames=True, total=None):
    # Compare what an environment shows with its batch's states, and the return of a single game.
    obs, mask = seen
    assert (np.nonzero(mask)[1] == one.batch.legal_actions()[1]).all()
    for place in range(one.num_envs):
        check_one(one, one.batch, game, place, options, obs[place])
    if frames:
        check_frames(one, game, options, total if type(one) is Single else None)


def check_agents(one, game, options):
    # Compare PettingZoo's attributes and both agents' views with the state, and a restored game's with both.
    batch = one.batch
    (text,) = json.loads(bytes(batch.get_state(0)))["game"].values()
    is_over = not batch.action_mask[0].any()
    is_won = text["passes"] == 2 or (text["played"] or [])[-2:] == ["pass", "pass"]
    score = float(np.sign(batch.scores()[0])) if is_won else 0.0
    restored = PettingZoo.make("go", 1, **options).env
    restored.set_state(batch.get_state(0))
    for found in (one.env, restored):
        mover = found.possible_agents[int(batch.to_move()[0])]
        assert found.rewards == found._cumulative_rewards == {"black_0": score, "white_0": -score}
        assert set(found.terminations.values()) == {is_won}
        assert set(found.truncations.values()) == {is_over and not is_won}
        assert found.agent_selection == mover and found.agents == found.possible_agents
        for player, agent in enumerate(found.possible_agents, 1):
            view, legal = found.observe(agent), batch.action_mask[0] & (agent == mover)
            assert (view["action_mask"] == legal).all() and view in found.observation_space(agent)
            expected = shown(batch, game, 0, options, legal if legal.any() else None, player=player)
            assert (without_ko(view["observation"], options, is_over and agent == mover) == expected).all()
        assert (found.last()[0]["observation"] == found.observe(mover)["observation"]).all()
        assert found.last()[1:4] == (found.rewards[mover], is_won, is_over and not is_won)
        assert (found.state() == batch.obs[0]).all()


def play(kind, game, options):
    # Play some steps with the options, beside a batch of the standard format.
    n, seed = 2, options.get("seed", 3)
    mode = options.get("autoreset_mode", kind.modes[0])
    given = {name: value for name, value in options.items() if name != "autoreset_mode"} | {"seed": seed}
    plain = {name: value for name, value in given.items() if name not in OWN[kind][0]}
    rules = {name: value for name, value in plain.items() if name not in FORMATS}
    try:
        make(game, n, autoreset_mode=mode, **plain)
    except ValueError as error:
        assert refused(kind.make, game, n, mode, **given) == f"ValueError: {error}"
        return
    one = kind.make(game, n, mode, **given)
    n = one.num_envs
    default = {"on_illegal": "noop"} if kind is Single else {}
    rules, treatment = default | rules, (default | options).get("on_illegal", "raise")
    twin, aside = make(game, n, autoreset_mode=mode, **rules), make(game, n, autoreset_mode="Disabled", **rules)
    check(one, game, options, one.reset(seed), total=0)
    total = 0.0
    twin.reset(seed)
    for step in range(7 if options else 60):
        actions = one.sample()
        assert (actions == twin.sample()).all()
        if game == "go" and step in (4, 5):
            # The game ends, unless it has ended already.
            actions[:] = one.batch.num_actions - 1
        illegal = np.flatnonzero(~one.batch.action_mask[0])
        if step == 2 and len(illegal) and treatment != "raise":
            actions[0] = illegal[0]
        aside.set_states(range(n), twin.get_states(range(n)))
        expected = twin.step(actions)
        seen = one.step(actions)
        assert all((found == wanted).all() for found, wanted in zip(seen[1:4], expected[1:4], strict=True))
        total += float(seen[1][0])
        check(one, game, options, (seen[0], seen[4]), step in (2, 5), total)
        assert one.batch.get_states(range(n)) == twin.get_states(range(n))
        if mode == "SameStep" and len(ended := np.flatnonzero(expected[2] | expected[3])):
            aside.step(actions)
            for place, final in zip(ended, one.batch.final_obs(ended), strict=True):
                check_one(one, aside, game, place, options, final)
        if kind is PettingZoo:
            check_agents(one, game, options)
        if mode == "Disabled" and (ended := ~twin.action_mask.any(axis=1)).any():
            one.restart(ended)
            twin.reset_some(ended)
            total = 0.0
            check(one, game, options, one.seen(), frames=False)
    # A state from the other format, whose return is unknown, and a copy.
    twin.reset_some(np.ones(n, bool))
    twin.random_step()
    one.set_state(0, twin.get_state(0))
    assert one.batch.get_state(0) == twin.get_state(0)
    for again in (one, one.like(copy.deepcopy(one.env))):
        check(again, game, options, again.seen())


@pytest.mark.parametrize(("kind", "game"), NAMED)
def test_options_and_pairs_of_options(kind, game):
    for options in choices(values_of(kind, game)):
        with noted(repr(options)):
            play(kind, game, options)


#: Values of the options of Tetris for two, which play by the same rules as the first value.
MATCH = {
    "actions": ["placements"],
    "same_pieces": [False],
    "hold": [False],
    "next": [0, 12],
    "rows": [3, 40],
    "max_episode_steps": [2],
    "on_illegal": ["terminate"],
    "seed": [2**100],
    "render_mode": [None, "rgb_array"],
}


def check_match(env, options, obs):
    text = json.loads(env._versus.save())
    shown_rules = {"rows": options.get("rows", 20), "next": options.get("next", 5), "garbage": (1, 1)}
    games = [tetris({"game": {"game": game}}, shown_rules) for game in text["games"]]
    for player, agent in enumerate(env.possible_agents):
        assert (obs[agent]["observation"] == np.concatenate([games[player], games[1 - player]])).all()
        assert obs[agent] in env.observation_space(agent)
    assert (env.state() == obs["player_0"]["observation"]).all() and env.state() in env.state_space
    frame, layout = env.render(), {"rows": options.get("rows", 20), "garbage": True}
    if options.get("render_mode", "ansi") == "ansi":
        halves = [render.text("tetris", game, **layout).splitlines() for game in games]
        lines = zip(frame.splitlines(), *halves, strict=True)
        assert all(line.startswith(left) and line.endswith(right) for line, left, right in lines)
    elif frame is not None:
        assert (frame == np.concatenate([render.rgb_array("tetris", game, **layout) for game in games], axis=1)).all()


def test_options_and_pairs_of_options_of_tetris_for_two():
    assert inspect.signature(tetris_parallel_env).parameters.keys() == MATCH.keys()
    for options in choices(MATCH):
        env, other = (tetris_parallel_env(**{"render_mode": "ansi", "seed": seed} | options) for seed in (1, 2))
        check_match(env, options, env.reset()[0])
        other.reset()
        obs = env._observations()
        for step in range(1, 6):
            kept = env.get_state()
            actions = {agent: int(np.flatnonzero(view["action_mask"])[-step]) for agent, view in obs.items()}
            if step == 4 and "on_illegal" in options:
                actions["player_1"] = int(np.argmin(obs["player_1"]["action_mask"]))
            played = env.step(actions)
            obs, rewards, terminations, truncations, _ = played
            check_match(env, options, obs)
            won = float(terminations["player_0"])
            assert rewards == {"player_0": won, "player_1": -won}
            assert set(truncations.values()) == {step == options.get("max_episode_steps")}
            assert env.agents == ([] if terminations["player_0"] or truncations["player_0"] else env.possible_agents)
            # In another environment the same match plays on, whatever it shows of it.
            check_match(other, options, other.set_state(kept)[0])
            assert repr(other.step(actions)) == repr(played) and other.get_state() == env.get_state()
            if not env.agents:
                break
        rows = tetris_parallel_env(**options | {"rows": 7})
        check_match(rows, options | {"rows": 7, "render_mode": None}, rows.set_state(env.get_state())[0])
