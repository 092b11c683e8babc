"""`ludus stats`: win rates over everything that is stored."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import polars as pl
import typer
from rich.text import Text

from ludus.cli.chart import check_file, write_chart
from ludus.cli.completion import complete_agent
from ludus.cli.options import GameOption, JsonOption, StoreOption, TournamentsArgument
from ludus.cli.progress import progress
from ludus.cli.screen import errors, output, print_json
from ludus.cli.search_costs import show_search_costs
from ludus.cli.tables import Cells, keyed_table, legend, letters
from ludus.core.errors import InvalidError, LudusError
from ludus.core.text import listing, percent_range, plural, whole
from ludus.games.game import Game, game_from
from ludus.stats.participants import plain, shown
from ludus.stats.win_rates import AGENT, OPPONENT, OPPONENT_WINS, ORDERS, WinRates, win_rates
from ludus.store import open_store
from ludus.views.facts import ended_by_faults

if TYPE_CHECKING:
    from ludus.views.charts.chart_list import Drawn

Order = StrEnum("Order", list(ORDERS))  # type: ignore[misc]
"""The orders of rates."""
_NOBODY = "No opponent won an episode."
EPISODE = "episode"
"""The way of splitting that shows the work of searches."""
_NARROW = 0.02  # the width of an interval up to which its ends need a decimal
EXAMPLE = "Example: ludus stats --game speed --agent speed.combi --by players -o combi.png"


def stats(
    which: TournamentsArgument = None,
    by: Annotated[
        list[str] | None,
        typer.Option(
            metavar="agent|players|opponent|PARAM|episode",
            help="Group by this; repeat the option for more. PARAM is a parameter of agents, such as depth; 'episode' "
            "shows the work of searches instead of rates.",
            show_default="agent",
        ),
    ] = None,
    game: GameOption = None,
    agents: Annotated[
        list[str] | None,
        typer.Option(
            "--agent",
            metavar="AGENT",
            help="Only this agent, by name or spec, such as 'mcts'; repeat the option for more.",
            autocompletion=complete_agent,
        ),
    ] = None,
    beaten_by: Annotated[
        bool, typer.Option("--beaten-by", help="With --by opponent: only opponents that won at least once.")
    ] = False,
    sort: Annotated[
        Order | None,
        typer.Option(help="Sort by this, highest first.", show_default="by names and numbers"),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Also draw a chart as PNG, SVG, PDF or HTML."),
    ] = None,
    as_json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Show win rates over all stored tournaments.

    Rates come with 95 % intervals, by agent, number of players, opponent or parameter.
    """
    if file is not None:
        check_file(file)
    if EPISODE in (by or ()):
        if by != [EPISODE] or file is not None or beaten_by or sort is not None:
            raise InvalidError(
                "--by episode shows the work of searches: leave out every other --by, --beaten-by, --sort, and -o."
            )
        with open_store(store) as opened:
            show_search_costs(opened, which or (), game, agents or (), as_json=as_json)
        return
    with open_store(store) as opened, progress(None, "records") as watch:
        found = win_rates(
            opened,
            which or (),
            by=by or ("agent",),
            game=game,
            agents=agents or (),
            sort=sort,
            beaten_by=beaten_by,
            watch=watch,
        )
    if file is not None and found.table.is_empty():
        raise InvalidError(f"{_NOBODY} A chart would be empty.")
    drawn = None if file is None else _drawn(found)
    if as_json:
        print_json(_everything(found))
    else:
        _show(found)
    if file is not None and drawn is not None:
        write_chart(drawn, file)
        errors().print(str(file), markup=False, soft_wrap=True)


def _everything(found: WinRates) -> dict[str, Any]:
    return {
        "by": list(map(shown, found.by)),
        "games": found.games,
        "tournaments": found.tournaments,
        "episodes": found.episodes,
        "repeated": found.repeated,
        "faults": found.faulty._asdict(),
        "unknown": found.unknown,
        "rates": [plain(row) for row in found.table.to_dicts()],
    }


# --- On the screen --------------------------------------------------------------------------------------------------


def _show(found: WinRates) -> None:
    if found.table.is_empty():
        output().print(f"{_NOBODY}\n")
    elif len(found.games) == 1:
        _show_table(found.table, found.by, found.numeric)
        output().print()
    else:
        for game in found.games:
            output().print(Text(game, "bold cyan"))
            _show_table(found.table.filter(game=game), found.by[1:], found.numeric)
            output().print()
    for note in _notes(found):
        output().print(Text(note, "dim"))


