"""`ludus join`: an agent as a player on somebody else's server of spe_ed or ReversiXT."""

from typing import Annotated

import typer
from rich.text import Text

from ludus.agents.base import Agent
from ludus.agents.bot import Bot
from ludus.agents.human import Human
from ludus.agents.remote import Remote
from ludus.catalog import agent_from
from ludus.cli.options import StoreOption
from ludus.cli.progress import told_if_slow
from ludus.cli.screen import errors, output, print_json
from ludus.errors import LudusError
from ludus.games.reversixt.game import ReversiXT
from ludus.games.speed import ACTIONS, FELL, Speed
from ludus.players.seating import prepare, suited
from ludus.protocols.reversixt_api import PORT
from ludus.record import Ending
from ludus.results.wording import plural
from ludus.runner.stopping import stopping
from ludus.servers.joining import Guest, Listener, door
from ludus.servers.keeping import Ended
from ludus.servers.playing import Joined
from ludus.servers.reversixt.joining import Address
from ludus.servers.reversixt.joining import Guest as ReversiXtGuest
from ludus.servers.reversixt.joining import Joined as ReversiXtJoined
from ludus.servers.reversixt.joining import Listener as ReversiXtListener
from ludus.servers.server_clock import ServerClock
from ludus.spec import spoken_time
from ludus.store import open_store
from ludus.tournaments.base import Entrant
from ludus.tournaments.saved import entrant_from

app = typer.Typer(help="Let an agent play on somebody else's server, and store its games.")

_SPEED_EXAMPLE = "Example: ludus join speed --url wss://example.org/spe_ed --key KEY --agent speed.combi --games 10"
_REVERSIXT_EXAMPLE = "Example: ludus join reversixt --server 127.0.0.1:7777 --agent brs --group 4"


@app.command(epilog=_SPEED_EXAMPLE)
def speed(
    agent: Annotated[
        str,
        typer.Option(metavar="AGENT", help="Who plays, as in 'speed.combi:time=2s' or '@NAME'; see 'ludus agents'."),
    ],
    url: Annotated[
        str | None, typer.Option(metavar="URL", envvar="URL", help="The server, as in wss://example.org/spe_ed.")
    ] = None,
    key: Annotated[str | None, typer.Option(metavar="KEY", envvar="KEY", help="What it knows you by.")] = None,
    time_url: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            envvar="TIME_URL",
            help="Its clock; without it, /spe_ed_time on the same server.",
            show_default=False,
        ),
    ] = None,
    games: Annotated[
        int | None, typer.Option(min=1, help="How many to play; without it, one after the other until it is stopped.")
    ] = None,
    store: StoreOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write a line of JSON for each game.")] = False,
) -> None:
    """Let an agent play on a server of spe_ed, as clients of the contest do, and store its games.

    Ctrl-C stops it after the game that is on, and at once if it is pressed again.

    Answers leave in time for the deadline by the server's clock, with a safe move where the agent has none by then.
    """
    if url is None or key is None:
        missing, name = ("--url", "URL") if url is None else ("--key", "KEY")
        raise LudusError(f"Which server, with which key? Give {missing}, or set {name} in the environment.")
    where = door(url, key, time_url)
    entrant = entrant_from(agent)
    screen = _SpeedScreen(as_json)
    _get_ready(entrant, screen)
    with open_store(store) as opened, screen, stopping() as stop:
        Guest(where, entrant, opened, screen, stop.check).play(games)
    screen.sum_up()


@app.command(epilog=_REVERSIXT_EXAMPLE)
def reversixt(
    agent: Annotated[
        str, typer.Option(metavar="AGENT", help="Who plays, as in 'brs:depth=4' or '@NAME'; see 'ludus agents'.")
    ],
    server: Annotated[
        str, typer.Option(metavar="HOST[:PORT]", help="Where the server is; without a port, at the usual one.")
    ] = f"127.0.0.1:{PORT}",
    group: Annotated[int, typer.Option(min=0, max=255, help="What we call ourselves.")] = 0,
    games: Annotated[
        int | None, typer.Option(min=1, help="How many to play; without it, one after the other until it is stopped.")
    ] = None,
    store: StoreOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write a line of JSON for each game.")] = False,
) -> None:
    """Let an agent play on a server of ReversiXT, as clients of the course do, and store its games.

    Ctrl-C stops it after the game that is on, and at once if it is pressed again.
    """
    where = Address.parse(server)
    entrant = entrant_from(agent)
    screen = _ReversiXtScreen(as_json)
    _get_ready_for_reversixt(entrant)
    with open_store(store) as opened, screen, stopping() as stop:
        ReversiXtGuest(where, group, entrant, opened, screen, stop.check).play(games)
    screen.sum_up()


def _agent_of_ludus(entrant: Entrant, example: str) -> Agent:
    agent = agent_from(entrant.spec)
    if isinstance(agent, Human | Bot | Remote):
        raise LudusError(f"{entrant.name} cannot join a server: name an agent of Ludus, such as {example}.")
    return agent


