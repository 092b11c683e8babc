"""Where things are: the checkout, what lies beside it, and the files that tests hand to Ludus."""

import os
from pathlib import Path

import ludus

SUPPORT = Path(__file__).parent
ROOT = SUPPORT.parents[1]
SHARED = ROOT.parent / "shared"


def python_path(*folders: Path) -> str:
    """The value of PYTHONPATH for a process that finds these folders, and the Ludus of this one, installed or not."""
    return os.pathsep.join(map(str, [*folders, Path(ludus.__file__).parents[1]]))
