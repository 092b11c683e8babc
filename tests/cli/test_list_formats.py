import json
import re

import pytest

from ludus.core.registry import classes
from ludus.tournaments.formats.format import Format
from support.places import ROOT
from support.running import ludus, program
from support.sentences import missing


@pytest.mark.slow
@pytest.mark.parametrize("columns", [80, 120])
def test_list_names_every_format_and_on_a_wide_terminal_its_parameters(columns: int) -> None:
    lines = program("list", "formats", columns=columns).stdout.splitlines()
    assert max(map(len, lines)) <= columns
    for name, cls in classes(Format).items():
        (line,) = [line for line in lines if line.split(" ")[0] == name]
        parameters = ", ".join(parameter.name for parameter in cls.parameters())
        assert columns < 90 or line.rstrip().endswith(parameters)


def test_list_is_available_as_json() -> None:
    rows = {row["name"]: row for row in json.loads(ludus("list", "formats", "--json").stdout)}
    assert list(rows) == list(classes(Format))
    assert (rows["solo"]["players"], rows["solo"]["default"]) == ([1, 1], [1])
    assert (rows["swiss"]["players"], rows["swiss"]["default"]) == ([2, 2], [])
    assert rows["seatings"]["players"][0] == 2
    assert [parameter["name"] for parameter in rows["knockout"]["parameters"]] == ["swap", "seeding"]


def test_one_format_is_described_with_its_parameters() -> None:
    shown = ludus("list", "formats", "swiss", columns=120).stdout
    assert shown.startswith("swiss: ")
    assert not missing(shown, "seeding field random tournament")
    described = json.loads(ludus("list", "formats", "swiss:rounds=4", "--json").stdout)
    assert described["spec"] == "swiss:rounds=4"
    assert described["details"] == classes(Format)["swiss"].details()


def test_unknown_format_gets_one_sentence() -> None:
    done = ludus("list", "formats", "swis")
    assert done.returncode == 2
    assert not missing(done.stderr, "'swis' 'swiss'")
    assert done.stderr.count("\n") == 1


def test_help_has_an_example() -> None:
    assert "Example: ludus list formats swiss" in ludus("list", "formats", "--help").stdout


def test_guide_names_every_format_with_its_parameters() -> None:
    guide = (ROOT / "docs" / "tournaments.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([\w-]+)` \|.*\| ?(.*) \|$", guide.split("## Formats")[1].split("## ")[0], re.MULTILINE)
    listed = {name: set(re.findall(r"`(\w+)(?:=\w+)?`", parameters)) for name, parameters in rows}
    assert listed == {name: {p.name for p in cls.parameters()} for name, cls in classes(Format).items()}
