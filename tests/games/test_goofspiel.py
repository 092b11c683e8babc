"""Goofspiel: bids, prizes and places."""

import re

import numpy as np
import pytest

from ludus.core.errors import LudusError
from ludus.games.game import Game, game_from
from ludus.games.goofspiel import GoofspielState
from ludus.kernel import rules
from ludus.kernel.rng import below, new_rng
from ludus.kernel.rules import CHANCE, State


def bid(game: Game, state: State, *cards: int) -> None:
    assert game.movers(state) == list(range(game.seats))
    rules.play(state, np.array(cards))


def test_highest_bid_takes_the_prize() -> None:
    game = game_from("goofspiel:cards=4,prizes=descending,players=3")
    state = game.start(new_rng(0))
    bid(game, state, 2, 4, 3)
    assert game.save(state) == "3/1-2/1-3-4:0/1-2-3:4/1-2-4:0"


def test_tie_discards_the_prize_even_above_a_lower_bid() -> None:
    game = game_from("goofspiel:cards=4,prizes=ascending,players=3")
    state = game.start(new_rng(0))
    bid(game, state, 4, 2, 4)
    assert game.save(state) == "2/3-4/1-2-3:0/1-3-4:0/1-2-3:0"


def test_prizes_lie_in_the_order_asked_for() -> None:
    for order, expected in (("descending", [4, 3, 2, 1]), ("ascending", [1, 2, 3, 4])):
        game = game_from(f"goofspiel:cards=4,prizes={order}")
        state, seen = game.start(new_rng(0)), []
        assert not game.facts().chance
        while not rules.over(state):
            seen.append(int(game.save(state).partition("/")[0]))
            bid(game, state, *(game.moves(state, player)[0] for player in (0, 1)))
        assert seen == expected


def test_random_prize_is_drawn_by_chance() -> None:
    game = game_from("goofspiel:cards=4")
    state = game.load("0/1-4/2-3:4/1-4:0")
    assert game.movers(state) == [CHANCE]
    assert [game.format(state, CHANCE, outcome) for outcome in game.moves(state, CHANCE)] == ["1", "4"]
    probabilities = np.zeros(4)
    assert rules.chance(state, probabilities) == 2
    assert probabilities[:2].tolist() == [0.5, 0.5]
    rules.play(state, np.array([1]))
    assert game.save(state) == "4/1/2-3:4/1-4:0"


@pytest.mark.parametrize(
    ("points", "scores"),
    [
        ((5, 3), [1.0, -1.0]),
        ((4, 4), [0.0, 0.0]),
        ((6, 4, 0), [1.0, 0.0, -1.0]),
        ((4, 4, 1), [0.5, 0.5, -1.0]),
        ((9, 1, 0, 0), [1.0, 1 / 3, -2 / 3, -2 / 3]),
        ((2, 2, 2, 2), [0.0] * 4),
    ],
)
def test_places_give_the_scores(points: tuple[int, ...], scores: list[float]) -> None:
    game = game_from(f"goofspiel:cards=4,players={len(points)}")
    state = game.load("/".join(["0", "0", *(f"0:{number}" for number in points)]))
    assert rules.over(state)
    assert game.scores(state) == pytest.approx(scores)


def test_lead_is_worth_more_the_less_is_left() -> None:
    game = game_from("goofspiel:cards=5")
    early, late = game.load("0/1-2-3-4/1-2-3-4:5/1-2-3-5:0"), game.load("0/1/2:5/1:0")
    assert 0 < rules.heuristic(early, 0) < rules.heuristic(late, 0) < 1
    assert rules.heuristic(early, 1) == -rules.heuristic(early, 0)
    assert rules.heuristic(game.weigh(early, {"lead": 5.0}), 0) > rules.heuristic(early, 0)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("1/2/3", "a position is the prize, the prizes after it and 2 times HAND:POINTS"),
        ("1/2-9/1-2:0/1-2:0", "cards up to 4"),
        ("1/2-2/1-2:0/1-2:0", "a position is the prize"),
        ("1-3/2/1-2-4:0/1-2-4:0", "at most one prize is on the table"),
        ("1/2/1-2-3:0/1-2:0", "each hand has as many cards as there are prizes"),
        ("1/2/1-2:9/1-2:0", "9 points are more than the prizes taken"),
    ],
)
def test_bad_position_is_one_sentence(text: str, problem: str) -> None:
    with pytest.raises(LudusError, match=problem):
        game_from("goofspiel:cards=4").load(text)


def test_fixed_order_needs_a_prize_on_the_table() -> None:
    with pytest.raises(LudusError, match="prizes=ascending"):
        game_from("goofspiel:cards=4,prizes=ascending").load("0/1-2/1-2:0/1-2:0")


@pytest.mark.parametrize("order", ["random", "descending", "ascending"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_agrees_with_openspiel_step_by_step(players: int, order: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    settings = {"players": players, "num_cards": 6, "points_order": order, "imp_info": False}
    peer = pyspiel.load_game("goofspiel", {**settings, "returns_type": "win_loss"})
    game = game_from(f"goofspiel:players={players},cards=6,prizes={order}")
    for seed in range(10):
        rng = new_rng(seed)
        ours, theirs = game.start(rng), peer.new_initial_state()
        while not rules.over(ours):
            movers = game.movers(ours)
            moves = [game.moves(ours, player) for player in movers]
            chosen = [each[below(rng, len(each))] for each in moves]
            if not theirs.is_terminal():  # it plays the last cards by itself
                if movers == [CHANCE]:
                    theirs.apply_action(theirs.chance_outcomes()[chosen[0]][0])
                else:
                    assert moves == [[card + 1 for card in theirs.legal_actions(player)] for player in movers]
                    theirs.apply_actions([card - 1 for card in chosen])
            rules.play(ours, np.array(chosen))
            assert isinstance(ours, GoofspielState)
            if not theirs.is_terminal():
                assert ours.points.tolist() == points_of(theirs)
        assert theirs.is_terminal()
        assert ours.points.tolist() == points_of(theirs)
        if players == 2:
            assert game.scores(ours) == theirs.returns()
        else:
            first = max(theirs.returns())
            leaders = [player for player, score in enumerate(theirs.returns()) if score == first]
            assert leaders == [p for p, score in enumerate(game.scores(ours)) if score == max(game.scores(ours))]


def points_of(theirs: object) -> list[int]:
    found = re.search(r"Points: ([\d ]+)", str(theirs))
    assert found
    return [int(number) for number in found[1].split()]
