"""`ludus scenario`: positions with what counts as success, and how often agents succeed."""

import sys
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated, Any, Literal, TextIO

import msgspec
import typer
from rich.text import Text

from ludus.agents.agent import agent_from
from ludus.cli.chart import check_file
from ludus.cli.completion import complete_agent
from ludus.cli.episodes import EpisodeArgument, NumberOption, find_record
from ludus.cli.options import (
    JsonOption,
    StoreOption,
    TrustOption,
    given,
    number_option,
    value_option,
    with_options,
)
from ludus.cli.progress import progress, shown_if_slow
from ludus.cli.screen import errors, output, print_board, print_json, table, warn
from ludus.cli.tables import heat, letters
from ludus.core.errors import FileError, InvalidError, LudusError
from ludus.core.paths import file_errors, read_text, write_file
from ludus.core.text import listing, percent, percent_range, plural, spoken_time
from ludus.episode.limits import Limits
from ludus.episode.record import Record
from ludus.games.game import game_from
from ludus.run.scenarios.cutting import cut as cut_out
from ludus.run.scenarios.cutting import to_toml
from ludus.run.scenarios.scenario import Scenario, Suite
from ludus.run.scenarios.scenario_run import Bench
from ludus.run.scenarios.success_rates import Rate, Tally
from ludus.run.scenarios.suites import find_suite, read_suite, shipped_suites, success_from
from ludus.run.stopping import interruptible, stopping
from ludus.tournaments.config import with_default_limits
from ludus.tournaments.field import entrants
from ludus.tournaments.run_options import RUN_OPTIONS
from ludus.tournaments.tournament import Entrant

EXAMPLE = "Example: ludus scenario run connect-four-tactics --agent mcts:simulations=1000 --agent alphabeta:depth=6"
_NARROWEST = 12  # columns for the names of scenarios
_CELL = 14  # columns for a rate with its interval, and a gap

app = typer.Typer(help="Test agents on positions with a known answer.", epilog=EXAMPLE)

SuiteArgument = Annotated[
    str, typer.Argument(metavar="SUITE", help="A suite by name (see 'ludus scenario list'), or a TOML file.")
]


@app.command("list", epilog="Example: ludus scenario list")
def list_suites(as_json: JsonOption = False) -> None:
    """List the suites that come with Ludus."""
    suites = [*_playable(shipped_suites().values())]
    if as_json:
        print_json(
            [{"name": s.name, "games": _games(s), "scenarios": len(s.scenarios), "note": s.note} for s in suites]
        )
        return
    shown = table("suite", "game", "scenarios", "task", right=["scenarios"])
    shown.columns[0].no_wrap = True  # to be copied
    for suite in suites:
        name = Text(suite.name, "bold cyan")
        shown.add_row(name, ", ".join(_games(suite)), str(len(suite.scenarios)), Text(suite.note))
    output().print(shown)
    output().print("\n[dim]'ludus scenario show SUITE' draws one, 'ludus scenario run SUITE --agent AGENT' runs it.[/]")


def _playable(files: Iterable[Path]) -> Iterator[Suite]:
    """The suites whose games are installed."""
    for file in files:
        try:
            yield read_suite(file)
        except LudusError as error:
            warn(str(error))


def _games(suite: Suite) -> list[str]:
    return sorted({game_from(scenario.game).name for scenario in suite.scenarios})


@app.command(epilog="Example: ludus scenario show connect-four-tactics")
def show(suite: SuiteArgument, as_json: JsonOption = False) -> None:
    """Draw the positions of a suite with their tasks."""
    found = find_suite(suite)
    if as_json:
        print_json({"suite": found.name, "note": found.note, "scenarios": list(map(_content, found.scenarios))})
        return
    if found.note:
        output().print(Text(found.note), end="\n\n")
    for scenario in found.scenarios:
        output().print(Text.assemble((scenario.name, "bold cyan"), f", {scenario.game}"))
        if scenario.note:
            output().print(Text(scenario.note))
        game = game_from(scenario.game)
        output().print()
        print_board(game, game.load(scenario.position))
        output().print(Text(f"\n{_task(scenario)}"), end="\n\n")


def _task(scenario: Scenario) -> str:
    others = listing(dict.fromkeys(entrant.name for entrant in scenario.opponents))
    against = f" against {others}" if others and scenario.success.rounds(game_from(scenario.game)) != 1 else ""
    return f"Player {scenario.seat + 1} {scenario.success.in_words()}{against}."


def _content(scenario: Scenario) -> dict[str, Any]:
    (value,) = msgspec.structs.astuple(scenario.success)
    content = msgspec.structs.asdict(scenario)
    return content | {
        "seat": scenario.seat + 1,
        "success": {scenario.success.key: value},
        "opponents": [e.spec for e in scenario.opponents],
    }


