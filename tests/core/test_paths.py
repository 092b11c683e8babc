"""Files are read and written whole, and what the system refuses is one sentence with the path."""

import os
from pathlib import Path

import pytest

from ludus.core.errors import FileError, InvalidError, NotFoundError
from ludus.core.paths import read_text, read_toml, write_file


def test_text_is_read_without_the_mark_of_its_encoding(tmp_path: Path) -> None:
    file = tmp_path / "marked.txt"
    file.write_bytes("\ufeffgrün\n".encode())
    assert read_text(file) == "grün\n"


def test_missing_file_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match=r"^There is no file .*none\.txt\.$"):
        read_text(tmp_path / "none.txt")


def test_unreadable_file_is_named_as_the_sentence_needs_it(tmp_path: Path) -> None:
    (tmp_path / "bytes.txt").write_bytes(b"\xff\xfe\x00")
    for path in (tmp_path, tmp_path / "bytes.txt"):
        with pytest.raises(FileError, match=r"^The keys cannot be read: .*[^.]\.$") as error:
            read_text(path, "The keys")
        assert error.value.path == path


def test_toml_that_is_none_is_invalid(tmp_path: Path) -> None:
    (tmp_path / "cup.toml").write_text("name = ")
    with pytest.raises(InvalidError, match=r"cup\.toml is not TOML: "):
        read_toml(tmp_path / "cup.toml")


def test_written_file_keeps_its_mode_and_a_link_still_leads_there(tmp_path: Path) -> None:
    file, link = tmp_path / "page.html", tmp_path / "link.html"
    file.write_text("old")
    file.chmod(0o600)
    link.symlink_to(file)
    write_file(link, "neu: ü")
    assert link.is_symlink()
    assert file.read_bytes() == "neu: ü".encode()
    assert file.stat().st_mode & 0o777 == 0o600


def test_refused_file_keeps_what_it_held_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text("old")
    (tmp_path / "page.html.part").mkdir()
    with pytest.raises(FileError, match=r"page\.html cannot be written: "):
        write_file(file, "new")
    assert file.read_text() == "old"
    with pytest.raises(FileError) as error:
        write_file(tmp_path / "no" / "page.html", "new")
    assert error.value.path == tmp_path / "no" / "page.html"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["page.html", "page.html.part"]


def test_device_is_written_to_and_not_replaced() -> None:
    write_file(Path(os.devnull), "nothing is left of it")
    assert Path(os.devnull).is_char_device()


def test_pipe_or_device_is_refused_instead_of_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/zero")):
        with pytest.raises(FileError, match=f"^{path} cannot be read: it is a pipe or a device, not a file.$"):
            read_text(path)


def test_pipe_that_a_shell_has_opened_is_read() -> None:
    read, write = os.pipe()
    os.write(write, b"text")
    os.close(write)
    assert read_text(f"/dev/fd/{read}") == "text"
    os.close(read)
