"""`ludus join`: an agent as a player on another server."""

import sys
from typing import Annotated

import typer
from rich.text import Text

from ludus.agents.agent import agent_from
from ludus.cli.completion import complete_agent
from ludus.cli.options import StoreOption, number_option
from ludus.cli.per_contest import per_contest
from ludus.cli.progress import shown_if_slow
from ludus.cli.screen import errors, output, print_board, print_json
from ludus.core.errors import InvalidError
from ludus.core.text import plural, spoken_time
from ludus.episode.local_player import player_for
from ludus.episode.person import Human
from ludus.episode.player import Player
from ludus.episode.record import Ending, Record
from ludus.episode.seating import prepare, suited
from ludus.games.game import game_from
from ludus.net.client import Ended, Guest, Listener, door
from ludus.net.clock_sync import ServerClock
from ludus.net.contest import Contest
from ludus.net.joined_game import Joined
from ludus.run.live_run import live_run
from ludus.run.stopping import stopping
from ludus.store import open_store
from ludus.tournaments.field import entrant_from
from ludus.tournaments.tournament import Entrant


def join(
    contest: type[Contest],
    agent: Annotated[
        str,
        typer.Option(
            metavar="AGENT",
            help="The agent, such as 'speed.combi:time=2s' or '@NAME', a bot such as 'stdio:./mybot', or 'human'.",
            autocompletion=complete_agent,
        ),
    ],
    url: Annotated[
        str | None,
        typer.Option(metavar="URL", envvar="URL", help="URL of the server, such as wss://example.org."),
    ] = None,
    key: Annotated[str | None, typer.Option(metavar="KEY", envvar="KEY", help="Your key.")] = None,
    time_url: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            envvar="TIME_URL",
            help="URL of the server's clock, if it is not at the usual path.",
            show_default=False,
        ),
    ] = None,
    games: Annotated[
        int | None,
        number_option("-n --episodes", "Stop after N games. Default: play until Ctrl-C; a person plays one game."),
    ] = None,
    store: StoreOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write a line of JSON for each game.")] = False,
) -> None:
    """Play with an agent on a game server, and store its games.

    Ctrl-C stops after the current game; a second Ctrl-C stops at once.

    Ludus answers before the deadline on the server's clock. If the agent has no move by then, Ludus sends a safe one.
    """
    if url is None or key is None:
        missing, name = ("--url", "URL") if url is None else ("--key", "KEY")
        raise InvalidError(f"A server and a key are needed: give {missing}, or set {name} in the environment.")
    played = contest()
    where = door(played, url, key, time_url)
    entrant = entrant_from(agent)
    is_person = agent_from(entrant.spec).person
    if is_person and games is None:
        games = 1
    screen = _Screen(played, as_json, is_person)
    _get_ready(played.name, entrant, screen)

    def seat() -> Player:
        made = agent_from(entrant.spec)
        if isinstance(made, Human):
            made.draw = lambda game, state, before: print_board(game, state, before, errors())
        return player_for(made, entrant.name)

    with (
        open_store(store) as opened,
        live_run(opened.live, "join", f"joined {where.host}", played.name) as live,
        screen,
        stopping() as stop,
    ):

        def keep(record: Record, wall: int) -> str:
            return opened.keep_game(f"joined {where.host}", record, wall).name

        Guest(played, where, seat, keep, screen, stop.check, live).play(games)
    screen.print_wins()


app = per_contest(
    join,
    help="Play with an agent on a game server.",
    example=lambda contest: (
        f"ludus join {contest.name} --url wss://example.org{contest.path} --key KEY --agent AGENT -n 10"
    ),
)


def _get_ready(name: str, entrant: Entrant, screen: "_Screen") -> None:
    """Refuse an agent that cannot play, and compile what it needs."""
    agent = agent_from(entrant.spec)
    if agent.awaited:
        raise InvalidError(f"{entrant.name} is a client by itself, and cannot join a server through Ludus.")
    game = game_from(name)
    games = {players: game_from(name, players) for players in range(game.least_players, game.most_players + 1)}
    reasons = {players: reason for players, game in games.items() if (reason := agent.unsuited(game))}
    if game.least_players in reasons:
        raise InvalidError(
            f"{entrant.name} {reasons[game.least_players]}; these suit {name}: {', '.join(suited(game))}."
        )
    if reasons:
        screen.warn(
            f"{entrant.name} {reasons[min(reasons)]}: where there are more, a safe move is sent for it in each round."
        )
    with shown_if_slow(f"Compiling {name} and {entrant.name}; next time this is quick …"):
        prepare(game, [agent])


