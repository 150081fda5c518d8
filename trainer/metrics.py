"""The metrics that tasks give: name, direction, formula and meaning of each, in one place.

A figure is stored under the name of its metric. A metric at a rank k has the k behind an ``@``:
``hits@10`` is the metric ``hits@`` at 10.
"""

from __future__ import annotations

from dataclasses import dataclass

MAP, ACCURACY, MRR, RECALL = "mAP", "accuracy", "MRR", "recall"
ACCURACY_INEXACT = "accuracy, no exact match"
MEDIAN_RANK = "median rank"
HITS, COVERAGE, ACCURACY_AT = "hits@", "coverage@", "Acc@"
SPEARMAN, PEARSON, AUC = "spearman", "pearson", "AUC"
SEPARATION, OVERLAP = "separation", "overlap"
DISTANCE = "distance"


@dataclass(frozen=True, slots=True)
class Metric:
    """What is known of a metric besides its values.

    Attributes:
        name: that figures are stored under; before the k for a metric at a rank.
        meaning: a sentence for people; of a metric at a rank with ``{k}``.
        formula: what one item comes to, or all together; r is the expected rank of the best right
            answer (``trainer.search.expected_ranks``).
        higher_is_better: the direction.
        chance: what similarities that know nothing come to; None where that depends on the data.
        is_compared: whether encoders are tested two by two by it, and conclusions speak of it.
        compared_at: the k at which they are, for a metric at a rank.
    """

    name: str
    meaning: str
    formula: str
    higher_is_better: bool = True
    chance: float | None = None
    is_compared: bool = True
    compared_at: tuple[int, ...] = ()


METRICS = {
    metric.name: metric
    for metric in (
        Metric(
            MAP,
            "Mean average precision of the ranked names",
            "mean over right answers of (right answers up to it) / (its rank)",
        ),
        Metric(ACCURACY, "Share with a right name first", "1 if r = 1, else 0"),
        Metric(
            ACCURACY_INEXACT,
            "Share with a right name first, of mentions that are no name",
            "1 if r = 1, else 0",
        ),
        Metric(MRR, "Mean of 1 / rank of the first right name", "1 / r"),
        Metric(
            HITS,
            "Share of names whose class is among the first {k}",
            "1 if r <= k, else 0",
            compared_at=(1,),
        ),
        Metric(
            MEDIAN_RANK,
            "Of the first right name; less is better",
            "median of r",
            higher_is_better=False,
        ),
        Metric(
            COVERAGE,
            "Share of a name's synonyms among its {k} nearest names",
            "(synonyms among the first k) / (synonyms)",
            compared_at=(8, 64),
        ),
        Metric(
            SPEARMAN,
            "Rank correlation of similarities with people's scores",
            "Spearman's rho",
            chance=0.0,
        ),
        Metric(
            PEARSON,
            "Correlation of similarities with people's scores",
            "Pearson's r",
            chance=0.0,
        ),
        Metric(
            AUC,
            "The chance that a similar pair is more similar than a dissimilar one; .5 is chance",
            "(couples in the right order + half of the equal ones) / (couples)",
            chance=0.5,
        ),
        Metric(
            ACCURACY_AT,
            "Share of mentions with a right name among the first {k}",
            "1 if r <= k, else 0",
            is_compared=False,
        ),
        Metric(
            RECALL,
            "Share of the right names among the candidates",
            "(right candidates) / (right names)",
            is_compared=False,  # that of the candidates is the same for all encoders
        ),
        Metric(
            DISTANCE,
            "Links between the first concept and the nearest right one; less is better",
            "length of the shortest way in the hierarchy",
            higher_is_better=False,
            is_compared=False,  # of placing alone, which compares no two encoders
        ),
        Metric(
            SEPARATION,
            "Share of comparisons in which the close name is the nearer one",
            "1 - overlap",
            chance=0.5,
            is_compared=False,  # it is the task's primary metric
        ),
        Metric(
            OVERLAP,
            "Share of comparisons that are the wrong way round; less is better",
            "(triples with sim(i, j) <= sim(i, k)) / (triples), [MTS] 5.3",
            higher_is_better=False,
            is_compared=False,  # it mirrors `separation`
        ),
    )
}

ACCURACY_OF_PAIRS = Metric(
    ACCURACY,
    "Share of pairs on the right side of the best threshold, chosen on these pairs",
    "1 if (similarity >= threshold) = label, else 0",
)
"""What accuracy is in tasks on labelled pairs."""


def find_metric(name: str, *, of_pairs: bool = False) -> Metric | None:
    """Return the metric of a figure's name, such as ``hits@10``; None for one that is not listed.

    Args:
        name: as figures have it.
        of_pairs: whether the figure is of labelled pairs.

    Example:
        >>> find_metric("hits@10").formula
        '1 if r <= k, else 0'
    """
    if of_pairs and name == ACCURACY:
        return ACCURACY_OF_PAIRS
    family, at, _ = name.partition("@")
    return METRICS.get(f"{family}{at}")


def is_higher_better(name: str) -> bool:
    """Return the direction of a figure's metric; a metric that is not listed is better higher."""
    metric = find_metric(name)
    return metric is None or metric.higher_is_better


def list_compared_metrics() -> tuple[str, ...]:
    """Return the names of figures that encoders are compared by, in the order of conclusions."""
    return tuple(
        f"{metric.name}{k}"
        for metric in METRICS.values()
        if metric.is_compared
        for k in metric.compared_at or ("",)
    )
