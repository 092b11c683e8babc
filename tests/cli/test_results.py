import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from rich.cells import cell_len

from ludus.cli.app import app_for
from ludus.cli.screen import output
from ludus.core.errors import InvalidError
from ludus.core.registry import classes
from ludus.episode.finished import episode
from ludus.episode.record import Key
from ludus.stats.results import load
from ludus.store import Store, open_store
from ludus.tournaments.formats.format import Format, Match
from ludus.tournaments.tournament import Entrant
from ludus.views.columns import standings as standings_columns
from support.running import Terminal, ludus, program
from support.samples import left_behind, sample, stored
from support.sentences import missing, one_sentence
from support.stored_results import FIELD, begin, copy_part, enter, play

VARIANTS = [f"mc:iterations={n},rollout_depth=9" for n in range(1, 5)]
MANY = [Entrant(f"a name that somebody gave, number {n}", f"mc:iterations={n}") for n in range(1, 13)]
PARTS = ("Standings", "Won–tied–lost", "Scores", "Results by seat", "Times", "Endings")


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("store") / "ludus.db")


@pytest.fixture(scope="module")
def store(file: str) -> Iterator[Store]:
    with open_store(file) as opened:
        play(opened, name="Two", episodes=4, opening_plies=1)
        play(opened, name="Two again", episodes=4, repetitions=2, seed=5)
        play(opened, "nim:players=3", ("maxn:depth=2", "mc:iterations=20", "random"), name="Several", episodes=2)
        play(opened, "2048", ("random", "mc:iterations=2"), name="One", episodes=3)
        play(opened, agents=VARIANTS, name="Variants")
        play(opened, agents=MANY, name="Many")
        play(opened, format="knockout:seeding=random", name="Knockout")
        begin(opened, name="Cut off", episodes=400)
        yield opened


