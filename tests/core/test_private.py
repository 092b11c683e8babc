import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from ludus.core.private import is_changed_by_others, is_own, make_file, make_folder


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


@pytest.fixture(autouse=True)
def _careless_user() -> Iterator[None]:
    """The mask of a user who lets others write."""
    before = os.umask(0)
    yield
    os.umask(before)


def test_new_files_and_folders_are_for_their_owner_alone(tmp_path: Path) -> None:
    make_folder(tmp_path / "a" / "b")
    make_file(tmp_path / "a" / "file")
    assert (mode(tmp_path / "a"), mode(tmp_path / "a" / "b"), mode(tmp_path / "a" / "file")) == (0o700, 0o700, 0o600)


def test_old_file_keeps_its_content_and_its_mode(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("old")
    make_file(file)
    assert (file.read_text(), mode(file)) == ("old", 0o666)


def test_own_folder_that_others_can_change_is_taken_from_them(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    assert is_changed_by_others(folder)
    make_folder(folder)
    assert mode(folder) == 0o700


@pytest.mark.parametrize(
    ("mode", "changed"), [(0o700, False), (0o755, False), (0o757, True), (0o777, True), (0o1777, False)]
)
def test_permissions_say_whether_others_can_change_a_folder(tmp_path: Path, mode: int, changed: bool) -> None:
    tmp_path.chmod(mode)
    assert is_changed_by_others(tmp_path) is changed
    tmp_path.chmod(0o700)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give files away")
def test_group_of_a_single_user_is_no_other_user(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch(0o660)
    os.chown(file, 12345, 12345)
    assert not is_changed_by_others(file)
    os.chown(file, 12345, 54321)
    assert is_changed_by_others(file)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give files away")
def test_file_of_another_user_is_not_own(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch(0o600)
    assert is_own(file)
    os.chown(file, 12345, 12345)
    assert not is_own(file)
