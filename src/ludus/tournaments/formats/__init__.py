"""Formats of tournaments, as generators of rounds."""

from ludus.tournaments.formats.format import default_format, format_from

__all__ = ["default_format", "format_from"]
