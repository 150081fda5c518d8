"""What several figures start from: workspaces with ICD-10-CM in them, made once in a run."""

from pathlib import Path

from termexplorer.services.encoders.vectors import (
    TrainVectorsRequest,
    prepare_lexical,
    train_vectors,
)
from termexplorer.services.explore.ontologies import list_ontologies
from termexplorer.services.importing.releases import ImportRequest, import_release
from termexplorer.store.encoders.infos import EncoderInfo, encoders
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

ICD10CM = "icd10cm"


def quiet(_message: object) -> None:
    """Takes the messages of a job that nobody follows."""


def icd10cm_workspace(folder: Path) -> Workspace:
    """A workspace whose ontology 1 is ICD-10-CM, with its lexical encoder."""
    workspace = Workspace(folder / "icd10cm")
    if not list_ontologies(workspace):
        ontology = import_release(
            workspace, ImportRequest(workspace.folder, ICD10CM), JobControl(), quiet
        )
        prepare_lexical(workspace, ontology.id, JobControl(), quiet)
    return workspace


def fasttext_encoder(workspace: Workspace) -> EncoderInfo:
    """Vectors of 300 dimensions trained on ICD-10-CM's names, read once."""
    with workspace.store.reading() as connection:
        existing = [encoder for encoder in encoders(connection) if encoder.method == "fasttext"]
    if existing:
        return existing[0]
    ontology = list_ontologies(workspace)[0]
    request = TrainVectorsRequest(workspace.folder, ontology.id, epochs=1)
    return train_vectors(workspace, ontology, request, JobControl(), quiet)
