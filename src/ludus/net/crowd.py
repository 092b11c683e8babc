"""Connections at a port: their limits, delays for guessed keys, and memory freed afterwards."""

import asyncio
import ctypes
import gc
import ipaddress
from collections import Counter
from contextlib import suppress
from time import monotonic
from typing import NamedTuple

_HARD = 2
"""Connections beyond a limit get an answer, but beyond this multiple of it they are dropped without one."""
_MANY = 50
"""Number of closed connections after which memory is given back."""
_SETTLING = 1.0  # seconds after which closed connections are free to go

_FIRST_DELAY, _LONGEST_DELAY = 0.1, 5.0  # seconds
_FORGIVEN_AFTER = 600.0  # seconds without a wrong key
_MOST_GUESSERS = 10_000


class Caps(NamedTuple):
    """Limits of a port: open connections in total, and from one address."""

    connections: int = 1000
    per_address: int = 200


class Crowd:
    """The open connections of a port."""

    def __init__(self, caps: Caps) -> None:
        self._caps = caps
        self._by_address: Counter[str] = Counter()
        self._open = self._peak = 0

    def enter(self, address: str) -> bool:
        """Count a connection; False if it must be dropped at once."""
        self._by_address[address] += 1
        self._open += 1
        self._peak = max(self._peak, self._open)
        most, of_address = self._caps.connections * _HARD, self._caps.per_address * _HARD
        return self._open <= most and self._by_address[address] <= of_address

    def leave(self, address: str) -> None:
        """Count a connection no longer; after many, give memory back."""
        self._by_address[address] -= 1
        if not self._by_address[address]:
            del self._by_address[address]
        self._open -= 1
        if self._peak - self._open >= _MANY and 2 * self._open <= self._peak:
            self._peak = self._open
            asyncio.get_running_loop().call_later(_SETTLING, give_back_memory)

    def refusal(self, address: str) -> str:
        """The limit that is exceeded, in words; empty if none is."""
        if self._open > self._caps.connections:
            return f"this server has its maximum of {self._caps.connections:,} connections"
        if self._by_address[address] > self._caps.per_address:
            return f"{self._caps.per_address:,} connections from one address are the maximum"
        return ""


class Brake:
    """Slows answers to wrong keys: each one from an address takes twice as long as the last."""

    def __init__(self) -> None:
        self._guessers: dict[str, tuple[float, float]] = {}  # the moment of the last guess, and its delay

    def delay(self, address: str) -> float:
        """The seconds until this address learns that its key is wrong."""
        now = monotonic()
        last, delay = self._guessers.pop(address, (now, 0.0))
        delay = _FIRST_DELAY if not delay or now - last > _FORGIVEN_AFTER else min(2 * delay, _LONGEST_DELAY)
        while len(self._guessers) >= _MOST_GUESSERS:
            del self._guessers[next(iter(self._guessers))]  # the one that has been quiet for the longest time
        self._guessers[address] = now, delay
        return delay


def address_of(peer: object) -> str:
    """The address of a connection from its socket's name: a host, or for IPv6 its network, which one user has alone."""
    host = str(peer[0]) if isinstance(peer, tuple) else ""
    with suppress(ValueError):
        address = ipaddress.ip_address(host.partition("%")[0])
        if isinstance(address, ipaddress.IPv6Address):
            mapped = address.ipv4_mapped
            return str(mapped or ipaddress.ip_network((address, 64), strict=False))
    return host


def give_back_memory() -> None:
    """Return the memory of closed connections to the system.

    They refer to themselves, and the C library keeps what they leave free.
    """
    gc.collect()
    with suppress(OSError, AttributeError):  # only the GNU C library has it
        ctypes.CDLL(None).malloc_trim(0)
