import numpy as np
import pytest

from contests.speed.drawn import after, drawn
from ludus import Choice, Clock, View
from ludus.agents.agent import agent_from
from ludus.agents.layers import LAYERS, PATH, PROBABILITY, unpack
from ludus.contests.speed.agents.territory import Territory
from ludus.contests.speed.game import CHANGE_NOTHING, FELL, SPEED, TURN_RIGHT, Speed, SpeedState
from ludus.games.game import game_from
from ludus.kernel import rules
from ludus.kernel.rng import new_rng

# Player 1 has the room above to itself, and there is as much below.
ROOM = "1............*\n" + ".............*\n" * 6 + "**************\n" + "..............\n" * 8 + "*************2"


def chosen(agent: Territory, state: SpeedState) -> Choice:
    agent.begin(Speed(players=len(state.players)), 0, 1)
    return agent.choose(View(state, 0), Clock())


@pytest.mark.parametrize("players", [2, 3, 6])
def test_it_outlives_those_who_only_avoid_walls(players: int) -> None:
    game = game_from(f"speed:width=30,height=24,players={players}")
    agents = [agent_from("speed.territory:nodes=60" if seat == 0 else "speed.dont-hit") for seat in range(players)]
    state = game.start(new_rng(1))
    for seat, agent in enumerate(agents):
        agent.begin(game, seat, 1)
    while not rules.over(state):
        movers = game.movers(state)
        rules.play(state, np.array([agents[seat].choose(View(state, seat), Clock()).move for seat in movers]))
    assert game.scores(state)[0] == 1.0


def test_the_same_seed_gives_the_same_game() -> None:
    game = game_from("speed:width=20,height=16")
    games = []
    for _ in range(2):
        agents = [agent_from("speed.territory:nodes=40"), agent_from("speed.territory:depth=1")]
        state, moves = game.start(new_rng(5)), []
        for seat, agent in enumerate(agents):
            agent.begin(game, seat, 2)
        while not rules.over(state):
            moves.append([agents[seat].choose(View(state, seat), Clock()).move for seat in game.movers(state)])
            rules.play(state, np.array(moves[-1]))
        games.append(moves)
    assert games[0] == games[1]


def test_no_time_is_enough_to_live() -> None:
    game = game_from("speed:width=12,height=9")
    agent = Territory()
    agent.prepare(game)
    agent.begin(game, 0, 1)
    # Straight on is a wall, to the left is a dead end.
    state = drawn("..........\n.2222222..\n.1111*....\n..........\n..........", "4,2,right,1", "7,1,down,1")
    choice = agent.choose(View(state, 0), Clock(move=0))
    assert choice.move == TURN_RIGHT
    assert choice.metrics["nodes"] <= 2


def test_the_longest_path_does_not_lead_backwards() -> None:
    # At a start the cell behind is free, and here all of the room but a cell lies there.
    state = drawn(".......1*..\n*******.*..\n*********..\n..........2", "7,0,right,1", "10,3,up,1")
    choice = chosen(Territory(nodes=100), state)
    assert choice.move == TURN_RIGHT


def test_a_room_of_its_own_is_filled_and_left() -> None:
    state = drawn(ROOM, "0,0,right,1", "13,16,left,1")
    agent = Territory(nodes=100)
    agent.begin(Speed(), 0, 1)
    fastest, rounds = 0, 0
    while state.players[0, FELL] == 0 and state.players[0, 1] < 8:
        action = agent.choose(View(state, 0), Clock()).move
        state = after(state, {0: action})
        # Player 2 waits outside, which the rules do not allow it.
        state.players[1, FELL] = 0
        fastest = max(fastest, int(state.players[0, SPEED]))
        rounds += 1
    assert state.players[0, FELL] == 0
    assert fastest >= 3
    assert rounds > 60


def test_a_room_in_which_somebody_else_is_nearer_to_everything_is_left_for_an_empty_one() -> None:
    rows = "..............\n" * 9 + "**************\n" + "..............\n" * 9
    state = drawn(f"{rows}1.2...........", "0,19,up,1", "2,19,up,1")
    agent = Territory(nodes=100)
    agent.begin(Speed(), 0, 1)
    for _ in range(8):
        state = after(state, {0: agent.choose(View(state, 0), Clock()).move})
        state.players[1, FELL] = 0
    assert state.players[0, FELL] == 0
    assert state.players[0, 1] < 9


def test_it_says_what_it_saw() -> None:
    state = drawn("1.....\n......\n......\n.....2", "0,0,right,1", "5,3,left,1")
    choice = chosen(Territory(depth=2, layers=True), state)
    layers = {name: unpack(text) for name, text in choice.metrics[LAYERS].items()}
    assert set(layers) == {PATH, PROBABILITY}
    assert np.count_nonzero(layers[PATH]) >= 2
    assert layers[PROBABILITY][3, 4] == 1.0
    assert layers[PROBABILITY][0, 1] == 0.0
    assert choice.metrics["depth"] == 2
    assert 0.3 < choice.metrics["share"] < 0.7


def test_the_longest_path_is_shown() -> None:
    state = drawn("1...*..\n....*..\n*****..\n***..2.", "0,0,right,1", "5,3,up,1", now=1)
    choice = chosen(Territory(nodes=50, layers=True), state)
    assert choice.metrics["depth"] == 7
    assert np.count_nonzero(unpack(choice.metrics[LAYERS][PATH])) == 7
    assert choice.move in (CHANGE_NOTHING, TURN_RIGHT)


def test_it_plays_nothing_else() -> None:
    assert "only spe_ed" in str(Territory().unsuited(game_from("connect-four")))
