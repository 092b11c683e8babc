"""`ludus replay`: a record on the screen again."""

from typing import Annotated

import typer

from ludus.cli.episodes import EpisodeArgument, NumberOption, find_record
from ludus.cli.options import StoreOption
from ludus.cli.show import Show, print_log
from ludus.episode.replay import replay as scenes_of
from ludus.games.game import game_from

EXAMPLE = (
    "Example: ludus play hex random random --json > game.jsonl && ludus replay game.jsonl, or: ludus replay 3/12.4"
)


def replay(
    file: EpisodeArgument,
    number: NumberOption = 1,
    log: Annotated[
        bool, typer.Option("--log", help="Show too what bots wrote to standard error, and remarks on them.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write the record instead of drawing it.")] = False,
    store: StoreOption = None,
) -> None:
    """Show an episode again from its record, and check that the record is true to the rules."""
    record = find_record(file, number, store)
    game = game_from(record.game)
    if as_json:
        for _ in scenes_of(record, game):
            pass
        print(record.to_json())
        return
    show = Show(game, [seat.name for seat in record.seats], record.opening, in_full=True)
    scenes = scenes_of(record, game)
    next(scenes)
    show.start()
    for scene in scenes:
        show.step(scene.state, scene.step)
    show.end(record)
    if log:
        print_log(record)
