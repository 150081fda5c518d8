"""What the annotators of a study said, as ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from termexplorer.errors import UserError
from termexplorer.services.agreement.agreement import DONT_KNOW, RatedRows
from termexplorer.services.studies.answer_lines import similar_ones
from termexplorer.services.studies.status import judgements
from termexplorer.services.studies.studies import find_study
from termexplorer.store.judging import studies
from termexplorer.store.judging.studies import StudyHead, StudyPair
from termexplorer.texts import tr
from termexplorer.workspace import Workspace

_UNSURE = "don't know"
_KINDS = ("not similar", "similar")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RatedPairs(RatedRows):
    """Ratings of a study.

    Attributes:
        pairs: what each row is a rating of.
        label_of: the label of the scale that each answer of the study is; "don't know" is none.
        similar: the labels that mean "similar"; none where nothing is held against them.
    """

    pairs: Sequence[StudyPair]
    label_of: Mapping[str, str]
    similar: frozenset[str] = frozenset()


def rated_study(workspace: Workspace, study_id: int) -> RatedPairs:
    """The ratings of a study, without practice; a pair that was shown again is a row of its own.

    An answer without a value is "don't know". Where some answers mean "similar", the labels that
    are held against the majority's are what the sets say: similar pairs or not.

    Raises:
        UserError: no such study, or no answer in it yet.
    """
    study = find_study(workspace, study_id)
    with workspace.store.reading() as connection:
        raters = [seat.annotator for seat in studies.seats_of(connection, study_id)]
        pairs = [pair for pair in studies.pairs_of(connection, study_id) if pair.counts]
    answer_by_showing = {
        (judgement.pair, judgement.showing, judgement.annotator): judgement.answer.answer
        for judgement in judgements(workspace, study_id)
        if judgement.pair.counts
    }
    if not answer_by_showing:
        raise UserError(
            tr(
                "nobody has judged a pair of study {study_id} yet; merge their answers",
                study_id=study_id,
            )
        )
    again = {pair for pair, showing, _ in answer_by_showing if showing > 1}
    rows = [(pair, 1) for pair in pairs] + [(pair, 2) for pair in pairs if pair in again]
    return _make_rated(rows, answer_by_showing, raters, study.head)


def compared_rows(rows: RatedPairs) -> RatedPairs:
    """The same ratings in the labels that are held against them, similar or not."""
    if rows.compared is None:
        return rows
    merged = {answer: _kind_word(label in rows.similar) for answer, label in rows.label_of.items()}
    return replace(rows, ratings=rows.compared, label_of=merged, compared=None)


def _make_rated(
    rows: Sequence[tuple[StudyPair, int]],
    answer_by_showing: Mapping[tuple[StudyPair, int, str], str],
    raters: Sequence[str],
    head: StudyHead,
) -> RatedPairs:
    from termexplorer.trainer.agreement import label_of, merge_labels, ratings_of

    answers, nominal = head.answers, head.level == "nominal"
    labels = {
        answer.answer: label_of(answer.answer if nominal else answer.value)
        for answer in answers
        if answer.value is not None
    }
    cells = {answer.answer: labels.get(answer.answer, _UNSURE) for answer in answers} | {"": ""}
    ratings = ratings_of(
        [[cells[answer_by_showing.get((*row, rater), "")] for rater in raters] for row in rows],
        raters,
        head.level,
        _UNSURE,
        labels=list(labels.values()),
    )
    named = similar_ones(answers, head.level, head.plan.get("similar", ""))
    similar = frozenset(labels[name] for name in named)
    two = len(similar) == 1 and len(ratings.labels) == 2
    other_labels = [label for label in ratings.labels if label not in similar]
    kinds = (
        {1.0: min(similar), 0.0: other_labels[0]}
        if two
        else {1.0: _kind_word(True), 0.0: _kind_word(False)}
    )
    pairs = [pair for pair, _ in rows]
    return RatedPairs(
        ratings=ratings,
        items=pairs,
        sets=[pair.set_name for pair in pairs] if any(pair.set_name for pair in pairs) else None,
        labels=[_label_of_pair(kinds, pair) for pair in pairs] if similar else None,
        positive=kinds[1.0] if similar else "",
        compared=merge_labels(ratings, similar, _KINDS) if similar and not two else None,
        pairs=pairs,
        label_of=labels,
        similar=similar,
        dont_know=" / ".join(answer.answer for answer in answers if answer.value is None)
        or DONT_KNOW,
    )


def _label_of_pair(kinds: Mapping[float, str], pair: StudyPair) -> str:
    return "" if pair.score is None else kinds.get(pair.score, "")


def _kind_word(similar: bool) -> str:
    return _KINDS[similar]
