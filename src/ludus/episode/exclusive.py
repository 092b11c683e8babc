"""Folders that one program at a time may use on this machine: those of bots that are not safe.

Each is locked as long as a bot runs there. Nobody holds a lock while waiting for another one, so that two programs that
want the same folders do not wait for each other for ever.
"""

import fcntl
import os
import random
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from ludus.episode.player import Player

_LOOK_AGAIN = 0.02  # seconds, on average

_held: dict[Path, tuple[int, set[Player]]] = {}
"""The folders locked by this process: the open folder, and the players that use it."""


def claim(players: Sequence[Player]) -> None:
    """Lock the folders of these players, and wait for that if another program has locked one.

    Players of earlier episodes, whose bots have stayed, are closed first then.
    """
    wanted = {player.folder for player in players if player.folder is not None}
    while not _locked(wanted):
        for _, users in list(_held.values()):
            for player in list(users):
                player.close()
        time.sleep(_LOOK_AGAIN * random.uniform(0.5, 1.5))
    for player in players:
        if player.folder in _held:
            _held[player.folder][1].add(player)


def release(player: Player) -> None:
    """Unlock the folder of a player whose bot has ended, unless another player uses it too."""
    if player.folder is not None and player.folder in _held:
        descriptor, users = _held[player.folder]
        users.discard(player)
        if not users:
            del _held[player.folder]
            os.close(descriptor)


def _locked(folders: Iterable[Path]) -> bool:
    """Lock all of these folders, or none."""
    new: dict[Path, int] = {}
    for folder in folders:
        if folder in _held:
            continue
        with suppress(OSError):  # it does not exist, or cannot be locked: the bot's start says more
            descriptor = os.open(folder, os.O_RDONLY)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                for other in (descriptor, *new.values()):
                    os.close(other)
                return False
            except OSError:
                os.close(descriptor)
                raise
            new[folder] = descriptor
    _held.update((folder, (descriptor, set())) for folder, descriptor in new.items())
    return True