@app.command(epilog="Example: ludus scenario cut 3/12.4 --move 37 --seat 1 --alive 20 -o mine.toml")
def cut(
    episode: EpisodeArgument,
    number: Annotated[
        int,
        number_option(
            "--move", "Use the position before this move or round; 'ludus replay --move N' shows the one after it."
        ),
    ],
    seat: Annotated[
        int | None,
        number_option("--seat", "Seat of the tested player, from 1. Needed if several players move at once."),
    ] = None,
    best: Annotated[
        list[str] | None, typer.Option(metavar="MOVE", help="Success: this move is played. Repeatable.")
    ] = None,
    avoid: Annotated[
        list[str] | None,
        typer.Option(metavar="MOVE", help="Success: this move is not played. Repeatable."),
    ] = None,
    alive: Annotated[int | None, number_option("--alive", "Success: still in the game after N rounds.")] = None,
    result: Annotated[
        Literal["win", "tie"] | None, typer.Option(help="Success: a win, or at least a tie.", show_default="win")
    ] = None,
    points: Annotated[
        float | None,
        typer.Option(
            metavar="X",
            help="Success: at least X points. Default in a game for one player: the points scored in the episode.",
        ),
    ] = None,
    name: Annotated[str | None, typer.Option(metavar="NAME", help="Name of the scenario.")] = None,
    file: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Suite to append to. Default: print the scenario."),
    ] = None,
    which: NumberOption = None,
    trust: TrustOption = False,
    store: StoreOption = None,
) -> None:
    """Turn a position from an episode into a scenario."""
    wanted = given(best=best or None, avoid=avoid or None, alive=alive, result=result, points=points)
    if len(wanted) > 1:
        raise InvalidError(f"A scenario has one kind of success: give --{' or --'.join(wanted)}, not both.")
    record = find_record(episode, which, store, trust=trust)
    name = name or f"{'standard input' if episode == '-' else episode}, round {number}"
    made = cut_out(record, number, seat and seat - 1, success_from(wanted) if wanted else None, name)
    if file is None:
        sys.stdout.write(to_toml(made))
        return
    scenarios = _add(made, file)
    output().print(Text(f"{file} now has {plural(scenarios, 'scenario')}."), soft_wrap=True)


def _add(scenario: Scenario, file: Path) -> int:
    """Add a scenario to the end of a suite, and return the number of scenarios."""
    known = read_suite(file, may_be_empty=True).scenarios if file.exists() else ()
    if scenario.name in [other.name for other in known]:
        raise InvalidError(f"{file} has a scenario '{scenario.name}' already: give it another name with --name.")
    before = read_text(file) if file.exists() else ""
    more = f"\n{to_toml(scenario)}" if before else to_toml(scenario)
    _check_toml(before + more, file)
    with file_errors(file, "written"), file.open("a", encoding="utf-8") as opened:
        opened.write(more)
    return len(known) + 1


def _check_toml(text: str, file: Path) -> None:
    """Refuse a suite that writes its scenarios as one list, to which no [[scenario]] can be added."""
    try:
        tomllib.loads(text)
    except (ValueError, RecursionError):
        raise InvalidError(
            f"{file} cannot take another scenario: write its scenarios as [[scenario]] tables."
        ) from None


@app.command(epilog=EXAMPLE)
@with_options(without=["plies"])  # a scenario has its own length
def run(
    suite: SuiteArgument,
    agents: Annotated[
        list[str],
        typer.Option(
            "--agent",
            metavar="AGENT",
            help="An agent; repeat the option for more. 'mcts:simulations=[100,1000]' is two agents, './mybot' a bot.",
            autocompletion=complete_agent,
        ),
    ],
    episodes: Annotated[
        int, number_option("--episodes -n", "Number of episodes per scenario and agent.", shown="10")
    ] = 10,
    seed: Annotated[
        int, value_option(RUN_OPTIONS["seed"].kind, "--seed", "Seed of all random choices.", shown=True)
    ] = 0,
    as_json: JsonOption = False,
    file: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Also write the results as JSON.")
    ] = None,
    records: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also write the records, for 'ludus replay'."),
    ] = None,
    *,
    limits: dict[str, Any],
) -> None:
    """Let agents play every scenario of a suite, and show success rates."""
    if file is not None:
        check_file(file, ())
    _refuse_same_files(suite, file, records)
    found = find_suite(suite)
    field = _field(agents, limits)
    limits = with_default_limits(limits)
    limits.pop("plies", None)
    bench = Bench(found, field, Limits(**limits), seed)
    with shown_if_slow("Compiling the games and their agents; next time this is quick …"):
        bench.prepare()
    tally = Tally(found, field)
    try:
        with _opened(records) as kept:
            _play(bench, episodes, tally, kept)
    except (KeyboardInterrupt, LudusError):
        if tally.episodes and not as_json:
            _print(tally, episodes, seed)
        errors().print(_stopped(tally, bench.total(episodes), file), markup=False, soft_wrap=True)
        raise
    content = {"seed": seed, "limits": limits, **tally.to_json()}
    if as_json:
        print_json(content)
    else:
        _print(tally, episodes, seed)
    if file is not None:
        write_file(file, msgspec.json.format(msgspec.json.encode(content)) + b"\n")


