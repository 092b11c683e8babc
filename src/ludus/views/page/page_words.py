"""Figures and times as the page writes them."""

from datetime import datetime

from ludus.core.spec import spoken_time

MINUS = "−"


def count(value: float) -> str:
    """A whole number with separators."""
    return f"{value:,.0f}"


def signed(value: float) -> str:
    """A rating around 0, with its sign."""
    text = f"{value:+.0f}"
    return "0" if float(text) == 0 else text.replace("-", MINUS)


def rating(value: float) -> str:
    """A rating on a scale that starts at 1500."""
    return f"{value:.0f}".replace("-", MINUS)


def margin(value: float) -> str:
    """Half the width of an interval."""
    return f"±\u2009{value:.0f}"


def share(value: float) -> str:
    """A share between 0 and 1, to three digits."""
    return f"{value:.3f}"


def decimal(value: float) -> str:
    """A figure with one decimal."""
    return f"{value:.1f}"


def percent(value: float) -> str:
    """A chance in percent, never rounded to certainty."""
    if value > 0.999 or value < 0.001:
        return "> 99.9 %" if value > 0.5 else "< 0.1 %"
    return f"{100 * value:.1f} %"


def counted(value: float) -> str:
    """A share of what was counted in percent, which may be all."""
    return f"{100 * value:.0f} %" if value in (0, 1) else percent(value)


def points(value: float) -> str:
    """A score of a game for one player, or a mean of some."""
    return f"{value:,.0f}" if abs(value) >= 100 or value == round(value) else f"{value:,.2f}"


def figure(value: float) -> str:
    """Any number, to three digits at least."""
    text = f"{value:,.0f}" if abs(value) >= 1000 or value == round(value) else f"{value:.3g}"
    return text.replace("-", MINUS)


def in_short(evidence: str) -> str:
    """The first line of evidence."""
    return evidence.partition("\n")[0]


def time(value: float) -> str:
    """A time given in nanoseconds."""
    return spoken_time(value)


def stretch(start: datetime, end: datetime) -> str:
    """From when to when, to the minute, in this machine's time."""
    start, end = start.astimezone(), end.astimezone()
    until = f"{end:%H:%M}" if start.date() == end.date() else f"{end:%Y-%m-%d %H:%M}"
    return f"{start:%Y-%m-%d %H:%M} – {until}"


def size(number: int) -> str:
    """A size in bytes."""
    return f"{number / 1e6:.1f} MB" if number >= 1e6 else f"{number / 1e3:.0f} kB"
