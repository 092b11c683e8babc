"""Games of OpenSpiel: which fit, their specs, and that they play as OpenSpiel does."""

import math
import sys

import numpy as np
import pytest

from ludus.core.errors import LudusError
from ludus.games.game import Game, game_from
from ludus.games.openspiel import OpenSpiel, OpenSpielState
from ludus.kernel import rules
from ludus.kernel.rng import new_rng
from ludus.kernel.rules import CHANCE, duplicate, stack_of

pyspiel = pytest.importorskip("pyspiel")

SPECS = [
    "openspiel:2048",
    "openspiel:backgammon",
    "openspiel:bargaining",
    "openspiel:breakthrough,rows=6,columns=5",
    "openspiel:cliff_walking",
    "openspiel:goofspiel,players=3,num_cards=5",
    "openspiel:hearts",
    "openspiel:kuhn_poker,players=3",
    "openspiel:leduc_poker",
    "openspiel:markov_soccer",
    "openspiel:matrix_pd",
    "openspiel:pig,players=4",
    "openspiel:tic_tac_toe",
    "openspiel:turn_based_simultaneous_game,game=goofspiel()",
]


def play_randomly(game: Game, state: OpenSpielState, seed: int, steps: int) -> OpenSpielState:
    rng = new_rng(seed)
    for _ in range(steps):
        if rules.over(state):
            break
        chosen = [int(rules.sample(state, player, rng)) for player in game.movers(state)]
        rules.play(state, np.array(chosen))
    return state


@pytest.mark.parametrize("spec", SPECS)
def test_random_games_keep_every_promise(spec: str) -> None:
    game = game_from(spec)
    facts = game.facts()
    assert game.spec() == spec
    for seed in range(3):
        rng = new_rng(seed)
        state = game.start(rng)
        for step in range(2000):
            if rules.over(state):
                break
            movers = game.movers(state)
            assert movers == [CHANCE] or movers == sorted(set(movers) & set(range(facts.players)))
            assert facts.chance or movers != [CHANCE]
            assert facts.simultaneous or len(movers) == 1
            chosen = []
            for player in movers:
                moves = game.moves(state, player)
                assert 0 < len(moves) <= (facts.most_outcomes if player == CHANCE else facts.most_moves)
                chosen.append(int(rules.sample(state, player, rng)))
                assert chosen[-1] in moves
                if step % 25 == 0:
                    texts = [game.format(state, player, move) for move in moves]
                    assert not any(letter.isspace() for text in texts for letter in text)
                    assert [game.parse(state, player, text) for text in texts] == moves
            if movers == [CHANCE]:
                probabilities = np.zeros(facts.most_outcomes)
                assert math.isclose(probabilities[: rules.chance(state, probabilities)].sum(), 1.0)
            for player in range(facts.players):
                assert facts.lowest_score < rules.heuristic(state, player) < facts.highest_score
            rules.play(state, np.array(chosen))
        assert rules.over(state)
        assert game.draw(state)
        scores = game.scores(state)
        assert all(facts.lowest_score <= score <= facts.highest_score for score in scores)
        assert facts.players == 1 or math.isclose(sum(scores), 0.0, abs_tol=1e-9)


@pytest.mark.parametrize("spec", SPECS)
def test_copies_and_saved_positions_play_on_the_same(spec: str) -> None:
    game = game_from(spec)
    state = play_randomly(game, game.start(new_rng(0)), 1, 4)
    text = str(state.inner)
    loaded, copied, stacked = game.load(game.save(state)), duplicate(state), stack_of(state, 2)[1]
    ends = [str(play_randomly(game, each, 2, 2000).inner) for each in (loaded, copied, stacked)]
    assert str(state.inner) == text
    assert ends == [str(play_randomly(game, state, 2, 2000).inner)] * 3


def test_facts_are_those_of_the_game() -> None:
    poker, soccer, backgammon = (
        game_from(f"openspiel:{name}").facts() for name in ("kuhn_poker", "markov_soccer", "backgammon")
    )
    assert (poker.hidden, poker.chance, poker.simultaneous, poker.players) == (True, True, False, 2)
    assert (soccer.hidden, soccer.chance, soccer.simultaneous) == (False, True, True)
    assert (backgammon.hidden, backgammon.chance, backgammon.simultaneous) == (False, True, False)
    alone = game_from("openspiel:cliff_walking").facts()
    assert (alone.players, alone.lowest_score, alone.highest_score) == (1, -199.0, -9.0)