def _show_table(rates: pl.DataFrame, by: Sequence[str], numeric: Sequence[str]) -> None:
    counts = [
        Cells(head, [*map(whole, rates[name])])
        for head, name in (
            ("episodes", "episodes"),
            ("won", "wins"),
            ("tied", "ties"),
            ("opponent\nwon", OPPONENT_WINS),
        )
        if name in rates.columns
    ]
    early = [
        Cells("without early\nends, %", _shares(rates, "kept_")),
        Cells("of\nepisodes", [*map(whole, rates["kept_episodes"])]),
    ]
    figures = [counts, [Cells("win rate, %", _shares(rates))], early]
    names = {way: [_name(value) for value in rates[way]] for way in by}
    codes: dict[str, str] = {}
    if {AGENT, OPPONENT} <= set(by) and not _fits([Cells(shown(way), names[way]) for way in by], figures):
        both = list(dict.fromkeys([*names[AGENT], *names[OPPONENT]]))
        codes = dict(zip(both, letters(len(both)), strict=True))
        names |= {way: [codes[name] for name in names[way]] for way in (AGENT, OPPONENT)}
    keys = [Cells(shown(way), column) for way, column in names.items()]
    output().print(keyed_table(keys, *figures, right=[*map(shown, numeric)]))
    if codes:
        output().print()
        output().print(legend(codes))


def _fits(keys: Sequence[Cells], figures: Sequence[Sequence[Cells]]) -> bool:
    columns = [*keys, *(column for group in figures for column in group)]
    return sum(column.width + 2 for column in columns) - 2 <= output().width


def _name(value: Any) -> str:
    return f"{value:,.12g}" if isinstance(value, float) else str(value)


def _shares(rates: pl.DataFrame, prefix: str = "") -> list[str]:
    """Rates in per cent with their intervals, the brackets below each other."""
    shown = []
    for rate, low, high in rates.select(prefix + name for name in ("rate", "low", "high")).iter_rows():
        digits = 0 if rate is None or high - low > _NARROW else 1
        shown.append("–" if rate is None else f"{100 * rate:.1f} ({percent_range(low, high, digits)})")
    width = max((len(text.partition(" ")[2]) for text in shown), default=0)
    return [" ".join((rate, interval.rjust(width))) for rate, _, interval in (text.partition(" ") for text in shown)]


def _notes(found: WinRates) -> Iterator[str]:
    of = "" if len(found.games) > 1 else f" of {found.games[0]}"
    yield f"{plural(found.episodes, 'episode')}{of} from {plural(found.tournaments, 'tournament')}."
    if found.repeated:
        yield f"{found.repeated:,} of them repeat an earlier one of the same agents; intervals do not count them."
    yield from ended_by_faults(found.faulty)
    if found.unknown:
        agents = ", ".join(found.unknown)
        yield f"Left out, because they can no longer be loaded and leave a parameter at its default: {agents}."
    yield "won: first place alone; tied: first place shared, not counted as a win; in brackets: 95 % interval."
    yield _early_ends(found.games)


def _early_ends(games: tuple[str, ...]) -> str:
    left_out = sorted({_game_class(game).early_ends for game in games}, key=Game.early_ends.__ne__)
    return f"without early ends: without {listing(left_out)}."


def _game_class(game: str) -> type[Game]:
    try:
        return type(game_from(game))
    except LudusError:  # a missing game, or one that needs parameters
        return Game


# --- As a chart -----------------------------------------------------------------------------------------------------


def _drawn(found: WinRates) -> "Drawn":
    """One chart: agents from top to bottom, lines along numbers, or a map of two things that are not."""
    import altair as alt

    from ludus.views.charts import rate_charts
    from ludus.views.charts.theme import framed
    from ludus.views.short_names import explained

    if len(found.games) > 1:
        raise InvalidError(
            f"A chart shows one game, and these episodes are of {listing(found.games)}: choose one with --game."
        )
    if len(found.by) > 2:
        raise InvalidError(f"A chart takes one or two --by, not {len(found.by)}.")
    names = [way for way in found.by if way not in found.numeric]
    columns = ["low", "high", "episodes"]
    subtitle = "Win rates with their 95 % intervals."
    drawn: alt.LayerChart
    if len(found.numeric) == 1:
        lines = {"line": names[0]} if names else {}
        frame = found.table.select(*columns, value=found.numeric[0], score="rate", **lines)
        drawn = rate_charts.along(
            frame, shown(found.numeric[0]), rate_charts.RATE, series=shown(names[0]) if names else None
        )
    elif len(found.by) == 1:
        drawn = rate_charts.by_name(found.table, found.by[0], shown(found.by[0]))
        if names_of := explained(found.table[found.by[0]].cast(pl.String).to_list()):
            subtitle = f"{subtitle[:-1]}; names are short for {names_of}."
    else:
        one, other = found.by
        texts = [pl.Series([_name(value) for value in found.table[way]], dtype=pl.String) for way in (other, one)]
        frame = found.table.select(*columns, score="rate", x=texts[0], y=texts[1])
        values = {way: [_name(value) for value in found.table[way].unique().sort()] for way in (one, other)}
        drawn = rate_charts.pairs(
            frame, (shown(other), values[other]), (shown(one), values[one][::-1]), rate_charts.RATE
        )
    title = f"Win rates: {_title(found.games[0])}, by {listing(map(shown, found.by))}"
    return framed(drawn.properties(title=alt.Title(title, subtitle=subtitle)))


def _title(game: str) -> str:
    try:
        return game_from(game).title
    except LudusError:  # a missing game, or one that needs parameters
        return game
