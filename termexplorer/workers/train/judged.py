"""Judged pairs in a run: parted, encoded, and what learning from them changed on the others."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from termexplorer.store.encoders.runs import FigureInfo
from termexplorer.workers.data.concept_data import ConceptSet
from termexplorer.workers.data.judged_choice import TASK, JudgedChoice
from termexplorer.workers.data.level_sets import UNUSED, data_hash
from termexplorer.workers.data.run_data import RunData
from termexplorer.workers.encoders.encoding import Float32s
from termexplorer.workers.process.child import trainer_errors

if TYPE_CHECKING:
    from termexplorer.trainer.data.judged_pairs import JudgedPairs
    from termexplorer.trainer.data.splits import Parts
    from termexplorer.trainer.evaluation.pairs.before_after import BeforeAfter

Encode = Callable[[Sequence[str]], Float32s]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class JudgedSet:
    """Judged pairs of terms that the encoder beneath knows.

    Attributes:
        choice: what was asked for.
        terms: the u distinct ones.
        pairs: p pairs of them with vectors, and how they are parted.
        drawn: the part of a queue that each pair is from.
        unknown: how many pairs have a term that the encoder does not know.
    """

    choice: JudgedChoice
    terms: tuple[str, ...]
    pairs: "JudgedPairs"
    drawn: tuple[str, ...]
    unknown: int

    @property
    def facts(self) -> dict[str, Any]:
        """What a run's card says of them."""
        from termexplorer.trainer.data.judged_pairs import terms_shared
        from termexplorer.trainer.data.splits import TEST, TRAIN, VALIDATION

        parts = self.pairs.parts
        places = {"to train on": TRAIN, "to stop by": VALIDATION, "held out": TEST}
        facts: dict[str, Any] = {"from": self.choice.source}
        facts |= {title: self._kinds(parts == part) for title, part in places.items()}
        for part in self._parts():
            facts[f"held out, {part}"] = self._kinds(
                (parts == TEST) & _equals_text(self.drawn, part)
            )
        left, right = (
            [self.terms[at] for at in side] for side in (self.pairs.left, self.pairs.right)
        )
        facts["terms in several parts"] = terms_shared(left, right, parts)
        left_out = dict(self.choice.left_out)
        if self.unknown:
            left_out["of a term that the vectors beneath do not know"] = self.unknown
        return facts | {"left out": left_out, "sha256": self.choice.digest}

    def apart(self, data: ConceptSet) -> ConceptSet:
        """The names that a run is measured on besides, without those that its pairs teach."""
        from termexplorer.trainer.data.splits import TRAIN

        taught = self._named(data.labels.names, held_out=False) & (data.parts != TRAIN)
        parts = np.where(taught, np.uint8(UNUSED), data.parts)
        digest = hashlib.sha256(data_hash(data.labels, parts).encode())
        digest.update(self.choice.digest.encode() + self.pairs.parts.tobytes())
        return replace(data, parts=parts, data_hash=digest.hexdigest())

    def learned(self, names: Sequence[str], parts: "Parts") -> "Parts":
        """How the names are parted that keep their place: none of them is of a held-out pair."""
        from termexplorer.trainer.data.splits import TRAIN

        tested = self._named(names, held_out=True) & (parts == TRAIN)
        return np.where(tested, np.uint8(UNUSED), parts)

    def compared(
        self, before: Encode, after: Encode, seed: int
    ) -> "Iterator[tuple[str, BeforeAfter]]":
        """What two encoders make of the held-out pairs, of all and of each part of a queue."""
        from termexplorer.trainer.data.splits import TEST, VALIDATION
        from termexplorer.trainer.evaluation.pairs.before_after import before_and_after
        from termexplorer.trainer.files.pairs import PairSet

        judged = self.pairs
        left, right = (tuple(self.terms[at] for at in side) for side in (judged.left, judged.right))
        pairs = PairSet(TASK, left, right, judged.similar.astype(np.float64))
        similarities = [self._cosines(encode(self.terms)) for encode in (before, after)]
        for part in ("", *self._parts()):
            tested = judged.parts == TEST
            if part:
                tested &= _equals_text(self.drawn, part)
            if not tested.any():
                continue
            yield (
                f"{TASK}, {part}" if part else TASK,
                before_and_after(
                    pairs,
                    *similarities,
                    chosen=judged.parts == VALIDATION,
                    tested=tested,
                    seed=seed,
                ),
            )

    def _parts(self) -> list[str]:
        return sorted({*self.drawn} - {""})

    def _kinds(self, rows: Bools) -> dict[str, int]:
        similar = int(self.pairs.similar[rows].sum())
        return {"similar": similar, "dissimilar": int(rows.sum()) - similar}

    def _named(self, names: Sequence[str], *, held_out: bool) -> Bools:
        from termexplorer.trainer.data.splits import TEST

        judged, rows = self.pairs, (self.pairs.parts == TEST) == held_out
        places = {*judged.left[rows].tolist(), *judged.right[rows].tolist()}
        terms = {self.terms[at].casefold() for at in places}
        return np.fromiter((name.casefold() in terms for name in names), bool, len(names))

    def _cosines(self, vectors: Float32s) -> Float32s:
        from termexplorer.trainer.measures import measure
        from termexplorer.trainer.measures.base import WordBags

        bags = WordBags.of_vectors(vectors)
        return measure("avg_cosine")(bags, self.pairs.left, self.pairs.right)


