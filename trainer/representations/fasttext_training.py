"""Training fastText vectors, with its progress read from its own standard error."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Any

from trainer.representations.fasttext_matrices import KIND, write_model
from trainer.representations.text_file import check_text
from trainer.tokenizer import tokenize, tokenized_lines

# fastText 0.9.3 fills its matrix in tenths, one a thread, and leaves what no thread takes
# uninitialised: with fewer than 10 whole tenths, with 10 the few values that do not divide by 10.
LEAST_THREADS = 11

_PROGRESS = re.compile(
    rb"Progress:\s*([\d.]+)%\s*words/sec/thread:\s*(-?\d+)"
    rb".*?(?:avg\.)?loss:\s*(-?[\d.]+|-?nan).*?ETA:\s*(-?\d+)h\s*(-?\d+)m\s*(-?\d+)s",
    re.DOTALL,
)


@dataclass(frozen=True)
class TrainingProgress:
    """How far fastText has come.

    Attributes:
        fraction: 0 to 1.
        words_per_second: of one thread.
        loss: the mean loss so far.
        seconds_left: fastText's own estimate.
    """

    fraction: float
    words_per_second: int
    loss: float
    seconds_left: int


def progress_of(descriptor: int) -> Iterator[TrainingProgress]:
    """Yield what fastText reports on a file descriptor, until that is closed at its other end."""
    rest = b""
    while chunk := os.read(descriptor, 65_536):
        rest += chunk
        found = list(_PROGRESS.finditer(rest))
        for match in found:
            percent, rate, loss, hours, minutes, seconds = match.groups()
            # a run too short for fastText's clock has rates and times below zero
            left = max(int(hours) * 3600 + int(minutes) * 60 + int(seconds), 0)
            words = max(int(rate), 0)
            yield TrainingProgress(float(percent) / 100, words, float(loss), left)
        rest = rest[found[-1].end() :] if found else rest[-4096:]


def write_corpus(names: Iterable[str], texts: Iterable[Path], corpus: Path) -> int:
    """Lay out names, definitions and text files for training: one a line, tokens parted by spaces.

    Args:
        names: names and definitions.
        texts: further text files, plain or ``.gz``, a sentence or paragraph a line.
        corpus: the file to write.

    Returns:
        The number of lines written.

    Raises:
        ValueError: for a text file that cannot be read, is no UTF-8 text, or is empty; nothing is
            written then.
    """
    texts = list(texts)
    for path in texts:
        check_text(path)
    lines = 0
    with corpus.open("w", encoding="utf-8", newline="\n") as file:
        for line in _corpus_lines(names, texts):
            lines += file.write(line + "\n") > 1
    return lines


def _corpus_lines(names: Iterable[str], texts: Iterable[Path]) -> Iterator[str]:
    for name in names:
        yield " ".join(tokenize(name))
    for path in texts:
        yield from tokenized_lines(path)


def train(
    corpus: Path,
    folder: Path,
    *,
    dimension: int = 300,
    window: int = 5,
    epochs: int = 5,
    min_count: int = 5,
    minn: int = 3,
    maxn: int = 6,
    buckets: int = 200_000,
    learning_rate: float = 0.05,
    threads: int = LEAST_THREADS,
    progress: Callable[[TrainingProgress], None] | None = None,
) -> None:
    """Train skip-gram vectors on a corpus of ``write_corpus`` and write them to a folder.

    Runs until it is done: call it in a child process, to be able to stop it. Its threads write to
    one matrix without locks, so the result differs a little from run to run; there is no seed.

    Args:
        corpus: the text.
        folder: where the vectors go; see ``FastTextVectors.load``.
        dimension: width of the vectors.
        window: words on either side that a word has to predict.
        epochs: times that the text is read.
        min_count: rarer words have no vector of their own.
        minn: shortest character n-gram.
        maxn: longest character n-gram.
        buckets: rows that the n-grams share by hashing.
        learning_rate: at the start; it falls to 0.
        threads: never fewer than 11 are used.
        progress: called from another thread about ten times a second.

    Raises:
        ValueError: for a text without a frequent word, or vectors that are not finite.
    """
    fit(
        "train_unsupervised", corpus, folder, threads=threads, progress=progress,
        model="skipgram", dim=dimension, ws=window, epoch=epochs, minCount=min_count, minn=minn,
        maxn=maxn, bucket=buckets, lr=learning_rate,
    )  # fmt: skip


def fit(
    method: str,
    corpus: Path,
    folder: Path,
    *,
    kind: str = KIND,
    threads: int = LEAST_THREADS,
    progress: Callable[[TrainingProgress], None] | None = None,
    **parameters: Any,
) -> None:
    """Run a trainer of fastText and write its input matrix to a folder; see ``train``.

    Args:
        method: ``train_unsupervised`` or ``train_supervised``.
        corpus: the text.
        folder: where the vectors go.
        kind: of the folder, which says how they are to be read.
        threads: never fewer than 11 are used.
        progress: called from another thread about ten times a second.
        parameters: fastText's own.

    Raises:
        ValueError: for a text without a frequent word, or vectors that are not finite.
    """
    import fasttext

    with _reported(progress):
        try:
            model = getattr(fasttext, method)(
                str(corpus), thread=max(threads, LEAST_THREADS), verbose=2, **parameters
            )
        except (ValueError, RuntimeError) as error:
            raise ValueError(f"fastText cannot train on {corpus}: {error}") from error
    write_model(model, folder, kind)


@contextmanager
def _reported(progress: Callable[[TrainingProgress], None] | None) -> Iterator[None]:
    """Lead file descriptor 2 through a pipe, whose reports go to ``progress``."""
    reading, writing = os.pipe()
    kept = os.dup(2)
    reader = Thread(target=_report, args=(reading, progress), daemon=True)
    reader.start()
    os.dup2(writing, 2)
    os.close(writing)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        reader.join()
        os.close(reading)


def _report(descriptor: int, progress: Callable[[Any], None] | None) -> None:
    for report in progress_of(descriptor):
        if progress is not None:
            progress(report)
