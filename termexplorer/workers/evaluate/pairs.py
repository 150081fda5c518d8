"""Tasks on pairs of terms: what all of them do with the files, and with what the encoders say."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from termexplorer.errors import UserError
from termexplorer.store.encoders.runs import FigureInfo
from termexplorer.texts import tr
from termexplorer.trainer.errors import Message
from termexplorer.workers.data.pair_folder import MANIFEST
from termexplorer.workers.encoders.encoding import Float32s
from termexplorer.workers.evaluate.messages import ALL_IT_KNOWS, MEASURE
from termexplorer.workers.evaluate.similarities import pair_similarities
from termexplorer.workers.evaluate.steps import EvaluationSteps
from termexplorer.workers.evaluate.task_data import TaskContext
from termexplorer.workers.process import kept_texts

if TYPE_CHECKING:
    from termexplorer.trainer.evaluation.pairs.classification import PairClassification
    from termexplorer.trainer.evaluation.pairs.relatedness import Relatedness
    from termexplorer.trainer.files.pairs import PairSet

    Result = PairClassification | Relatedness

_FITTED = ("tfidf", "bm25")  # methods that weight pieces by how many texts have them


@dataclass(frozen=True, eq=False)
class SeenPairs:
    """A set of p pairs as encoders see it.

    Attributes:
        similarities: (p,) of each encoder by its id; NaN for pairs that it cannot represent.
    """

    pairs: "PairSet"
    similarities: Mapping[int, Float32s]

    @cached_property
    def counted(self) -> NDArray[np.bool_]:
        """The pairs that every encoder can represent, (p,) ([MTS] 5)."""
        from termexplorer.trainer.evaluation.pairs.relatedness import covered_by_all

        return covered_by_all(self.similarities.values())

    def terms(self) -> list[str]:
        """The distinct terms of the pairs that count."""
        every, *sides = self.pairs.terms()
        return [every[index] for index in np.unique([side[self.counted] for side in sides])]

    @cached_property
    def data_hash(self) -> str:
        """Of the pairs, their scores, and which of them count."""
        digest = self._digest_set()
        digest.update(self.counted.tobytes())
        return digest.hexdigest()

    @cached_property
    def set_hash(self) -> str:
        """Of the pairs and their scores, whichever of them count."""
        return self._digest_set().hexdigest()

    def _digest_set(self) -> "hashlib._Hash":
        digest = hashlib.sha256(repr((self.pairs.left, self.pairs.right)).encode())
        digest.update(np.asarray(self.pairs.scores).tobytes())
        return digest


def read_sets(context: TaskContext) -> "list[PairSet]":
    """The sets of all files; of a folder those of its .tsv files, in the order of their names.

    Sets that were made of an ontology are called alike for all of them, so that the name of such
    a folder is told, and that of others where two sets have one name.

    Raises:
        UserError: there is no file, or one cannot be read.
    """
    from termexplorer.trainer.files.pairs import read_pairs

    request = context.request
    if not request.pairs:
        raise UserError(
            tr("{task} needs files of term pairs: say which by --pairs", task=request.task)
        )
    located_sets: list[tuple[Path, PairSet]] = []
    for path in request.pairs:
        for file in files_of(path):
            context.tick()
            located_sets += [(file.parent, pairs) for pairs in read_pairs(file)]
    names = Counter(pairs.name for _, pairs in located_sets)
    return [
        replace(pairs, name=f"{pairs.name} ({folder.name})")
        if names[pairs.name] > 1 or (folder / MANIFEST).is_file()
        else pairs
        for folder, pairs in located_sets
    ]


def files_of(path: Path) -> Sequence[Path]:
    """A file, or the pair sets of a folder by name.

    Raises:
        UserError: the folder has none.
    """
    if not path.is_dir():
        return [path]
    files = sorted(path.glob("*.tsv"))
    if not files:
        raise UserError(
            tr("{path} has no .tsv file; choose a folder of pair sets, or their files", path=path)
        )
    return files


def seen_by_all(
    context: TaskContext, sets: "Sequence[PairSet]", steps: EvaluationSteps
) -> list[SeenPairs]:
    """The sets with what each encoder has to say; a term of several is encoded once."""
    request, similarities = context.request, {}
    steps.plan(len(request.encoder_ids) + len(sets), 1)
    for encoder_id in request.encoder_ids:
        steps.begin(tr("similarities by {label}", label=context.encoders.info(encoder_id).label))
        similarities[encoder_id] = pair_similarities(
            context.encoders, encoder_id, sets, request.measure, context.tick
        )
    return [
        SeenPairs(pairs, {encoder: of_sets[index] for encoder, of_sets in similarities.items()})
        for index, pairs in enumerate(sets)
    ]


def task_name(context: TaskContext) -> str:
    """The task as its figures are stored."""
    request = context.request
    return request.task if request.measure == MEASURE else f"{request.task}, {request.measure}"


def figures_of(
    task: str, seen: SeenPairs, results: "Mapping[int, Result]"
) -> tuple[FigureInfo, ...]:
    """The figures that are defined."""
    return tuple(
        FigureInfo(encoder_id, task, seen.data_hash, f.metric, f.value, f.low, f.high, f.n)
        for encoder_id, result in results.items()
        for f in result.figures
        if not isnan(f.value)
    )


def own_figures(
    task: str, seen: SeenPairs, classify: "Callable[[int, NDArray[np.bool_]], Result]"
) -> tuple[FigureInfo, ...]:
    """The first figure of each encoder on all pairs that it knows, where these are more.

    Args:
        task: as figures are stored.
        seen: the pairs.
        classify: makes a result of an encoder, by its id, and the pairs to count.
    """
    known = {
        encoder_id: ~np.isnan(similarities)
        for encoder_id, similarities in seen.similarities.items()
    }
    if all(is_known.sum() == seen.counted.sum() for is_known in known.values()):
        return ()
    alone = {encoder_id: classify(encoder_id, is_known) for encoder_id, is_known in known.items()}
    return tuple(
        FigureInfo(
            encoder_id, task, seen.data_hash, ALL_IT_KNOWS.format(metric=f.metric),
            f.value, f.low, f.high, f.n,
        )
        for encoder_id, result in alone.items()
        for f in result.figures[:1]
        if not isnan(f.value)
    )  # fmt: skip


def notes_of(
    context: TaskContext, seen: SeenPairs, results: "Mapping[int, Result]"
) -> Iterator[Message]:
    """How many pairs count and each encoder knows, and which figures are not defined."""
    known, all_of_them = int(seen.counted.sum()), len(seen.pairs)
    text = kept_texts.SOME_KNOWN if known < all_of_them else kept_texts.KNOWN
    yield Message(text, known=known, pairs=all_of_them)
    repeats, contradictions = seen.pairs.count_repeated()
    if repeats or contradictions:
        yield Message(kept_texts.REPEATED_PAIRS, repeats=repeats, contradictions=contradictions)
    for encoder_id, result in results.items():
        info = context.encoders.info(encoder_id)
        known_to_encoder = int((~np.isnan(seen.similarities[encoder_id])).sum())
        if known < known_to_encoder or known_to_encoder < all_of_them:
            yield Message(
                kept_texts.KNOWN_TO,
                label=info.kept_label,
                known=known_to_encoder,
                pairs=all_of_them,
            )
        if result.undefined:
            yield Message(kept_texts.UNDEFINED, label=info.kept_label, why=result.undefined)
        if info.method in _FITTED:
            yield Message(kept_texts.FITTED_ON_PAIRS, label=info.kept_label)
        if info.is_lexical and context.request.measure != MEASURE:
            yield Message(kept_texts.OWN_MEASURE, label=info.kept_label)


def defined_couples(results: "Mapping[int, Result]") -> Iterator[tuple[int, int]]:
    """Each two encoders whose figures are defined."""
    return combinations(
        [encoder_id for encoder_id, result in results.items() if not result.undefined], 2
    )