class _Screen(Listener):
    """Events on standard error, and the result of each game on standard output."""

    def __init__(self, contest: Contest, as_json: bool, is_person: bool) -> None:
        self._contest = contest
        self._as_json = as_json
        self._is_person = is_person
        self._status = errors().status("")
        self._won: list[bool] = []

    def __enter__(self) -> None:
        self._start()

    def _start(self) -> None:
        if not self._is_person:  # the line would move while a person types
            self._status.start()

    def __exit__(self, *_: object) -> None:
        self._status.stop()

    def wait(self, seconds: float, why: str) -> None:
        errors().print(f"Waiting {seconds:g} s: {why}.", markup=False)

    def warn(self, sentence: str) -> None:
        errors().print(Text.assemble(("Warning: ", "yellow"), sentence))

    def connected(self, clock: ServerClock) -> None:
        words = "waiting for the game to begin"
        if clock.trip:
            sign = "+" if clock.offset >= 0 else "−"
            words += f"; server clock {sign}{spoken_time(abs(clock.offset))}, latency {spoken_time(clock.trip)}"
        self._status.update(words)
        if not self._won:
            errors().print(f"Connected, {words}.", markup=False)

    def began(self, game: Joined) -> None:
        board = self._contest.in_words(game.sighting.state)
        errors().print(
            f"Game {len(self._won) + 1} begins: {game.sighting.game.seats} players{board and f' on {board}'}, you are "
            f"player {game.sighting.you + 1}.",
            markup=False,
        )

    def moved(self, game: Joined, move: int) -> None:
        seen = game.sighting
        seats = seen.game.seats
        left = sum(not seen.game.is_out(seen.state, seat) for seat in range(seats))
        text = seen.game.format(seen.state, seen.you, move)
        self._status.update(f"round {seen.round}: {text}; {left} of {seats} players are left")
        if game.trouble:
            self.warn(f"in round {seen.round} the agent {game.trouble}: {text} was sent instead.")

    def stopping(self) -> None:
        errors().print("Stopping after this game; press Ctrl-C again to stop at once.", markup=False)

    def ended(self, ended: Ended) -> None:
        record, you = ended.record, ended.you
        place, has_won, result = None, False, "without a result"
        if record.ending is not Ending.MACHINE:
            place = 1 + sum(score > record.scores[you] for score in record.scores)
            is_shared = record.scores.count(record.scores[you]) > 1
            has_won = place == 1 and not is_shared
            result = f"{'shared ' if is_shared else ''}place {place} of {len(record.seats)}"
        self._won.append(has_won)
        self._status.stop()  # while it is shown, standard output leads to the terminal too
        self._print_result(ended, place, has_won, result)
        self._start()

    def _print_result(self, ended: Ended, place: int | None, has_won: bool, result: str) -> None:
        record, you = ended.record, ended.you
        if self._as_json:
            content = {
                "episode": ended.episode,
                "players": [seat.name for seat in record.seats],
                "you": you + 1,
                "place": place,
                "won": has_won,
                "rounds": len(record.steps),
                "remarks": record.seats[you].remarks,
            }
            print_json(content, indent=False)
            sys.stdout.flush()  # a reader waits for each game
            return
        rounds = plural(len(record.steps), "round")
        stored = "not stored" if ended.episode is None else f"stored as {ended.episode}"
        output().print(f"Game {len(self._won)}: {result} after {rounds}, {stored}.", markup=False)
        for remark in record.seats[you].remarks:
            self.warn(f"{remark}.")

    def print_wins(self) -> None:
        """Print how many games were won."""
        if len(self._won) > 1 and not self._as_json:
            output().print(f"{sum(self._won)} of {len(self._won)} games won.")
