"""Workspaces that tests share: each is made once, and copied for a test."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from toy_ontology import CAUSES, ORGANS, write_toy, write_vectors

from termexplorer.services.encoders.vectors import add_vectors, prepare, prepare_lexical
from termexplorer.services.explore.ontologies import Ontology
from termexplorer.services.importing.releases import ImportRequest, import_release
from termexplorer.services.recipes.run_requests import LevelChoice, RunRequest, SplitRule, add_run
from termexplorer.services.train.runs import RunInfo
from termexplorer.services.train.training import train_run
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

LEXICAL = 1  # TF-IDF; 2 to 4 are the other lexical encoders, which are there from the start too
VECTORS, TRAINED = 5, 6

FEW_SHOT = RunRequest(
    recipe="few-shot",
    preset="quick",
    ontology_id=1,
    vectors_id=VECTORS,
    choice=LevelChoice.for_recipe("few-shot", level=1),
    rule=SplitRule("few-shot", shots=5),
    hyperparameters={"hidden": 32, "maximum_epochs": 14},
)
DAN = replace(
    FEW_SHOT,
    recipe="dan",
    choice=LevelChoice(level=1, depth=3),
    rule=SplitRule("dan"),
    hyperparameters={"hidden": 32, "maximum_epochs": 4},
)


def quiet(_message: object) -> None:
    """Takes a job's messages."""


def train(workspace: Workspace, request: RunRequest) -> RunInfo:
    """Trains a run to its end."""
    return train_run(workspace, add_run(workspace, request), JobControl(), quiet)


def make_imported(folder: Path, source: Path, *vectors: Path) -> Path:
    """A workspace with an ontology (1), its TF-IDF and encoders of vector files, `VECTORS` on."""
    with _opened(folder / "workspace") as workspace:
        ontology = load(workspace, source)
        prepare_lexical(workspace, ontology.id, JobControl(), quiet)
        for file in vectors:
            added = add_vectors(workspace, file, JobControl(), quiet)
            prepare(workspace, added.id, ontology.id, JobControl(), quiet)
    return folder / "workspace"


def make_toy(folder: Path) -> Path:
    """A workspace with the toy ontology (1) and vectors."""
    return make_imported(folder, write_toy(folder), write_vectors(folder))


def load(workspace: Workspace, path: Path, **options: object) -> Ontology:
    """Imports a file."""
    request = ImportRequest(workspace.folder, str(path), **options)  # type: ignore[arg-type]
    return import_release(workspace, request, JobControl(), quiet)


def import_synonyms(workspace: Workspace, folder: Path) -> Ontology:
    """A dictionary of concepts with four names each."""
    path = folder / "synonyms.txt"
    rows = [
        f"{organ}-{cause}||{cause} {organ} disease|{organ} disease, {cause}|{cause} disease of "
        f"the {organ}|disease of {organ} ({cause})"
        for organ in ORGANS
        for cause in CAUSES
    ]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return load(workspace, path, format="dictionary")


def make_trained(toy: Path, folder: Path) -> Path:
    """That workspace with a few-shot run (1) and its encoder."""
    with opened_copy(toy, folder) as workspace:
        run = train(workspace, FEW_SHOT)
        prepare(workspace, TRAINED, run.release_id, JobControl(), quiet)
    return folder / "workspace"


@contextmanager
def opened_copy(made_workspace: Path, folder: Path) -> Iterator[Workspace]:
    """A copy of a workspace in a folder, for as long as it is needed."""
    with _opened(shutil.copytree(made_workspace, folder / "workspace")) as workspace:
        yield workspace


@contextmanager
def _opened(folder: Path) -> Iterator[Workspace]:
    workspace = Workspace(folder)
    try:
        yield workspace
    finally:
        workspace.close()
