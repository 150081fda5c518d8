"""Loading, training and evaluating in a notebook: few words, sensible defaults."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import index
from pathlib import Path
from typing import Any, Self, cast

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer import encoders, representations
from termexplorer.trainer.data.judged_pairs import JudgedPairs
from termexplorer.trainer.data.splits import PARTS, Parts
from termexplorer.trainer.encoders import chained
from termexplorer.trainer.encoders.chained import ChainedNames
from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.files.folders import META, read_meta
from termexplorer.trainer.recipes.base import Recipe
from termexplorer.trainer.representations.base import Float32s, Representation, texts_of
from termexplorer.trainer.representations.tfidf import TfidfNames
from termexplorer.trainer.text.names import LabelledNames
from termexplorer.trainer.training.closed_form import ClosedForm
from termexplorer.trainer.training.epochs import BEST, STATE, EpochReport, RunControl
from termexplorer.trainer.training.run import train as train_epochs

CHAIN = "chain"  # in a run's folder, or one to take away: the encoder, over all that it stands on


def load(
    folder: str | Path, *, over: str | Path | None = None, device: str | None = None
) -> Representation | TfidfNames:
    """Open anything that encodes names.

    Args:
        folder: a saved representation, the folder of a run, or what `termexplorer encoder export`
            has written.
        over: the representation that a trained encoder is to stand on, where ``folder`` holds no
            more than its weights.
        device: as torch names it; a graphics processor if there is one.

    Raises:
        ValueError: for what is none of these, or has changed since it was saved.
    """
    folder, device = Path(folder), _choose_device(device)
    weights = folder / BEST if (folder / BEST / META).is_file() else folder
    if over is not None:
        beneath = representations.load_dense(_whole_encoder_folder(over), device)
        return ChainedNames(beneath, encoders.load_any(weights, device))
    if _whole_encoder_folder(folder) != folder:
        return representations.load(_whole_encoder_folder(folder), device)
    if (folder / STATE).is_dir() and weights == folder:
        raise TrainerError(
            "{folder} holds a run that is not over; end it by its encoder(), or go "
            "on with it (train with resume=True)",
            folder=folder,
        )
    if encoders.is_encoder(weights):
        raise TrainerError(
            "{weights} holds an encoder, but not what it stands on; name that too "
            "(over=), or write both into one folder with `termexplorer encoder "
            "export`",
            weights=weights,
        )
    return representations.load(folder, device)


def _whole_encoder_folder(folder: str | Path) -> Path:
    """Return where the encoder over all that it stands on is: in a run's folder, or the folder."""
    inside = Path(folder) / CHAIN
    return inside if (inside / META).is_file() else Path(folder)


def labelled(classes: Mapping[str, Iterable[str]]) -> LabelledNames:
    """Return names and their classes, from the names of each class.

    A name that is given twice is one name, of several classes where that is said.

    Raises:
        ValueError: for what are no names.
    """
    if not isinstance(classes, Mapping):
        raise TrainerError(
            "a {kind} names no classes; give names by their class", kind=type(classes).__name__
        )
    numbers: dict[str, int] = {}
    pairs: dict[tuple[int, int], None] = {}
    for number, names in enumerate(classes.values()):
        for name in texts_of(names):
            pairs[numbers.setdefault(name, len(numbers)), number] = None
    index = np.array(list(pairs), dtype=np.int64).reshape(-1, 2).T
    return LabelledNames(tuple(numbers), tuple(classes), index[0].copy(), index[1].copy())


@dataclass(frozen=True, eq=False)
class Data:
    """What to train on, and to evaluate with.

    Attributes:
        labels: n names and their classes.
        parts: (n,) uint8, which are for training, validation and test; see ``trainer.data.splits``.
        representation: what makes vectors of names, or the folder where it is saved, that of
            another run too; a run that is given a folder can be loaded from its own later.
        vectors: (n, d) float32, the vectors of the names, where they are known already.
        judged: pairs of terms, for the recipe that learns from them.

    Raises:
        ValueError: for parts or vectors that are not of n names, vectors of another width than
            the representation makes, or what is no representation.
    """

    labels: LabelledNames
    parts: Parts
    representation: Representation | str | Path | None = None
    vectors: NDArray[np.float32] | None = None
    judged: JudgedPairs | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.labels, LabelledNames):
            raise TrainerError(
                "a {kind} is no names with classes; see trainer.labelled",
                kind=type(self.labels).__name__,
            )
        made_by = self.representation
        if not (made_by is None or isinstance(made_by, str | Path) or hasattr(made_by, "encode")):
            raise TrainerError(
                "{made_by!r} encodes no names; give an encoder, or the folder of one",
                made_by=made_by,
            )
        count, parts = len(self.labels.names), np.asarray(self.parts)
        if parts.shape != (count,):
            raise TrainerError(
                "{count} names need as many parts, not {shape}", count=count, shape=parts.shape
            )
        if not np.isin(parts, PARTS).all():
            raise TrainerError(
                "a part is none of those of trainer.data.splits, whole numbers from 0 to 4"
            )
        object.__setattr__(self, "parts", parts.astype(np.uint8))
        if self.vectors is None:
            return
        vectors = np.asarray(self.vectors, dtype=np.float32)
        if vectors.ndim != 2 or len(vectors) != count:
            raise TrainerError(
                "{count} names need ({count}, d) vectors, not {shape}",
                count=count,
                shape=vectors.shape,
            )
        width = _vector_width(made_by)
        if width not in (None, vectors.shape[1]):
            raise TrainerError(
                "the vectors are {shape} wide, those of the representation "
                "{width}; give the vectors that it makes, or leave them out",
                shape=vectors.shape[1],
                width=width,
            )
        object.__setattr__(self, "vectors", vectors)

    @cached_property
    def encoder(self) -> Representation:
        """The representation, opened.

        Raises:
            ValueError: where there is none.
        """
        if self.representation is None:
            raise TrainerError("there are vectors, but no representation; give one to encode names")
        if isinstance(self.representation, str | Path):
            return representations.load_dense(
                _whole_encoder_folder(self.representation), _choose_device()
            )
        return self.representation

    @cached_property
    def encoded(self) -> Float32s:
        """The vectors of the names, (n, d) float32."""
        return self.encoder.encode(self.labels.names) if self.vectors is None else self.vectors


