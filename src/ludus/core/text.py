"""Numbers, times, sizes and lists as text for people, and parsers for them."""

import difflib
import json
import math
import re
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from ludus.core.errors import InvalidError

DASH = "–"
"""Placeholder for an unknown number."""
MINUS = "−"
TECHNICAL = 10**12
"""Upper limits of numbers from here on are due to the machine, and descriptions leave them out."""

_LOPSIDED = 0.05  # of its width: up to here, an interval counts as symmetric
_UNITS = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9, "m": 60 * 10**9, "h": 3600 * 10**9}
_SIZES = {"B": 1, "kB": 10**3, "KB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
_LONGEST = 365 * 24 * _UNITS["h"]
_LARGEST = 2**61

# --- Numbers --------------------------------------------------------------------------------------------------------


def whole(value: float) -> str:
    """A number without decimals, with thousands separators."""
    text = f"{value:,.0f}"
    return text.replace("-", MINUS) if text != "-0" else "0"


def decimal(value: float, digits: int = 3) -> str:
    """A number with a fixed number of decimals, without a sign if it is rounded to 0."""
    text = f"{value:.{digits}f}"
    return text.replace("-", MINUS) if text.strip("-0.") else text.removeprefix("-")


def rounded(value: float) -> str:
    """A number of up to four digits without decimals, such as a rating."""
    return decimal(value, 0)


def signed(value: float, digits: int = 0) -> str:
    """A number with its sign, such as a rating around 0, without a sign if it is rounded to 0."""
    text = decimal(value, digits)
    return f"+{text}" if value > 0 and text.strip("0.") else text


def balance(value: float) -> str:
    """A sum of points with its sign, with decimals only if it has some."""
    return signed(value, 0 if value == round(value) else 2)


def margin(value: float, digits: int = 0) -> str:
    """Half the width of an interval, or a standard deviation."""
    return f"± {decimal(value, digits)}"


def interval(value: float, low: float | None, high: float | None) -> tuple[str, str]:
    """A rating and how far its interval reaches: '+50' and '± 20', or '−20 +80'; '≥ +30' alone without an upper end."""
    if low is None:
        return signed(value) if high is None else f"≤ {signed(high)}", ""
    if high is None:
        return f"≥ {signed(low)}", ""
    above, below = high - value, value - low
    if abs(above - below) <= _LOPSIDED * (above + below):
        return signed(value), margin((above + below) / 2)
    return signed(value), f"{MINUS}{rounded(below)} +{rounded(above)}"


def figure(value: float) -> str:
    """Any number, to at least three digits."""
    is_long = abs(value) >= 999.5 or value == round(value, 0)  # infinity cannot be rounded to a whole number
    return whole(value) if is_long and math.isfinite(value) else f"{value:.3g}".replace("-", MINUS)


def percent(share: float, digits: int = 1) -> str:
    """A share between 0 and 1 in per cent."""
    return f"{100 * share:.{digits}f} %"


def percent_range(low: float, high: float, digits: int = 0) -> str:
    """An interval of shares in per cent, without the sign."""
    return f"{100 * low:.{digits}f}–{100 * high:.{digits}f}"


def score(value: float) -> str:
    """A score of a game: up to 1 with its sign, points without."""
    return f"+{figure(value)}" if 0 < value <= 1 else figure(value)


def chance(value: float) -> str:
    """A probability in per cent, never shown as 0 or 100."""
    return "> 99 %" if value >= 0.995 else "< 1 %" if value < 0.005 else percent(value, 0)


def counted_share(value: float) -> str:
    """A share of counted items in per cent, which may be 0 or 100."""
    return percent(value, 0) if value in (0, 1) else chance(value)


def span(low: int, high: int) -> str:
    """A range of ranks."""
    return str(low) if low == high else f"{low}–{high}"


def ordinal(number: int) -> str:
    """The word for a place: 1st, 2nd, 3rd, 4th …"""
    if number % 100 in (11, 12, 13):
        return f"{number}th"
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th') }"


def spoken(value: Any) -> str:
    """A number, or any other value reported by an agent, short and readable."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}".replace("-", MINUS)
    if isinstance(value, float):
        return figure(value)
    if isinstance(value, dict):
        return ", ".join(f"{key} {spoken(part)}" for key, part in value.items())
    if isinstance(value, list | tuple):
        return " ".join(map(spoken, value))
    return str(value)


def bounds(low: float | None, high: float | None) -> str:
    """The limits of a number, after a space, as in " from 1 to 1,247"; empty without limits."""
    least, most = (None if v is None else f"{v:,}".removesuffix(".0") for v in (low, high))
    if high is None or high >= TECHNICAL:
        return "" if least is None else f" of at least {least}"
    return f" of at most {most}" if least is None else f" from {least} to {most}"


def finite_float(text: str) -> float:
    """Parse a number; ValueError if the text is not a finite number."""
    value = float(text)
    if not math.isfinite(value):
        raise ValueError
    return value


# --- Times and sizes ------------------------------------------------------------------------------------------------


def parse_duration(text: str) -> int:
    """Parse a text such as `250ms` into nanoseconds; ValueError if it is invalid."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)(ns|us|ms|s|m|h)", text.strip())
    if not match:
        raise ValueError(f"{text} is not a time such as 250ms or 1.5s")
    nanoseconds = float(match[1]) * _UNITS[match[2]]
    if nanoseconds > _LONGEST:
        raise ValueError(f"{text} is longer than a year")
    return round(nanoseconds)


