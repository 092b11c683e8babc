"""Goofspiel: all players simultaneously bid a card of their hand for the prize card on the table, the highest takes it.

A set of cards is the bits of an int64: card c is bit c.
"""

from typing import ClassVar, NamedTuple

import numpy as np

from ludus.core.errors import InvalidError
from ludus.core.spec import param
from ludus.games.game import Game, Weight
from ludus.kernel.bitset import count_bits, lowest_bit
from ludus.kernel.jit import compiled
from ludus.kernel.rng import Rng, below, new_rng
from ludus.kernel.rules import CHANCE, Array, Constant, rule

PRIZE, PRIZES_LEFT = range(2)  # indices of table: the present prize, 0 before chance has drawn it; the prizes after it
CARDS, ORDER = range(2)  # of shape
RANDOM, DESCENDING, ASCENDING = range(3)
ORDERS = ("random", "descending", "ascending")


class GoofspielState(NamedTuple):
    """The prizes, and each player's hand and points."""

    table: Array
    hands: Array
    points: Array
    shape: Constant
    weights: Constant


@rule
def most_moves(state: GoofspielState) -> int:
    return state.shape[CARDS]


@rule
def most_outcomes(state: GoofspielState) -> int:
    return state.shape[CARDS] if state.shape[ORDER] == RANDOM else 0


@rule
def movers(state: GoofspielState, out: Array) -> int:
    if state.table[PRIZE] == 0:
        out[0] = CHANCE
        return 1
    for player in range(len(state.hands)):
        out[player] = player
    return len(state.hands)


@rule
def legal(state: GoofspielState, player: int, out: Array) -> int:
    n, hand = 0, state.hands[player]
    while hand != 0:
        out[n] = lowest_bit(hand)
        hand &= hand - 1
        n += 1
    return n


@rule
def chance(state: GoofspielState, probabilities: Array) -> int:
    n = count_bits(state.table[PRIZES_LEFT])
    for outcome in range(n):
        probabilities[outcome] = 1.0 / n
    return n


@rule
def sample(state: GoofspielState, player: int, rng: Rng) -> int:
    if player == CHANCE:
        return below(rng, count_bits(state.table[PRIZES_LEFT]))
    return card(state.hands[player], below(rng, count_bits(state.hands[player])))


@rule
def play(state: GoofspielState, moves: Array) -> None:
    if state.table[PRIZE] == 0:
        lay(state, card(state.table[PRIZES_LEFT], moves[0]))
        return
    highest, winner = 0, -1
    for player in range(len(state.hands)):
        state.hands[player] ^= np.int64(1) << moves[player]
        if moves[player] > highest:
            highest, winner = moves[player], player
        elif moves[player] == highest:
            winner = -1
    if winner >= 0:
        state.points[winner] += state.table[PRIZE]
    state.table[PRIZE] = 0
    if state.table[PRIZES_LEFT] != 0 and state.shape[ORDER] != RANDOM:
        last = count_bits(state.table[PRIZES_LEFT]) - 1 if state.shape[ORDER] == DESCENDING else 0
        lay(state, card(state.table[PRIZES_LEFT], last))


@compiled
def card(cards: int, number: int) -> int:
    """One card of a set, counted from 0, the lowest first."""
    for _ in range(number):
        cards &= cards - 1
    return lowest_bit(cards)


@compiled
def lay(state: GoofspielState, prize: int) -> None:
    """Lay a prize on the table."""
    state.table[PRIZE] = prize
    state.table[PRIZES_LEFT] ^= np.int64(1) << prize


@rule
def over(state: GoofspielState) -> bool:
    return state.hands[0] == 0


@rule
def scores(state: GoofspielState, out: Array) -> None:
    players = len(state.points)
    for player in range(players):
        beaten = 0
        for other in range(players):
            beaten += np.sign(state.points[player] - state.points[other])
        out[player] = beaten / (players - 1)


@rule
def heuristic(state: GoofspielState, player: int) -> float:
    to_win, left = 1 + state.table[PRIZE], state.table[PRIZES_LEFT]
    while left != 0:
        to_win += lowest_bit(left)
        left &= left - 1
    total = 0.0
    for other in range(len(state.points)):
        lead = state.weights[0] * (state.points[player] - state.points[other]) / to_win
        total += lead / (1.0 + abs(lead))
    return total / (len(state.points) - 1)