def _vector_width(representation: Representation | str | Path | None) -> int | None:
    """Return how wide the vectors of a representation are; None where it does not say."""
    if isinstance(representation, str | Path):
        return read_meta(_whole_encoder_folder(representation), verify=False).get("dimension")
    return getattr(representation, "dimension", None)


class Training:
    """A run: iterate over the reports of its epochs.

    Attributes:
        folder: where its best encoder and its state are.
    """

    def __init__(self, data: Data, reports: Generator[EpochReport], folder: Path, device: str):
        self.folder = folder
        self._data, self._reports, self._device = data, reports, device

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> EpochReport:
        """Train for an epoch."""
        try:
            return next(self._reports)
        except BaseException:  # its end, or an interruption: the best encoder is written now
            _record_inputs(self.folder, self._data)
            raise

    def encoder(self) -> ChainedNames:
        """End the run where it is, and return the best encoder so far, over its representation.

        Raises:
            ValueError: before the first epoch's end, and for vectors without a representation.
        """
        self._reports.close()
        if not (self.folder / BEST).is_dir():
            raise TrainerError("no epoch is over yet; iterate over the run first")
        _record_inputs(self.folder, self._data)
        return ChainedNames(self._data.encoder, encoders.load_any(self.folder / BEST, self._device))


def _record_inputs(folder: Path, data: Data) -> None:
    """Write down what the encoder of a run was trained on, if that is a folder."""
    beneath = data.representation
    if isinstance(beneath, str | Path) and (folder / BEST).is_dir():
        chained.write(folder / CHAIN, _whole_encoder_folder(beneath), folder / BEST)


def train(
    recipe: Recipe[Any] | ClosedForm,
    data: Data,
    *,
    state_dir: str | Path | None = None,
    device: str | None = None,
    seed: int = 0,
    control: RunControl | None = None,
    resume: bool = False,
) -> Training:
    """Train an encoder, a report after each epoch; see ``trainer.training.run.train``.

    Args:
        recipe: ``FewShot.quick()``, for example.
        data: names, classes, parts and vectors.
        state_dir: the run's folder; by default one that goes away with what is returned.
        device: as torch names it; a graphics processor if there is one.
        seed: of everything random.
        control: looked at between steps.
        resume: go on from the state in ``state_dir``.

    Raises:
        ValueError: for a recipe that is none, a device that is not there, or a folder that holds a
            run which is not gone on with; and, once iterated over, for data that cannot be trained
            on.
    """
    if isinstance(recipe, str | type) or recipe is None:
        raise TrainerError(
            "{recipe!r} is no recipe; give one such as trainer.FewShot.quick()", recipe=recipe
        )
    if state_dir is not None:
        _check_unused(Path(state_dir), recipe, resume)
    device, vectors = _choose_device(device), data.encoded
    folder = Path(state_dir or tempfile.mkdtemp(prefix="trainer-"))
    options: dict[str, Any] = {"seed": index(seed), "device": device, "state_dir": folder}
    options["judged"] = data.judged
    if reads := getattr(recipe, "reads", ""):
        chained.check_source(reads, data.encoder)
        options["source"] = data.encoder
    epochs = train_epochs(
        recipe, data.labels, data.parts, vectors, **options, control=control, resume=resume
    )
    reports = cast("Generator[EpochReport]", epochs)
    run = Training(data, reports, folder, device)
    weakref.finalize(run, _end_run, reports, folder, data, keep=state_dir is not None)
    return run


def _check_unused(folder: Path, recipe: object, resume: bool) -> None:
    """Refuse to write over the encoder or the state of another run, or over a file."""
    if folder.is_file():
        raise TrainerError("{folder} is a file; name a folder for the run", folder=folder)
    if not any((folder / part).exists() for part in (BEST, STATE)):
        return
    if isinstance(recipe, ClosedForm):  # done in one go, so nothing to go on with
        raise TrainerError(
            "{folder} holds a run already; choose another folder, or remove this one", folder=folder
        )
    if not resume:
        raise TrainerError(
            "{folder} holds a run already; go on with it (resume=True), choose "
            "another folder, or remove this one",
            folder=folder,
        )


def _end_run(reports: Generator[EpochReport], folder: Path, data: Data, *, keep: bool) -> None:
    """End a run, which writes its best encoder at its end; remove its folder if nobody named it."""
    reports.close()
    if keep:
        _record_inputs(folder, data)
    else:
        shutil.rmtree(folder, ignore_errors=True)


def _choose_device(asked: str | None = None) -> str:
    import torch

    if asked is None:
        return "cuda" if torch.cuda.is_available() else "cpu"
    try:
        torch.zeros(0, device=asked)
    except (RuntimeError, AssertionError) as error:  # the latter from builds without CUDA
        raise TrainerError(
            "there is no device {asked!r} here; choose cpu, or leave it out", asked=asked
        ) from error
    return asked
