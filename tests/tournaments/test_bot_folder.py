from pathlib import Path

import pytest

from ludus import LudusError
from ludus.tournaments.bot_folder import bot_in, bots_in, skipped_in
from support.sentences import missing


def bot(folder: Path, name: str, file: str, mode: int = 0o755) -> None:
    (folder / name).mkdir(exist_ok=True)
    program = folder / name / file
    program.write_text("#!/bin/sh\n")
    program.chmod(mode)


def test_each_bot_has_a_folder_named_like_its_program(tmp_path: Path) -> None:
    bot(tmp_path, "Bot4", "Bot4")
    bot(tmp_path, "Bot3", "Bot3.jar", 0o644)
    bot(tmp_path, "Bot5", "Bot5.py", 0o644)
    bot(tmp_path, "notes", "todo.txt")
    (tmp_path / "points.csv").touch()
    assert bots_in(tmp_path) == ["Bot3", "Bot4", "Bot5"]
    assert bot_in(tmp_path, "Bot4").spec == f"stdio:{tmp_path}/Bot4/Bot4"
    assert bot_in(tmp_path, "Bot3").spec == f"stdio:java -jar {tmp_path}/Bot3/Bot3.jar"
    assert bot_in(tmp_path, "Bot5").name == "Bot5"
    assert bot_in(tmp_path, "Bot5").spec == f"stdio:python3 {tmp_path}/Bot5/Bot5.py"


def test_a_program_called_bot_is_that_of_its_folder(tmp_path: Path) -> None:
    bot(tmp_path, "Anna", "bot.py", 0o644)
    bot(tmp_path, "Bob", "bot.js", 0o644)
    bot(tmp_path, "Bob", "Bob.sh")
    assert bots_in(tmp_path) == ["Anna", "Bob"]
    assert bot_in(tmp_path, "Anna").spec.endswith(f"python3 {tmp_path}/Anna/bot.py")
    assert bot_in(tmp_path, "Bob").spec.endswith(f"{tmp_path}/Bob/Bob.sh")


def test_a_java_archive_has_the_name_of_its_class(tmp_path: Path) -> None:
    bot(tmp_path, "Eve", "Bot.jar", 0o644)
    assert bot_in(tmp_path, "Eve").spec.endswith(f"java -jar {tmp_path}/Eve/Bot.jar")


def test_every_folder_that_is_skipped_is_named_with_the_reason(tmp_path: Path) -> None:
    bot(tmp_path, "good", "bot.py", 0o644)
    bot(tmp_path, "raw", "bot.c", 0o644)
    bot(tmp_path, "shut", "shut", 0o644)
    bot(tmp_path, "notes", "todo.txt")
    bot(tmp_path, ".git", "config")
    bot(tmp_path, "__pycache__", "bot.pyc")
    bot(tmp_path, "both", "bot.c", 0o644)
    bot(tmp_path, "both", "bot")
    words = {"notes": "no program named notes or bot", "raw": "bot.c not compiled", "shut": "'chmod +x'"}
    for (name, expected), sentence in zip(words.items(), skipped_in(tmp_path), strict=True):
        assert not missing(sentence, f"{tmp_path}/{name} {expected}")
    assert bots_in(tmp_path) == ["both", "good"]


def test_a_folder_may_have_blanks_in_its_name(tmp_path: Path) -> None:
    place = tmp_path / "my cup"
    place.mkdir()
    bot(place, "Bot", "Bot")
    assert bot_in(place, "Bot").spec == f"stdio:'{place}/Bot/Bot'"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Bot5", "There is no bot 'Bot5' in .*.*mean 'Bot4'"),
        ("../Bot4", "There is no bot"),
        ("dull", "has dull, which is not executable"),
        ("empty", "has no program named empty"),
    ],
)
def test_a_bot_that_is_not_there_is_named(tmp_path: Path, name: str, words: str) -> None:
    bot(tmp_path, "Bot4", "Bot4")
    bot(tmp_path, "dull", "dull", 0o644)
    bot(tmp_path, "empty", "todo.txt")
    with pytest.raises(LudusError, match=words):
        bot_in(tmp_path, name)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(LudusError, match="cannot be read: No such file"):
        bots_in(tmp_path / "nowhere")