def format_duration(nanoseconds: int) -> str:
    """The shortest text that `parse_duration` accepts."""
    for unit in ("h", "m", "s", "ms", "us"):
        if nanoseconds and nanoseconds % _UNITS[unit] == 0:
            return f"{nanoseconds // _UNITS[unit]}{unit}"
    return f"{nanoseconds}ns"


def spoken_time(nanoseconds: float) -> str:
    """A time for people: in a suitable unit, to three digits."""
    if nanoseconds >= 59.95e9:
        minutes, seconds = divmod(round(nanoseconds / 1e9), 60)
        hours, minutes = divmod(minutes, 60)
        return f"{hours:,} h {minutes:02} min" if hours else f"{minutes} min {seconds:02} s"
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if nanoseconds >= size:
            value = nanoseconds / size
            digits = 2 if value < 10 else 1 if value < 100 else 0
            return f"{value:,.{digits}f} {unit}"
    return f"{nanoseconds:.0f} ns"


def spoken_moment(moment: datetime) -> str:
    """A day and time to the minute, in the local time zone."""
    return f"{moment.astimezone():%Y-%m-%d %H:%M}"


def parse_size(text: str) -> int:
    """Parse a text such as `512MB` or `2GiB` into bytes; ValueError if it is invalid."""
    match = re.fullmatch(rf"(\d+(?:\.\d+)?)\s*({'|'.join(_SIZES)})", text.strip())
    if not match:
        raise ValueError(f"{text} is not a size such as 512MB or 2GiB")
    size = float(match[1]) * _SIZES[match[2]]
    if size > _LARGEST:
        raise ValueError(f"{text} is larger than any memory")
    return round(size)


def format_size(size: int) -> str:
    """The shortest text that `parse_size` accepts."""
    return min((f"{size // unit}{name}" for name, unit in _SIZES.items() if size % unit == 0), key=len)


def spoken_size(size: float) -> str:
    """A size for people: in a suitable unit, to three digits."""
    unit = next((name for name in ("GiB", "MiB", "KiB") if size >= _SIZES[name]), "B")
    return f"{figure(size / _SIZES[unit])} {unit}"


# --- Words ----------------------------------------------------------------------------------------------------------


def plural(number: int, noun: str, plural: str | None = None) -> str:
    """A number with its noun."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def listing(words: Iterable[str], last: str = "and") -> str:
    """Join words, as in "a, b and c"; empty without words."""
    *head, tail = [*words] or [""]
    return f"{', '.join(head)} {last} {tail}" if head else tail


def toml_text(text: str) -> str:
    """A text in TOML notation."""
    return json.dumps(text, ensure_ascii=False)  # JSON strings are valid TOML


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """A suggestion " (did you mean 'x'?)" with the nearest of the words, or an empty text."""
    close = difflib.get_close_matches(word, list(words), 1, 0.5)
    return f" (did you mean '{close[0]}'?)" if close else ""


FOUL = "\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
"""Control characters, line ends, and marks that turn the direction of text, for a class of an expression."""
FORMULA, NUMBER = r"^[=+\-@\t\r]", r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$"
"""The beginnings of texts that a spreadsheet takes for formulas, and the numbers among them."""
_FOUL = re.compile(f"[{FOUL}\ud800-\udfff]")  # halves of letters too, from paths that are not UTF-8


def refuse_foul(text: str, what: str = "name") -> None:
    """Refuse a name that would harm a terminal or a table, or hide what it says."""
    if "\n" in text or "\t" in text or _FOUL.search(text):
        raise InvalidError(f"The {what} {text!r} has a line break or another control character: choose another one.")


def cleaned(text: str) -> str:
    """The text, lines and tabs included, with � in place of each letter that would do harm."""
    return _FOUL.sub("�", text)


def escaped_json(text: str) -> str:
    """The same JSON with escapes in place of such letters."""
    return _FOUL.sub(lambda letter: f"\\u{ord(letter[0]):04x}", text)


def unformula(text: str) -> str:
    """A cell of a spreadsheet, with an apostrophe before what would be executed as a formula."""
    return f"'{text}" if re.match(FORMULA, text) and not re.match(NUMBER, text) else text


def printable(text: str) -> str:
    """The text of a program without control characters and letters that cannot be seen."""
    return "".join(letter if letter.isprintable() or letter in "\n\t" else "�" for letter in text)


def first_line(evidence: str) -> str:
    """The first line of evidence, for use within a sentence."""
    return printable(evidence.partition("\n")[0]).rstrip(".")
