"""Options shared by all commands that play many episodes, each declared once.

Option, key in tournament files and help derive from the declaration.
"""

from typing import Annotated, NamedTuple

import msgspec

from ludus.core.kinds import FILE, MOST_COUNT, NAME, TEXT, TIME, TRUTH, Kind, whole

MOST_SEED = 2**63 - 1
PATIENCE = 600 * 10**9
"""Nanoseconds after which a thinking agent counts as hanging, if no time is set."""


class RunOption(NamedTuple):
    """The declaration of one option; its name and default are those of its field."""

    kind: Kind
    help: str
    short: str = ""  # such as -B
    in_config: bool = False  # it may be set in ludus.toml
    for_series: bool = True  # `ludus play` takes it, which plays in one process and stores nothing


class RunOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Options of a run besides its game, agents, format and limits; None if not given."""

    name: Annotated[str | None, RunOption(NAME, "Name in the store.", for_series=False)] = None
    seed: Annotated[int | None, RunOption(whole(0, MOST_SEED), "Seed of all random choices; drawn if absent.")] = None
    opening_plies: Annotated[
        int | None,
        RunOption(
            whole(0, MOST_COUNT), "Start with N random plies; with --openings, with the first N of each opening."
        ),
    ] = None
    openings: Annotated[
        str | None,
        RunOption(FILE, "Start with the openings in a file: one per line, or the games of a PGN, EPD or SGF file."),
    ] = None
    position: Annotated[str | None, RunOption(TEXT, "Start from a position, given as text or as a file.", "-B")] = None
    workers: Annotated[
        int | None,
        RunOption(
            whole(0, MOST_COUNT),
            "Worker processes; 0 plays in this process. Default: one per core.",
            in_config=True,
            for_series=False,
        ),
    ] = None
    timed: Annotated[
        bool, RunOption(TRUTH, "Give each episode a core of its own.", in_config=True, for_series=False)
    ] = False
    patience: Annotated[
        int,
        RunOption(
            TIME,
            "Without a time limit, an agent that thinks longer than this loses.",
            in_config=True,
            for_series=False,
        ),
    ] = PATIENCE

    def __post_init__(self) -> None:
        for name, option in RUN_OPTIONS.items():
            if (value := getattr(self, name)) is not None:
                msgspec.structs.force_setattr(self, name, option.kind.checked(name, value))


RUN_OPTIONS: dict[str, RunOption] = {
    field.name: field.type.__metadata__[0] for field in msgspec.structs.fields(RunOptions)
}
"""All run options by name."""

NOT_FOR_SERIES = frozenset(name for name, option in RUN_OPTIONS.items() if not option.for_series)
AS_USUAL = RunOptions()
STARTS = frozenset(("opening_plies", "openings", "position"))
"""Options for the start of episodes; any one of them replaces all others."""
