"""Answers that are given all at once: by row number, or by a table."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from toy_reviews import suggested
from toy_workspace import opened_copy

from termexplorer.errors import UserError
from termexplorer.mapping_terms import BROAD, EXACT, NO_TERM
from termexplorer.services.curate.list_answers import (
    WantedAnswer,
    answer_list,
    read_answers_table,
)
from termexplorer.services.verdicts.log import Judge, judged, undo_step
from termexplorer.services.verdicts.mapping_answers import find_chosen
from termexplorer.store.judging import suggestions
from termexplorer.store.judging.suggestions import ListHead
from termexplorer.workspace import Workspace

ANNA = Judge("Anna")
DAY = "2026-03-01T10:00:00.000+00:00"


@pytest.fixture
def workspace(toy: Path, tmp_path: Path) -> Iterator[Workspace]:
    with opened_copy(toy, tmp_path) as opened:
        yield opened


def keep_mappings(workspace: Workspace, kind: str = "mappings") -> int:
    rows = [suggested(f"X:{n}", f"TOY:{n}", EXACT, object_label=f"toy {n}") for n in range(1, 5)]
    head = ListHead(kind, "A list", None, 1, [], {}, [], [], {}, DAY)
    with workspace.store.writing() as connection:
        return suggestions.keep(connection, head, rows).list_id


def said(workspace: Workspace) -> list[tuple[str, str, str, str, str]]:
    """What counts: subject, answer, predicate, target and note."""
    rows = []
    for verdict in judged(workspace):
        chosen = find_chosen(verdict.subject, verdict.answer)
        predicate, target = (chosen.predicate, chosen.object) if chosen else ("", "")
        answer = verdict.answer
        rows.append((verdict.subject.subject, answer.answer, predicate, target, answer.note))
    return rows


def test_rows_are_answered_in_one_step_and_taken_back(workspace: Workspace) -> None:
    list_id = keep_mappings(workspace)
    wanted = [
        WantedAnswer(1, "correct", note="yes"),
        WantedAnswer(2, predicate="broad"),
        WantedAnswer(3, predicate="exact", target="TOY:9"),
        WantedAnswer(4, predicate="none"),
    ]
    assert answer_list(workspace, list_id, ANNA, wanted) == 4
    assert said(workspace) == [
        ("X:1", "correct", EXACT, "TOY:1", "yes"),
        ("X:2", "changed", BROAD, "TOY:2", ""),
        ("X:3", "changed", EXACT, "TOY:9", ""),
        ("X:4", "changed", EXACT, NO_TERM, ""),
    ]
    undo_step(workspace, ANNA)
    assert said(workspace) == []


@pytest.mark.parametrize("ending", ["csv", "tsv"])
def test_a_table_says_the_same(workspace: Workspace, tmp_path: Path, ending: str) -> None:
    list_id = keep_mappings(workspace)
    lines = [
        "row,answer,predicate,target,note",
        "2,,broad,,by hand",
        "1,wrong,,,",
        "",
        "4,,,TOY:9,",
    ]
    path = tmp_path / f"answers.{ending}"
    text = "\n".join(lines) + "\n"
    path.write_text(text.replace(",", "\t") if ending == "tsv" else text, "utf-8")
    answer_list(workspace, list_id, ANNA, read_answers_table(path))
    assert said(workspace) == [
        ("X:2", "changed", BROAD, "TOY:2", "by hand"),
        ("X:1", "wrong", "", "", ""),
        ("X:4", "changed", EXACT, "TOY:9", ""),
    ]


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        (WantedAnswer(9, "correct"), "rows 1 to 4"),
        (WantedAnswer(1, "maybe"), "maybe"),
        (WantedAnswer(1), "no answer"),
        (WantedAnswer(1, "wrong", predicate="broad"), "no answer"),
        (WantedAnswer(1, "also"), "no answer"),
        (WantedAnswer(1, predicate="wide"), "wide"),
        (WantedAnswer(1, target="TOY:none"), "TOY:none"),
    ],
)
def test_what_cannot_be_answered_is_refused_and_nothing_is_kept(
    workspace: Workspace, wanted: WantedAnswer, text: str
) -> None:
    list_id = keep_mappings(workspace)
    with pytest.raises(UserError, match=text):
        answer_list(workspace, list_id, ANNA, [WantedAnswer(2, "correct"), wanted])
    assert said(workspace) == []


def test_a_row_is_answered_once_and_only_mappings_have_predicates(workspace: Workspace) -> None:
    list_id = keep_mappings(workspace)
    with pytest.raises(UserError, match="twice"):
        answer_list(
            workspace, list_id, ANNA, [WantedAnswer(2, "wrong"), WantedAnswer(2, "correct")]
        )
    doubles = keep_mappings(workspace, "duplicates")
    with pytest.raises(UserError, match="only mappings"):
        answer_list(workspace, doubles, ANNA, [WantedAnswer(1, predicate="broad")])
    assert answer_list(workspace, doubles, ANNA, [WantedAnswer(1, "wrong")]) == 1


@pytest.mark.parametrize("text", ["answer\nwrong\n", "row\n1\n", "row,answer\nfirst,wrong\n"])
def test_a_table_that_says_no_answer_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "answers.csv"
    path.write_text(text, "utf-8")
    with pytest.raises(UserError, match=r"answers\.csv"):
        read_answers_table(path)
