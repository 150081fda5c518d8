"""The steps from larger encoders to a static one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.data.splits import TRAIN, Parts
from termexplorer.trainer.distillation.pair_training import (
    PairSource,
    StaticTraining,
    train_words,
)
from termexplorer.trainer.distillation.rounding import make_tables
from termexplorer.trainer.distillation.vocabulary import WordVocabulary
from termexplorer.trainer.distillation.word_fitting import (
    find_main_directions,
    fit_words,
    join_words,
    remove_common,
    remove_mean,
    scale_to_unit,
)
from termexplorer.trainer.representations.base import Representation
from termexplorer.trainer.representations.ppmi_training import CountedWords
from termexplorer.trainer.representations.static import StaticTables
from termexplorer.trainer.representations.word_vectors import WordVectors
from termexplorer.trainer.text.names import LabelledNames

Float32s = NDArray[np.float32]
Report = Callable[[str], None]

_LONGEST = 24  # words of a name or definition that are learned from
_PER_NAME = 60_000  # names that the directions are found by
_STEPS_PER_REPORT = 100


@dataclass(frozen=True)
class StaticSettings:
    """How a static encoder is made.

    Attributes:
        dimension: its width.
        least: how often a word that is in no name has to occur in the corpus.
        smoothing: of the weights of words; see ``WordVocabulary.weigh_words``.
        windows: words on either side that are counted, and the weight of the vectors that come of
            it, for each kind of counted words.
        counted_width: dimensions of each kind.
        teacher_weight: of the words that are fitted to the teacher's names.
        buckets: rows for n-grams of unknown words.
        fitted: names at most that the teacher reads.
        training: on synonyms, parents and definitions.
        seed: of the names that are drawn.
    """

    dimension: int = 256
    least: int = 5
    smoothing: float = 1e-3
    windows: Mapping[int, float] = field(default_factory=lambda: {30: 1.0, 10: 1.0})
    counted_width: int = 300
    teacher_weight: float = 0.5
    buckets: int = 16_384
    fitted: int = 60_000
    training: StaticTraining = field(default_factory=StaticTraining)
    seed: int = 0


@dataclass(frozen=True, eq=False)
class DistillationData:
    """What a static encoder is made of.

    Attributes:
        corpus: text, a line a sentence or paragraph, its words parted by spaces.
        labels: names and their concepts.
        parts: (n,) of the names, see ``trainer.data.splits``; others than ``TRAIN`` are never
            learned as synonyms.
        parents: pairs of a concept and its parent, as numbers of classes.
        definitions: the text of a concept by its number.
        more_names: further names whose words the vocabulary has.
    """

    corpus: Path
    labels: LabelledNames
    parts: Parts
    parents: Sequence[tuple[int, int]]
    definitions: Mapping[int, str]
    more_names: Sequence[str] = ()


def distil(
    data: DistillationData,
    teacher: Representation,
    settings: StaticSettings,
    report: Report = lambda text: None,
) -> StaticTables:
    """Make a static encoder.

    Words are counted in the corpus and fitted to the teacher's vectors of names; both are joined
    and brought to fewer dimensions, trained on, and rounded.

    Args:
        data: what it is made of.
        teacher: encodes names, such as a transformer.
        settings: how it is made.
        report: is told of each step.
    """
    names = [*data.labels.names, *data.more_names]
    vocabulary = WordVocabulary.choose(data.corpus, names, settings.least)
    report(f"{len(vocabulary.words):,} words")
    weights = vocabulary.weigh_words(settings.smoothing)
    parts = [
        (_count_words(data.corpus, window, settings, vocabulary, report), weight)
        for window, weight in settings.windows.items()
    ]
    fitted = _fit_teacher(vocabulary, weights, names, teacher, settings, report)
    joined = join_words([*parts, (fitted, settings.teacher_weight)])
    averages = vocabulary.average_names(data.labels.names, weights)
    drawn = np.random.default_rng(settings.seed).permutation(averages.shape[0])[:_PER_NAME]
    directions = find_main_directions(averages[drawn] @ joined, settings.dimension)
    whole = scale_to_unit(np.asarray(averages @ joined))
    source = _make_source(data, vocabulary, scale_to_unit(whole @ directions), weights)
    trained = train_words(
        joined @ directions,
        source,
        settings.training,
        partial(_report_step, report),
    )
    weighted = trained * weights[:, None].astype(np.float32)
    return make_tables(vocabulary.words, weighted, weights.astype(np.float32), settings.buckets)


def _report_step(report: Report, step: int, loss: float) -> None:
    if step % _STEPS_PER_REPORT == 0:
        report(f"step {step:,}: loss {loss:.3f}")


def _count_words(
    corpus: Path, window: int, settings: StaticSettings, vocabulary: WordVocabulary, report: Report
) -> Float32s:
    """Return vectors of words by what stands near them, zeros for rare ones."""
    report(f"counting words within {window}")
    with TemporaryDirectory() as room:
        folder = Path(room) / "counted"
        CountedWords(dimension=settings.counted_width, min_count=3, window=window).fit(
            corpus, folder
        )
        vectors, known = WordVectors.load(folder, verify=False).token_vectors(vocabulary.words)
        return remove_common(np.asarray(vectors), known)


def _fit_teacher(
    vocabulary: WordVocabulary,
    weights: NDArray[np.float64],
    names: Sequence[str],
    teacher: Representation,
    settings: StaticSettings,
    report: Report,
) -> Float32s:
    """Return vectors of words whose means are the teacher's vectors of names."""
    distinct = list(dict.fromkeys(names))
    drawn = np.random.default_rng(settings.seed).permutation(len(distinct))[: settings.fitted]
    chosen = [distinct[index] for index in drawn.tolist()]
    report(f"the teacher reads {len(vocabulary.words):,} words and {len(chosen):,} names")
    start = scale_to_unit(teacher.encode(vocabulary.words)) * np.float32(0.6)
    targets = scale_to_unit(teacher.encode(chosen))
    averages = vocabulary.average_names(chosen, weights)
    fitted = fit_words(averages, targets, start)
    cosines = (scale_to_unit(np.asarray(averages @ fitted)) * targets).sum(axis=1)
    report(f"fitted names are at a cosine of {cosines.mean():.3f} to the teacher's")
    return remove_mean(fitted, averages)


def _make_source(
    data: DistillationData,
    vocabulary: WordVocabulary,
    teacher: Float32s,
    weights: NDArray[np.float64],
) -> PairSource:
    members = [concept[data.parts[concept] == TRAIN] for concept in data.labels.members()]
    sizes = np.array([len(concept) for concept in members])
    parents = [pair for pair in data.parents if sizes[list(pair)].all()]
    defined = [concept for concept in data.definitions if sizes[concept]]
    texts = [data.definitions[concept] for concept in defined]
    return PairSource(
        vocabulary.pad_names(data.labels.names, _LONGEST),
        np.concatenate(([0], np.cumsum(sizes))),
        np.concatenate(members),
        np.array(parents, dtype=np.int64).reshape(-1, 2),
        vocabulary.pad_names(texts, _LONGEST),
        np.array(defined, dtype=np.int64),
        teacher,
        weights.astype(np.float32),
    )
