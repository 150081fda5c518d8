"""What the annotators of a study said, as ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from termexplorer.errors import UserError
from termexplorer.services.agreement import RatedRows
from termexplorer.services.studies import find_study
from termexplorer.services.study_status import judgements
from termexplorer.store import studies
from termexplorer.store.studies import Choice, Pair
from termexplorer.workspace import Workspace

_UNSURE = "don't know"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RatedPairs(RatedRows):
    """Ratings of a study.

    Attributes:
        pairs: what each row is a rating of.
        label_of: the label of the scale that each answer of the study is; "don't know" is none.
    """

    pairs: Sequence[Pair]
    label_of: Mapping[str, str]


def rated_study(workspace: Workspace, study_id: int) -> RatedPairs:
    """The ratings of a study, without practice; a pair that was shown again is a row of its own.

    An answer without a value is "don't know". Where the scale is nominal, the labels that are held
    against the majority's are what the sets say: similar pairs or not.

    Raises:
        UserError: no such study, or no answer in it yet.
    """
    study = find_study(workspace, study_id)
    with workspace.store.reading() as connection:
        raters = [seat.annotator for seat in studies.seats_of(connection, study_id)]
        pairs = [pair for pair in studies.pairs_of(connection, study_id) if not pair.practice]
    said = {
        (each.pair, each.showing, each.annotator): each.answer.answer
        for each in judgements(workspace, study_id)
        if not each.pair.practice
    }
    if not said:
        raise UserError(f"nobody has judged a pair of study {study_id} yet; merge their answers")
    again = {pair for pair, showing, _ in said if showing > 1}
    rows = [(pair, 1) for pair in pairs] + [(pair, 2) for pair in pairs if pair in again]
    return _rated(rows, said, raters, study.head.answers, study.head.level)


def _rated(
    rows: Sequence[tuple[Pair, int]],
    said: Mapping[tuple[Pair, int, str], str],
    raters: Sequence[str],
    answers: Sequence[Choice],
    level: str,
) -> RatedPairs:
    from trainer.agreement import label_of, ratings_of

    nominal = level == "nominal"
    labels = {
        each.answer: label_of(each.answer if nominal else each.value)
        for each in answers
        if each.value is not None
    }
    cells = {answer.answer: labels.get(answer.answer, _UNSURE) for answer in answers} | {"": ""}
    by_score: dict[float | None, str] = {
        each.value: labels[each.answer] for each in answers if each.answer in labels
    }
    pairs = [pair for pair, _ in rows]
    return RatedPairs(
        ratings=ratings_of(
            [[cells[said.get((*row, rater), "")] for rater in raters] for row in rows],
            raters,
            level,
            _UNSURE,
            labels=list(labels.values()),
        ),
        items=pairs,
        sets=[pair.set_name for pair in pairs] if any(pair.set_name for pair in pairs) else None,
        labels=[by_score.get(pair.score, "") for pair in pairs] if nominal else None,
        positive=by_score.get(1.0, ""),
        pairs=pairs,
        label_of=labels,
    )
