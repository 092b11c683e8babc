import json
import re
from pathlib import Path

import pytest

from ludus.episode.limits import LIMITS, UNLIMITED, Limits, own_limits
from support.redeclared import printed_with, with_field
from support.sentences import one_sentence

RECORD_PAGE = Path(__file__).parents[2] / "docs" / "record.md"
PROTOCOL_PAGE = RECORD_PAGE.with_name("protocol.md")

ONE_MORE = """
    sockets: Annotated[
        int,
        Limit(
            COUNT, "Sockets open at a time.", ("socket", "sockets"), "--sockets", "socket_limit", only_bots=True
        ),
    ] = 16
"""
PROGRAM = """
import json
from pathlib import Path
from ludus.bots.protocols.stdio import information
from ludus.bots.serve.driven_match import DrivenMatch
from ludus.tournaments.file import to_toml
from ludus.games.game import game_from
from ludus.episode.limits import Limits
from ludus.views.facts import limits as limits_in_words
from ludus.tournaments.file import read_tournament
from support.dialogue_scripts import Table
from support.running import ludus

file = Path("cup.toml")
file.write_text('game = "nim"\\nagents = ["random", "mc"]\\nlimits = { sockets = 7 }\\n')
tournament = read_tournament(file).tournament
game = game_from("nim")
found = {
    "json": json.loads(tournament.to_json())["limits"],
    "file": list(to_toml(tournament)),
    "bots": list(information(Table(game, 0, tournament.limits).briefing)),
    "match": list(DrivenMatch(game, Path(), str, print).answer("INFO socket_limit 0")),
    "words": limits_in_words(tournament.limits),
    "help": [ludus(command, "--help", columns=200).stdout for command in ("play", "run", "compare", "sweep")],
}
print(json.dumps(found))
"""


@pytest.mark.slow
def test_one_more_limit_is_declared_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    source = with_field("ludus.episode.limits", "Limits", ONE_MORE.strip())
    found = json.loads(printed_with("ludus.episode.limits", source, PROGRAM))
    assert found["json"] == {"sockets": 7}
    assert found["file"][-1] == "sockets = 7"
    assert ["socket_limit", "7"] in found["bots"]
    assert found["match"] == ["ERROR socket_limit must be a whole number of at least 1, not '0'."]
    assert found["words"] == "7 sockets, policy lose"
    for shown in found["help"]:
        assert re.search(r"--sockets .*Sockets open at a time\..*\(default: 16\)", shown)


def test_texts_of_a_limit_are_read_as_they_are_written() -> None:
    for name, limit in LIMITS.items():
        value = getattr(UNLIMITED.for_bots(), name)
        if value is not None:
            assert limit.kind.read(limit.kind.write(value)) == value


def test_no_two_limits_have_the_same_option_or_key() -> None:
    for names in (
        [word for limit in LIMITS.values() for word in limit.option.split()],
        [limit.info for limit in LIMITS.values() if limit.info is not None],
    ):
        assert len(set(names)) == len(names)


def test_pages_name_every_limit() -> None:
    _, page = RECORD_PAGE.read_text().split("**`limits`**", 1)
    told = page.split("\n\n", 1)[0]
    assert [name for name in Limits.__struct_fields__ if f"`{name}`" not in told] == []
    page = PROTOCOL_PAGE.read_text()
    assert [limit.info for limit in LIMITS.values() if limit.info and f"`{limit.info}`" not in page] == []


def test_player_may_have_limits_of_its_own() -> None:
    shared = Limits(move=10**9, plies=40)
    assert own_limits(shared, {}) is None
    own = own_limits(shared, {"move_time": "2s", "memory": "1GiB", "processes": "3"})
    assert own == Limits(move=2 * 10**9, plies=40, memory=1 << 30, processes=3)


@pytest.mark.parametrize(
    ("key", "text", "words"),
    [
        ("move_tim", "2s", "limit.move_tim 'move_time'"),
        ("plies", "3", "limit.plies"),
        ("policy", "soft", "limit.policy"),
        ("memory", "much", "limit.memory=much"),
    ],
)
def test_wrong_limits_of_a_player_get_one_sentence(key: str, text: str, words: str) -> None:
    with one_sentence(words):
        own_limits(UNLIMITED, {key: text})
