"""The contract of every game, tested over all games: random play with invariants, and one golden playthrough each."""

import itertools
import math
import os
import textwrap
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from ludus.core.registry import classes
from ludus.games.game import Game, game_from
from ludus.kernel import rules
from ludus.kernel.jit import interpreted
from ludus.kernel.rng import Rng, below, new_rng
from ludus.kernel.rules import CHANCE, MOST_PLAYERS, State, at, duplicate, is_array_state, stack_of
from support.installed_games import installed

DEFAULTS = [
    name for name, cls in classes(Game).items() if not any(parameter.required for parameter in cls.parameters())
]
VARIANTS = [
    "connect-four:rows=4,columns=5,length=3",
    "gomoku:size=6,length=4",
    "gomoku:size=9,rule=caro",
    "gomoku:size=9,rule=exact-caro",
    "gomoku:size=9,rule=standard",
    "goofspiel:players=3,cards=5,prizes=descending",
    "goofspiel:players=4,cards=16,prizes=ascending",
    "hex:size=3",
    "hex:size=5,swap=yes",
    "nim:piles=4-4,misere=yes",
    "nim:piles=1-2-3-4,players=5",
    "othello:size=4",
    "othello:size=6",
    *installed(["speed:players=4,width=12,height=10", "speed:players=6,width=20,height=9"]),
]
TESTS = Path(__file__).parents[1]
GOLDEN = TESTS / "golden"
WRITE_GOLDEN = os.environ.get("LUDUS_GOLDEN") == "write"


if find_spec("chess") is None:
    DEFAULTS.remove("chess")
ALL = [*DEFAULTS, *VARIANTS]
WITH_CHANCE = [spec for spec in ALL if game_from(spec).chance]
SAVED = [spec for spec in ALL if type(game_from(spec)).save is not Game.save]
COMPILED = [spec for spec in ALL if is_array_state(type(game_from(spec).start(new_rng(0))))]


@pytest.fixture(scope="module", params=ALL)
def game(request: pytest.FixtureRequest) -> Game:
    return game_from(request.param)


@pytest.fixture(scope="module", params=SAVED)
def saved_game(request: pytest.FixtureRequest) -> Game:
    """A game whose positions have a text form."""
    return game_from(request.param)


def drawn_moves(game: Game, state: State, movers: list[int], rng: Rng) -> list[int]:
    """A random move for each mover, not by way of the game's own `sample`, except for chance."""
    chosen = []
    for player in movers:
        moves = game.moves(state, player)
        chosen.append(int(rules.sample(state, CHANCE, rng)) if player == CHANCE else moves[below(rng, len(moves))])
    return chosen


def episode(game: Game, seed: int) -> Iterator[tuple[State, list[int], list[int]]]:
    """A random game: the state (one object, changed from step to step), its movers and the moves they will play."""
    rng = new_rng(game.spec(), seed)
    state = game.start(rng)
    while not rules.over(state):
        movers = game.movers(state)
        chosen = drawn_moves(game, state, movers, rng)
        yield state, movers, chosen
        rules.play(state, np.array(chosen))
    yield state, [], []


