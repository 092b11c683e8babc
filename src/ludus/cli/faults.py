"""Faults and their evidence in words."""

from ludus.episode.record import Fault, Move

FAULTS = {
    Fault.ILLEGAL: "illegal",
    Fault.LATE: "too late",
    Fault.FAILED: "failed",
    Fault.QUIT: "left",
}
"""What was wrong, in a word or two."""


def printable(text: str) -> str:
    """A text of a bot's, without what a terminal would take for commands."""
    return "".join(letter if letter.isprintable() or letter in "\n\t" else "�" for letter in text)


def first_line(evidence: str) -> str:
    """Evidence in short, to stand within a sentence."""
    return printable(evidence.partition("\n")[0]).rstrip(".")


def fault_in_words(move: Move) -> str:
    """What was wrong with a move, in brackets, and whether a random one was played instead."""
    said = FAULTS[move.fault] if move.fault else ""
    evidence = first_line(move.evidence)
    if evidence:
        said += f": {evidence}" if " " in evidence else f" {evidence}"
    return f"(random, instead of {said})" if move.move else f"({said})"
