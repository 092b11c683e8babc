import base64
import hashlib
import json
import re
from pathlib import Path

import msgspec
import pytest

from ludus.core.errors import LudusError
from ludus.episode.finished import episode
from ludus.episode.record import Key
from ludus.stats.results import Results
from ludus.store import Store
from ludus.tournaments.formats.format import Match
from ludus.tournaments.tournament import Entrant
from ludus.views.charts import theme
from ludus.views.charts.chart_list import Charts
from ludus.views.charts.vega import vega
from ludus.views.page import page, sections
from ludus.views.page.html_tables import Table
from ludus.views.page.page import render, render_chart
from ludus.views.page.parts import Fold
from support.drawing import texts
from support.parsed_pages import Page
from support.samples import left_behind, sample
from support.stored_reports import stored

HOSTILE = "</script><script>window.ran = true</script><img src=x onerror='window.ran = true'>"


def test_page_asks_for_nothing_and_forbids_what_is_not_its_own(store: Store) -> None:
    text = render(stored(store, ["a", "b", HOSTILE], repetitions=2))
    page = Page(text)
    for _, attributes in page.elements:
        assert not {"src", "href", "srcset", "action"} & set(attributes)
    (policy,) = [meta["content"] for meta in page.all("meta") if meta.get("http-equiv") == "Content-Security-Policy"]
    assert policy is not None
    assert policy.startswith("default-src 'none'")
    (code,) = [script for kind, script in page.scripts if kind is None]
    digest = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy
    assert "unsafe-eval" not in policy


