"""A pair set as a file: tab-separated, with a row of titles, read by ``trainer.files.pairs``."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

from termexplorer.trainer.term_pairs.concepts import Vocabulary
from termexplorer.trainer.term_pairs.negatives import Negatives
from termexplorer.trainer.term_pairs.positives import Positives

TITLES = ("left", "right", "label", "left_concept", "right_concept", "distance")
Row = tuple[str, str, int, str, str, int]


def rows(vocabulary: Vocabulary, similar: Positives, dissimilar: Negatives) -> Iterable[Row]:
    """Yield the rows of a set, first those of similar pairs (label 1), then the others (0)."""
    concepts = vocabulary.concepts
    for left, right, of_left, of_right, distance in zip(
        similar.left.tolist(), similar.right.tolist(), similar.left_concepts.tolist(),
        similar.right_concepts.tolist(), similar.distances.tolist(), strict=True,
    ):  # fmt: skip
        terms = vocabulary.terms[left], vocabulary.terms[right]
        yield (*terms, 1, concepts[of_left].id, concepts[of_right].id, distance)
    for left, right, distance in zip(
        dissimilar.left.tolist(),
        dissimilar.right.tolist(),
        dissimilar.distances.tolist(),
        strict=True,
    ):
        terms = vocabulary.terms[left], vocabulary.terms[right]
        ids = vocabulary.a_concept_of(left), vocabulary.a_concept_of(right)
        yield (*terms, 0, *ids, distance)


def write_rows(path: Path, of: Iterable[Row]) -> None:
    """Write the rows of a set."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(TITLES)
        writer.writerows(of)
