"""Briefings for bots: every limit has a value, and a special start position is in a file."""

from contextlib import ExitStack
from pathlib import Path

from ludus.core.errors import InvalidError, LudusError
from ludus.core.temporary import temporary_folder
from ludus.episode.opening import begins_as_usual
from ludus.episode.player import Briefing

_SEEDS = 2**31  # small enough for every language


def for_bots(briefing: Briefing, folder: Path, files: ExitStack, *, shared: bool) -> Briefing:
    """The briefing of a bot that runs in a folder; the file with the start is removed when `files` is closed.

    In a `shared` folder, where another bot of the episode runs too, the name of the episode has the seat.
    """
    return briefing._replace(
        seed=briefing.seed % _SEEDS,
        limits=briefing.limits.for_bots(),
        name=f"{briefing.name or 'episode'}{f'-seat{briefing.seat}' if shared else ''}",
        board=None if begins_as_usual(briefing.game, briefing.opening) else _board(briefing, folder, files),
    )


def _board(briefing: Briefing, folder: Path, files: ExitStack) -> Path:
    """The file of a start position: the bot's own one by its name in the bot's folder, or else a new one."""
    game, opening = briefing.game, briefing.opening
    if opening.file and not opening.moves and (folder / opening.file).is_file():
        return Path(opening.file)
    try:
        text = game.save(briefing.start)
    except LudusError:
        raise InvalidError(
            f"Bots cannot play {game.name} from a special start, because its positions have no text form: start "
            "episodes from the beginning."
        ) from None
    board = files.enter_context(temporary_folder()) / "board.txt"
    board.write_text(f"{text}\n", encoding="utf-8")
    return board
