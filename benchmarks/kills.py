"""Kills of parent and workers at random moments, and whether every episode is stored exactly once, as undisturbed."""

import argparse
import os
import random
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import psutil
from msgspec.structs import replace

from ludus.episode.record import Key, Record
from ludus.run.setup import Stage
from ludus.store import open_store
from ludus.store.entries import stored_record
from ludus.tournaments.file import to_toml
from ludus.tournaments.plan import make_tournament
from ludus.tournaments.tournament import Tournament

EPISODES = 1500
BEGINNING = EPISODES // 3
"""Episodes of a match before the tournament is lengthened."""
SAMPLE = 40
"""Episodes of each tournament that are played again and compared."""


class Tally(NamedTuple):
    """Events so far: kills by their victim, tournaments, episodes."""

    kills: Counter[str]
    tournaments: int
    episodes: int


def tournament(seed: int) -> Tournament:
    """Some seconds of work, with agents that are limited by counts."""
    return make_tournament(
        "connect-four",
        ["random", "mcts:simulations=20", "alphabeta:depth=2"],
        name=f"killed {seed}",
        episodes=EPISODES,
        seed=seed,
        opening_plies=1,
    )


def kill_at_random(kills: int, folder: Path, seed: int = 0) -> Tally:
    """Kill so often, over as many tournaments as that takes, and check each one at its end.

    Each begins with two agents and fewer episodes, and is then lengthened.
    """
    dice = random.Random(seed)
    done: Counter[str] = Counter()
    played = number = 0
    while done.total() < kills:
        store = folder / f"{number}.db"
        entered = tournament(number)
        file = folder / f"{number}.toml"
        for part in (replace(entered, agents=entered.agents[:2], episodes=BEGINNING), entered):
            file.write_text("\n".join(to_toml(part)))
            while run_and_kill(file, store, dice, done, kills):
                pass
        played += check(entered, store)
        number += 1
    return Tally(done, number, played)


def run_and_kill(file: Path, store: Path, dice: random.Random, done: Counter[str], kills: int) -> bool:
    """Run until it ends or is killed: whether it was killed. Any other end than a good one is a failure."""
    command = [sys.executable, "-m", "ludus", "run", str(file), "--store", str(store), "--workers", "2"]
    with tempfile.TemporaryFile() as said:
        parent = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=said)
        watched = psutil.Process(parent.pid)
        spared = dice.uniform(0.2, 8.0)
        until = time.monotonic() + spared
        from_the_first_worker = dice.random() < 0.5  # on a slow machine there may be none before that
        killed = False
        while parent.poll() is None and done.total() < kills:
            time.sleep(dice.uniform(0.02, 0.6))
            with suppress(psutil.NoSuchProcess):
                if from_the_first_worker:
                    until = time.monotonic() + spared
                    from_the_first_worker = not watched.children()
                if time.monotonic() > until:
                    parent.kill()
                    killed = parent.wait() == -signal.SIGKILL
                    done["parent"] += killed
                elif victims := watched.children():
                    dice.choice(victims).kill()
                    done["worker"] += 1
        status = parent.wait()
        if status != 0 and not killed:
            said.seek(0)
            raise AssertionError(f"exit status {status}: {said.read().decode()[-500:]}")
    return killed


def check(entered: Tournament, file: Path) -> int:
    """Every episode is there once, tallies and timings count each once, and a sample is as it should be."""
    stage = Stage(entered)
    with open_store(str(file)) as store:
        id = store.find(entered.name)
        episodes = store.episodes(id)
        keys = list(zip(episodes["repetition"], episodes["match"], episodes["number"], strict=True))
        expected = [(0, match, number) for match in range(6) for number in range(EPISODES)]
        assert keys == expected, f"{len(keys)} episodes of {len(expected)}, {len(set(keys))} different"
        assert store.tallies(id)["episodes"].sum() == len(expected)
        assert set(store.tallies(id)["ending"]) == {"rules"}, "a kill from outside is nobody's fault"
        timings = store.timings(id)
        assert timings.filter(timings["seat"] >= 0)["moves"].sum() == episodes["plies"].sum()
        seats = {row["match"]: row["seats"] for row in store.tallies(id).iter_rows(named=True)}
        for key in random.Random(1).sample(expected, SAMPLE):
            again = stored_record(stage.play(Key(*key), seats[key[1]], "again").packed, entered, seats[key[1]])
            assert _played(store.record(id, Key(*key))) == _played(again), f"episode {key} took another course"
    return len(expected)


def _played(record: Record) -> tuple[Any, ...]:
    """All of an episode that does not depend on when it was played."""
    moves = [[(move.seat, move.move, move.metrics) for move in step] for step in record.steps]
    return record.seed, record.opening, moves, record.ending, record.scores


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kills", nargs="?", type=int, default=1000, help="how often to kill")
    parser.add_argument("--seed", type=int, default=secrets.randbits(32), help="where the moments come from")
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("LUDUS_HOME", folder)
        tally = kill_at_random(options.kills, Path(folder), options.seed)
    print(
        f"{tally.kills['parent']} kills of the parent and {tally.kills['worker']} of workers in {tally.tournaments} "
        f"tournaments: each of the {tally.episodes:,} episodes is stored exactly once."
    )


if __name__ == "__main__":
    main()
