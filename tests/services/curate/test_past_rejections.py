"""What was rejected before another run suggested it, and what a list is filtered by."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from toy_reviews import ANNA, BEN, keep, suggested

from termexplorer.mapping_terms import BROAD, EXACT, NO_TERM
from termexplorer.services.curate.review import read_review
from termexplorer.services.curate.suggestion_filter import (
    SuggestionFields,
    find_evidence,
    fits_fields,
)
from termexplorer.services.verdicts.log import Answer, Judge, give_verdict
from termexplorer.services.verdicts.mapping_answers import ChosenMapping, answer_mapping
from termexplorer.store.judging.suggestions import Suggestion
from termexplorer.workspace import Workspace

BEFORE, AFTER = ("2026-02-01T10:00:00.000+00:00", "2026-04-01T10:00:00.000+00:00")  # of the list


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with closing(Workspace(tmp_path / "workspace")) as workspace:
        yield workspace


def answer(
    workspace: Workspace, judge: Judge, row: Suggestion, word: str, moment: str = BEFORE
) -> None:
    give_verdict(workspace, judge, row.about, Answer(word, "why", moment, moment))


def find_rejected(workspace: Workspace, *rows: Suggestion) -> list[str]:
    list_id = keep(workspace, rows, releases=(None, None))
    return [str(about.subject) for about in read_review(workspace, list_id).rejections]


def test_a_pair_is_rejected_for_everybody_and_every_predicate_until_it_is_opened_again(
    workspace: Workspace,
) -> None:
    exact, broad = suggested("A:1", "B:1", EXACT), suggested("A:1", "B:1", BROAD)
    answer(workspace, ANNA, exact, "wrong")
    assert find_rejected(workspace, broad, suggested("A:1", "B:2")) == ["A:1"]
    answer(workspace, BEN, broad, "unsure", AFTER)
    assert find_rejected(workspace, broad) == ["A:1"]
    answer(workspace, BEN, broad, "later", AFTER)
    assert find_rejected(workspace, broad) == []


def test_what_was_changed_to_another_concept_was_rejected_and_what_to_a_predicate_was_not(
    workspace: Workspace,
) -> None:
    rows = [suggested(f"A:{number}", "B:1", EXACT) for number in (1, 2, 3, 4)]
    chosen = [
        ChosenMapping(BROAD, "B:1"),
        ChosenMapping(EXACT, "B:2"),
        ChosenMapping(EXACT, NO_TERM),
    ]
    for row, choice in zip(rows, chosen, strict=False):
        word, details = answer_mapping(row.about, choice)
        give_verdict(workspace, ANNA, row.about, Answer(word, "", BEFORE, BEFORE, "", details))
    answer(workspace, ANNA, rows[3], "correct")
    assert find_rejected(workspace, *rows) == ["A:2", "A:3"]


def test_what_was_rejected_in_the_list_itself_is_judged_and_not_rejected_before(
    workspace: Workspace,
) -> None:
    row = suggested("A:1", "B:1", EXACT)
    answer(workspace, ANNA, row, "wrong", AFTER)
    assert find_rejected(workspace, row) == []


def test_filters_combine_and_leave_out_what_has_no_figure() -> None:
    header = ("name", "probability", "same name", "frequency")
    rows = [
        suggested("A:1", "B:1", EXACT, cells=["a", 0.9, "yes", 7], subject_label="Heart",
                  object_label="heart"),
        suggested("A:2", "B:2", EXACT, cells=["b", 0.4, "yes", 2], subject_label="Heart",
                  object_label="cor"),
        suggested("A:3", "B:3", BROAD, cells=["c", 0.7, "no", None]),
        suggested("A:4", NO_TERM, EXACT, cells=["d", None, "no", 9]),
    ]  # fmt: skip

    def find(**wanted: object) -> str:
        fields = SuggestionFields(**wanted)  # type: ignore[arg-type]
        return "".join(str(row.cells[0]) for row in rows if fits_fields(fields, row, header))

    assert [find_evidence(row, header) for row in rows[:3]] == ["preferred", "synonym", "similar"]
    assert find() == "abcd"
    assert find(least=0.5) == "ac"
    assert find(least=0.4, most=0.8) == "bc"
    assert find(predicate=EXACT) == "ab"
    assert find(predicate=NO_TERM) == "d"
    assert find(frequency=3) == "ad"
    assert find(evidence="similar", least=0.5, predicate=BROAD) == "c"