def test_scores_of_a_zero_sum_game_are_divided_by_the_highest() -> None:
    game = game_from("openspiel:kuhn_poker")
    state = game.load("2/0/1/1")  # king against jack, bet and called: two won of at most two
    assert state.inner.returns() == [2.0, -2.0]
    assert game.scores(state) == [1.0, -1.0]
    assert game.scores(game.load("2/0/1/0")) == [0.5, -0.5]


def test_scores_of_other_games_are_measured_from_the_mean() -> None:
    game = game_from("openspiel:matrix_pd")  # from 0 to 10
    betrayed = game.load("0/1")
    assert betrayed.inner.returns() == [0.0, 10.0]
    assert game.scores(betrayed) == [-0.5, 0.5]
    assert game.scores(game.load("0/0")) == [0.0, 0.0]


def test_only_players_with_a_choice_move_at_once() -> None:
    game = game_from("openspiel:goofspiel,players=3,num_cards=3")
    state = game.start(new_rng(0))
    rules.play(state, np.array([0]))
    assert game.movers(state) == [0, 1, 2]
    assert game.format(state, 1, 2) == "[P1]Bid:_3"


def test_text_that_is_not_unique_gives_way_to_the_number() -> None:
    game = game_from("openspiel:banqi")  # writes the pieces of the two players as the same letters, great and small
    state = play_randomly(game, game.start(new_rng(0)), 0, 1)
    assert game.movers(state) == [CHANCE]
    assert [game.format(state, CHANCE, outcome) for outcome in (0, 1, 13)] == ["0", "1", "13"]


def test_key_is_the_same_in_every_process() -> None:
    game = game_from("openspiel:tic_tac_toe")
    assert rules.key(game.load("4/0/8")) == hash((4, 0, 8)) == rules.key(game.load("4/0/8"))
    assert rules.key(game.load("4/0/8")) != rules.key(game.load("4/0/7"))


@pytest.mark.parametrize(
    ("spec", "problem"),
    [
        ("openspiel", "needs the name of a game"),
        ("openspiel:breaktrough", "OpenSpiel has no game 'breaktrough'.*mean 'breakthrough'"),
        ("openspiel:hex,bord_size=5", "OpenSpiel's hex has no parameter 'bord_size'.*mean 'board_size'"),
        ("openspiel:hex,tic_tac_toe", "'tic_tac_toe' is not of the form key=value"),
        ("openspiel:misere", r"OpenSpiel cannot load misere\(\): Missing parameter game"),
        ("openspiel:mfg_garnet", "because it is a mean-field game"),
        ("openspiel:negotiation", "because its chance outcomes cannot be listed"),
        ("openspiel:kuhn_poker,players=9", "because it has 9 players, more than 8"),
        ("openspiel:2048,max_tile=0", "because its scores have no bounds"),
        ("openspiel:crossword", "because its actions have no numbers"),
    ],
)
def test_unsupported_spec_gets_one_sentence(spec: str, problem: str) -> None:
    with pytest.raises(LudusError, match=problem) as error:
        game_from(spec)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("spec", "text", "problem"),
    [
        ("openspiel:tic_tac_toe", "4/4", "'4' in '4/4' is not a legal action there"),
        ("openspiel:tic_tac_toe", "x", "'x' in 'x' is not a legal action there"),
        ("openspiel:matrix_pd", "1", "'1' ends within a turn of 2 players"),
        ("openspiel:tic_tac_toe", "0/3/1/4/2/5", "'5' in '0/3/1/4/2/5' is not a legal action there"),
    ],
)
def test_bad_position_is_one_sentence(spec: str, text: str, problem: str) -> None:
    with pytest.raises(LudusError, match=problem):
        game_from(spec).load(text)


def test_missing_package_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(LudusError, match=r"openspiel needs the package open_spiel: pip install 'ludus\[openspiel\]'"):
        OpenSpiel(game="hex")
