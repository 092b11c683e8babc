"""Formats of tournaments, as generators of rounds."""

from ludus.tournaments.formats.format import (
    Format,
    Match,
    Pairing,
    Result,
    Rounds,
    default_format,
    format_from,
    place_points,
)

__all__ = ["Format", "Match", "Pairing", "Result", "Rounds", "default_format", "format_from", "place_points"]
