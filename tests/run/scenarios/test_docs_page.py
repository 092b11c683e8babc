"""docs/scenarios.md: its suite is one, and its table names the suites that come with Ludus."""

import re
from pathlib import Path

from ludus.run.scenarios.scenario import KINDS
from ludus.run.scenarios.scenario_run import Bench
from ludus.run.scenarios.suites import read_suite, shipped_suites
from ludus.tournaments.tournament import Entrant
from support.installed_games import needs
from support.places import ROOT

pytestmark = needs("speed")  # which has suites and a position on the page

PAGE = (ROOT / "docs" / "scenarios.md").read_text()


def test_suite_of_the_page_can_be_run(tmp_path: Path) -> None:
    path = tmp_path / "suite.toml"
    path.write_text(PAGE.partition("```toml\n")[2].partition("```")[0])
    suite = read_suite(path)
    assert [scenario.seat for scenario in suite.scenarios] == [0, 0, 1]
    trials = list(Bench(suite, [Entrant("random", "random")]).run(1))
    assert [trial.scenario for trial in trials] == [0, 1, 2]


def test_page_lists_every_suite_and_every_kind_of_success() -> None:
    assert set(re.findall(r"^\| `([\w-]+)` \|", PAGE, re.MULTILINE)) == set(shipped_suites())
    assert set(re.findall(r"^\| `(\w+) = ", PAGE, re.MULTILINE)) == set(KINDS)
