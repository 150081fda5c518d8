"""Files appear whole or not at all, and what could not be written leaves nothing behind."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from toy_workspace import VECTORS, opened_copy

from termexplorer.errors import UserError
from termexplorer.files import atomic_write, make_file_stem
from termexplorer.workers.encoders.encoding import Encoders
from termexplorer.workers.ranking.release_data import ReleaseData


def test_a_file_is_as_it_was_until_all_is_written(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")
    with atomic_write(path) as fresh:
        fresh.write_text("new")
        assert path.read_text() == "old"
        with atomic_write(path) as other:  # somebody else in this process
            other.write_text("between")
        assert path.read_text() == "between"
    assert path.read_text() == "new"
    assert os.listdir(tmp_path) == ["a.txt"]


@pytest.mark.parametrize("error", [OSError("12 requested and 4 written"), KeyboardInterrupt()])
def test_what_was_begun_goes_when_it_cannot_be_written(
    tmp_path: Path, error: BaseException
) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")
    raised = pytest.raises(
        UserError if isinstance(error, OSError) else KeyboardInterrupt,
        match="requested and 4 written" if isinstance(error, OSError) else None,
    )
    with raised, atomic_write(path) as fresh:
        fresh.write_text("ne")
        raise error
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_vectors_for_which_there_is_no_room_leave_no_file(
    toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(file: Any, array: object) -> None:
        file.write(b"begun")
        raise OSError("no room")

    with opened_copy(toy, tmp_path) as workspace:
        folder = workspace.folder / "vectors"
        (folder / f"{VECTORS}-1.npy").unlink()
        before = set(folder.iterdir())
        monkeypatch.setattr(np, "save", full)
        encoders = Encoders(workspace.folder, workspace.store)
        for _ in range(2):
            with pytest.raises(UserError, match="cannot be written"):
                ReleaseData(workspace.folder, workspace.store, encoders, 1).vectors(VECTORS)
        assert set(folder.iterdir()) == before


def test_a_title_of_any_length_is_the_name_of_a_file(tmp_path: Path) -> None:
    assert make_file_stem("Level 1, by #5 / new") == "Level-1-by-5-new"
    assert make_file_stem("??") == ""
    for title in ("x" * 5_000, "ä" * 5_000, "-".join("語" * 3_000)):
        path = tmp_path / f"{make_file_stem(title)}-12345.tsv"
        path.touch()
        assert path.name.startswith(title[:20])
