"""Episodes a second of random against random, refereed and recorded, beside OpenSpiel's `evaluate_bots`, which records
nothing."""

from collections.abc import Callable, Iterator

import numpy as np
import pyspiel
from open_spiel.python.algorithms import evaluate_bots
from open_spiel.python.bots import uniform_random

from ludus.agents.agent import agent_from
from ludus.episode.driver import play_episode
from ludus.episode.local_player import player_for
from ludus.games.game import game_from
from side_by_side import Row, compare, main, per_second, pin

GAMES = [("tic-tac-toe", "tic_tac_toe"), ("connect-four", "connect_four")]


def ludus_episodes(spec: str) -> Callable[[int], object]:
    game = game_from(spec)
    players = [player_for(agent_from("random")) for _ in range(2)]

    def play(n: int) -> None:
        for seed in range(n):
            play_episode(game, players, seed=seed)

    return play


def openspiel_cpp_episodes(name: str) -> Callable[[int], object]:
    game = pyspiel.load_game(name)
    bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(2)]

    def play(n: int) -> None:
        for seed in range(n):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)

    return play


def openspiel_python_episodes(name: str) -> Callable[[int], object]:
    game = pyspiel.load_game(name)
    rng = np.random.RandomState(1)
    bots = [uniform_random.UniformRandomBot(seat, rng) for seat in range(2)]

    def play(n: int) -> None:
        for _ in range(n):
            evaluate_bots.evaluate_bots(game.new_initial_state(), bots, rng)

    return play


def measure() -> Iterator[Row]:
    pin()
    for spec, name in GAMES:
        ours = per_second(ludus_episodes(spec), 10)
        for language, episodes in (("Python", openspiel_python_episodes), ("C++", openspiel_cpp_episodes)):
            beside = f"OpenSpiel, evaluate_bots in {language}"
            yield compare(f"{spec}, beside {language}", ours, per_second(episodes(name), 10), "episodes/s", beside)


if __name__ == "__main__":
    main("Random against random", measure)
