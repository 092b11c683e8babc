"""UCI, the protocol of chess engines, from the manager's side."""

import dataclasses
import re
from collections.abc import Generator
from typing import Any, ClassVar, NoReturn, Self

from ludus.agents.agent import WITHOUT_LIMIT, Choice, Clock
from ludus.bots.bot import VARIABLE, Bot
from ludus.bots.dialogue import Dialogue, FoulError
from ludus.core.errors import LudusError
from ludus.core.kinds import MOST_COUNT
from ludus.core.spec import Duration, Spec, limit_options, limit_texts, param
from ludus.core.text import did_you_mean
from ludus.episode.player import Briefing
from ludus.episode.record import Fault
from ludus.episode.request import Request

MARGIN = 10_000_000
"""Nanoseconds withheld from a move's limit, since an engine stops only at its end; at most a tenth."""
KEPT_PLIES = 8
"""Number of last moves that an engine gets at least with a short history, because neural ones look at them."""
FULL, SHORT = "full", "short"
"""The moves that an engine gets: all of the game, or those since the last capture or pawn's move."""
PV_MOVES = 5
"""Number of moves kept of the line that an engine expects."""

_MILLISECOND = 10**6
_find_numbers = re.compile(r" (depth|seldepth|nodes|nps|time|hashfull|tbhits|cp|mate) (-?[0-9]{1,18})(?![^ ])").findall
_NAMES = {"cp": "score"}
_NO_MOVE = ("0000", "(none)", "none", "null")
_TRUTH = {"yes": "true", "on": "true", "1": "true", "no": "false", "off": "false", "0": "false"}
_OPTION = re.compile(r"option name (?P<name>.+?) type (?P<kind>\w+)(?P<rest>.*)")  # with single spaces
_LONGEST_QUOTE = 100


class Uci(Bot):
    """A chess engine that speaks UCI; it takes the engine's own options too, as in `uci,Hash=64:stockfish`.

    The case of an engine's options does not matter, and a button is written without a value. Metrics of a move:
    `depth`, `seldepth`, `nodes`, `nps`, `time` (ms), `score` (centipawns) or `mate` (moves), `hashfull` (per mille),
    `tbhits`, and `pv`, the line that the engine expects. The engine receives 10 ms less than the limit for a move, at
    most a tenth less; without any limit it gets a second. Unlike other bots it may play several episodes at once,
    unless `safe` is no.
    """

    name = "uci"
    only_game = "chess"

    safe: bool = param(True, "whether it may play several episodes at once; say no if it writes files")
    nodes: int | None = param(None, "positions to look at for a move", low=1, high=MOST_COUNT)
    depth: int | None = param(None, "plies to look ahead", low=1, high=1000)
    movetime: Duration | None = param(None, "time to think for a move", low=_MILLISECOND)
    history: str = param(
        FULL,
        "moves sent: all since the start, or only those since the last capture or pawn's move, which long games with "
        "short limits may need",
        choices=(FULL, SHORT),
    )
    options: dict[str, str] = dataclasses.field(default_factory=dict)
    """Options of the engine, as written in the spec."""

    @classmethod
    def from_spec(cls, spec: Spec) -> Self:
        own = {parameter.name for parameter in cls.parameters()} | limit_options(limit_texts(spec.options)).keys()
        mine = {key: text for key, text in spec.options.items() if key in own or key.startswith(VARIABLE)}
        bot = super().from_spec(dataclasses.replace(spec, words=(), options=mine))
        bot.options = dict.fromkeys(spec.words, "")
        bot.options.update((key, text) for key, text in spec.options.items() if key not in mine)
        return bot

    def _spec_parts(self) -> list[str]:
        return super()._spec_parts() + [f"{name}={text}" if text else name for name, text in self.options.items()]

    def dialogue(self) -> "UciDialogue":
        return UciDialogue(self)


