import re
from collections import Counter

from ludus.views.boards.colours import INK, PLAYERS, faded
from ludus.views.episodes.browser_files import MODULES, bundled, style, text_of

_DECLARED = re.compile(r"^(?:export )?(?:async )?(?:function|class|const|let) (\w+)", re.MULTILINE)
_FROM = re.compile(r'^import .* from "\./(.+)";', re.MULTILINE)


def test_no_two_modules_use_a_name_at_their_top_level() -> None:
    counts = Counter(name for module in MODULES for name in _DECLARED.findall(text_of(module)))
    assert not [name for name, count in counts.items() if count > 1]
    assert counts["mount"] == 1


def test_modules_come_after_those_they_import_from() -> None:
    for number, module in enumerate(MODULES):
        assert set(_FROM.findall(text_of(module))) <= set(MODULES[:number])


def test_the_bundle_imports_and_exports_nothing() -> None:
    assert not re.search(r"^(import|export)\b", bundled(), re.MULTILINE)


def test_quiet_colours_follow_the_theme() -> None:
    assert f'[fill="{INK}"] {{ fill: var(--ink); }}' in style()
    assert f'[stroke="{faded(PLAYERS[5])}"]' in style()