def _get_ready_for_reversixt(entrant: Entrant) -> None:
    """Refuse who cannot play, and compile what the others need."""
    agent, game = _agent_of_ludus(entrant, "brs"), ReversiXT(map="cross")
    if reason := agent.unsuited(game):
        raise LudusError(f"{entrant.name} {reason}; these suit {game.name}: {', '.join(suited(game))}.")
    with told_if_slow(f"Compiling {game.name} and {entrant.name}; next time this is quick …"):
        prepare(game, [agent])


def _get_ready(entrant: Entrant, screen: "_Screen") -> None:
    """Refuse who cannot play, and compile what the others need."""
    agent = _agent_of_ludus(entrant, "speed.combi")
    reasons = {players: reason for players in range(2, 7) if (reason := agent.unsuited(Speed(players=players)))}
    if 2 in reasons:
        raise LudusError(f"{entrant.name} {reasons[2]}; these suit {Speed.name}: {', '.join(suited(Speed()))}.")
    if reasons:
        screen.warn(
            f"{entrant.name} {reasons[min(reasons)]}: where there are more, a safe move will be sent for it each round."
        )
    with told_if_slow(f"Compiling {Speed.name} and {entrant.name}; next time this is quick …"):
        prepare(Speed(), [agent])


class _Screen:
    """Tells what happens, on standard error, and what came of each game on standard output."""

    _round_word = "move"

    def __init__(self, as_json: bool) -> None:
        self._as_json = as_json
        self._status = errors().status("")
        self._won: list[bool] = []

    def __enter__(self) -> None:
        self._status.start()

    def __exit__(self, *_: object) -> None:
        self._status.stop()

    def wait(self, seconds: float, why: str) -> None:
        errors().print(f"Waiting for {seconds:g} s, since {why}.", markup=False)

    def warn(self, sentence: str) -> None:
        errors().print(Text.assemble(("Mind: ", "yellow"), sentence))

    def stopping(self) -> None:
        errors().print("Stopping after this game; Ctrl-C once more stops at once.", markup=False)

    def ended(self, ended: Ended) -> None:
        record, you = ended.record, ended.you
        place, has_won, result = None, False, "without a result"
        if record.ending is not Ending.MACHINE:
            place = 1 + sum(score > record.scores[you] for score in record.scores)
            is_shared = record.scores.count(record.scores[you]) > 1
            has_won = place == 1 and not is_shared
            result = f"{'shared ' if is_shared else ''}place {place} of {len(record.seats)}"
        self._won.append(has_won)
        if self._as_json:
            told = {
                "episode": ended.episode,
                "players": [seat.name for seat in record.seats],
                "you": you + 1,
                "place": place,
                "won": has_won,
                "rounds": len(record.steps),
                "remarks": record.seats[you].remarks,
            }
            print_json(told, indent=False)
            return
        rounds = plural(len(record.steps), self._round_word)
        said = f"Game {len(self._won)}: {result} after {rounds}, stored as {ended.episode}."
        output().print(said, markup=False)
        for remark in record.seats[you].remarks:
            self.warn(f"{remark}.")

    def sum_up(self) -> None:
        """How often it won."""
        if len(self._won) > 1 and not self._as_json:
            output().print(f"{sum(self._won)} of {len(self._won)} games won.")


class _SpeedScreen(_Screen, Listener):
    """Tells of games of spe_ed."""

    _round_word = "round"

    def connected(self, clock: ServerClock) -> None:
        told = "waiting for the game to begin"
        if clock.trip:
            ahead = "ahead of" if clock.offset >= 0 else "behind"
            told += f"; its clock is {spoken_time(abs(clock.offset))} {ahead} ours, and {spoken_time(clock.trip)} away"
        self._status.update(told)
        if not self._won:
            errors().print(f"Connected, {told}.", markup=False)

    def began(self, game: Joined) -> None:
        height, width = game.sighting.state.cells.shape
        errors().print(
            f"Game {len(self._won) + 1} begins: {game.sighting.game.seats} players on {width}×{height} cells, and "
            f"we are player {game.sighting.you + 1}.",
            markup=False,
        )

    def moved(self, game: Joined, move: int) -> None:
        state = game.sighting.state
        alive = int((state.players[:, FELL] == 0).sum())
        self._status.update(
            f"round {state.clock[0]}: {ACTIONS[move]}; {alive} of {len(state.players)} players are left"
        )
        if game.trouble:
            self.warn(f"in round {state.clock[0]} the agent {game.trouble}: {ACTIONS[move]} was sent instead.")


class _ReversiXtScreen(_Screen, ReversiXtListener):
    """Tells of games of ReversiXT."""

    def connected(self) -> None:
        self._status.update("waiting for the game to begin")
        if not self._won:
            errors().print("Connected, waiting for the game to begin.", markup=False)

    def began(self, game: ReversiXtJoined) -> None:
        chart = game.game.chart
        errors().print(
            f"Game {len(self._won) + 1} begins: {chart.players} players on {chart.width}×{chart.height} fields, and we "
            f"are player {game.you + 1}.",
            markup=False,
        )

    def moved(self, game: ReversiXtJoined, text: str) -> None:
        stones = (game.referee.state.cells == game.you + 1).sum()
        self._status.update(f"{text}; {stones} stones")
