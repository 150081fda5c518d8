"""Folders that take the place of others, whoever writes there at the same time."""

import os
import stat
from pathlib import Path

import pytest

from termexplorer.trainer.files import folders
from termexplorer.trainer.files.folders import read_meta, replacing
from termexplorer.trainer.representations import convert, load


def write(folder: Path, text: str) -> None:
    with replacing(folder, {"kind": text}) as part:
        (part / "a.txt").write_text(text)


def test_folders_of_the_user_are_left_alone(tmp_path: Path) -> None:
    source = tmp_path / "w.vec"
    source.write_text("1 2\nviral 1 2\n")
    for ending in ("part", "old"):
        (tmp_path / f"wiki.{ending}").mkdir()
        (tmp_path / f"wiki.{ending}" / "notes.txt").write_text(ending)
    convert(source, tmp_path / "wiki")
    assert load(tmp_path / "wiki").encode(["viral"]).tolist() == [[1, 2]]
    write(tmp_path / "wiki", "newer")
    assert sorted(os.listdir(tmp_path)) == ["w.vec", "wiki", "wiki.old", "wiki.part"]
    assert [
        (tmp_path / f"wiki.{suffix}" / "notes.txt").read_text() for suffix in ("part", "old")
    ] == [
        "part",
        "old",
    ]


def test_two_who_write_the_same_folder_do_not_meet(tmp_path: Path) -> None:
    with replacing(tmp_path / "made", {"kind": "first"}) as part:
        (part / "a.txt").write_text("first")
        write(tmp_path / "made", "second")
    assert read_meta(tmp_path / "made")["kind"] == "first"
    assert os.listdir(tmp_path) == ["made"]


def test_what_was_there_stays_when_writing_fails(tmp_path: Path) -> None:
    write(tmp_path / "made", "whole")
    with pytest.raises(OSError, match="full"), replacing(tmp_path / "made", {}):
        raise OSError("full")
    assert read_meta(tmp_path / "made")["kind"] == "whole"
    assert os.listdir(tmp_path) == ["made"]


def test_what_was_there_is_put_back_when_the_new_one_cannot_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "made", "whole")

    def refuse(_path: Path, _target: Path) -> None:
        raise OSError("refused")

    monkeypatch.setattr(folders, "move_synced", refuse)
    with pytest.raises(OSError, match="refused"):
        write(tmp_path / "made", "newer")
    assert read_meta(tmp_path / "made")["kind"] == "whole"
    assert os.listdir(tmp_path) == ["made"]


def test_others_may_read_a_folder_as_they_may_read_others(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    write(tmp_path / "made", "whole")
    modes = {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("plain", "made")}
    assert len(modes) == 1