def _refuse_same_files(suite: str, file: Path | None, records: Path | None) -> None:
    """Refuse to write two things to one file, or to replace the suite."""
    if file is not None and records is not None and file.resolve() == records.resolve():
        raise InvalidError(f"{file} cannot hold both the results and the records: name two files.")
    for written in (file, records):
        if written is not None and written.exists() and written.resolve() == Path(suite).resolve():
            raise InvalidError(f"{written} is the suite itself: name another file.")


def _stopped(tally: Tally, total: int, file: Path | None) -> str:
    unwritten = "" if file is None else f", so {file} was not written"
    return f"Stopped. {tally.episodes:,} of {plural(total, 'episode')} were played{unwritten}."


@contextmanager
def _opened(file: Path | None) -> Iterator[TextIO | None]:
    """A file to write to, opened before anything is played."""
    if file is None:
        yield None
        return
    with file_errors(file, "written"):
        opened = file.open("w", encoding="utf-8")
    with opened:
        yield opened


def _field(agents: Sequence[str], limits: dict[str, Any]) -> list[Entrant]:
    field = [entrant for text in agents for entrant in entrants(text)]
    names = [entrant.name for entrant in field]
    for name in names:
        if names.count(name) > 1:
            raise InvalidError(f"{name} is given twice: name each agent once.")
    if "memory" in limits and not any(agent_from(entrant.spec).has_processes for entrant in field):
        raise InvalidError("'ludus scenario run' limits the memory of bots only, and no bot is tested.")
    return field


def _play(bench: Bench, episodes: int, tally: Tally, kept: TextIO | None) -> None:
    with interruptible(), progress(bench.total(episodes), visible=not bench.has_humans()) as advance:
        for trial in bench.run(episodes):
            with stopping() as stop:  # what is counted is kept too, whenever Ctrl-C comes
                tally.add(trial)
                if kept is not None:
                    _keep(trial.record, kept)
            stop.check()
            advance()


def _keep(record: Record, kept: TextIO) -> None:
    try:
        with file_errors(kept.name, "written"):
            kept.write(f"{record.to_json()}\n")
            kept.flush()  # report a full disk now, not when all is lost
    except FileError:
        with suppress(OSError):
            kept.close()  # which tries to write once more
        raise


def _print(tally: Tally, episodes: int, seed: int) -> None:
    """Print the agents with their totals, then a row for each scenario, in tables that fit the width."""
    codes = letters(len(tally.agents))
    shown = table("", "agent", "success", "95 %", "a move", right=["success", "95 %", "a move"])
    for number, entrant in enumerate(tally.agents):
        pace = tally.pace(number)
        moves = "–" if pace is None else spoken_time(pace)
        shown.add_row(Text(codes[number], "bold"), Text(entrant.name), *_cells(tally.total(number)), moves)
    output().print(shown)
    names = [scenario.name for scenario in tally.suite.scenarios]
    room = max(_NARROWEST, min(max(map(len, names)), output().width - _CELL))
    at_once = max(1, (output().width - room) // _CELL)
    for start in range(0, len(codes), at_once):
        part = range(start, min(start + at_once, len(codes)))
        heads = [codes[agent] for agent in part]
        rows = table("scenario", *heads, right=heads)
        for number, name in enumerate(names):
            rates = [tally.rate(number, agent) for agent in part]
            rows.add_row(Text(name), *map(_heated, rates))
        output().print("", rows, sep="\n")
    faults = [
        f"\n{entrant.name}: {fault.words} in {plural(count, 'episode')}."
        for number, entrant in enumerate(tally.agents)
        for fault, count in tally.faults(number).items()
    ]
    faults += [
        f"\nOpponents of {entrant.name}: {fault.words} in {plural(count, 'episode')}, which may explain its success."
        for number, entrant in enumerate(tally.agents)
        for fault, count in tally.opponents_faults(number).items()
    ]
    if faults:
        output().print(Text("".join(faults), "yellow"))
    played = {tally.rate(number, agent).episodes for number in range(len(names)) for agent in range(len(codes))}
    most = "" if played == {episodes} else "up to "
    each = f"{most}{plural(episodes, 'episode')} of each with each agent"
    run = f"{plural(len(names), 'scenario')}, {each}, seed {seed}"
    output().print(Text(f"\n{tally.suite.name}: {run}; the ranges are Wilson's intervals of 95 %.", "dim"))


def _cells(rate: Rate) -> tuple[str, str]:
    """The success rate and its interval; dashes if nothing was played."""
    if not rate.episodes:
        return "–", "–"
    low, high = rate.interval()
    return percent(rate.share, 0), percent_range(low, high).rjust(6)


def _heated(rate: Rate) -> Text:
    text = " ".join(_cells(rate))
    return heat(text, rate.share) if rate.episodes else Text(text)
