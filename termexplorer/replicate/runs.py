"""What all protocols need in the child: vectors, benchmarks, training with resuming, progress."""

import hashlib
import shutil
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from termexplorer.errors import UserError
from termexplorer.replicate.request import PaperStudyRequest, StudyVectors
from termexplorer.replicate.work.pieces import FinishedPieces, Key, Record
from termexplorer.replicate.work.worker import StudyWorker
from termexplorer.services.recipes.presets import hyperparameters, recipes
from termexplorer.store.encoders.infos import EncoderInfo
from termexplorer.store.kept_paths import locate_kept
from termexplorer.texts import figure_text
from termexplorer.workers.data.concept_data import ConceptSet
from termexplorer.workers.data.level_sets import LevelSet
from termexplorer.workers.encoders.encoding import Encoders, Float32s
from termexplorer.workers.process.child import Channel, trainer_errors
from termexplorer.workers.process.devices import device_name
from termexplorer.workers.process.precision import settle_reading, settled
from termexplorer.workers.train.training import recipe_of
from termexplorer.workspace import Workspace

if TYPE_CHECKING:
    from termexplorer.trainer.encoders.chained import ChainedNames
    from termexplorer.trainer.files.pairs import PairSet
    from termexplorer.trainer.representations.base import Representation


@dataclass(frozen=True, eq=False)
class Bench:
    """What the pieces of a study share.

    Attributes:
        workspace: the open workspace.
        vectors: the pretrained representation.
        benchmarks: all sets of pairs.
        results: the finished pieces.
        study: the hash of what it is of.
        worker: takes its tasks.
        steps: how many pieces this study is; those that were there at the start do not count.
    """

    request: PaperStudyRequest
    workspace: Workspace
    vectors: "Representation"
    benchmarks: "tuple[PairSet, ...]"
    results: FinishedPieces
    study: str
    worker: StudyWorker
    channel: Channel
    steps: int
    _done: list[str] = field(default_factory=list)

    def tick(self) -> None:
        """Ends the study where it is, if that was asked for.

        Raises:
            InterruptedError: it was.
        """
        self.worker.tick()

    def put(self, key: Key, record: Record) -> None:
        """Keeps a finished piece of the task that is run; it is on disk when this returns."""
        self.worker.put(key, record)

    def begin(self, piece: str) -> None:
        """Reports that a piece begins, with the time that all the others will take."""
        self.tick()
        self._done.append(piece)
        self._progress("")

    def train(
        self,
        data: LevelSet | ConceptSet,
        beneath: "Representation",
        key: Key,
        seed: int,
        recipe: tuple[str, Mapping[str, Any]] | None = None,
    ) -> "tuple[ChainedNames, Record]":
        """Trains an encoder, going on from where a killed study was.

        Args:
            data: names, their classes and parts.
            beneath: what makes vectors of the names.
            key: of the piece.
            seed: of everything random.
            recipe: and its hyper-parameters; None for those of the study.

        Returns:
            the encoder over what lies beneath it, and facts of the run.

        Raises:
            UserError: there is nothing to train on.
            InterruptedError: it was stopped.
        """
        import torch

        from termexplorer.trainer.notebook import Data, train
        from termexplorer.trainer.training.run import STATE

        folder = self._folder(key)
        vectors = beneath.encode(data.labels.names)
        named = recipe or (_RECIPES[self.request.paper], self.request.hyperparameters)
        device = "cuda" if torch.cuda.is_available() else "cpu"
        settled_recipe = settled(recipe_of(*named), vectors.shape[1], device, self.request.out)
        run = train(
            settled_recipe,
            Data(data.labels, data.parts, beneath, vectors),
            state_dir=folder,
            resume=(folder / STATE).exists(),
            seed=seed,
            device=device,
            control=self.worker,
        )
        on = f"{device_name(device)}, torch {torch.__version__}"
        facts: Record = {"precision": settled_recipe.precision, "device": on, "seconds": 0.0}
        with trainer_errors():
            for report in run:
                facts["seconds"] += report.seconds
                facts |= {"epochs": report.epoch, "best_epoch": report.best_epoch}
                validation_text = (
                    f"{report.validation_metric} {figure_text(report.validation, '.3f')}"
                )
                self._progress(f", epoch {report.epoch}, {validation_text}")
        self.tick()
        return run.encoder(), facts

    def forget(self, key: Key) -> None:
        """Removes the weights and the state of a run that nothing needs any more."""
        shutil.rmtree(self._folder(key), ignore_errors=True)

    def _progress(self, more: str) -> None:
        fraction = (len(self._done) - 1) / max(self.steps, 1)
        self.channel.progress(min(1, fraction), self._done[-1] + more)

    def _folder(self, key: Key) -> Path:
        # by the study too: what a killed one left there may be of other data or settings
        name = hashlib.sha256(repr((self.study, key)).encode()).hexdigest()[:16]
        return self.request.out / "runs" / name

    def similarities(self, encoder: "Representation") -> dict[str, list[float | None]]:
        """The cosine of each pair of each benchmark; None where nothing is known of a term."""
        from termexplorer.trainer.evaluation.similarities import ByVectors
        from termexplorer.trainer.measures import USUAL

        values_by_set = {}
        for pairs in self.benchmarks:
            self.tick()
            values_by_set[pairs.name] = exact(ByVectors(encoder).of_pairs(pairs, USUAL))
        return values_by_set


