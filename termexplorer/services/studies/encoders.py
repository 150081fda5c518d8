"""Automatic labels of a study's pairs, its sets' and encoders', held against its annotators."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from termexplorer.errors import UserError
from termexplorer.services.agreement.agreement import Reckoning
from termexplorer.services.encoders.encoders import find_encoder
from termexplorer.services.studies.truth import StudyTruth
from termexplorer.texts import mark, tr
from termexplorer.workers.evaluate.said_pairs import SimilarityRequest, run_similarities
from termexplorer.workers.process.supervision import JobControl, supervise
from termexplorer.workspace import Workspace

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from termexplorer.trainer.agreement import BesideRaters
    from termexplorer.trainer.evaluation.figures import MetricValue

OWN_LABELS = mark("the sets' labels")


@dataclass(frozen=True, slots=True, eq=False)
class PairLabels:
    """Labels of the n pairs of a study that no annotator gave.

    Attributes:
        title: who or what gave them.
        labels: n of them; "" for none.
        encoder_id: of the encoder; None for the labels that the sets say.
        threshold: pairs at least so similar have the positive label; None where none could be
            chosen, and for the labels of the sets.
        area: AUC of the similarities, by the ground truth; None for the labels of the sets.
        undefined: why no threshold could be chosen; "" where one was.
        curve: false and true positive rates, both rising from 0 to 1; None as `threshold`.
    """

    title: str
    labels: tuple[str, ...]
    encoder_id: int | None = None
    threshold: float | None = None
    area: MetricValue | None = None
    undefined: str = ""
    curve: tuple[tuple[float, ...], tuple[float, ...]] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class LabelQuality:
    """How good labels are.

    Attributes:
        given: the labels.
        unlabelled: how many pairs have none.
        overall: accuracy, recall and precision by the ground truth.
        sets: the same for each set.
        pairs: how many each set has.
        beside: whether they agree with the annotators as well as these do with each other.
    """

    given: PairLabels
    unlabelled: int
    overall: tuple[MetricValue, ...]
    sets: Mapping[str, tuple[MetricValue, ...]]
    pairs: Mapping[str, int]
    beside: tuple[BesideRaters, ...]


def own_labels(truth: StudyTruth) -> PairLabels:
    """The labels that the sets say."""
    return PairLabels(OWN_LABELS, truth.labels)


def encoder_labels(
    workspace: Workspace,
    truth: StudyTruth,
    encoder_ids: Sequence[int],
    reckoning: Reckoning,
    control: JobControl,
    on_message: Callable[[object], None],
) -> list[PairLabels]:
    """The labels that encoders say at their best thresholds; blocks until it is done.

    One threshold is chosen for all pairs of the study, the highest of the best accuracy by its
    ground truth ([MTS] chose one for each set).

    Raises:
        UserError: no such encoder, or a study whose answers are not two labels.
    """
    if not encoder_ids:
        return []
    if len(truth.ratings.labels) != 2 or not truth.positive:
        raise UserError(
            tr(
                "an encoder at a threshold says whether two terms are the same or not, which "
                "this study has not asked; leave the encoders out"
            )
        )
    titles = {encoder_id: find_encoder(workspace, encoder_id).label for encoder_id in encoder_ids}
    request = SimilarityRequest(
        workspace.folder,
        tuple(encoder_ids),
        tuple(pair.subject for pair in truth.pairs),
        tuple(pair.object for pair in truth.pairs),
    )
    similarities_by_encoder = supervise(run_similarities, request, control, on_message)
    return [
        replace(
            _at_best(truth, similarities, reckoning),
            title=titles[encoder_id],
            encoder_id=encoder_id,
        )
        for encoder_id, similarities in similarities_by_encoder.items()
    ]


def label_quality(
    truth: StudyTruth,
    given: PairLabels,
    reckoning: Reckoning,
) -> LabelQuality:
    """How good labels are, overall and on each set.

    Args:
        truth: of the study.
        given: the labels.
        reckoning: how intervals are reckoned.
    """
    import numpy as np

    from termexplorer.trainer.agreement import NOT_RATED, agreement_beside, measure_labels, rows_of

    ratings, seed = truth.ratings, reckoning.seed
    places = {label: at for at, label in enumerate(ratings.labels)} | {"": NOT_RATED}

    def measured(rows: Sequence[int]) -> tuple[MetricValue, ...]:
        some = [given.labels[row] for row in rows]
        return measure_labels(ratings, truth.codes[rows], some, truth.positive, seed=seed)

    sets = rows_of([pair.set_name for pair in truth.pairs])
    return LabelQuality(
        given,
        sum(not label for label in given.labels),
        measured(range(len(truth.pairs))),
        {name: measured(rows) for name, rows in sets.items()},
        {name: len(rows) for name, rows in sets.items()},
        agreement_beside(
            ratings,
            np.array([places[label] for label in given.labels], np.int64),
            seed=seed,
            resamples=reckoning.resamples,
        ),
    )


def _at_best(truth: StudyTruth, similarities: NDArray[float32], reckoning: Reckoning) -> PairLabels:
    import numpy as np

    from termexplorer.trainer.agreement import NO_MAJORITY
    from termexplorer.trainer.evaluation.pairs.classification import pair_classification
    from termexplorer.trainer.files.pairs import PairSet

    ratings = truth.ratings
    positive = ratings.labels.index(truth.positive)
    pairs = PairSet(
        "the study",
        tuple(pair.subject for pair in truth.pairs),
        tuple(pair.object for pair in truth.pairs),
        (truth.codes == positive).astype(np.float64),
    )
    known = ~np.isnan(similarities)
    classification = pair_classification(
        pairs,
        similarities,
        counted=known & (truth.codes != NO_MAJORITY),
        seed=reckoning.seed,
    )
    nothing = ("",) * len(truth.pairs)
    if classification.undefined:
        return PairLabels(
            "", nothing, area=classification.figures[0], undefined=classification.undefined
        )
    codes = np.where(similarities >= classification.threshold, positive, 1 - positive)
    labels = np.where(known, np.array(ratings.labels)[codes], "")
    curve = (
        tuple(classification.false_positives.tolist()),
        tuple(classification.true_positives.tolist()),
    )
    area = classification.figures[0]
    return PairLabels("", tuple(labels.tolist()), None, classification.threshold, area, curve=curve)
