"""Compile errors of Numba, as one sentence."""

import re
from pathlib import Path

_LINE = re.compile(r'(?:at |File ")(?P<file>[^"\n]+?\.py)(?:" ?, line | \()(?P<line>\d+)')
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def explain(rule: str, error: Exception) -> tuple[str, str]:
    """The problem of a rule that does not compile, and its fix."""
    text = _COLOURS.sub("", str(error))
    places = [m for m in _LINE.finditer(text) if "site-packages" not in m["file"]]
    where = f" ({Path(places[-1]['file']).name}, line {places[-1]['line']})" if places else ""
    cause, remedy = _cause(text)
    return f"{rule}{where} cannot be compiled: {cause}", remedy


def _cause(text: str) -> tuple[str, str]:
    if "NRT required" in text or "array passed into the function" in text:
        return (
            "it creates an array, a list or a text",
            "take scratch space with room(n), or write @rule(allocates=True) and pay for it",
        )
    if match := re.search(r"Untyped global name '(\w+)'.*<class 'function'>", text):
        return f"'{match[1]}' is a plain Python function", f"write @compiled above {match[1]}"
    if match := re.search(r"^ *>>> (.+)$", text, re.MULTILINE):
        return f"Numba does not support {match[1]}", "use numbers, arrays and loops instead"
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    causes = [line for line in lines if not line.startswith("Failed in nopython mode pipeline")]
    return (causes[0].rstrip(".") if causes else "Numba gives no reason"), ""
