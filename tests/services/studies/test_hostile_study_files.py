"""Packs and answers of somebody who means harm: one clear error each, and nothing is changed."""

import json
import os
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from study_packs_steps import linked, rewritten
from toy_studies import ANNA, BEN, answer_all, at_work, make, opened, sent

from termexplorer.errors import UserError
from termexplorer.services.studies.answers import merge_answers, write_answers
from termexplorer.services.studies.envelopes import LARGEST
from termexplorer.services.studies.packs import open_pack
from termexplorer.workspace import Workspace

Content = dict[str, Any]


def put(name: str, value: object) -> Callable[[Content], None]:
    return lambda content: content.update({name: value})


def refused(workspace: Workspace, step: Callable[[], object]) -> str:
    """A step is refused in one line that can be printed, and nothing is changed."""

    def rows() -> list[str]:
        with closing(sqlite3.connect(workspace.store.path)) as raw:
            return list(raw.iterdump())

    before = rows()
    with pytest.raises(UserError) as error:
        step()
    message = str(error.value)
    assert "\n" not in message
    assert message.encode("utf-8")
    assert rows() == before
    return message


@pytest.mark.parametrize("name", ["\ud800", "a\nb", "\x1b[2J", "\u202e", "x" * 5_000])
def test_a_field_of_an_odd_name_is_told_as_it_can_be_shown(
    empty: Workspace, tmp_path: Path, name: str
) -> None:
    make(empty)
    pack = rewritten(sent(empty, 1, ANNA, tmp_path), put(name, 1))
    message = refused(empty, lambda: open_pack(empty, pack))
    assert "does not belong there" in message
    assert len(message) < 300
    assert not any(sign in message for sign in "\x1b\u202e")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (put("annotator", "An\0na"), "no character"),
        (put("annotator", "Anna\u202eBerg"), "control character"),
        (put("annotator", "Anna\nBerg"), "control character"),
        (put("title", "\x1b[2J"), "control character"),
        (put("question", "q" * 2_001), "question"),
        (put("guidelines", "x\0"), "no character"),
        (put("pairs", [{"left": "a\0", "right": "b"}]), "no character"),
        (put("pairs", {"left": "a"}), "no list"),
        (put("pairs", [1]), "no object"),
        (put("answers", []), "no list"),
        (put("study", "../../x"), "study"),
        (put("level", "x"), "there is no level"),
        (put("look_up", {"web": True, "glossary": [{"term": "a\x1b", "text": "b"}]}), "control"),
    ],
)
def test_a_pack_that_was_edited_is_refused(
    empty: Workspace, tmp_path: Path, change: Callable[[Content], None], message: str
) -> None:
    with opened(tmp_path / "author") as author:
        make(author)
        pack = rewritten(sent(author, 1, ANNA, tmp_path), change)
    assert message in refused(empty, lambda: open_pack(empty, pack))


def test_a_file_brings_nobody_into_a_study_that_was_made_here(
    empty: Workspace, tmp_path: Path
) -> None:
    make(empty)

    def change(content: Content) -> None:
        content |= {"annotator": "Eve", "pairs": [{"left": "mine", "right": "yours"}]}

    pack = rewritten(sent(empty, 1, ANNA, tmp_path), change)
    assert "was made here" in refused(empty, lambda: open_pack(empty, pack))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such pipes")
def test_a_pipe_is_not_waited_for(empty: Workspace, tmp_path: Path) -> None:
    pipe = tmp_path / "anna.termstudy"
    os.mkfifo(pipe)
    assert "it is no file" in refused(empty, lambda: open_pack(empty, pipe))
    assert "it is no file" in refused(empty, lambda: merge_answers(empty, [pipe]))
    assert "it is no file" in refused(empty, lambda: open_pack(empty, Path(os.devnull)))


def test_a_huge_file_is_not_read(empty: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "huge"
    with path.open("wb") as file:
        file.truncate(LARGEST * 1_000)
    assert "MB" in refused(empty, lambda: open_pack(empty, path))
    assert "MB" in refused(empty, lambda: merge_answers(empty, [path]))


@pytest.mark.parametrize("part", ["[],", '"",'])
def test_a_file_of_countless_parts_is_not_read(empty: Workspace, tmp_path: Path, part: str) -> None:
    path = tmp_path / "many"
    path.write_text(f'{{"termexplorer": [{part * 5_500_000} 1]}}', "ascii")
    assert "more parts" in refused(empty, lambda: open_pack(empty, path))
    assert "more parts" in refused(empty, lambda: merge_answers(empty, [path]))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("id", "../../x"), ("left", "a\0b"), ("note", "\0"), ("note", "x" * 20_001),
        ("active_ms", 2**60), ("active_ms", 1.5), ("wall_ms", True), ("looked_up", 1),
        ("place", -1), ("place", "0"), ("answer", "<img src='file:///etc/passwd'>"),
        ("answered_at", "2026-03-01"), ("answered_at", None), ("shown_at", "0000-01-01"),
    ],
)  # fmt: skip
def test_rows_that_were_edited_are_refused(
    empty: Workspace, tmp_path: Path, field: str, value: object
) -> None:
    make(empty)
    path = tmp_path / "anna"
    with opened(tmp_path / "clinic") as workspace:
        answer_all(at_work(workspace, sent(empty, 1, ANNA, tmp_path)))
        write_answers(workspace, 1, ANNA, path)

    def change(content: Content) -> None:
        content["rows"][3][field] = value
        linked(content)

    refused(empty, lambda: merge_answers(empty, [rewritten(path, change)]))


def test_a_pack_is_no_answers_and_its_signature_no_other_files(
    empty: Workspace, tmp_path: Path
) -> None:
    make(empty)
    anna, ben = (sent(empty, 1, name, tmp_path) for name in (ANNA, BEN))
    whole = json.loads(anna.read_text("utf-8"))
    whole["signature"] = json.loads(ben.read_text("utf-8"))["signature"]
    anna.write_text(json.dumps(whole), "utf-8")
    assert "its signature" in refused(empty, lambda: open_pack(empty, anna))


def test_one_workspace_is_judged_in_by_one_window_at_a_time(
    empty: Workspace, tmp_path: Path
) -> None:
    with opened(empty.folder) as second:
        held = empty.judging()
        with held, pytest.raises(UserError, match="in another window"), second.judging():
            pass
        with second.judging():
            pass