def positions(game: Game, seed: int, number: int) -> list[State]:
    """Copies of about that many states of a random game, spread from the start to the last but one."""
    states = [duplicate(state) for state, movers, _ in episode(game, seed) if movers]
    return states[:: max(1, len(states) // number)]


def view(game: Game, state: State) -> object:
    """All that a player can ask of a state."""
    if rules.over(state):
        return game.scores(state)
    return [(player, game.moves(state, player)) for player in game.movers(state)]


def play_on(game: Game, state: State, seed: int, steps: int) -> list[object]:
    """Observations during random moves from a state."""
    rng = new_rng(seed)
    seen = [view(game, state)]
    for _ in range(steps):
        if rules.over(state):
            break
        rules.play(state, np.array(drawn_moves(game, state, game.movers(state), rng)))
        seen.append(view(game, state))
    return seen


def test_spec_makes_an_equal_game(game: Game) -> None:
    assert game_from(game.spec()).spec() == game.spec()


def test_facts_hold(game: Game) -> None:
    facts = game.facts()
    assert facts.players == game.seats
    assert 1 <= game.least_players <= facts.players <= game.most_players <= MOST_PLAYERS
    assert facts.lowest_score < facts.highest_score
    if facts.players > 1:
        assert (facts.lowest_score, facts.highest_score) == (-1.0, 1.0)
    seen_chance, seen_together = False, False
    for seed in range(3):
        for _, movers, _ in episode(game, seed):
            seen_chance |= CHANCE in movers
            seen_together |= len(movers) > 1
    assert (facts.chance, facts.simultaneous) == (seen_chance, seen_together)


def test_movers_and_moves_are_sound(game: Game) -> None:
    facts = game.facts()
    for seed in range(4):
        for state, movers, _ in episode(game, seed):
            assert movers == sorted(set(movers))
            assert movers == [CHANCE] or all(0 <= player < facts.players for player in movers)
            assert movers or rules.over(state)
            for player in movers:
                moves = game.moves(state, player)
                assert 0 < len(moves) <= (facts.most_outcomes if player == CHANCE else facts.most_moves)
                assert len(set(moves)) == len(moves)


@pytest.mark.parametrize("spec", WITH_CHANCE)
def test_probabilities_of_chance_add_up(spec: str) -> None:
    game = game_from(spec)
    for seed in range(4):
        for state, movers, _ in episode(game, seed):
            if movers == [CHANCE]:
                probabilities = np.zeros(rules.most_outcomes(state))
                n = rules.chance(state, probabilities)
                assert probabilities[:n].min() > 0.0
                assert math.isclose(probabilities[:n].sum(), 1.0)


def test_scores_are_in_range_and_add_up(game: Game) -> None:
    facts = game.facts()
    for seed in range(8):
        *_, (state, _, _) = episode(game, seed)
        scores = game.scores(state)
        assert all(facts.lowest_score <= score <= facts.highest_score for score in scores)
        assert facts.players == 1 or math.isclose(sum(scores), 0.0, abs_tol=1e-12)


def test_heuristic_is_strictly_inside_the_range_of_scores(game: Game) -> None:
    facts = game.facts()
    for seed in range(3):
        for state, _, _ in episode(game, seed):
            for player in range(facts.players):
                assert facts.lowest_score < rules.heuristic(state, player) < facts.highest_score


def test_text_of_moves_is_read_back(game: Game) -> None:
    for seed in range(2):
        for state in positions(game, seed, 6):
            for player in game.movers(state):
                texts = {move: game.format(state, player, move) for move in game.moves(state, player)}
                assert all(text and not any(letter.isspace() for letter in text) for text in texts.values())
                assert {move: game.parse(state, player, text) for move, text in texts.items()} == {m: m for m in texts}


def test_drawing_is_plain_text(game: Game) -> None:
    for state, _, _ in episode(game, 0):
        lines = game.draw(state).split("\n")
        assert any(lines)
        assert all(line.isprintable() and line == line.rstrip() for line in lines)


def test_saved_position_plays_on_the_same(saved_game: Game) -> None:
    game = saved_game
    for seed in range(2):
        *_, (last, _, _) = episode(game, seed)
        for state in [*positions(game, seed, 6), duplicate(last)]:
            loaded = game.load(game.save(state))
            assert game.save(loaded) == game.save(state)
            assert game.draw(loaded) == game.draw(state)
            assert play_on(game, loaded, seed, 20) == play_on(game, state, seed, 20)


def test_copies_play_the_same_and_leave_the_original_alone(game: Game) -> None:
    for state in positions(game, 1, 5):
        stack = stack_of(state, 3)
        into = at(stack, 1)
        rules.copy(game.start(new_rng(0)), into)
        play_on(game, into, 9, 3)
        rules.copy(state, into)  # over what was there
        drawing, seen = game.draw(state), play_on(game, duplicate(state), 2, 30)
        assert play_on(game, into, 2, 30) == seen
        assert game.draw(state) == drawing
        assert play_on(game, state, 2, 30) == seen


def test_samples_are_the_legal_moves(game: Game) -> None:
    rng = new_rng(5)
    for state in positions(game, 2, 3):
        for player in game.movers(state):
            moves = game.moves(state, player)
            shares = np.full(len(moves), 1.0 / len(moves))
            if player == CHANCE:
                rules.chance(state, shares := np.zeros(rules.most_outcomes(state)))
            draws = int(14 / shares[: len(moves)].min()) + 1
            assert {int(rules.sample(state, player, rng)) for _ in range(draws)} == set(moves)


def test_playouts_follow_the_law_of_random_games(game: Game) -> None:
    number = 1000 if is_array_state(type(game.start(new_rng(0)))) else 20
    stepwise = [
        game.scores(state)[0]
        for *_, (state, _, _) in (episode(game, seed) for seed in range(60 if number == 1000 else 15))
    ]
    at_once, rng, out = [], new_rng(3), np.zeros(MOST_PLAYERS)
    for _ in range(number):
        state = game.start(rng)
        rules.playout(state, rng, out)
        at_once.append(out[0])
    error = math.hypot(np.std(stepwise) / len(stepwise) ** 0.5, np.std(at_once) / len(at_once) ** 0.5)
    assert abs(np.mean(stepwise) - np.mean(at_once)) <= 4.5 * error


def test_playout_ends_with_the_scores_of_an_ended_game(game: Game) -> None:
    facts, out = game.facts(), np.zeros(MOST_PLAYERS)
    for seed, state in enumerate(positions(game, 3, 5)):
        rules.playout(state, new_rng(seed), out)
        scores = [float(score) for score in out[: facts.players]]
        assert all(facts.lowest_score <= score <= facts.highest_score for score in scores)
        assert facts.players == 1 or math.isclose(sum(scores), 0.0, abs_tol=1e-12)
        if rules.over(state):  # a game may find the scores without playing to the end
            assert game.scores(state) == scores


def test_key_does_not_tell_how_a_position_was_reached(saved_game: Game) -> None:
    game = saved_game
    ways: dict[str, dict[tuple[str, ...], int]] = {}
    for seed, steps in itertools.product(range(150), (3, 4)):
        path = []
        for state, movers, chosen in itertools.islice(episode(game, seed), steps):
            path.append("+".join(game.format(state, *step) for step in zip(movers, chosen, strict=True)))
        if chosen:
            rules.play(state, np.array(chosen))
        ways.setdefault(game.save(state), {})[tuple(path)] = rules.key(state)
    assert all(len(set(keys.values())) == 1 for keys in ways.values())
    one_of_each = [next(iter(keys.values())) for keys in ways.values()]
    assert len(set(one_of_each)) == len(one_of_each)


def test_order_gives_some_of_the_moves_each_once(game: Game) -> None:
    for state in positions(game, 4, 5):
        for player in game.movers(state):
            if player == CHANCE:
                continue
            moves = np.zeros(rules.most_moves(state), np.int64)
            n = rules.legal(state, player, moves)
            before = set(moves[:n].tolist())
            tried = rules.order(state, player, moves, n)
            assert 0 < tried <= n
            assert len(set(moves[:tried].tolist()) & before) == tried


@pytest.mark.parametrize("spec", COMPILED)
def test_interpreted_rules_agree_with_compiled_ones(spec: str) -> None:
    game = game_from(spec)
    start = game.start(new_rng(0))
    one, two = duplicate(start), duplicate(start)
    rng_one, rng_two = new_rng(4), new_rng(4)
    size = max(MOST_PLAYERS, int(rules.most_moves(start)), int(rules.most_outcomes(start)))
    buffers = np.zeros((2, size), np.int64)
    numbers = np.zeros((2, size))
    while True:
        assert rules.over(one) == interpreted(rules.over)(two)
        assert rules.key(one) == interpreted(rules.key)(two)
        for player in range(game.seats):
            value = interpreted(rules.heuristic)(two, player)
            assert math.isclose(rules.heuristic(one, player), value, abs_tol=1e-12)
        if rules.over(one):
            break
        n = rules.movers(one, buffers[0])
        assert n == interpreted(rules.movers)(two, buffers[1])
        movers = buffers[0, :n].tolist()
        assert movers == buffers[1, :n].tolist()
        chosen = []
        for player in movers:
            if player == CHANCE:
                n = rules.chance(one, numbers[0])
                assert n == interpreted(rules.chance)(two, numbers[1])
                assert np.allclose(numbers[0, :n], numbers[1, :n])
            else:
                n = rules.legal(one, player, buffers[0])
                assert n == interpreted(rules.legal)(two, player, buffers[1])
                assert buffers[0, :n].tolist() == buffers[1, :n].tolist()
                tried = rules.order(one, player, buffers[0], n)
                assert tried == interpreted(rules.order)(two, player, buffers[1], n)
                assert buffers[0, :tried].tolist() == buffers[1, :tried].tolist()
            chosen.append(int(rules.sample(one, player, rng_one)))
            assert chosen[-1] == interpreted(rules.sample)(two, player, rng_two)
        rules.play(one, np.array(chosen))
        interpreted(rules.play)(two, np.array(chosen))
        assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))
    rules.scores(one, numbers[0])
    interpreted(rules.scores)(two, numbers[1])
    assert numbers[0, : game.seats].tolist() == numbers[1, : game.seats].tolist()
    interpreted(rules.copy)(start, two)
    rules.playout(duplicate(start), rng_one, numbers[0])
    interpreted(rules.playout)(two, rng_two, numbers[1])
    assert numbers[0, : game.seats].tolist() == numbers[1, : game.seats].tolist()


