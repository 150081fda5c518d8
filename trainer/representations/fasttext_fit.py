"""Running a trainer of fastText, with its progress read from its own standard error."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Any

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.representations.fasttext_matrices import write_model
from termexplorer.trainer.tensors.cores import share_cores

# fastText 0.9.3 fills its matrix in tenths, one a thread, and leaves what no thread takes
# uninitialised: with fewer than 10 whole tenths, with 10 the few values that do not divide by 10.
LEAST_THREADS = 11

_PROGRESS = re.compile(
    rb"Progress:\s*([\d.]+)%"
    rb".*?(?:avg\.)?loss:\s*(-?[\d.]+|-?nan).*?ETA:\s*(-?\d+)h\s*(-?\d+)m\s*(-?\d+)s",
    re.DOTALL,
)


@dataclass(frozen=True)
class TrainingProgress:
    """How far fastText has come.

    Attributes:
        fraction: 0 to 1.
        loss: the mean loss so far.
        seconds_left: fastText's own estimate.
    """

    fraction: float
    loss: float
    seconds_left: int


def progress_of(descriptor: int) -> Iterator[TrainingProgress]:
    """Yield what fastText reports on a file descriptor, until that is closed at its other end."""
    rest = b""
    while chunk := os.read(descriptor, 65_536):
        rest += chunk
        matches = list(_PROGRESS.finditer(rest))
        for match in matches:
            percent, loss, hours, minutes, seconds = match.groups()
            # a run too short for fastText's clock has times below zero
            left = max(int(hours) * 3600 + int(minutes) * 60 + int(seconds), 0)
            yield TrainingProgress(float(percent) / 100, float(loss), left)
        rest = rest[matches[-1].end() :] if matches else rest[-4096:]


def fit(
    method: str,
    corpus: Path,
    folder: Path,
    kind: str,
    progress: Callable[[TrainingProgress], None] | None = None,
    **parameters: Any,
) -> None:
    """Run a trainer of fastText and write its input matrix to a folder.

    Runs until it is done: call it in a child process, to be able to stop it. Its threads write to
    one matrix without locks, so the result differs a little from run to run; there is no seed. They
    share the cores that may be used.

    Args:
        method: ``train_unsupervised`` or ``train_supervised``.
        corpus: the text.
        folder: where the vectors go.
        kind: of the folder, which says how they are to be read.
        progress: called from another thread about ten times a second.
        parameters: fastText's own.

    Raises:
        ValueError: for a text without a frequent word, or vectors that are not finite; or if
            fastText is not installed.
    """
    fasttext = _import_fasttext()
    with _report_progress(progress), share_cores():
        try:
            train = getattr(fasttext, method)
            model = train(str(corpus), thread=LEAST_THREADS, verbose=2, **parameters)
        except (ValueError, RuntimeError) as error:
            reason = str(error).rstrip(".")
            raise TrainerError(
                "fastText cannot train on the text: {reason}; give more text, or "
                "lower how often a word has to occur",
                reason=reason,
            ) from error
    write_model(model, folder, kind)


def _import_fasttext() -> Any:
    try:
        import fasttext
    except ImportError as error:
        raise TrainerError(
            "fastText is not installed, which trains these vectors; `pip install fasttext` (it is "
            "compiled: a C++ compiler is needed), or choose the method ppmi"
        ) from error
    return fasttext


@contextmanager
def _report_progress(progress: Callable[[TrainingProgress], None] | None) -> Iterator[None]:
    """Lead file descriptor 2 through a pipe, whose reports go to ``progress``."""
    reading, writing = os.pipe()
    stderr_copy = os.dup(2)
    reader = Thread(target=_forward_reports, args=(reading, progress), daemon=True)
    reader.start()
    os.dup2(writing, 2)
    os.close(writing)
    try:
        yield
    finally:
        os.dup2(stderr_copy, 2)
        os.close(stderr_copy)
        reader.join()
        os.close(reading)


def _forward_reports(descriptor: int, progress: Callable[[Any], None] | None) -> None:
    for report in progress_of(descriptor):
        if progress is not None:
            progress(report)
