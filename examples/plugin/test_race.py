"""Tests of the package, once it is installed: `python test_race.py` runs them, and so does pytest."""

import subprocess
import sys
import unittest

import ludus


class TestRace(unittest.TestCase):
    def test_rules_pass_all_checks(self) -> None:
        done = subprocess.run([sys.executable, "-m", "ludus", "check", "game", "race"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_perfect_agent_wins_every_game_that_it_begins(self) -> None:
        games = ludus.play("race", ["race.perfect", "random"], episodes=20, seed=1)
        self.assertTrue(all(game.scores[0] == 1 for game in list(games)[::2]))


if __name__ == "__main__":
    unittest.main()
