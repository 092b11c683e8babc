from pathlib import Path

import pytest

from ludus.core.errors import LudusError
from ludus.net.listener import Keys, read_keys, tls


def test_certificates_that_cannot_be_used_are_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.pem").write_text("nothing")
    with pytest.raises(LudusError, match="cannot be used"):
        tls(tmp_path / "empty.pem", None)
    with pytest.raises(LudusError, match="cannot be used"):
        tls(tmp_path / "missing.pem", None)
    with pytest.raises(LudusError, match="certificate"):
        tls(None, tmp_path / "empty.pem")
    assert tls(None, None) is None


def test_keys_are_read_with_their_names(tmp_path: Path) -> None:
    file = tmp_path / "keys.txt"
    file.write_text("\ufeffabc\tTeam Anna\n\ndef\n  ghi   Team Bob  \n", encoding="utf-8")
    keys = read_keys(file)
    assert [keys.name_of(key) for key in ("abc", "def", "ghi", "Team", "")] == [
        "Team Anna",
        "client 3",
        "Team Bob",
        None,
        None,
    ]
    assert read_keys(file, ["Team Bob"]).name_of("abc") is None
    with pytest.raises(LudusError, match="no key for 'Carl'"):
        read_keys(file, ["Carl"])


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "has no keys"),
        ("a Anna\na Bob\n", "Line 2"),
        ("a Anna\nb Anna\n", "Line 2"),
        ("a A,B\n", "Line 1"),
        ("a x=y\n", "Line 1"),
        ("a A/B\n", "Line 1"),
        ("a bot.py\n", "Line 1"),
        ("a \x07\n", "Line 1"),
    ],
)
def test_keys_that_are_not_clear_are_refused(tmp_path: Path, text: str, complaint: str) -> None:
    (tmp_path / "keys.txt").write_text(text)
    with pytest.raises(LudusError, match=complaint):
        read_keys(tmp_path / "keys.txt")


def test_without_keys_every_key_is_a_name() -> None:
    keys = Keys()
    assert keys.name_of("anna") == "anna"
    assert keys.name_of("a,b=c\n") == "a_b_c_"
    assert keys.name_of("a/bot.py") == "a_bot_py"
    assert keys.name_of("") is None
    assert keys.name_of("  ") is None
