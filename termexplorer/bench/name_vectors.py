"""Name vectors from fastText matrices beside a loop over ``get_word_vector``."""

from __future__ import annotations

import tempfile
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from termexplorer.bench.bounds import best_seconds, seconds_of
from termexplorer.bench.figure import BenchContext, BenchFigure
from termexplorer.trainer.representations.fasttext_fit import LEAST_THREADS
from termexplorer.trainer.representations.fasttext_matrices import FastTextVectors, write_model
from termexplorer.trainer.representations.fasttext_training import write_corpus
from termexplorer.trainer.text.tokenizer import tokenize

_NAMES, _GOAL, _TOLERANCE = 110_000, 5, 1e-5


def run(context: BenchContext) -> list[BenchFigure]:
    """Measure the vectors of ICD-10-CM's names, tokenising included, with nothing cached."""
    names = icd10cm_names()
    with tempfile.TemporaryDirectory() as folder:
        model = train_model(names, Path(folder))
        ours = FastTextVectors.load(Path(folder) / "vectors")
        loop = min(
            seconds_of(lambda: loop_over_names(model, names))
            for _ in range(1 if context.quick else 2)
        )
        swept = best_seconds(lambda: ours.encode(names), 3)
        error = float(
            np.abs(ours.encode(names[:5000]) - loop_over_names(model, names[:5000])).max()
        )
    ratio = loop / swept
    return [
        BenchFigure(
            f"name vectors, {len(names):,} names, largest difference {error:.0e}",
            swept, "s", "get_word_vector loop", loop, ratio,
            f"at least {_GOAL} times faster, equal to {_TOLERANCE:.0e}",
            ratio >= _GOAL and error <= _TOLERANCE,
        )
    ]  # fmt: skip


def icd10cm_names(limit: int = _NAMES) -> list[str]:
    """Return descriptions and inclusion terms of ICD-10-CM."""
    import simple_icd_10_cm as icd

    codes = icd.get_all_codes()
    terms = (term for code in codes for term in icd.get_inclusion_term(code))
    descriptions = (icd.get_description(code) for code in codes)
    return list(islice((name for part in (descriptions, terms) for name in part), limit))


def train_model(names: list[str], folder: Path) -> Any:
    """Train a small model, write our copy of it, and return fastText's own."""
    import fasttext

    write_corpus(names, [], folder / "corpus.txt")
    model = fasttext.train_unsupervised(
        str(folder / "corpus.txt"), dim=300, minCount=5, bucket=200_000, epoch=1,
        thread=LEAST_THREADS, verbose=0,
    )  # fmt: skip
    write_model(model, folder / "vectors")
    return model


def loop_over_names(model: Any, names: list[str]) -> np.ndarray:
    """Return the same vectors the plain way."""
    vectors = np.zeros((len(names), model.get_dimension()), dtype=np.float32)
    for row, name in enumerate(names):
        tokens = [model.get_word_vector(token) for token in tokenize(name)]
        if tokens:
            vectors[row] = np.mean(tokens, axis=0)
    return vectors
