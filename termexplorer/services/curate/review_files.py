"""Reviewed suggestions as files: SSSOM, tables, and the changes that they come to."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from termexplorer.errors import UserError
from termexplorer.exporters.tables import ENDINGS, Cell, endings_told
from termexplorer.mapping_terms import CHANGE_SUFFIXES, MAPPING_SUFFIXES
from termexplorer.services.curate.answers.list_outcomes import ListOutcomes
from termexplorer.services.curate.answers.list_parts import collect_parts
from termexplorer.services.curate.foreign_mappings import stands_for
from termexplorer.services.curate.mapping_formats import (
    find_mapping_format,
    write_mapping_set,
)
from termexplorer.services.curate.record_ids import RECORD_ID, RECORD_IDS, RecordIds
from termexplorer.services.curate.review_changes import write_changes
from termexplorer.services.curate.review_slots import (
    add_reviewers,
    cell_slots,
    clip_cells,
    curated,
    is_answered,
    row_of,
    strip_review,
    with_dates,
)
from termexplorer.services.curate.sssom_sets import (
    Origin,
    changed_head,
    columns_of,
    own_head,
    prefixes_of_ontologies,
    whole_head,
)
from termexplorer.services.curate.suggestion_lists import find_list, read_list, read_verdicts
from termexplorer.services.curate.suggestion_words import question_on, state_chosen, statement_on
from termexplorer.services.files.mapping_tables import write_mapping_table
from termexplorer.services.verdicts.log import CHANGED, LoggedVerdict, VerdictSubject
from termexplorer.services.verdicts.mapping_answers import find_chosen, is_denied, turn_denied
from termexplorer.services.verdicts.people import Judge
from termexplorer.store.judging.suggestions import KeptList, Suggestion
from termexplorer.store.judging.verdicts import Answer
from termexplorer.texts import tr, translated
from termexplorer.workspace import Workspace

__all__ = [
    "REVIEW_ENDINGS",
    "VERDICT_HEADER",
    "WrittenReview",
    "read_mapping_set",
    "write_review",
]

REVIEW_ENDINGS = (*MAPPING_SUFFIXES, *CHANGE_SUFFIXES, *ENDINGS)
VERDICT_HEADER = (
    "answer", "in words", "answered predicate", "answered target", "answered name", "note",
    "curator", "ORCID", "answered at",
)  # fmt: skip
OPINIONS = "opinions"
"""The column of what each said whom a suggestion was given to."""
_REPLIES = {"correct": "yes", "wrong": "no"}


@dataclass(frozen=True, slots=True)
class WrittenReview:
    """What went into a file.

    Attributes:
        rows: how many.
        conflicts: suggestions that as many called correct as wrong, and that a list of changes
            therefore leaves out.
        left_out: mappings that the form of the file has no place for.
        reason: why no row was written; "" where some were.
        loss: what the form of the file has no place for, as a sentence; "" for nothing.
    """

    rows: int
    conflicts: int = 0
    left_out: int = 0
    reason: str = ""
    loss: str = ""


@dataclass(frozen=True, slots=True)
class JudgedList:
    """A list with the verdicts on it.

    Attributes:
        suggestion_list: the list.
        pairs: its suggestions, each with what counts on it; a mapping of a file that somebody
            elsewhere curated stands for their verdict, which its equals do not have again.
        opinions: of those that a suggestion was given to, where its outcome stands for them.
    """

    suggestion_list: KeptList
    pairs: Sequence[tuple[Suggestion, Sequence[LoggedVerdict]]]
    opinions: Mapping[VerdictSubject, Sequence[LoggedVerdict]] = field(default_factory=dict)


def write_review(
    workspace: Workspace,
    path: Path,
    list_id: int,
    rows: Sequence[int] | None = None,
    *,
    only_judged: bool = False,
    outcomes: bool = False,
    judge: Judge | None = None,
) -> WrittenReview:
    """Write a list of suggestions, or some of it, with the verdicts of all curators on it.

    Args:
        workspace: where it is kept.
        path: ends as one of `MAPPING_FORMATS` does; `.robot.tsv` is a template of ROBOT and `.kgcl`
            lines of KGCL with the changes that were judged correct; `.csv`, `.tsv`, `.xlsx` and
            `.jsonl` have the list's columns, `VERDICT_HEADER`, and all slots of SSSOM behind, by
            which they come back. All but the changes have a row for each verdict, and for each
            suggestion without one.
        list_id: which list.
        rows: the numbers of its suggestions that are written, in that order; None for all.
        only_judged: leave out suggestions that nobody has judged.
        outcomes: write what was agreed or decided of suggestions that were given to several
            people, once, with the others as reviewers and all opinions beside; and nothing else.
        judge: whose verdicts alone are written; None for everybody's.

    Raises:
        UserError: another ending, no such list, no parts to have outcomes, or the place cannot be
            written to.
    """
    name = path.name.lower()
    if not name.endswith(REVIEW_ENDINGS):
        raise UserError(
            tr(
                "{path}: name the file {endings}",
                path=path,
                endings=endings_told(*MAPPING_SUFFIXES, *CHANGE_SUFFIXES),
            )
        )
    review, verdicts_by_subject = _read_judged(workspace, list_id, judge)
    if outcomes:
        review = _choose_outcomes(workspace, review, verdicts_by_subject)
    pairs = review.pairs if rows is None else [review.pairs[row] for row in rows]
    if outcomes:
        pairs = [(suggested, verdicts) for suggested, verdicts in pairs if verdicts]
    if only_judged:
        pairs = [
            (suggested, verdicts)
            for suggested, verdicts in pairs
            if verdicts_by_subject.get(suggested.about)
        ]
    written = _write_by_type(workspace, path, replace(review, pairs=pairs))
    return written if written.rows else replace(written, reason=_reason_of_none(pairs))


def read_mapping_set(
    workspace: Workspace, list_id: int
) -> tuple[dict[str, Any], list[dict[str, str]]]:
    """Return the head and rows of what curators assert or deny, without how it was reviewed here.

    Of a list that came from a file, mappings that nobody judged are in it too.

    Raises:
        UserError: there is no such list.
    """
    review, _ = _read_judged(workspace, list_id)
    head, rows = _make_set(workspace, review)
    columns = columns_of(head)
    comes_from_file = bool(review.suggestion_list.head.head)
    asserted = [row for row in rows if curated(row) or (comes_from_file and not is_answered(row))]
    return head, [strip_review(row, columns) for row in asserted]


def _read_judged(
    workspace: Workspace, list_id: int, judge: Judge | None = None
) -> tuple[JudgedList, Mapping[VerdictSubject, Sequence[LoggedVerdict]]]:
    suggestion_list, suggestions = find_list(workspace, list_id), read_list(workspace, list_id)
    with workspace.store.reading() as connection:
        verdicts_by_subject = read_verdicts(connection, suggestion_list, suggestions)
    if judge is not None:
        verdicts_by_subject = {
            about: [verdict for verdict in verdicts if verdict.judge == judge]
            for about, verdicts in verdicts_by_subject.items()
        }
    pairs = _pair_verdicts(suggestions, verdicts_by_subject)
    return JudgedList(suggestion_list, pairs), verdicts_by_subject


def _choose_outcomes(
    workspace: Workspace,
    review: JudgedList,
    verdicts: Mapping[VerdictSubject, Sequence[LoggedVerdict]],
) -> JudgedList:
    """Return the list with what was agreed or decided in place of what everybody said."""
    list_id = review.suggestion_list.id
    _, assigned = collect_parts(workspace, list_id)
    if not assigned:
        raise UserError(
            tr("list {id} has no parts; `termexplorer suggestion split` deals it out", id=list_id)
        )
    outcomes = ListOutcomes([], verdicts, assigned).by_subject
    counting = {about: o.verdict for about, o in outcomes.items() if o.verdict}
    pairs = [
        (suggested, [counting[suggested.about]] if suggested.about in counting else [])
        for suggested, _ in review.pairs
    ]
    opinions = {about: outcomes[about].opinions for about in counting}
    return JudgedList(review.suggestion_list, pairs, opinions)


def _write_by_type(workspace: Workspace, path: Path, review: JudgedList) -> WrittenReview:
    name = path.name.lower()
    if name.endswith(CHANGE_SUFFIXES):
        counts = write_changes(workspace, path, review.suggestion_list, review.pairs)
        return WrittenReview(*counts, loss=tr("Only what was judged correct is in it, as changes"))
    head, mappings = _make_set(workspace, review)
    if mapping_format := find_mapping_format(path):
        count = write_mapping_set(workspace, path, mapping_format, head, mappings)
        loss = translated(mapping_format.loss) if mapping_format.loss else ""
        return WrittenReview(count, left_out=len(mappings) - count, loss=loss)
    table = list(_table_rows(review, mappings))
    further = (OPINIONS,) if review.opinions else ()
    header = (*review.suggestion_list.head.header, *VERDICT_HEADER, *further)
    write_mapping_table(path, header, table, head)
    return WrittenReview(len(table))


def _reason_of_none(pairs: Sequence[tuple[Suggestion, Sequence[LoggedVerdict]]]) -> str:
    if not pairs:
        return tr("no suggestion of the list is chosen, or nobody has judged any")
    if not any(verdicts for _, verdicts in pairs):
        return tr("nobody has judged any, and only what was judged correct becomes a change")
    return tr("none was called correct more often than wrong")


def _pair_verdicts(
    suggestions: Sequence[Suggestion],
    verdicts_by_subject: Mapping[VerdictSubject, Sequence[LoggedVerdict]],
) -> list[tuple[Suggestion, list[LoggedVerdict]]]:
    elsewhere: dict[VerdictSubject, list[Mapping[str, str]]] = {}
    for suggestion in suggestions:
        if curated(suggestion.slots):
            elsewhere.setdefault(suggestion.about, []).append(suggestion.slots)

    def counts_here(judged: Suggestion, verdict: LoggedVerdict) -> bool:
        other_slots = (slots for slots in elsewhere.get(judged.about, ()) if slots != judged.slots)
        return not any(stands_for(verdict.answer, slots) for slots in other_slots)

    return [
        (s, [v for v in verdicts_by_subject.get(s.about, ()) if counts_here(s, v)])
        for s in suggestions
    ]


def _make_set(
    workspace: Workspace, review: JudgedList
) -> tuple[dict[str, Any], list[dict[str, str]]]:
    """The head of the set, and its mappings."""
    list_head = review.suggestion_list.head
    if list_head.kind == "imported" or list_head.head:
        rows = _mapping_records(review, list(columns_of(list_head.head)))
        known = prefixes_of_ontologies(workspace)
        head = changed_head(list_head.head, rows, list_head.parameters.get("rows", ""))
    else:
        cells = cell_slots(list_head.header, [suggestion for suggestion, _ in review.pairs])
        rows = _mapping_records(review, cells)
        people = dict.fromkeys(
            verdict.judge.name for _, verdicts in review.pairs for verdict in verdicts
        )
        origin = Origin(
            (list_head.release_id, list_head.object_release_id), list_head.encoder_ids,
            dict(zip(cells, list_head.header, strict=True)), list_head.made_at,
            list_head.facts, list(people),
        )  # fmt: skip
        head, known = own_head(workspace, origin, rows)
    day = head.get("mapping_date")
    dated = with_dates(rows, day) if day else None
    if dated is not None:
        head.pop("mapping_date", None)
    rows = rows if dated is None else dated
    return whole_head(head, known, rows), rows


def _mapping_records(review: JudgedList, cells: Sequence[str]) -> list[dict[str, str]]:
    """The mappings with ids: all or, where a file without them is as it came, none."""
    head, records = review.suggestion_list.head, RecordIds()
    rows, ids = [], []
    with_ids = head.kind != "imported" or head.parameters.get(RECORD_IDS, False)
    for suggested, verdict, _ in _records_with_verdicts(review):
        judgement = (verdict.judge, verdict.answer) if verdict else None
        row = row_of(suggested, cells, judgement, head.head)
        opinions = review.opinions.get(suggested.about, ())
        reviewers = [v.judge for v in opinions if verdict and v.judge != verdict.judge]
        rows.append(add_reviewers(row, reviewers, _tell_opinions(review, suggested, opinions)))
        ids.append(records.make_id(suggested, verdict.judge if verdict else None))
        with_ids = with_ids or verdict is not None
    if not with_ids:
        return rows
    return [{RECORD_ID: record_id} | row for record_id, row in zip(ids, rows, strict=True)]


def _records_with_verdicts(
    review: JudgedList,
) -> Iterator[tuple[Suggestion, LoggedVerdict | None, Sequence[LoggedVerdict]]]:
    """Yield each mapping that is written, the verdict that makes it, and those it stands for."""
    for suggested, verdicts in review.pairs:
        standing = [v for v in verdicts if stands_for(v.answer, suggested.slots)]
        if curated(suggested.slots) or len(standing) == len(verdicts):
            yield suggested, None, standing
        for verdict in verdicts:
            if verdict not in standing:
                yield suggested, verdict, ()


def _table_rows(
    review: JudgedList, mappings: Sequence[Mapping[str, str]]
) -> Iterator[tuple[list[Cell], Mapping[str, str]]]:
    """Yield what people read of each row, and the slots of the mapping that it shows.

    Where several said what a file's mapping says, each has a row; the slots are in the first.
    """
    records = zip(_records_with_verdicts(review), mappings, strict=True)
    for (suggested, verdict, standing), row in records:
        for number, shown in enumerate(standing or (verdict,)):
            yield _judged_cells(review, suggested, shown), {} if number else row


def _judged_cells(
    review: JudgedList, suggested: Suggestion, verdict: LoggedVerdict | None
) -> list[Cell]:
    cells = clip_cells(suggested.cells)  # as of a list that an earlier version has kept
    if verdict is None:
        return [*cells, *("" for _ in VERDICT_HEADER), *([""] if review.opinions else [])]
    answer, judge = verdict.answer, verdict.judge
    in_words = _tell_answer(review.suggestion_list, suggested, answer)
    answer_text = turn_denied(suggested.slots, answer.answer)
    answer_cells = (answer_text, in_words, *_list_chosen(suggested, answer), answer.note)
    opinions = review.opinions.get(suggested.about, ())
    further = [_tell_opinions(review, suggested, opinions)] if review.opinions else []
    return [*cells, *answer_cells, judge.name, judge.orcid, answer.answered_at, *further]


def _tell_opinions(
    review: JudgedList, suggested: Suggestion, opinions: Sequence[LoggedVerdict]
) -> str:
    sentences = (
        (v.judge.name, _tell_answer(review.suggestion_list, suggested, v.answer), v.answer.note)
        for v in opinions
    )
    return "; ".join(": ".join(filter(None, parts)) for parts in sentences)


def _list_chosen(suggested: Suggestion, answer: Answer) -> tuple[str, str, str]:
    """Return the predicate, the concept and its name of the mapping that an answer asserts."""
    chosen = find_chosen(suggested.about, answer)
    if chosen is None:
        return "", "", ""
    is_same = chosen.object == suggested.about.object
    label = suggested.slots.get("object_label", "") if is_same else chosen.object_label
    return chosen.predicate, str(chosen.object), label


def _tell_answer(kept_list: KeptList, suggested: Suggestion, answer: Answer) -> str:
    """Return what was asked and what was replied, as nobody can take it the other way round."""
    chosen = find_chosen(suggested.about, answer)
    if chosen and answer.answer == CHANGED:
        return state_chosen(suggested, chosen)
    if chosen and is_denied(suggested.slots):
        label = suggested.slots.get("object_label", "")
        return state_chosen(suggested, replace(chosen, object_label=label))
    if answer.answer == "wrong" and is_denied(suggested.slots):
        return statement_on(kept_list, suggested)
    return f"{_REPLIES.get(answer.answer, answer.answer)}: {question_on(kept_list, suggested)}"
