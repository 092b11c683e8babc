from pathlib import Path

import pytest

from ludus import LudusError
from ludus.core.registry import agent_from
from ludus.run.sweep_axes import read_axis, varied


def texts(agent: str, text: str) -> list[str]:
    return [value.text for value in read_axis(agent, text).values]


@pytest.mark.parametrize(
    ("agent", "text", "values"),
    [
        ("mcts", "c=0.5..0.9/5", ["0.5", "0.6", "0.7", "0.8", "0.9"]),
        ("mcts", "c=1,1.2,2", ["1", "1.2", "2"]),
        ("mcts", "c=3,1..2/3,1", ["1", "1.5", "2", "3"]),
        ("mcts:simulations=7", "simulations=10..50/5", ["10", "20", "30", "40", "50"]),
        ("mcts", "simulations=none,10", ["none", "10"]),
        ("mcts", "time=10ms..1s/2", ["10ms", "1s"]),
        ("mcts", "keep=yes,no", ["no", "yes"]),
        ("alphabeta:depth=2", "weight.two=1..2/3", ["1.0", "1.5", "2.0"]),
        ("uci,Hash=4:cat", "Hash=16..64/4", ["16", "32", "48", "64"]),
    ],
)
def test_values_come_from_lists_and_ranges_in_their_order(agent: str, text: str, values: list[str]) -> None:
    assert texts(agent, text) == values


def test_numbers_stand_on_an_axis_and_other_values_do_not() -> None:
    assert read_axis("mcts", "c=1,2").numeric
    assert read_axis("alphabeta:depth=2", "weight.two=1,2").numeric
    assert not read_axis("mcts", "simulations=none,10").numeric
    assert not read_axis("mcts", "time=1s,2s").numeric
    assert not read_axis("mcts", "keep=yes,no").numeric


@pytest.mark.parametrize(
    ("agent", "changes", "spec"),
    [
        ("mcts", {"c": "2"}, "mcts:c=2"),
        ("mcts:c=1,keep=no", {"c": "2", "solve": "no"}, "mcts:c=2,keep=no,solve=no"),
        ("uci,Hash=4:cat -n", {"Hash": "8"}, "uci,Hash=8:cat -n"),
        ("uci,Clear Hash,Hash=4:cat -n", {"Hash": "8"}, "uci,Clear Hash,Hash=8:cat -n"),
        ("./mybot", {"safe": "yes"}, "stdio,safe=yes:./mybot"),
        ("mine.py:Mine:depth=1", {"depth": "3"}, "mine.py:Mine:depth=3"),
        ("mine.py", {"depth": "3"}, "mine.py:depth=3"),
    ],
)
def test_variant_keeps_what_is_not_changed(agent: str, changes: dict[str, str], spec: str) -> None:
    assert varied(agent, changes) == spec


def test_a_word_gives_way_to_another_value_of_its_parameter(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "from ludus import Agent, Choice, param\n\n\n"
        'class Mine(Agent):\n    name = "mine"\n    size: int = param(help="its size")\n'
        '    other: int = param(help="another")\n\n'
        "    def begin(self, game, seat, seed): ...\n\n"
        "    def choose(self, view, clock):\n        return Choice(0)\n"
    )
    assert varied(f"{file}:Mine:3,4", {"size": "5"}) == f"{file}:Mine:size=5,other=4"
    assert texts(f"{file}:Mine:3,4", "other=4,6") == ["4", "6"]
    with pytest.raises(LudusError, match="'3' and size=5 are both its size: keep one of them"):
        agent_from(f"{file}:Mine:3,4,size=5")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("c", "'--param c' is not of the form NAME=VALUES, as in depth=2,4,6 or c=0.5..2/4."),
        ("c=", "'c' has an empty value: write values as in c=1,2,3 or c=1..3/3."),
        ("c=1,,2", "'c' has an empty value"),
        ("cc=1", "mcts has no parameter 'cc', perhaps you mean 'c'; it has simulations, "),
        ("c=200", "mcts: c=200 is not a number from 0 to 100."),
        ("c=1..200/3", "c=200 is not a number from 0 to 100."),
        ("c=a..2/3", "c=a is not a number from 0 to 100."),
        ("c=1..2", "c=1..2 does not say how many values: write c=1..2/5 for five of them."),
        ("c=1..2/1", "c=1..2/1 is no range: after the '/' stands how many values it has, at least 2."),
        ("c=1..2/x", "c=1..2/x is no range"),
        ("c=2..1/3", "c=2..1/3 is empty: write the lower end first, as in c=1..3/3."),
        ("simulations=1..3/9", "simulations=1..3/9 has more values than there are whole numbers between its ends"),
        ("c=0..1/3000000", "c=0..1/3000000 has too many values: 1,000 are the most."),
        ("keep=perhaps", "mcts: keep=perhaps is not yes or no."),
        ("keep=no..yes/2", "keep=no..yes/2 is no range: keep takes yes or no."),
        ("c=1/2", "c=1/2 is no value, since there is a slash in it."),
    ],
)
def test_bad_values_get_one_sentence(text: str, said: str) -> None:
    with pytest.raises(LudusError) as caught:
        read_axis("mcts", text)
    assert str(caught.value).startswith(said)
    assert str(caught.value).endswith(".")
