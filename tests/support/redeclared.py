"""Programs in which a module of Ludus says something else than it does."""

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from support.places import python_path

_TESTS = Path(__file__).parents[1]
_PROLOGUE = """
import sys
from importlib.util import find_spec, module_from_spec

spec = find_spec({module!r})
module = sys.modules[spec.name] = module_from_spec(spec)
exec(compile({source!r}, spec.origin, "exec"), module.__dict__)
"""


def printed_with(module: str, source: str, program: str) -> str:
    """The output of a program for which a module has another source."""
    done = subprocess.run(
        [sys.executable, "-c", _PROLOGUE.format(module=module, source=source) + program],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": python_path(_TESTS), "COLUMNS": "120"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def with_field(module: str, cls: str, field: str) -> str:
    """The source of a module in which a class ends its fields with one more."""
    spec = find_spec(module)
    assert spec is not None
    source = Path(str(spec.origin)).read_text()
    block = re.search(rf"^class {cls}\(.*?(?=^\S|\Z)", source.split("\n", 1)[1], re.MULTILINE | re.DOTALL)
    assert block is not None
    last = list(re.finditer(r"^    \w+: .*\n(?:    [)\]}].*\n|     .*\n)*", block[0], re.MULTILINE))[-1]
    changed = block[0][: last.end()] + f"    {field}\n" + block[0][last.end() :]
    return source.replace(block[0], changed)
