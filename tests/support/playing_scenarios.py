"""Episodes for tests of scenarios, really played."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from ludus import Agent
from ludus.episode.limits import Limits
from ludus.episode.record import Opening, Record
from ludus.run.scenarios.scenario import Scenario, Success, Suite
from ludus.run.scenarios.scenario_run import Bench, Trial
from ludus.run.scenarios.suites import read_suite, shipped_suites
from ludus.tournaments.tournament import Entrant
from support import playing


def played(
    game: str, agents: Sequence[str | Agent], position: str | None = None, plies: int | None = None, seed: int = 0
) -> Record:
    """One episode of these agents, in this order, from a position or the start."""
    opening = Opening(position, seed)
    return playing.played(game, *agents, limits=Limits(plies=plies), seed=seed, opening=opening)


def entrants(*specs: str) -> list[Entrant]:
    return [Entrant(spec, spec) for spec in specs]


def one(game: str, position: str, success: Success, opponents: list[Entrant], seat: int = 0) -> Suite:
    made = Scenario(name="one", game=game, position=position, seat=seat, success=success, opponents=tuple(opponents))
    return Suite("mine", "", (made,))


def trials(suite: Suite, agents: list[Entrant], episodes: int, seed: int = 0) -> list[Trial]:
    return list(Bench(suite, agents, seed=seed).run(episodes))


def scenarios(suite: str) -> list[Scenario]:
    return list(read_suite(shipped_suites()[suite]).scenarios)


def each(suite: str) -> pytest.MarkDecorator:
    """One test for each scenario of a suite."""
    found = scenarios(suite)
    return pytest.mark.parametrize("scenario", found, ids=[scenario.name for scenario in found])


def written(folder: Path, text: str) -> Path:
    path = folder / "mine.toml"
    path.write_text(text)
    return path
