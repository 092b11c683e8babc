"""Tests of breakthrough.py: `python test_breakthrough.py` runs them, and so does pytest."""

import subprocess
import sys
import unittest
from pathlib import Path

import ludus

GAME = str(Path(__file__).with_name("breakthrough.py"))


class TestGame(unittest.TestCase):
    def test_rules_pass_all_checks(self) -> None:
        done = subprocess.run([sys.executable, "-m", "ludus", "check", "game", GAME], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_somebody_wins_every_game(self) -> None:
        games = ludus.play(GAME, ["random", "random"], episodes=20, seed=1)
        self.assertTrue(all(sorted(game.scores) == [-1, 1] for game in games))

    def test_a_search_plays_better_than_chance(self) -> None:
        table = ludus.play(GAME, ["mcts:simulations=200", "random"], episodes=20, seed=1).table
        self.assertGreater(table["score"][0], 0.8)


if __name__ == "__main__":
    unittest.main()
