import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from ludus import LudusError, NotFoundError
from ludus.episode.limits import UNLIMITED, Limits, Policy
from ludus.episode.record import Opening
from ludus.tournaments.file import read_tournament
from ludus.tournaments.tournament import NO_OPENINGS, Tournament
from support.installed_games import installed
from support.places import ROOT
from support.sentences import one_sentence

S = 10**9
EXAMPLES = ROOT / "examples"


def read(folder: Path, text: str) -> Tournament:
    file = folder / "cup.toml"
    file.write_text(text)
    return read_tournament(file).tournament


def test_file_says_everything(tmp_path: Path) -> None:
    (tmp_path / "book.txt").write_text("a1 b2\nb2\n")
    made = read(
        tmp_path,
        """
        name = "Cup"
        game = "hex:size=4"
        format = "single-round-robin"
        episodes = 10
        repetitions = 3
        seed = 7
        agents = ["random", { agent = "maxn", depth = [2, 4] }, { agent = "mcts", simulations = 9, name = "tree" }]
        openings = "book.txt"
        [limits]
        move_time = "1.5s"
        grace = "1ms"
        memory = "1GiB"
        plies = 50
        policy = "random"
        """,
    )
    assert (made.name, made.game, made.format) == ("Cup", "hex:size=4", "single-round-robin")
    assert (made.episodes, made.repetitions, made.seed) == (10, 3, 7)
    assert [agent.name for agent in made.agents] == ["random", "maxn:depth=2", "maxn:depth=4", "tree"]
    assert made.agents[3].spec == "mcts:simulations=9"
    assert made.openings.listed == (Opening(moves=[["a1"], ["b2"]]), Opening(moves=[["b2"]]))
    limits = Limits(move=3 * S // 2, grace=S // 1000, memory=1 << 30, plies=50, policy=Policy.RANDOM)
    assert made.limits == limits


def test_file_limits_what_bots_take(tmp_path: Path) -> None:
    text = 'game = "hex"\nagents = ["random", "mc"]\n[limits]\n'
    text += 'cpu = "5m"\noutput_limit = "4KiB"\ndisk = "1MB"\nfiles = 32\nprocesses = 1'
    limits = Limits(cpu=300 * S, output=4096, disk=10**6, files=32, processes=1)
    assert read(tmp_path, text).limits == limits


def test_file_gives_its_name_and_defaults(tmp_path: Path) -> None:
    made = read(tmp_path, 'game = "tic-tac-toe"\nagents = ["random", "mc"]')
    assert (made.name, made.format, made.episodes, made.seed) == ("cup", "double-round-robin", 1, 0)


def test_name_is_no_part_of_the_identity_and_all_else_is(tmp_path: Path) -> None:
    text = 'game = "tic-tac-toe"\nagents = ["random", "mc"]\n'
    identity = read(tmp_path, text).identity
    assert read(tmp_path, 'name = "other"\n' + text).identity == identity
    for change in ("seed = 1", "episodes = 2", "repetitions = 2", 'format = "knockout"', "opening_plies = 1"):
        assert read(tmp_path, f"{change}\n{text}").identity != identity
    assert read(tmp_path, text.replace('"mc"', '"mc:iterations=5"')).identity != identity
    assert read(tmp_path, text + '[limits]\nmove_time = "1s"').identity != identity


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("game = ", "TOML"),
        ('agents = ["random"]', "'game'"),
        ('game = "hex"', "'agents'"),
        ('game = "hxe"\nagents = ["random"]', "'hxe' 'hex'"),
        ('game = "hex"\nagents = ["random", "random"]', "2 random"),
        ('game = "hex"\nagents = ["random"]\nepisods = 3', "'episods' 'episodes'"),
        ('game = "hex"\nagents = ["random"]\nepisodes = "3"', "episodes 3 whole number"),
        ('game = "hex"\nagents = ["random"]\nepisodes = true', "episodes true whole number"),
        ('game = "hex"\nagents = ["random", "mc"]\nepisodes = 0', "episodes 0 whole number 1"),
        ('game = "hex"\nagents = ["random", "mc"]\nseed = -1', "seed -1"),
        ('game = "hex"\nagents = ["random", 3]', "agents 3"),
        ('game = "hex"\nagents = ["random", "expectimax"]\nformat = "swis"', "'swis' 'swiss'"),
        ('game = "hex"\nagents = ["random"]', "double-round-robin"),
        ('game = "2048"\nagents = ["random", "alphabeta"]', "alphabeta"),
        ('game = "hex"\nagents = ["random", "human"]', "person"),
        (
            'game = "hex"\nagents = ["random", "mc"]\nlimits = { move_time = "1" }',
            "limits.move_time 1 time",
        ),
        ('game = "hex"\nagents = ["random", "mc"]\nlimits = { memory = "1" }', "limits.memory 1 size"),
        ('game = "hex"\nagents = ["random", "mc"]\nlimits = { cpu = "1" }', "limits.cpu 1 time"),
        ('game = "hex"\nagents = ["random", "mc"]\nlimits = { disk = 5 }', "limits.disk 5 size"),
        (
            'game = "hex"\nagents = ["random", "mc"]\nlimits = { output_limit = "1s" }',
            "limits.output_limit 1s size",
        ),
        (
            'game = "hex"\nagents = ["random", "mc"]\nlimits = { files = 0 }',
            "limits.files 0 whole number",
        ),
        ('game = "hex"\nagents = ["random", "mc"]\nlimits = { processes = "9" }', "limits.processes 9 whole number"),
        (
            f'game = "hex"\nagents = ["random", "mc"]\nlimits = {{ plies = {2**62} }}',
            "limits.plies 1,000,000,000,000,000",
        ),
        (
            f'game = "hex"\nagents = ["random", "mc"]\nopening_plies = {2**62}',
            "opening_plies 1,000,000,000,000,000",
        ),
        (
            'game = "hex"\nagents = ["random", "mc"]\nlimits = { memory = "99999999999GiB" }',
            "limits.memory 99999999999GiB size",
        ),
        ('game = "hex"\nagents = ["random", "mc"]\nlimits = { policy = "x" }', "limits.policy lose random soft"),
        ('game = "hex"\nagents = ["random", "mc"]\nlimits = { speed = 1 }', "'limits.speed'"),
        ('game = "hex"\nagents = ["random", "mc"]\nposition = "x"\nopenings = "x"', "Openings random file"),
        ('game = "hex"\nagents = ["random", "mc"]\nopenings = "no.txt"', "no.txt"),
        ('game = "hex"\nagents = [{agent = "maxn", depth = [2, 3], name = "x"}]', "2"),
        ('game = "hex"\nagents = ["random", "mc"]\nworkers = -1', "workers -1 whole number"),
        ('game = "hex"\nagents = ["random", "mc"]\nname = ""', "name ''"),
        ('game = "hex"\nagents = ["random", "mc"]\nname = ["a"]', "name a"),
        ('game = "hex"\nagents = ["random", {agent = "mc", name = ""}]', "mc name ''"),
        ('game = "hex"\nagents = ["random", {agent = "mc", name = ["a"]}]', "mc name ['a']"),
    ],
)
def test_error_in_a_file_is_one_sentence(tmp_path: Path, text: str, words: str) -> None:
    with one_sentence(f"cup.toml {words}"):
        read(tmp_path, text)