class Screen:
    """The output of the command on a terminal of this width."""

    def __init__(self, store: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._store = store
        self._monkeypatch = monkeypatch
        self._capsys = capsys

    def __call__(self, *arguments: str, columns: int = 80) -> str:
        self._monkeypatch.setenv("COLUMNS", str(columns))
        output.cache_clear()
        command = ["results", *arguments, "--store", self._store.url]
        app_for(command)(command, standalone_mode=False)
        text = self._capsys.readouterr().out
        assert max(map(cell_len, text.splitlines())) <= columns or "--json" in arguments
        return text


@pytest.fixture
def shown(store: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Screen]:
    yield Screen(store, monkeypatch, capsys)
    output.cache_clear()


COMPILED = """
import sys
from ludus.cli.app import app_for
sys.stdout = open("/dev/null", "w")
for line in sys.argv[1:]:
    words = line.split("|")
    app_for(words)(words, standalone_mode=False)
    if "numba" in sys.modules:
        sys.exit(line)
"""


@pytest.mark.slow
@pytest.mark.usefixtures("store")
@pytest.mark.parametrize("which", ["Two", "Two again", "Several", "One", "Cut off", "Knockout"])
def test_reading_the_store_needs_no_compiler(file: str, which: str, tmp_path: Path) -> None:
    chart = "points" if which == "One" else "ratings"
    lines = [
        f"results|{which}",
        f"results|{which}|--metrics|--faults|--matches",
        f"results|{which}|--json",
        f"results|{which}|--html|{tmp_path / 'report.html'}",
        f"results|{which}|--chart|list",
        f"results|{which}|--chart|{chart}|-o|{tmp_path / 'chart.svg'}",
        "list|tournaments",
        f"list|tournaments|{which}",
    ]
    command = [sys.executable, "-c", COMPILED, *(f"{line}|--store|{file}" for line in lines)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "report.html").exists()
    assert (tmp_path / "chart.svg").exists()


def test_empty_store_names_the_command_that_plays(tmp_path: Path) -> None:
    done = ludus("results", "--store", str(tmp_path / "none.db"), columns=200)
    assert done.returncode == 2
    assert "'ludus run FILE'" in done.stderr


def test_latest_tournament_is_shown_by_default(shown: Screen, store: Store) -> None:
    assert shown().startswith(f"{store.tournaments()[-1].name} ")


@pytest.mark.parametrize("columns", [80, 140])
def test_two_players_get_every_part_within_the_terminal(shown: Screen, columns: int) -> None:
    text = shown("Two", columns=columns)
    assert all(part in text for part in PARTS)
    for words in ("tic-tac-toe", "double-round-robin, 3 agents", "6, with 4 episodes each", "1 random ply"):
        assert words in text
    standings = text.split("Standings")[1].split("Won–tied–lost")[0]
    assert not [column.title for column in standings_columns(2) if column.title not in standings]
    for name in FIELD:
        assert name in text


def test_times_unfold_by_match_on_request(shown: Screen) -> None:
    text = shown("Two", "--matches", columns=140)
    unfolded = text.split("Times by match")[1].split("Endings")[0]
    assert [line.split()[0] for line in unfolded.splitlines()[5::2] if line.strip()] == ["1", "2", "3", "4", "5", "6"]


def test_repetitions_show_means_deviations_and_rank_shifts(shown: Screen) -> None:
    text = shown("Two again", "--sort", "wtl")
    assert "Standings by wtl" in text
    part = text.split("Over the repetitions")[1].split("Won–tied–lost")[0]
    assert part.count("±") >= 3 * 5
    runs = [line.split() for line in part.split("Repetition by repetition")[1].splitlines()]
    assert {run[0]: run[-1] for run in runs if run and run[0] in ("1", "2")}.keys() == {"1", "2"}


def test_several_players_show_places_and_who_is_ahead(shown: Screen) -> None:
    text = shown("Several")
    assert "1st 2nd 3rd" in " ".join(text.split())
    assert "seat 1st 2nd 3rd" in " ".join(text.split("Places by seat")[1].split())
    assert "Ahead of" in text


def test_one_player_shows_how_points_are_spread(shown: Screen) -> None:
    text = shown("One")
    for word in ("mean", "ahead", "median", "best", "worst", "25 %", "75 %", "on the same seeds"):
        assert word in text


def test_long_specs_get_short_names_with_a_legend(shown: Screen) -> None:
    assert "Short names" not in shown("Variants", columns=140)
    text = shown("Variants")
    standings, legend = text.split("Short names")
    assert sorted(line.split()[1:3] for line in standings.splitlines() if " mc " in line) == [
        ["mc", str(n)] for n in range(1, 5)
    ]
    assert "mc 3  mc:iterations=3,rollout_depth=9" in legend


def test_wide_matrices_have_letters_that_the_standings_explain(shown: Screen) -> None:
    text = shown("Many")
    standings, matrix = text.split("Won–tied–lost")
    assert " 1 A a name that somebody gave, number" in standings
    assert "12 L a name that somebody gave, number" in standings
    assert matrix.splitlines()[2].split() == list("ABCDEFGHIJKL")
    assert "somebody" not in matrix.split("Results by seat")[0]


def test_unfinished_tournament_shows_its_progress(shown: Screen) -> None:
    assert "of 2,400 episodes" in shown("Cut off")


def test_tournament_without_episodes_is_called_so(shown: Screen, store: Store) -> None:
    enter(store, name="Planned")
    text = shown("Planned")
    assert "0 of 6 episodes" in text
    assert text.endswith("Nothing has been played yet.\n")
    store.delete(store.find("Planned"))


def test_everything_is_available_as_json(shown: Screen) -> None:
    told = json.loads(shown("Two again", "--json"))
    assert told["name"] == "Two again"
    assert told["tournament"]["game"] == "tic-tac-toe"
    assert {row["agent"] for row in told["standings"]} == set(FIELD)
    for name in ("crosstable", "symmetry", "by_seat", "course", "repetitions", "stability", "timing", "endings"):
        assert told[name], name


def test_metrics_are_shown_on_request(shown: Screen) -> None:
    title = "Metrics of moves"
    assert title not in shown("Two")
    text = shown("Two", "--metrics")
    rows = [line.split() for line in text.split(title)[1].splitlines()]
    assert ["minimax:depth=2", "nodes"] in [row[:2] for row in rows]
    assert "No bot took part." in text
    told = json.loads(shown("Two", "--metrics", "--json"))
    assert {row["metric"] for row in told["metrics"]} >= {"nodes", "depth"}
    assert told["usage"] == []


def test_nash_averaging_is_shown_on_request(shown: Screen) -> None:
    text = shown("Two", "--nash")
    assert "α-rank" in text
    assert "Standings" not in text
    assert "every pair" in shown("Knockout", "--nash")


@pytest.mark.parametrize("name", ["Several", "One"])
def test_nash_averaging_is_for_two_players(store: Store, name: str) -> None:
    with one_sentence("Nash averaging not available"):
        app_for(["results"])(["results", name, "--nash", "--store", store.url], standalone_mode=False)


def test_resources_of_bots_are_shown_with_the_metrics(shown: Screen, store: Store) -> None:
    found = sample("one mover at a time")
    id = store.enter(found.tournament, {}).id
    store.add_matches(id, 0, 0, [Match(0, found.seats)])
    store.add(id, [episode(left_behind(found.records[0]), Key(0, 0, 0), 10**6)])
    text = shown(str(id), "--metrics")
    store.delete(id)
    rows = [line.split() for line in text.split("Resources of bots")[1].splitlines()]
    assert ["2", "MiB"] in [row[-2:] for row in rows]


def test_remarks_on_bots_are_counted_with_the_faults(shown: Screen, store: Store) -> None:
    found = sample("one mover at a time")
    field = tuple(Entrant(entrant.name, "stdio:cat") for entrant in found.tournament.agents)
    id = store.enter(msgspec.structs.replace(found.tournament, agents=field), {}).id
    store.add_matches(id, 0, 0, [Match(0, found.seats)])
    store.add(id, [episode(left_behind(record), Key(0, 0, n), 10**6) for n, record in enumerate(found.records)])
    ends, text = (" ".join(shown(str(id), *more).split()) for more in ((), ("--faults",)))
    told = json.loads(shown(str(id), "--faults", "--json"))["remarks"]
    store.delete(id)
    assert f"'ludus results {id} --faults' lists remarks" in ends
    count = len(found.records)
    assert f"wrote 'hm' unasked {count} {id}/1.1" in text.split("Remarks on bots")[1]
    assert told[0] == {
        "agent": found.records[0].seats[0].name,
        "remark": "wrote 'hm' unasked",
        "episodes": count,
        "example": f"{id}/1.1",
    }


def test_faults_are_listed_with_a_command_to_look_at_one(shown: Screen, store: Store) -> None:
    id = stored(store, "illegal")
    ends, text = (" ".join(shown(str(id), *more).split()) for more in ((), ("--faults",)))
    told = json.loads(shown(str(id), "--faults", "--json"))["faults"]
    store.delete(id)
    assert f"'ludus results {id} --faults'" in ends
    assert f"'ludus replay {id}/1.1'" in ends
    for number, record in enumerate(sample("illegal").records, 1):
        name, evidence = record.seats[1].name, record.steps[-1][0].evidence
        assert f"{name} illegal {evidence}" in text
        assert (told[number - 1]["episode"], told[number - 1]["evidence"]) == (f"{id}/1.{number}", evidence)


def test_faults_without_a_consequence_are_mentioned_too(shown: Screen, store: Store) -> None:
    id = stored(store, "substituted")
    text = " ".join(shown(str(id)).split())
    store.delete(id)
    assert f"'ludus results {id} --faults'" in text


def test_absence_of_faults_is_stated(shown: Screen) -> None:
    assert "--faults" not in shown("Two")
    assert "There were no faults." in shown("Two", "--faults")


def test_two_tournaments_are_compared_rank_by_rank(shown: Screen) -> None:
    text = shown("Two", "Two again", "--shift")
    assert "#1 Two" in text
    assert "of 3 ranks shifted" in text or "No rank shifted" in text
    told = json.loads(shown("Two", "Two again", "--shift", "--json"))
    assert sorted(row["agent"] for row in told["agents"]) == sorted(FIELD)
    assert told["moved"] == sum(row["shift"] != 0 for row in told["agents"])


def test_tournaments_without_common_agents_cannot_be_compared(store: Store) -> None:
    done = ludus("results", "Two", "Many", "--shift", "--store", store.url)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert not missing(done.stderr, "'Two' 'Many'")


def test_help_names_the_orders_that_each_tournament_takes(store: Store) -> None:
    play(store, format="swiss", name="Points")
    told = " ".join(
        ludus("results", "--help", columns=400).stdout.split("--sort COLUMN")[1].split("--agent")[0].split()
    )
    clauses = [clause.partition(": ") for clause in re.split(r"[;.] ?", told.partition(". ")[2]) if clause]
    named = {head.lower(): orders.removeprefix("also ").split(", ") for head, _, orders in clauses}
    two = named["two"]
    for format, cls in classes(Format).items():
        assert set(cls.orders) <= {*two, *named.get(format, [])}
    for tournament, orders in {
        "One": named["one player"],
        "Two": two,
        "Several": named["more"],
        "Knockout": [*two, *named["knockout"]],
        "Points": [*two, *named["swiss"]],
    }.items():
        with pytest.raises(InvalidError) as refusal:
            load(tournament, store).standings(by="strength")
        accepted = str(refusal.value).rstrip(".").partition("choose from ")[2].split(", ")
        assert sorted(orders) == sorted(accepted)


def test_unknown_order_gets_one_sentence(store: Store) -> None:
    done = ludus("results", "Two", "--sort", "elo", "--store", store.url)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert not missing(done.stderr, "rating wtl glicko fide uscf")


def test_nothing_is_printed_before_a_refusal(store: Store) -> None:
    for arguments in (("Two", "--sort", "elo"), ("Two", "Unknown"), ("Two", "Unknown", "--json")):
        done = ludus("results", *arguments, "--store", store.url)
        assert (done.returncode, done.stdout) == (2, "")


def test_several_tournaments_are_one_list_as_json(shown: Screen) -> None:
    assert [told["name"] for told in json.loads(shown("Two", "One", "--json"))] == ["Two", "One"]


def test_episodes_left_out_of_ratings_are_counted(shown: Screen, store: Store) -> None:
    sure = ("minimax:depth=1,shuffle=no", "minimax:depth=3,shuffle=no")
    id = play(store, agents=sure, name="The same again", episodes=2, repetitions=3)
    told = " ".join(shown(str(id)).split())
    store.delete(id)
    assert "episodes 12; 10 (83 %) are duplicates of earlier ones; ratings leave these out" in told


def test_the_winner_of_a_knockout_is_named(shown: Screen, store: Store) -> None:
    id = play(store, agents=("minimax:depth=9", "random"), format="knockout", name="Cup")
    text, told = shown(str(id)), json.loads(shown(str(id), "--json"))
    store.delete(id)
    assert told["winners"] == ["minimax:depth=9"]
    assert ["winner", "minimax:depth=9"] in [line.split() for line in text.splitlines()]


def test_incomplete_repetition_is_left_out_and_counted(
    shown: Screen, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = play(store, name="Three", repetitions=3)
    with open_store(str(tmp_path / "part.db")) as part:
        for last, words in ((2, "over the 2 complete repetitions of 3"), (0, "No repetition is complete")):
            copied = copy_part(store, id, part, lambda key, last=last: key < (last, 3, 0))  # type: ignore[misc]
            monkeypatch.setattr(shown, "_store", part)
            lines = shown(str(copied)).splitlines()
            part.delete(copied)
            text = " ".join(" ".join(lines).split())
            assert words in text
            assert [line.split()[0] for line in lines if line.endswith(("yes", " no"))] == ["1", "2"][:last]
            assert "matches 18 planned, with 1 episode each" in text
    store.delete(id)


@pytest.mark.slow
def test_tournament_with_a_missing_game_does_not_hide_others(shown: Screen, store: Store, tmp_path: Path) -> None:
    file = tmp_path / "mygame.py"
    file.write_text("from ludus.games.nim import Nim\n\n\nclass Mine(Nim):\n    name = 'mine'\n")
    id = enter(store, f"{file}:Mine", ("random", "mc"), name="Gone")
    listed = ludus("list", "tournaments", "--store", store.url, columns=140).stdout
    assert "0 %" in next(line for line in listed.splitlines() if "Gone" in line)
    file.unlink()
    rows, one, data = (
        program(*arguments, "--store", store.url, columns=140).stdout
        for arguments in (("list", "tournaments"), ("results", "Gone"), ("list", "tournaments", "--json"))
    )
    store.delete(id)
    assert next(line for line in rows.splitlines() if "Gone" in line).rstrip().endswith("–")
    assert "Two again" in rows
    assert [row["planned"] for row in json.loads(data) if row["name"] == "Gone"] == [None]
    assert one.endswith("Nothing has been played yet.\n")


def test_wide_names_keep_their_end(shown: Screen, store: Store) -> None:
    name = "日本語エージェントの名前は長い"
    id = play(store, agents=(Entrant(name, "minimax:depth=2"), "random"), name="Wide")
    rows = shown(str(id)).split("Standings")[1].split("rating:")[0]
    store.delete(id)
    assert "は長い" in "".join(rows.split())


@pytest.mark.slow
def test_scores_are_a_heat_map_on_a_terminal(store: Store) -> None:
    terminal = Terminal("results", "Two", "--store", store.url)
    assert terminal.end() == 0
    scores = terminal.raw.split("Scores")[1].split("Results by seat")[0]
    assert "\x1b[34m" in scores  # blue: it wins
    assert "\x1b[33m" in scores  # yellow: it loses


@pytest.mark.parametrize("columns", [60, 80, 200])
def test_a_knockout_shows_its_bracket_and_no_matrices(shown: Screen, columns: int) -> None:
    screen = shown("Knockout", columns=columns)
    assert not missing(screen, "Standings place Bracket final")
    assert "Won–tied–lost" not in screen


def test_a_swiss_tournament_shows_points_and_rounds(shown: Screen, store: Store) -> None:
    play(store, format="swiss", name="Swiss")
    screen = shown("Swiss")
    assert not missing(screen, "Standings points Buchholz byes Rounds bye")
    assert "Won–tied–lost" not in screen


def test_agents_that_left_early_are_named_with_what_that_saved(shown: Screen, store: Store) -> None:
    agents = ("mc:iterations=1", "mc:iterations=9", "random", "mc:iterations=3", "mc:iterations=5")
    played = play(store, agents=agents, format="drop", name="Drop")
    left = load(played, store).departures()["agent"].to_list()
    saved, full = load(played, store).by_format.saved
    assert not missing(shown("Drop"), f"early {' '.join(left)} {saved} {full}")
