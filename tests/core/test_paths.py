"""Files are read and written whole, and what the system refuses is one sentence with the path."""

import os
from pathlib import Path

import pytest

from ludus.core.errors import FileError, InvalidError, NotFoundError
from ludus.core.paths import filled, read_text, read_toml, replaced, write_file


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
    (tmp_path / "page.part.html").mkdir()
    with pytest.raises(FileError, match=r"page\.html cannot be written: "):
        write_file(file, "new")
    assert file.read_text() == "old"
    with pytest.raises(FileError) as error:
        write_file(tmp_path / "no" / "page.html", "new")
    assert error.value.path == tmp_path / "no" / "page.html"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["page.html", "page.part.html"]


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


def test_file_appears_only_once_it_is_complete(tmp_path: Path) -> None:
    file = tmp_path / "board.png"
    file.write_text("old")

    def fail() -> None:
        with replaced(file) as part:
            assert part.suffix == ".png"
            part.write_text("half")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert file.read_text() == "old"
    with replaced(file) as part:
        part.write_text("new")
        assert file.read_text() == "old"
    assert file.read_text() == "new"
    assert list(tmp_path.iterdir()) == [file]


def test_files_of_a_folder_appear_together(tmp_path: Path) -> None:
    folder = tmp_path / "cup" / "tables"

    def fail(error: Exception) -> None:
        with filled(folder) as part:
            (part / "a.csv").write_text("half")
            raise error

    with pytest.raises(ZeroDivisionError):
        fail(ZeroDivisionError())
    assert not folder.exists()
    for text in ("old", "new"):
        with filled(folder) as part:
            (part / "a.csv").write_text(text)
            assert not (folder / "a.csv").exists() or text == "new"
        (folder / "mine.txt").touch()
    with pytest.raises(FileError):
        fail(OSError(28, "No space left on device"))
    assert (folder / "a.csv").read_text() == "new"
    assert {file.name for file in folder.iterdir()} == {"a.csv", "mine.txt"}


def test_file_is_no_folder_to_fill(tmp_path: Path) -> None:
    file = tmp_path / "tables.csv"
    file.write_text("old")
    with pytest.raises(FileError, match="is not a folder"), filled(file):
        pass
    assert file.read_text() == "old"
