"""Seeds: one number derived from any values."""

import hashlib
import secrets
from typing import Any


def drawn_seed() -> int:
    """A seed for what nobody chose one for: too long to be found by trying, and exact in JSON everywhere."""
    return secrets.randbits(53)


def seed_from(*parts: Any) -> int:
    """A 63-bit seed from anything printable, the same on every machine."""
    text = "\0".join(str(part) for part in parts)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little") >> 1