def _equals_text(texts: Sequence[str], text: str) -> Bools:
    return np.fromiter((candidate == text for candidate in texts), bool, len(texts))


def judged_set(choice: JudgedChoice, encode: Encode, seed: int) -> JudgedSet:
    """Encodes the terms of judged pairs and parts the pairs; equal seeds part them alike.

    Raises:
        UserError: too few of them are known to the encoder beneath.
    """
    from termexplorer.trainer.data.judged_pairs import JudgedPairs, split_pairs
    from termexplorer.trainer.files.pairs import distinct
    from termexplorer.trainer.term_pairs.drawn import RANDOM

    sides = [pair.left for pair in choice.pairs], [pair.right for pair in choice.pairs]
    terms, first, second = distinct(*sides)
    vectors = encode(terms)
    known = np.asarray(vectors.any(axis=1))
    known_rows = np.flatnonzero(known[first] & known[second])
    pairs = [choice.pairs[at] for at in known_rows.tolist()]
    similar = np.array([pair.similar for pair in pairs], bool)
    drawn = tuple(pair.drawn for pair in pairs)
    left, right = [pair.left for pair in pairs], [pair.right for pair in pairs]
    with trainer_errors():
        parts = split_pairs(left, right, similar, _equals_text(drawn, RANDOM), seed)
        judged_pairs = JudgedPairs(vectors, first[known_rows], second[known_rows], similar, parts)
    return JudgedSet(choice, terms, judged_pairs, drawn, len(choice.pairs) - len(pairs))


def with_judged(
    data: RunData, choice: JudgedChoice | None, encode: Encode, seed: int
) -> tuple[RunData, JudgedSet | None]:
    """What a run is measured on, and its judged pairs; the same and None where it has none.

    Raises:
        UserError: as `judged_set`.
    """
    if choice is None or not isinstance(data, ConceptSet):
        return data, None
    judged = judged_set(choice, encode, seed)
    return judged.apart(data), judged


def judged_figures(
    compared: "Sequence[tuple[str, BeforeAfter]]", input_id: int, digest: str
) -> tuple[FigureInfo, ...]:
    """Figures of the trained encoder (as encoder 0) and of what lies beneath it."""
    return tuple(
        FigureInfo(encoder_id, task, digest, f.metric, f.value, f.low, f.high, f.n)
        for task, comparison in compared
        for encoder_id, figures in ((0, comparison.after), (input_id, comparison.before))
        for f in figures
        if not np.isnan(f.value)
    )


def differences(compared: "Sequence[tuple[str, BeforeAfter]]") -> list[dict[str, Any]]:
    """What a run's card says of how the two differ: after less before."""
    return [
        {
            "task": task,
            "metric": metric,
            "difference": difference.difference,
            "low": difference.low,
            "high": difference.high,
            "p": difference.p,
            "n": difference.n,
        }
        for task, comparison in compared
        for metric, difference in comparison.differences.items()
    ]
