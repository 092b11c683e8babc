"""The results of a stored tournament, as frames."""

from ludus.stats.results.results import Results, load

__all__ = ["Results", "load"]
