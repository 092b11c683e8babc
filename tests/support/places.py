"""Places: the checkout, files beside it, and the files that tests hand to Ludus."""

from pathlib import Path

SUPPORT = Path(__file__).parent
ROOT = SUPPORT.parents[1]
SHARED = ROOT.parent / "shared"