def test_script_of_pages_is_made_once(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results = stored(store, ["a", "b"])
    monkeypatch.setenv("LUDUS_HOME", str(tmp_path))
    pages = []
    for _ in range(2):
        page._script.cache_clear()
        pages.append(render(results))
        monkeypatch.setattr(vega(), "javascript_bundle", None)
    page._script.cache_clear()
    assert pages[0] == pages[1]
    assert len([*tmp_path.rglob("*.js")]) == 1


def test_names_are_text_wherever_they_stand(store: Store) -> None:
    text = render(stored(store, ["a", HOSTILE], name=HOSTILE))
    page = Page(text)
    assert not page.all("img")
    assert page.text.count(HOSTILE) > 5
    charts = [json.loads(script) for kind, script in page.scripts if kind == "application/json"]
    assert len(page.scripts) == len(charts) + 1
    assert sum(HOSTILE in str(chart) for chart in charts) > 1  # the charts, and the data that they share


def test_page_has_every_chart_that_suits(store: Store) -> None:
    results = stored(store, ["a", "b", "c"], repetitions=2)
    page = Page(render(results))
    suitable = Charts(results).suitable()
    # two charts come in two ways, with a switch between them; the last is the data of all
    assert len([kind for kind, _ in page.scripts if kind]) == len(suitable) + 2 + 1
    assert len(page.all("figure")) == len(suitable)


def test_page_tells_result_facts_and_what_is_missing(store: Store) -> None:
    results = stored(store, ["a", "b", "c"], episodes=4, finished=False, planned=6)
    text = Page(render(results)).text
    assert "Not finished: 24 of 36 episodes (67 %)." in text
    assert re.search(
        r"a is first with a rating of (at least )?\+\d+( ± \d+| −\d+ \+\d+)?, stronger than b with a probability of",
        text,
    )
    assert "6 planned, with 6 episodes each" in text
    assert "2 on 4 cores, 0.5 per core" in text
    assert f"identity {results.tournament.identity}" in text


@pytest.mark.parametrize(("seats", "game"), [(1, "2048"), (3, "nim:players=3")])
def test_page_suits_other_numbers_of_players(store: Store, seats: int, game: str) -> None:
    results = stored(store, ["a", "b", "c", "d"], seats=seats, game=game)
    page = Page(render(results))
    assert len(page.all("figure")) == len(Charts(results).suitable())
    assert ("mean score" if seats == 1 else "Places by seat") in page.text


def test_duplicates_are_counted(store: Store) -> None:
    text = Page(render(stored(store, ["a", "b"], episodes=5, courses=1))).text
    assert "8 of 10 episodes are duplicates of earlier ones" in text


def test_long_list_of_matches_is_cut_with_a_note(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sections, "MOST_ROWS", 10)
    results = stored(store, ["a", "b", "c"])
    told = f"The first 10 of 12 rows; ‘ludus results {results.id} --matches --json’ writes them all."
    assert told in Page(render(results)).text


def test_tables_from_records_are_left_out_if_there_are_many(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    results = stored(store, ["a", "b", "c"], episodes=40)
    told = ("Metrics of moves", "Faults", "ludus replay 1/")
    page = Page(render(results)).text
    assert all(words in page for words in told)
    monkeypatch.setattr(sections, "MOST_RECORDS", 10)
    page = Page(render(results)).text
    assert not any(words in page for words in told)


def test_bots_are_on_the_page_with_what_they_took(store: Store) -> None:
    found = sample("one mover at a time")
    field = tuple(Entrant(entrant.name, "stdio:cat") for entrant in found.tournament.agents)
    id = store.enter(msgspec.structs.replace(found.tournament, agents=field), {}).id
    store.add_matches(id, 0, 0, [Match(0, found.seats)])
    record = left_behind(found.records[0])
    store.add(id, [episode(record, Key(0, 0, 0), 10**6)])
    parsed = Page(render(Results(store, id)))
    page = parsed.text
    assert "Resources of bots" in page
    assert any("for a core" in (head.get("title") or "") for head in parsed.all("th"))
    assert "2 MiB" in page
    assert "; bots have 10s to get ready" in page
    assert "Remarks on bots" in page
    assert all(remark in page for remark in record.seats[0].remarks)


def test_charts_share_their_data(store: Store) -> None:
    page = Page(render(stored(store, ["a", "b", "c"])))
    *charts, datasets = [json.loads(script) for kind, script in page.scripts if kind]
    assert {name for chart in charts for name in chart["datasets"]} == set(datasets)
    unsorted, by_strength = [chart for chart in charts if "moves second" in json.dumps(chart)]
    assert unsorted["datasets"] == by_strength["datasets"]
    maps = [chart for chart in charts if "W_ab, a moves first" in json.dumps(chart)]
    assert len(maps) == 3
    assert len({name for chart in maps for name in chart["datasets"]}) == 2  # cells, and empty cells


def test_page_names_commands_for_the_maps_of_a_large_field(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    results = stored(store, ["a", "b", "c"])
    monkeypatch.setattr(sections, "MOST_AGENTS", 3)
    assert "Wins – ties – losses" in Page(render(results)).text
    monkeypatch.setattr(sections, "MOST_AGENTS", 2)
    page = Page(render(results))
    assert "Wins – ties – losses" not in page.text
    for options in ("scores --sort rating -o scores.png", "symmetry -o symmetry.png", "course -o course.png"):
        assert f"‘ludus results {results.id} --chart {options}’" in page.text
    left_out = set(sections.SMALL_FIELDS) & set(Charts(results).suitable())
    assert left_out >= {"scores", "course"}
    assert len(page.all("figure")) == len(set(Charts(results).suitable()) - left_out)


def _stability(results: Results) -> tuple[list[str], list[str]]:
    """The heads of the table over repetitions, and its first row."""
    (section,) = [section for section in sections.Content(results).sections() if section.title == "Repetitions"]
    (table,) = [
        part.parts[0] for part in section.parts if isinstance(part, Fold) and part.title == "Over the repetitions"
    ]
    assert isinstance(table, Table)
    return [head.text for head in table.heads], [cell.text for cell in table.rows[0]]


def test_every_rating_has_its_mean_and_deviation_over_repetitions(store: Store) -> None:
    heads, first = _stability(stored(store, ["a", "b", "c"], repetitions=3))
    assert heads[2:] == ["rating", "score", "best rank", "worst rank", "moved", "by", "FIDE", "USCF", "Glicko-2"]
    assert re.fullmatch(r"(≥ )?\+\d+ *(± +\d+|−\d+ \+\d+)? *", first[2])
    assert all(first)


def test_over_repetitions_one_player_has_means_of_points_and_no_rating(store: Store) -> None:
    heads, first = _stability(stored(store, ["a", "b"], game="2048", seats=1, repetitions=2))
    assert heads[2:5] == ["mean", "median", "best rank"]
    assert re.fullmatch(r"\d,\d{3} ± +[\d,]+", first[2])


def test_over_repetitions_several_players_have_ratings_and_points(store: Store) -> None:
    heads, _ = _stability(stored(store, ["a", "b", "c"], game="nim:players=3", seats=3, repetitions=2))
    assert heads[2:5] == ["rating", "points", "best rank"]


def test_page_says_over_how_many_repetitions_it_is(store: Store) -> None:
    whole = Page(render(stored(store, ["a", "b"], repetitions=3))).text
    assert "The whole tournament was played 3 times, with different seeds." in whole
    begun = Page(render(stored(store, ["a", "b", "c"], repetitions=3, finished=False, name="Begun"))).text
    assert "was played 3 times, with different seeds." in begun
    first = Page(render(stored(store, ["a", "b"], repetitions=3, planned=6, finished=False, name="First"))).text
    assert "is played 3 times, with different seeds: 0 times so far." in first


def test_tournament_that_was_not_played_has_no_report(store: Store) -> None:
    with pytest.raises(LudusError, match="'Spring cup' has no episodes yet"):
        render(stored(store, ["a", "b"], episodes=0))


@pytest.mark.parametrize("seats", [1, 2, 3])
def test_tournament_without_a_single_result_still_has_a_page(store: Store, seats: int) -> None:
    game = {1: "2048", 2: "hex:size=4", 3: "nim:players=3"}[seats]
    page = Page(render(stored(store, ["a", "b", "c"], game=game, seats=seats, broken=True)))
    assert "No episode has a result." in page.text
    assert "by a fault of the machine, without a result" in page.text


def test_standings_draw_intervals_on_one_line_for_all(store: Store) -> None:
    found = stored(store, ["a", "b", "c"])
    standings = next(sections.Content(found).sections()).parts[0]
    assert isinstance(standings, Table)
    bars = [cell.bar for row in standings.rows for cell in row if cell.bar]
    assert len(bars) == 3
    assert all(0 <= bar.low < bar.value < bar.high <= 100 for bar in bars)
    assert [bar.value for bar in bars] == sorted((bar.value for bar in bars), reverse=True)


def test_report_leads_nowhere(store: Store) -> None:
    assert not Page(render(stored(store, ["a", "b", "c"]))).all("a")


def test_long_specs_are_shortened_with_the_full_ones_beside(store: Store) -> None:
    names = [f"mcts:simulations=2000,tree_depth={depth},rollout_depth=100" for depth in (10, 40)]
    page = Page(render(stored(store, ["random", *names])))
    assert "mcts 10" in page.text
    specs = [entrant.spec for entrant in stored(store, ["random", *names]).tournament.agents]
    heads = [cell for cell in page.all("th") if cell.get("scope") == "row"]
    assert {cell.get("title") for cell in heads} >= set(specs)
    assert names[0] in page.text  # in the list of the field


def test_quiet_colours_of_charts_change_with_the_page(store: Store) -> None:
    style = render(stored(store, ["a", "b"])).partition("<style>")[2].partition("</style>")[0]
    for colour in (theme.INK, theme.QUIET, theme.HAIRLINE, theme.PAPER, theme.BLUE, theme.PALE_BLUE):
        assert f'="{colour}"]' in style


def test_single_chart_is_a_page_with_its_title(store: Store) -> None:
    chart = Charts(stored(store, ["a", HOSTILE])).scores()
    page = Page(render_chart(chart))
    spec, datasets = [json.loads(script) for kind, script in page.scripts if kind]
    assert spec["datasets"] == list(datasets)
    assert spec["title"]["text"] == "Score matrix"
    assert "Score matrix" in texts(chart)
