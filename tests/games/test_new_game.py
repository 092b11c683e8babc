"""Adding a game takes one new file: the guide's example, beside Ludus, installed, or in its own folder of games."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludus
from ludus.agents.agent import agent_from
from ludus.games.game import game_from
from ludus.kernel import rules
from ludus.kernel.jit import compiled
from ludus.kernel.rng import below, new_rng
from ludus.kernel.rules import Array, State, at, copy, heuristic, legal, play, stack_of
from support.places import ROOT

EXAMPLE = ROOT / "docs" / "examples" / "breakthrough.py"
BOARD = EXAMPLE.with_name("breakthrough_board.py")
GUIDE = ROOT / "docs" / "start" / "game-author.md"

EPISODE = """
import json, sys
import numpy as np
from ludus import Clock, View
from ludus.kernel import rules
from ludus.core.registry import classes
from ludus.games.game import Game
from ludus.agents.agent import agent_from
from ludus.games.game import game_from
from ludus.kernel.rng import new_rng

game = game_from(sys.argv[1])
agents = [agent_from("random"), agent_from("random")]
for seat, agent in enumerate(agents):
    agent.begin(game, seat, seat)
state, moves = game.start(new_rng(0)), []
while not rules.over(state):
    (seat,) = game.movers(state)
    move = agents[seat].choose(View(state, seat), Clock()).move
    moves.append(game.format(state, seat, move))
    rules.play(state, np.array([move]))
print(json.dumps({"moves": moves, "scores": game.scores(state), "games": list(classes(Game))}))
"""


def episode_elsewhere(game: str, folder: Path) -> Any:
    """Moves and scores of an episode of random agents in a fresh process, and the names of all games it finds.

    Modules in the folder can be imported there.
    """
    variables = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(
        [sys.executable, "-c", EPISODE, game], env=variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_example_agrees_with_openspiel_step_by_step() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    peer = pyspiel.load_game("breakthrough")
    game = game_from(f"{EXAMPLE}:Breakthrough")

    def turned(text: str) -> str:
        """Its player 0 starts at the top: a2b3 is a7b6 there."""
        return "".join(str(9 - int(letter)) if letter.isdigit() else letter for letter in text)

    for seed in range(20):
        rng = new_rng(seed)
        ours, theirs = game.start(rng), peer.new_initial_state()
        while not rules.over(ours):
            (mover,) = game.movers(ours)
            assert mover == theirs.current_player()
            moves = {turned(game.format(ours, mover, move)): move for move in game.moves(ours, mover)}
            actions = {theirs.action_to_string(action).rstrip("*"): action for action in theirs.legal_actions()}
            assert sorted(moves) == sorted(actions)
            text = sorted(moves)[below(rng, len(moves))]
            rules.play(ours, np.array([moves[text]]))
            theirs.apply_action(actions[text])
        assert theirs.is_terminal()
        assert game.scores(ours) == theirs.returns()


def test_example_takes_parameters_and_is_drawn() -> None:
    game = game_from(f"{EXAMPLE}:Breakthrough:size=5")
    state = game.start(new_rng(0))
    rules.play(state, np.array([game.parse(state, 0, "c2d3")]))
    assert game.draw(state) == "o o o o o\no o o o o\n. . . x .\nx x . x x\nx x x x x"
    assert game.spec() == f"{EXAMPLE}:Breakthrough:size=5"


@compiled
def greedy(stack: State, player: int, moves: Array) -> int:
    """A search written against the generic functions: the move with the best evaluation."""
    now, then = at(stack, 0), at(stack, 1)
    best, chosen = -2.0, -1
    for i in range(legal(now, player, moves)):
        copy(now, then)
        play(then, moves[i : i + 1])
        value = heuristic(then, player)
        if value > best:
            best, chosen = value, moves[i]
    return chosen


def test_compiled_search_runs_on_the_example() -> None:
    game = game_from(str(EXAMPLE))
    state = game.start(new_rng(0))
    for text in ("a2b3", "h7g6", "b3b4", "g6g5", "b4b5", "g5g4", "b5b6"):
        (mover,) = game.movers(state)
        rules.play(state, np.array([game.parse(state, mover, text)]))
    stack = stack_of(state, 2)
    copy(state, at(stack, 0))
    move = greedy(stack, 1, np.zeros(rules.most_moves(state), np.int64))
    assert game.format(state, 1, int(move)) in ("a7b6", "c7b6")
    assert greedy.signatures


def test_every_agent_that_suits_two_players_takes_the_example() -> None:
    game = game_from(str(EXAMPLE))
    for spec in ("random", "alphabeta:depth=2", "mcts:simulations=20"):
        agent = agent_from(spec)
        assert agent.unsuited(game) is None
        agent.begin(game, 0, 1)
        state = game.start(new_rng(0))
        assert agent.choose(ludus.View(state, 0), ludus.Clock()).move in game.moves(state, 0)


@pytest.mark.slow
def test_file_anywhere_is_a_game(tmp_path: Path) -> None:
    file = shutil.copy(EXAMPLE, tmp_path / "my_game.py")
    result = episode_elsewhere(f"{file}:Breakthrough", tmp_path)
    assert result == episode_elsewhere(str(file), tmp_path)
    assert sorted(result["scores"]) == [-1.0, 1.0]
    assert "breakthrough" not in result["games"]


def test_two_files_with_states_of_one_name_keep_their_own_rules(tmp_path: Path) -> None:
    text = EXAMPLE.read_text()
    line = "return lead / (2.0 * state.size[0] + 1.0)"
    assert line in text
    for worth in ("0.25", "0.75"):
        file = tmp_path / f"game_{worth[2:]}.py"
        file.write_text(text.replace(line, f"return {worth}"))
        state = game_from(str(file)).start(new_rng(0))
        assert value_of(state) == rules.heuristic(state, 0) == float(worth)


@compiled
def value_of(state: State) -> float:
    return heuristic(state, 0)


@pytest.mark.slow
def test_installed_package_adds_a_game(tmp_path: Path) -> None:
    shutil.copy(EXAMPLE, tmp_path / "my_breakthrough.py")
    about = tmp_path / "my_breakthrough-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: my-breakthrough\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[ludus.games]\nbreakthrough = my_breakthrough:Breakthrough\n")
    result = episode_elsewhere("breakthrough:size=6", tmp_path)
    assert "breakthrough" in result["games"]
    assert sorted(result["scores"]) == [-1.0, 1.0]


@pytest.mark.slow
def test_new_module_among_the_built_in_games_is_found(tmp_path: Path) -> None:
    copied = shutil.copytree(
        Path(ludus.__file__).parent, tmp_path / "ludus", ignore=shutil.ignore_patterns("__pycache__")
    )
    before = {file: file.read_bytes() for file in Path(copied).rglob("*") if file.is_file()}
    shutil.copy(EXAMPLE, Path(copied) / "games" / "breakthrough.py")
    result = episode_elsewhere("breakthrough", tmp_path)
    assert "breakthrough" in result["games"]
    assert {"connect-four", "nim"} < set(result["games"])
    assert all(file.read_bytes() == text for file, text in before.items())


def test_guide_shows_the_example_as_it_is() -> None:
    text = EXAMPLE.read_text() + BOARD.read_text()
    blocks = GUIDE.read_text(encoding="utf-8").split("```python\n")[1:]
    shown = [block.partition("```")[0] for block in blocks]
    assert shown
    for block in shown:
        assert block in text
    for name in ("most_moves", "movers", "legal", "play", "over", "scores", "heuristic"):
        assert any(f"def {name}(state: Board" in block for block in shown)
