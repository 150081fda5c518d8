"""The main job on ICD-10-CM from one end to the other, for somebody who has just come."""

from collections.abc import Callable

from termexplorer.services.compare.rankings import (
    Ranker,
    RankingRequest,
    Rankings,
    RankingScope,
    Task,
    query_for,
)
from termexplorer.services.encoders.vectors import (
    TrainVectorsRequest,
    prepare_lexical,
    train_vectors,
)
from termexplorer.services.explore.ontologies import list_ontologies
from termexplorer.services.importing.releases import ImportRequest, import_release
from termexplorer.services.recipes.run_requests import LevelChoice, RunRequest, SplitRule, add_run
from termexplorer.services.train.runs import RunDetails, run_details
from termexplorer.services.train.training import train_run
from termexplorer.store.encoders.infos import LEXICAL
from termexplorer.store.releases.ontologies import Ontology
from termexplorer.texts import figure_text
from termexplorer.trainer.metrics import MAP, MRR
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

ICD10CM = "icd10cm"
_QUERY = "Viral pneumonia, unspecified"
_DIMENSION = 100  # narrower than usual, so that a newcomer waits less
_SHOWN = 5


def find_demo(workspace: Workspace) -> Ontology | None:
    """The newest ICD-10-CM in a workspace, if it is there."""
    demos = [ontology for ontology in list_ontologies(workspace) if ontology.terminology == ICD10CM]
    return demos[-1] if demos else None


def demo_journey(workspace: Workspace, on_message: Callable[[object], None]) -> str:
    """Imports ICD-10-CM, trains vectors and a few-shot encoder, and tells what came of it.

    Raises:
        UserError: as the steps do.
    """
    control = JobControl()
    ontology = find_demo(workspace)
    if ontology is None:
        request = ImportRequest(workspace.folder, ICD10CM)
        ontology = import_release(workspace, request, control, on_message)
    prepare_lexical(workspace, ontology.id, control, on_message)
    vectors = train_vectors(
        workspace,
        ontology,
        TrainVectorsRequest(workspace.folder, ontology.id, dimension=_DIMENSION),
        control,
        on_message,
    )
    run_id = add_run(workspace, _few_shot(ontology, vectors.id))
    run = train_run(workspace, run_id, control, on_message)
    encoders = (LEXICAL, vectors.id, run.encoder_id or 0)
    rankings = _rank_hypernyms(workspace, ontology, encoders)
    return "\n".join(_describe_journey(ontology, run_details(workspace, run_id), rankings))


def _few_shot(ontology: Ontology, vectors_id: int) -> RunRequest:
    return RunRequest(
        recipe="few-shot",
        preset="quick",
        ontology_id=ontology.id,
        vectors_id=vectors_id,
        choice=LevelChoice.for_recipe("few-shot", level=1),
        rule=SplitRule("few-shot"),
        hyperparameters={},
    )


def _rank_hypernyms(
    workspace: Workspace, ontology: Ontology, encoders: tuple[int, ...]
) -> Rankings:
    ranker = Ranker(workspace.folder)
    try:
        query = query_for(workspace, ontology.id, _QUERY)
        among = RankingScope((ontology.id,), level=1)
        return ranker.rank(RankingRequest(query, Task.HYPERNYMS, encoders, among, _SHOWN))
    finally:
        ranker.close()


def _describe_journey(ontology: Ontology, details: RunDetails, rankings: Rankings) -> list[str]:
    lines = [
        f"{ontology.label}: {ontology.concepts:,} concepts, {ontology.names:,} names.",
        f"Trained {details.run.title} in {details.run.card['seconds']:.0f} s; "
        "on held-out names, 95 % intervals:",
    ]
    lines += [
        f"  {figure.task}, {figure.metric}, encoder #{figure.encoder_id}: "
        f"{figure_text(figure.value, '.3f')} ({figure_text(figure.low, '.3f')} to "
        f"{figure_text(figure.high, '.3f')}, n = {figure.n})"
        for figure in details.figures
        if (figure.task, figure.metric) in (("ranking", MAP), ("hypernyms", MRR))
    ]
    lines.append(f"Which chapter is “{_QUERY}” nearest to? (* is right)")
    for column in rankings.columns:
        lines.append(f"  {column.title}")
        lines += [
            f"    {row.rank}. {'*' if row.true else ' '} {row.similarity:.2f}  {row.text}"
            for row in column.rows
        ]
    return lines
