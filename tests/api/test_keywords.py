import inspect
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

import ludus
from ludus.api.keywords import PlayOptions, TournamentOptions, given
from ludus.episode.limits import LIMITS, Limits, Policy
from ludus.tournaments.run_options import NOT_FOR_SERIES, RUN_OPTIONS, RunOptions
from support.sentences import one_sentence

LIMIT_KEYS = {limit.key for limit in LIMITS.values()}


KINDS = {name: option.kind for name, option in RUN_OPTIONS.items()} | {
    limit.key: limit.kind for limit in LIMITS.values()
}


def test_type_checkers_know_every_run_option_and_limit_with_its_type() -> None:
    known = get_type_hints(TournamentOptions)
    assert known.keys() == KINDS.keys()
    assert get_type_hints(PlayOptions).keys() == KINDS.keys() - NOT_FOR_SERIES
    for name, hint in known.items():
        values = get_args(hint) or [hint]
        assert KINDS[name].written in [each if isinstance(each, type) else type(each) for each in values], name


@pytest.mark.parametrize("function", [ludus.play, ludus.tournament, ludus.compare, ludus.sweep])
def test_functions_list_their_keywords_for_help_and_editors(function: Any) -> None:
    accepted = RUN_OPTIONS.keys() - NOT_FOR_SERIES if function is ludus.play else RUN_OPTIONS.keys()
    parameters = inspect.signature(function).parameters
    assert accepted | LIMIT_KEYS <= parameters.keys()
    assert not any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in parameters.values())
    listed = function.__doc__.partition("\nOptions:\n")[2]
    assert all(f"    {name}: " in listed for name in accepted | LIMIT_KEYS)


def test_keywords_become_run_options_and_limits(tmp_path: Path) -> None:
    found = given(
        {
            **{"name": "a", "seed": 3, "workers": 0, "timed": True, "patience": "1m", "opening_plies": None},
            **{"move_time": "1s", "hard": "2s", "policy": "soft", "memory": "1GB", "files": 5},
            **{"output_limit": "1kB", "position": tmp_path},
        },
        TournamentOptions,
    )
    assert RunOptions(**found.options) == RunOptions(
        name="a", seed=3, workers=0, timed=True, patience=60 * 10**9, position=str(tmp_path)
    )
    assert Limits(**found.limits) == Limits(
        move=10**9, hard=2 * 10**9, policy=Policy.SOFT, memory=10**9, files=5, output=1000
    )


@pytest.mark.parametrize(
    ("keywords", "words"),
    [
        ({"movetime": "1s"}, "movetime move_time"),
        ({"workers": 1}, "workers"),
        ({"move_time": 100}, "move_time 100 250ms"),
        ({"move_time": "fast"}, "move_time fast 250ms"),
        ({"memory": 10**9}, "memory 1000000000 512MB"),
        ({"plies": "3"}, 'plies "3"'),
        ({"policy": "hope"}, "policy hope lose random soft"),
        ({"seed": -1}, "seed -1"),
    ],
)
def test_wrong_keyword_gets_one_sentence(keywords: dict[str, Any], words: str) -> None:
    with one_sentence(words):
        given(keywords, PlayOptions)
