"""An agent as a brain of the Gomocup protocol, for Gomoku."""

import time

from ludus.agents.agent import Agent, Clock
from ludus.bots.protocols.gomocup import RULES, UNLIMITED
from ludus.bots.serve.service import AgentError, ServedAgent, Service, figures, get_ready, nanoseconds
from ludus.core.errors import InvalidError, LudusError
from ludus.core.version import __version__
from ludus.games.game import Game, game_from

_GAME = "gomoku"
_RULES = {number: rule for rule, number in RULES.items()}
_REFUSED = ((2, "Continuous games are"), (4, "Renju is"))
_INSTANT = 20_000_000
"""Nanoseconds for a move that is wanted as fast as possible; with 0 a search could not choose at all."""
_OWN, _THEIRS = 1, 2

Cell = tuple[int, int]


class GomocupService(Service):
    """One game after the other on a square board."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self._size: int | None = None
        self._rule = 0
        self._turn: int | None = None
        self._match: int | None = None
        self._left: int | None = None
        self._stones: dict[Cell, bool] = {}  # True for own stones, in the order of the moves
        self._served: ServedAgent | None = None
        self._listed: list[str] | None = None  # lines since BOARD

    def begin(self) -> None:
        get_ready(self._agent, game_from(_GAME))

    def answer(self, line: str) -> list[str]:
        word, _, rest = line.partition(" ")
        if self._listed is not None and word.upper() not in ("DONE", "END"):
            self._listed.append(line)
            return []
        try:
            return self._execute(word.upper(), rest.strip())
        except AgentError:
            raise
        except LudusError as error:
            return [f"ERROR {error}"]

    def _execute(self, word: str, rest: str) -> list[str]:
        match word:
            case "":
                return []
            case "START":
                return self._start(rest)
            case "RECTSTART":
                width, _, height = rest.partition(",")
                if width.strip() != height.strip():
                    raise InvalidError("Only square boards are played here.")
                return self._start(width)
            case "RESTART":
                self._game()
                return self._begin_anew()
            case "BEGIN":
                self._seat_agent({})
                return self._move()
            case "TURN":
                return self._reply(self._cell(rest))
            case "BOARD":
                self._listed = []
                return []
            case "DONE":
                return self._take_board()
            case "TAKEBACK":
                return self._take_back(rest)
            case "INFO":
                self._take_information(*rest.split(maxsplit=1))
                return []
            case "ABOUT":
                return [f'name="Ludus {self._agent.spec()}", version="{__version__}", author="Ludus"']
            case "END":
                self.over = True
                return []
        return [f"UNKNOWN {word} is not known here."]

    # --- Settings -------------------------------------------------------------------------------------------------

    def _start(self, size: str) -> list[str]:
        if not size.strip().isdecimal():
            raise InvalidError(f"'{size}' is not the size of a board.")
        get_ready(self._agent, game_from(f"{_GAME}:size={int(size)}"))
        self._size = int(size)
        return self._begin_anew()

    def _begin_anew(self) -> list[str]:
        self._stones, self._served, self._left = {}, None, self._match
        return ["OK"]

    def _game(self) -> Game:
        """The game with the rule and the size received so far."""
        if self._size is None:
            raise InvalidError("There is no board yet: send START first.")
        return game_from(f"{_GAME}:size={self._size},rule={self._rule_name()}")

    def _rule_name(self) -> str:
        if self._rule not in _RULES:
            refused = [words for bit, words in _REFUSED if self._rule & bit]
            raise InvalidError(f"{refused[0] if refused else f'Rule {self._rule} is'} not played here.")
        return _RULES[self._rule]

    def _take_information(self, key: str = "", value: str = "") -> None:
        number = int(value) if value.strip().removeprefix("-").isdecimal() else None
        if number is None:
            return
        match key.lower():
            case "timeout_turn":
                self._turn = nanoseconds(number) or _INSTANT
            case "timeout_match":
                self._match = self._left = nanoseconds(number) or None
            case "time_left":
                self._left = None if number >= UNLIMITED else nanoseconds(number)
            case "rule":
                self._rule, self._served = number, None
                self._rule_name()

    # --- The board ------------------------------------------------------------------------------------------------

    def _cell(self, text: str) -> Cell:
        """A cell of the board as `x,y`."""
        self._game()
        assert self._size is not None
        numbers = [int(word) for word in text.split(",") if word.strip().isdecimal()]
        if len(numbers) != 2 or text.count(",") != 1 or max(numbers) >= self._size:
            raise InvalidError(f"'{text}' is not a cell of a board of size {self._size}: cells are written x,y from 0.")
        return numbers[0], numbers[1]

    def _reply(self, cell: Cell) -> list[str]:
        if cell in self._stones:
            raise InvalidError(f"{_text(cell)} already has a stone.")
        if self._served is None:
            self._seat_agent({**self._stones, cell: False})
        else:
            self._served.follow([(1 - self._served.seat, f"{cell[0]}-{cell[1]}")])
        self._stones[cell] = False
        return self._move()

    def _take_board(self) -> list[str]:
        lines, self._listed = self._listed, None
        if lines is None:
            raise InvalidError("DONE without BOARD.")
        stones: dict[Cell, bool] = {}
        for line in filter(None, lines):
            place, _, owner = line.rpartition(",")
            cell = self._cell(place)
            if owner.strip() not in (str(_OWN), str(_THEIRS)) or cell in stones:
                raise InvalidError(
                    f"'{line}' is not a stone: write x,y,1 for your own stones and x,y,2 for the opponent's."
                )
            stones[cell] = owner.strip() == str(_OWN)
        self._seat_agent(stones)
        return self._move()

    def _take_back(self, text: str) -> list[str]:
        cell = self._cell(text)
        if cell not in self._stones:
            raise InvalidError(f"There is no stone on {_text(cell)}.")
        del self._stones[cell]
        self._served = None
        return ["OK"]

    # --- Moves ----------------------------------------------------------------------------------------------------

    def _move(self) -> list[str]:
        asked = time.monotonic_ns()
        assert self._served is not None
        served = self._served
        choice = served.choose(Clock(self._turn, self._left))
        x, _, y = served.text(choice.move).partition("-")
        served.make(choice.move)
        self._stones[int(x), int(y)] = True
        if self._left is not None:
            self._left = max(0, self._left - (time.monotonic_ns() - asked))
        shown_figures = ", ".join(f"{name} {round(value, 3)}" for name, value in figures(choice.metrics).items())
        return [*([f"MESSAGE {shown_figures}"] if shown_figures else []), f"{x},{y}"]

    def _seat_agent(self, stones: dict[Cell, bool]) -> None:
        """Seat the agent according to the number of stones."""
        game, size = self._game(), self._size or 0
        seat = 0 if 2 * sum(stones.values()) == len(stones) else 1
        letters = {cell: "xo"[seat if own else 1 - seat] for cell, own in stones.items()}
        rows = ["".join(letters.get((x, y), ".") for x in range(size)) for y in range(size)]
        served = ServedAgent(self._agent, game, seat, game.load("/".join(rows)))
        served.follow([])
        self._stones, self._served = stones, served


def _text(cell: Cell) -> str:
    return f"{cell[0]},{cell[1]}"
