"""Tests of greedy.py: `python test_greedy.py` runs them, and so does pytest."""

import unittest
from pathlib import Path

import ludus

AGENT = str(Path(__file__).with_name("greedy.py"))


class TestAgent(unittest.TestCase):
    def test_all_its_moves_are_legal_and_in_time(self) -> None:
        games = ludus.play("connect-four", [AGENT, "random"], episodes=10, seed=1, move_time="1s")
        self.assertEqual({game.record.ending for game in games}, {"rules"})

    def test_it_plays_better_than_chance(self) -> None:
        table = ludus.play("connect-four", [AGENT, "random"], episodes=20, seed=1).table
        self.assertGreater(table["score"][0], 0.6)

    def test_the_same_seed_gives_the_same_moves(self) -> None:
        first, second = (ludus.play("connect-four", [AGENT, "random"], seed=1)[0].moves["move"] for _ in range(2))
        self.assertEqual(first.to_list(), second.to_list())


if __name__ == "__main__":
    unittest.main()