class Goofspiel(Game):
    """Bid a card of your hand for the prize on the table, simultaneously: the highest bid takes it, a tie discards it.

    Two players get +1 for more points, −1 for fewer; with more players, a score is the share of opponents beaten minus
    the share that did better. A move is the card. A position is the prize on the table, the prizes after it, then each
    player's hand and points, as in `3/1-2/1-2-4:0/1-2-3:4`; 0 stands for no card.
    """

    name: ClassVar[str] = "goofspiel"
    board: ClassVar[str] = "cards"
    most_players: ClassVar[int] = 4
    chance: ClassVar[bool] = True
    simultaneous: ClassVar[bool] = True
    weights: ClassVar[dict[str, Weight]] = {
        "lead": Weight(2.0, "a lead in points, as a share of the points still to win"),
    }

    players: int = param(2, "players", low=2, high=4)
    cards: int = param(13, "cards in each hand, and prizes", low=2, high=16)
    prizes: str = param("random", "order of the prizes", choices=ORDERS)

    def __post_init__(self) -> None:
        vars(self).update(chance=self.prizes == "random")

    def start(self, rng: Rng) -> GoofspielState:
        deck = 2 ** (self.cards + 1) - 2
        prize = {"random": 0, "descending": self.cards, "ascending": 1}[self.prizes]
        return GoofspielState(
            table=np.array([prize, deck & ~(1 << prize)]),
            hands=np.full(self.players, deck),
            points=np.zeros(self.players, np.int64),
            shape=np.array([self.cards, ORDERS.index(self.prizes)]),
            weights=self.default_weights(),
        )

    def format(self, state: GoofspielState, player: int, move: int) -> str:
        return str(_cards(state.table[PRIZES_LEFT])[move] if player == CHANCE else move)

    def draw(self, state: GoofspielState) -> str:
        lines = [f"prize {state.table[PRIZE] or '?'}, left {_text(state.table[PRIZES_LEFT], ' ', 'none')}"]
        for player, (points, hand) in enumerate(zip(state.points, state.hands, strict=True), 1):
            lines.append(f"player {player}: {points:3} points, hand {_text(hand, ' ', 'none')}")
        return "\n".join(lines)

    def save(self, state: GoofspielState) -> str:
        players = [f"{_text(hand)}:{points}" for hand, points in zip(state.hands, state.points, strict=True)]
        return "/".join([str(state.table[PRIZE]), _text(state.table[PRIZES_LEFT]), *players])

    def load(self, text: str) -> GoofspielState:
        parts = text.strip().split("/")
        hands = [part.partition(":") for part in parts[2:]]
        sets = [_set_of(part, self.cards) for part in [*parts[:2], *(hand for hand, _, _ in hands)]]
        points = [int(number) for _, _, number in hands if number.isdecimal() and len(number) < 10]
        if len(parts) != self.players + 2 or None in sets or len(points) != self.players:
            raise InvalidError(
                f"goofspiel: a position is the prize, the prizes after it and {self.players} times HAND:POINTS, "
                f"with cards up to {self.cards} like 1-2-4 and 0 for none, joined by '/'."
            )
        prize, left, *held = [cards or 0 for cards in sets]
        counts = {cards.bit_count() for cards in held} | {(prize | left).bit_count()}
        if prize.bit_count() > 1 or prize & left or len(counts) > 1:
            raise InvalidError(
                "goofspiel: at most one prize is on the table, and each hand has as many cards as there are prizes."
            )
        if not prize and left and self.prizes != "random":
            raise InvalidError(f"goofspiel: with prizes={self.prizes} a prize must be on the table.")
        if sum(points) > sum(card for card in range(self.cards + 1) if not (prize | left) >> card & 1):
            raise InvalidError(f"goofspiel: {sum(points)} points are more than the prizes taken.")
        state = self.start(new_rng(0))
        state.table[:] = prize.bit_length() - 1 if prize else 0, left
        state.hands[:] = held
        state.points[:] = points
        return state


def _set_of(text: str, highest: int) -> int | None:
    """Parse a text like 1-2-4 as a set of cards; None if it is invalid."""
    if text == "0":
        return 0
    numbers = [int(number) if number.isdecimal() and len(number) < 10 else 0 for number in text.split("-")]
    if len(set(numbers)) < len(numbers) or not all(1 <= number <= highest for number in numbers):
        return None
    return sum(1 << number for number in numbers)


def _cards(cards: int) -> list[int]:
    return [number for number in range(int(cards).bit_length()) if int(cards) >> number & 1]


def _text(cards: int, between: str = "-", none: str = "0") -> str:
    return between.join(str(number) for number in _cards(cards)) or none