_RECIPES = {"FSL": "few-shot", "HLS": "dan", "CG": "conceptual-grounding", "BNE": "bne"}


def recipe_name(paper: str) -> str:
    """The recipe of a paper."""
    return _RECIPES[paper]


def settings_of(
    request: PaperStudyRequest, recipe: str, shared: Collection[str] | None = None
) -> dict[str, Any]:
    """The hyper-parameters of a recipe: those of its size, but the study's where they are shared.

    Args:
        request: the study.
        recipe: any, not only the study's own.
        shared: names that mean the same for both; None: all that both have.
    """
    asked = request.hyperparameters
    names = {setting.name for setting in recipes()[recipe]} & set(
        asked if shared is None else shared
    )
    return hyperparameters(recipe, request.preset, {name: asked[name] for name in names})


def exact(values: NDArray[Any]) -> list[float | None]:
    """Numbers for JSON, which knows no NaN; float32 comes back as it was."""
    digits = 9 if values.dtype == np.float32 else 17
    return [None if value != value else float(f"{value:.{digits}g}") for value in values.tolist()]


def numbers(values: Sequence[float | None]) -> NDArray[np.float64]:
    """What `exact` has written, with NaN again."""
    return np.array([np.nan if value is None else value for value in values], np.float64)


def unit_vectors(encoder: "Representation", names: Sequence[str]) -> Float32s:
    """The vectors of names at unit length, (n, d); zero where nothing is known."""
    vectors = encoder.encode(names)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1))


def opened_vectors(vectors: StudyVectors, workspace: Workspace) -> "Representation":
    """The pretrained representation of a study.

    Raises:
        UserError: it is not there, or is lexical.
    """
    from termexplorer.trainer.representations import load_dense

    folder = vectors.folder
    if vectors.encoder_id is not None:
        encoders = Encoders(workspace.folder, workspace.store)
        info = encoders.info(vectors.encoder_id)
        if not info.path or info.input_id is not None:  # made of others
            return _OfWorkspace(encoders, info)
        folder = locate_kept(workspace.folder, info.path)
    assert folder is not None  # noqa: S101 - vectors are an encoder or a folder
    with trainer_errors():
        opened = load_dense(folder)
    settle_reading(opened, workspace.folder)
    return opened


def read_benchmarks(files: Sequence[Path]) -> "tuple[PairSet, ...]":
    """All sets of pairs with scores.

    Raises:
        UserError: there is none, one cannot be read, or two are of one name.
    """
    from termexplorer.trainer.files.pairs import read_pairs

    with trainer_errors():
        benchmarks = tuple(pairs for path in files for pairs in read_pairs(path))
    names = [pairs.name for pairs in benchmarks]
    for name in names:
        if names.count(name) > 1:
            raise UserError(f"two benchmarks are called {name}; leave one out")
    return benchmarks


class _OfWorkspace:
    """An encoder of a workspace as a representation."""

    def __init__(self, encoders: Encoders, info: EncoderInfo) -> None:
        self._encoders, self._id = encoders, info.id
        self.dimension = info.dimension

    def encode(self, names: Iterable[str]) -> Float32s:
        """(n, d) float32."""
        return self._encoders.encode(self._id, list(names))