def test_changes_replace_what_the_file_says_even_with_defaults(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(
        """
        game = "hex"
        agents = ["nobody"]
        episodes = 3
        timed = true
        openings = "nowhere.txt"
        limits = { policy = "soft", move_time = "1s", hard = "2s", grace = "2s", total = "9s", increment = "1s" }
        """
    )
    limits = {"policy": Policy.LOSE, "grace": UNLIMITED.grace, "increment": 0}
    changes = {"agents": ["random", "mc"], "episodes": 1, "timed": False, "opening_plies": 0, "limits": limits}
    planned = read_tournament(file, changes)
    assert [agent.name for agent in planned.tournament.agents] == ["random", "mc"]
    assert planned.tournament.episodes == 1
    assert planned.tournament.openings == NO_OPENINGS
    assert planned.tournament.limits == Limits(move=S, total=9 * S)
    assert planned.options.timed is False


def test_a_position_replaces_the_openings_of_the_file(tmp_path: Path) -> None:
    file, board = tmp_path / "cup.toml", tmp_path / "board.txt"
    file.write_text('game = "tic-tac-toe"\nagents = ["random", "mc"]\nopening_plies = 2')
    board.write_text("x../.o./...")
    (opening,) = read_tournament(file, {"position": str(board)}).tournament.openings.listed
    assert opening.moves == []


def test_mistake_in_a_change_is_not_blamed_on_the_file(tmp_path: Path) -> None:
    (tmp_path / "cup.toml").write_text('game = "hex"\nagents = ["random", "mc"]')
    with pytest.raises(LudusError) as caught:
        read_tournament(tmp_path / "cup.toml", {"agents": ["rando"]})
    assert str(caught.value).startswith("There is no agent 'rando'")


@pytest.mark.slow
def test_file_is_utf_8_wherever_it_is_read(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_bytes('name = "Größe"\ngame = "hex"\nagents = ["random", "mc"]'.encode())
    code = "import sys; from ludus.tournaments.file import read_tournament as r; print(ascii(r(sys.argv[1])[0].name))"
    environment = os.environ | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run(
        [sys.executable, "-c", code, file], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout == "'Gr\\xf6\\xdfe'\n", done.stderr


def test_missing_file_is_reported() -> None:
    with pytest.raises(LudusError, match=r"There is no file nowhere\.toml"):
        read_tournament("nowhere.toml")


def test_shipped_tournaments_are_found_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for file in sorted(EXAMPLES.glob("*.toml")):
        (by_name, options, _), (by_path, same, _) = read_tournament(file.stem), read_tournament(file)
        assert (by_name, options) == (by_path, same)
    with pytest.raises(NotFoundError, match="did you mean 'demo'"):
        read_tournament("demmo")
    Path("demo").write_text('game = "hex"\nagents = ["random", "mc"]')
    assert read_tournament("demo").tournament.game == "hex"


def test_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    agent = tmp_path / "mine.py"
    agent.write_text(
        "from ludus import Agent\nclass Mine(Agent):\n    'Mine.'\n    name = 'mine'\n"
        "    def unsuited(self, game):\n        return None\n"
    )
    made = read(tmp_path, 'game = "tic-tac-toe"\nagents = ["random", "mine.py"]')
    assert made.agents[1].spec == f"{agent}:Mine"


def test_bots_stand_in_tables_with_their_options(tmp_path: Path) -> None:
    for name in ("bot", "bot.py"):
        (tmp_path / name).touch(0o755)
    (tmp_path / "data").mkdir()
    made = read(
        tmp_path,
        """
        game = "tic-tac-toe"
        agents = [
            { agent = "./bot", name = "plain" },
            { agent = "./bot --quick", folder = "data", safe = true, name = "quick" },
            { agent = "stdio,cores=2:sh bot.py settings.toml", folder = "data" },
        ]
        """,
    )
    assert [(entrant.name, entrant.spec) for entrant in made.agents] == [
        ("plain", f"stdio:{tmp_path}/bot"),
        ("quick", f"stdio,folder={tmp_path}/data,safe=yes:{tmp_path}/bot --quick"),
        (
            "stdio,cores=2,folder=data:sh bot.py settings.toml",
            f"stdio,folder={tmp_path}/data,cores=2:sh {tmp_path}/bot.py settings.toml",
        ),
    ]


def examples() -> list[Path]:
    """Tournament files that ship, for games that are there."""
    games = {file: tomllib.loads(file.read_text(encoding="utf-8"))["game"] for file in sorted(EXAMPLES.glob("*.toml"))}
    return [file for file, game in games.items() if installed([game])]


@pytest.mark.parametrize("file", examples(), ids=lambda file: file.stem)
def test_examples_that_ship_can_be_played(file: Path) -> None:
    agents = {"gomoku": 4, "hex": 13, "connect": 9, "demo": 7, "speed-duels": 10, "speed-field": 6, "study": 7}
    name = file.stem if file.stem in agents else file.stem.split("-")[0]
    assert len(read_tournament(file).tournament.agents) == agents[name]
