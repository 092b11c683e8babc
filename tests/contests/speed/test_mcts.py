"""MCTS in spe_ed, where several players move at once."""

from ludus.agents.agent import Clock, View
from ludus.agents.montecarlo.mcts import MCTS
from ludus.games.game import game_from
from ludus.kernel.rng import new_rng


def test_restricted_opponents_have_one_move_in_a_node() -> None:
    game = game_from("speed:width=12,height=12,players=4")
    state = game.start(new_rng(0))
    for opponents, widths in ((None, [5, 5, 5, 5]), (1, [1, 5, 5, 1]), (0, [1, 5, 1, 1])):
        agent = MCTS(simulations=100, simultaneous="uct", opponents=opponents)
        agent.begin(game, 1, 1)
        agent.choose(View(state, 1), Clock())
        assert agent._trees[0].widths[0, :4].tolist() == widths
