"""The origin of stored tournaments: played here, or from elsewhere, so that others chose the files that they name."""

from ludus.core.user_file import hold_back
from ludus.tournaments.tournament import Tournament

LOOSE = "open:"
"""Begin of the format of tournaments of games outside any schedule, such as those on a server."""


def content_of(text: str) -> Tournament:
    """The content of a stored tournament; if it is from elsewhere, no Python file that it names will be loaded."""
    found = Tournament.from_json(text)
    hold_back_files(found)
    return found


def hold_back_files(tournament: Tournament) -> None:
    """Keep the Python files of a tournament from being loaded, if it is from elsewhere."""
    if tournament.foreign or tournament.format.startswith(LOOSE):
        specs = [tournament.game, *(entrant.spec for entrant in tournament.agents)]
        whose = f"the tournament '{tournament.name}', which is from elsewhere,"
        hold_back(specs, whose, "say --trust when you import or replay it")
