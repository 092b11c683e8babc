"""Seeds: one number derived from any values."""

import hashlib
from typing import Any


def seed_from(*parts: Any) -> int:
    """A 63-bit seed from anything printable, the same on every machine."""
    text = "\0".join(str(part) for part in parts)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little") >> 1