class UciDialogue(Dialogue):
    """One engine, for one episode after the other."""

    stays: ClassVar[bool] = True

    def __init__(self, bot: Uci) -> None:
        super().__init__()
        self._bot = bot
        self._greeted = False
        self._info = ""  # the last line about the search
        self._clock: Clock | None = None
        self._go = ""  # for that clock

    # --- Getting ready ----------------------------------------------------------------------------------------------

    def begin(self, briefing: Briefing) -> Generator[bytes, str, None]:
        settings = "" if self._greeted else (yield from self._greet())
        self._game = briefing.game
        self._seat = briefing.seat
        self._base = "startpos" if briefing.board is None else f"fen {briefing.start.board.fen()}"
        self._moves: list[str] = []  # since then
        self._next_base: tuple[str, int] | None = None  # and the number of moves before it
        line = yield f"{settings}ucinewgame\nisready\n".encode()
        while line.split() != ["readyok"]:
            line = yield b""
        self._greeted = True

    def _greet(self) -> Generator[bytes, str, str]:
        """Read the engine's options; return the lines that set them."""
        offered: dict[str, _Option] = {}
        line = yield b"uci\n"
        while (words := line.split()) != ["uciok"]:
            if words[:1] == ["option"] and (match := _OPTION.match(" ".join(words))):
                offered[match["name"].casefold()] = _Option(match["name"], match["kind"].lower(), match["rest"])
            elif words in (["copyprotection", "error"], ["registration", "error"]):
                self.remarks.append(f"sent {line.strip()}")
            line = yield b""
        lines = []
        for name, text in self._bot.options.items():
            option = offered.get(name.casefold())
            if option is None:
                known = [*(o.name for o in offered.values()), *(p.name for p in self._bot.parameters())]
                near = did_you_mean(name, known) or f"; it has {', '.join(o.name for o in offered.values()) or 'none'}"
                raise FoulError(Fault.FAILED, f"has no option '{name}'{near}")
            lines.append(option.setting(text))
        return "".join(lines)

    # --- Moves ------------------------------------------------------------------------------------------------------

    def ask(self, request: Request) -> bytes:
        view = request.view
        self._state = view.state
        self._info = ""
        moves = self._moves
        for step in request.steps:
            moves.append(step[0].move)
        if self._bot.history == SHORT:
            self._move_base(view.state.board)
        if request.clock is not self._clock or request.left:
            self._clock = request.clock
            self._go = self._limits(request)
        played = f" moves {' '.join(moves)}" if moves else ""
        return f"position {self._base}{played}\n{self._go}\n".encode()

    def _move_base(self, board: Any) -> None:
        """Forget the moves before the last capture or pawn's move: no position before it can come again.

        An engine replays all moves that it gets, which may take longer than a very short search.
        """
        if self._next_base is None:
            if board.halfmove_clock == 0 and self._moves:
                self._next_base = f"fen {board.fen()}", len(self._moves)
        elif len(self._moves) >= self._next_base[1] + KEPT_PLIES:
            self._base, before = self._next_base
            del self._moves[:before]
            self._next_base = None

    def _limits(self, request: Request) -> str:
        clock, bot = request.clock, self._bot
        words = ["go"]
        if clock.total is not None:
            white, black = (max(1, left // _MILLISECOND) for left in request.left)
            words.append(f"wtime {white} btime {black}")
            if increment := clock.increment // _MILLISECOND:
                words.append(f"winc {increment} binc {increment}")
        if bot.nodes is not None:
            words.append(f"nodes {bot.nodes}")
        if bot.depth is not None:
            words.append(f"depth {bot.depth}")
        times: list[int] = [] if bot.movetime is None else [bot.movetime]
        limit = clock.limit()
        if limit is not None and (
            times or clock.move is not None
        ):  # otherwise the engine divides its total time by itself
            times.append(limit - min(MARGIN, limit // 10))
        if times or len(words) == 1:
            words.append(f"movetime {max(1, min(times, default=WITHOUT_LIMIT) // _MILLISECOND)}")
        return " ".join(words)

    def receive(self, line: str) -> Choice | None:
        if line.startswith("info "):
            if " depth " in line and self._is_news(line):
                self._info = line  # parsed only if it is the last: there may be thousands
            return None
        words = line.split()
        if words[:1] != ["bestmove"]:
            return None
        text = words[1][:_LONGEST_QUOTE] if len(words) > 1 else ""
        if not text or text.lower() in _NO_MOVE:
            quote = line.strip()[:_LONGEST_QUOTE]
            raise FoulError(Fault.ILLEGAL, f"sent {quote!r}, which is not a move, although it has one")
        try:
            return Choice(self._game.parse(self._state, self._seat, text), metrics_of(self._info))
        except LudusError as error:
            raise FoulError(Fault.ILLEGAL, str(error)) from None

    def _is_news(self, line: str) -> bool:
        """True if a line is about the best line of play; one without a score counts until another has one."""
        return (
            (" score " in line or (" score " not in self._info and " currmove " not in line))
            and (" multipv " not in line or " multipv 1 " in line)
            and not line.startswith("info string")
        )

    def end(self) -> bytes:
        return b"quit\n"


def metrics_of(info: str) -> dict[str, Any]:
    """Read the metrics of a move from a line of `info`."""
    numbers, _, line = info.partition(" pv ")
    found: dict[str, Any] = {_NAMES.get(word, word): int(number) for word, number in _find_numbers(numbers)}
    if line:
        found["pv"] = " ".join(line.split(maxsplit=PV_MOVES)[:PV_MOVES])
    return found


@dataclasses.dataclass(frozen=True)
class _Option:
    """An option offered by the engine."""

    name: str
    kind: str
    rest: str  # default, min, max and var, each with its value

    def setting(self, text: str) -> str:
        """The line that sets the option to a text of the spec; FoulError if the text does not fit."""
        if self.kind == "button":
            if text:
                self._refuse(text, "nothing: it is a button, write its name alone")
            return f"setoption name {self.name}\n"
        return f"setoption name {self.name} value {self._value(text)}\n"

    def _value(self, text: str) -> str:
        if self.kind == "check":
            value = _TRUTH.get(text.lower(), text.lower())
            return value if value in ("true", "false") else self._refuse(text, "true or false")
        if self.kind == "spin":
            low, high = (self._bound("min"), self._bound("max"))
            try:
                number = int(text)
            except ValueError:
                number = None
            if number is None or (low is not None and number < low) or (high is not None and number > high):
                span = f" from {low} to {high}" if low is not None and high is not None else ""
                return self._refuse(text, f"a whole number{span}")
            return str(number)
        if self.kind == "combo":
            choices = [choice.strip() for choice in self.rest.split(" var ")[1:]]
            chosen = next((choice for choice in choices if choice.casefold() == text.casefold()), None)
            return chosen if chosen is not None else self._refuse(text, f"one of {', '.join(choices)}")
        return text or "<empty>"

    def _bound(self, word: str) -> int | None:
        match = re.search(rf" {word} (-?[0-9]{{1,18}})\b", self.rest)
        return int(match[1]) if match else None

    def _refuse(self, text: str, takes: str) -> NoReturn:
        raise FoulError(Fault.FAILED, f"cannot set {self.name} to '{text}': it takes {takes}")