def playthrough(game: Game, seed: int) -> str:
    """A random game as text: its moves, a few drawings, and the scores."""
    drawings, texts = [], []
    for state, movers, chosen in episode(game, seed):
        drawings.append(game.draw(state))
        texts.append("+".join(game.format(state, *step) for step in zip(movers, chosen, strict=True)))
    last = len(texts) - 1
    parts = [f"{game.spec()}, seed {seed}, {last} steps"]
    for begin, end in itertools.pairwise([0, last // 3, 2 * last // 3, last]):
        steps = " ".join(f"{i + 1}.{texts[i]}" for i in range(begin, end))
        parts += [drawings[begin], textwrap.fill(steps, 118, break_long_words=False, break_on_hyphens=False)]
    parts += [drawings[last], "scores " + " ".join(f"{score + 0.0:g}" for score in game.scores(state))]
    return "\n\n".join(parts) + "\n"


@pytest.mark.parametrize("name", DEFAULTS)
def test_golden_playthrough_is_repeated(name: str) -> None:
    """LUDUS_GOLDEN=write in the environment writes the files anew: look at the difference before keeping it."""
    contest = TESTS / "contests" / name
    file = contest / "golden.txt" if contest.is_dir() else GOLDEN / f"{name}.txt"
    text = playthrough(game_from(name), 1)
    if WRITE_GOLDEN:
        file.write_text(text, encoding="utf-8")
    assert file.is_file(), f"no golden playthrough of {name}: run the tests with LUDUS_GOLDEN=write"
    assert text == file.read_text(encoding="utf-8")


def test_every_golden_playthrough_has_its_game() -> None:
    assert {file.stem for file in GOLDEN.glob("*.txt")} <= set(classes(Game))
