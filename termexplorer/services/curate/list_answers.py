"""Answers to suggestions of a list that are given all at once: by row number, or by a table."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.importers.files.source import Source
from termexplorer.importers.tables.guess import guess
from termexplorer.importers.tables.rows import rows
from termexplorer.mapping_terms import BROAD, CLOSE, EXACT, NARROW, NO_TERM, RELATED
from termexplorer.services.curate.mapping_candidates import Given, answer_suggested, is_mapping
from termexplorer.services.curate.review import (
    find_target_label,
    read_review,
    say_all,
    tell_who_may,
)
from termexplorer.services.curate.suggestion_lists import KeptList, Suggestion
from termexplorer.services.curate.suggestion_words import is_unreplaced
from termexplorer.services.verdicts.log import ALSO, Answer, VerdictSubject, now
from termexplorer.services.verdicts.mapping_answers import answer_mapping, choose_mapping
from termexplorer.services.verdicts.people import Judge
from termexplorer.texts import tr
from termexplorer.workspace import Workspace

__all__ = ["ANSWER_TITLES", "PREDICATE_CURIES", "WantedAnswer", "answer_list", "read_answers_table"]

PREDICATE_CURIES = {
    "exact": EXACT, "close": CLOSE, "broad": BROAD, "narrow": NARROW, "related": RELATED,
    "none": NO_TERM,
}  # fmt: skip
"""What predicates are called where they are typed."""
ANSWER_TITLES = ("row", "answer", "predicate", "target", "note")
"""The titles that a table of answers may have; all but the first may be left out."""
_ANSWERS = ("correct", ALSO, "wrong", "unsure", "later")


@dataclass(frozen=True, slots=True)
class WantedAnswer:
    """An answer to one suggestion; of a denied mapping, to its denial.

    Attributes:
        row: its number in the list, from 1.
        answer: correct, also, wrong, unsure or later; "" where a mapping is changed.
        predicate: of the mapping: one of `PREDICATE_CURIES`, or a CURIE; "" for the suggested one.
        target: the concept that it goes to, a CURIE; "" for the suggested one.
        note: in the judge's words.
        origin: where it stands, for messages.
    """

    row: int
    answer: str = ""
    predicate: str = ""
    target: str = ""
    note: str = ""
    origin: str = ""


def answer_list(
    workspace: Workspace, list_id: int, judge: Judge, wanted: Sequence[WantedAnswer]
) -> int:
    """Answer suggestions of a list in one step, which one undo takes back; return how many.

    Raises:
        UserError: no such list, row, answer or target, the same row twice, or a part that somebody
            else answers blind; then nothing is answered.
    """
    review = read_review(workspace, list_id)
    if reason := tell_who_may(review, judge):
        raise UserError(tr("list {id}: {reason}", id=list_id, reason=reason))
    moment = now()
    answers: dict[VerdictSubject, Answer] = {}
    for answer_wanted in wanted:
        suggestion = _find_suggestion(review.suggestions, answer_wanted, list_id)
        if suggestion.about in answers:
            raise UserError(
                tr(
                    "{origin}: row {row} is answered twice",
                    origin=answer_wanted.origin,
                    row=answer_wanted.row,
                )
            )
        answer, details = _make_answer(workspace, review.suggestion_list, suggestion, answer_wanted)
        answers[suggestion.about] = Answer(
            answer, answer_wanted.note, moment, moment, details=details
        )
    say_all(workspace, judge, review.suggestion_list, answers)
    return len(answers)


def read_answers_table(path: Path) -> list[WantedAnswer]:
    """Read a table whose first row has some of `ANSWER_TITLES`.

    Args:
        path: CSV, TSV, XLSX or ODS.

    Raises:
        UserError: it cannot be read, has no column of rows, or a row that is no number.
    """
    layout = guess(path)
    with Source(path) as source:
        lines = [
            (line, cells)
            for line, cells in rows(source, layout.delimiter, layout.sheet)
            if any(cells)
        ]
    header = lines[0][1] if lines else []
    titles = {title.strip().lower(): column for column, title in enumerate(header)}
    if ANSWER_TITLES[0] not in titles or not {"answer", "predicate", "target"} & set(titles):
        raise UserError(
            tr(
                "{path}: give the first row the titles row, and answer or predicate; target and "
                "note if need be",
                path=path,
            )
        )
    lines = lines[1:]
    return list(_read_lines(path, lines, titles))


def _read_lines(
    path: Path, lines: Sequence[tuple[int, Sequence[str]]], titles: Mapping[str, int]
) -> Iterator[WantedAnswer]:
    for line, cells in lines:
        fields = {
            title: cells[titles[title]].strip()
            if titles.get(title, len(cells)) < len(cells)
            else ""
            for title in ANSWER_TITLES
        }
        origin = tr("{path}, line {line}", path=path, line=line)
        number = fields.pop("row")
        if not number.isdecimal():
            raise UserError(
                tr("{origin}: {row!r} is no number of a row", origin=origin, row=number)
            )
        yield WantedAnswer(int(number), origin=origin, **fields)


def _find_suggestion(
    suggestions: Sequence[Suggestion], wanted: WantedAnswer, list_id: int
) -> Suggestion:
    if 1 <= wanted.row <= len(suggestions):
        return suggestions[wanted.row - 1]
    raise UserError(
        tr(
            "{origin}: list {id} has rows 1 to {count}, not {row}",
            origin=wanted.origin,
            id=list_id,
            count=len(suggestions),
            row=wanted.row,
        )
    )


def _make_answer(
    workspace: Workspace, suggestion_list: KeptList, suggestion: Suggestion, wanted: WantedAnswer
) -> Given:
    changes = bool(wanted.predicate or wanted.target)
    if changes and not is_mapping(suggestion_list, suggestion):
        raise UserError(tr("{origin}: only mappings have a predicate", origin=wanted.origin))
    if not changes or wanted.answer not in ("", "correct"):
        also = suggestion_list.head.kind == "misplaced"
        offered = [answer for answer in _ANSWERS if answer != ALSO or also]
        if changes or wanted.answer not in offered:
            raise UserError(
                tr(
                    "{origin}: {answer!r} is no answer here; take one of {offered}, or a predicate",
                    origin=wanted.origin,
                    answer=wanted.answer,
                    offered=", ".join(offered),
                )
            )
        given = answer_suggested(suggestion, wanted.answer)
        if given is None:
            raise UserError(
                tr("{origin}: name the target; none is suggested", origin=wanted.origin)
            )
        return given
    return _make_mapping(workspace, suggestion_list, suggestion, wanted)


def _make_mapping(
    workspace: Workspace, suggestion_list: KeptList, suggestion: Suggestion, wanted: WantedAnswer
) -> Given:
    about = suggestion.about
    predicate = PREDICATE_CURIES.get(wanted.predicate, wanted.predicate) or about.question
    if ":" not in predicate:
        raise UserError(
            tr(
                "{origin}: {predicate!r} is no predicate; take one of {offered}, or a CURIE",
                origin=wanted.origin,
                predicate=wanted.predicate,
                offered=", ".join(PREDICATE_CURIES),
            )
        )
    target = wanted.target or ("" if is_unreplaced(suggestion) else str(about.object))
    label = suggestion.slots.get("object_label", "")
    if target != about.object and predicate != NO_TERM:
        label = find_target_label(workspace, suggestion_list, target, wanted.origin)
    chosen = choose_mapping(predicate, target, label)
    if chosen is None:
        raise UserError(tr("{origin}: name the target; none is suggested", origin=wanted.origin))
    return answer_mapping(about, chosen)
