"""Formats: who meets whom, as generators of rounds."""

from ludus.tournaments.formats.format import (
    Format,
    Match,
    Result,
    Rounds,
    default_format,
    format_from,
    place_points,
)

__all__ = ["Format", "Match", "Result", "Rounds", "default_format", "format_from", "place_points"]
