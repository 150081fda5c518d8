"""Asking for a run: all that it is asked for, checked before it waits to be trained."""

from dataclasses import asdict, replace

from termexplorer.errors import UserError
from termexplorer.services.encoders.encoders import find_encoder
from termexplorer.services.explore.ontologies import Ontology, find_concept, find_ontology
from termexplorer.services.recipes.presets import (
    JUDGED,
    LEVEL,
    RECIPES,
    SHOTS,
    SYNONYMS,
    hyperparameters,
)
from termexplorer.store.encoders import runs as queries
from termexplorer.texts import tr
from termexplorer.workers.data.level_choice import LevelChoice
from termexplorer.workers.data.level_data import SplitRule
from termexplorer.workers.data.list_classes import ListClass
from termexplorer.workers.data.synonym_choice import EVERY_CONCEPT, SynonymChoice, check
from termexplorer.workers.encoders.transformers import no_transformer
from termexplorer.workers.train.run_request import RunRequest
from termexplorer.workspace import Workspace

__all__ = [
    "EVERY_CONCEPT",
    "LevelChoice",
    "ListClass",
    "RunRequest",
    "SplitRule",
    "SynonymChoice",
    "add_run",
    "names_a_class",
]


_TUNED = "tuned"  # the recipe that trains the layers of a transformer


def add_run(workspace: Workspace, request: RunRequest) -> int:
    """Adds a run that waits to be trained; returns its id.

    Raises:
        UserError: no such ontology, encoder, preset, hyper-parameter, root or grouping, a list that
            is named twice, a recipe over an encoder that it cannot train, or one without what it
            learns from or with what it does not.
    """
    ontology = find_ontology(workspace, str(request.ontology_id))
    beneath = find_encoder(workspace, request.vectors_id)
    if not beneath.has_vectors:
        raise UserError(
            tr(
                "{encoder} is {kind}: it has no vectors to train on",
                encoder=beneath.label,
                kind=beneath.kind,
            )
        )
    if request.recipe == _TUNED and not beneath.is_transformer:
        raise no_transformer(beneath)
    hyperparameters(request.recipe, request.preset, request.hyperparameters)
    _check_further(workspace, request)
    _check_lists(request)
    _check_judged(request)
    request, learned = _request_with_source(workspace, ontology, request)
    with workspace.store.writing() as connection:
        return queries.add_run(
            connection,
            title=f"{request.recipe}{names_a_class(request.rule)}, {learned}",
            recipe=request.recipe,
            preset=request.preset,
            release_id=ontology.id,
            input_id=request.vectors_id,
            request=asdict(request),
        )


def _request_with_source(
    workspace: Workspace, ontology: Ontology, request: RunRequest
) -> tuple[RunRequest, str]:
    """The request with what its recipe learns from alone, and that in words."""
    if RECIPES[request.recipe].group in (SHOTS, LEVEL):
        if request.choice is None:
            raise UserError(
                tr("{recipe} learns the classes of a level; choose one", recipe=request.recipe)
            )
        return request, f"level {request.choice.level}{_lists_text(request.class_lists)}"
    synonyms = _resolve_synonyms(workspace, ontology, request.synonyms)
    learned = request.judged.source if request.judged else str(synonyms)
    return replace(request, choice=None, synonyms=synonyms), learned


def names_a_class(rule: SplitRule) -> str:
    """What the title of a run says of k, where names are drawn for each class; else nothing."""
    return f", {rule.shots:,} names a class" if RECIPES[rule.recipe].group == SHOTS else ""


def _resolve_synonyms(
    workspace: Workspace, ontology: Ontology, synonyms: SynonymChoice
) -> SynonymChoice:
    """The same with its root told by CURIE, however it was written."""
    if synonyms.root:
        synonyms = replace(synonyms, root=find_concept(workspace, ontology, synonyms.root).curie)
    with workspace.store.reading() as connection:
        check(connection, ontology.id, synonyms)
    return synonyms


def _check_further(workspace: Workspace, request: RunRequest) -> None:
    if request.also and RECIPES[request.recipe].group != SYNONYMS:
        raise UserError(
            tr(
                "{recipe} learns the classes of one ontology's level, of no other",
                recipe=request.recipe,
            )
        )
    for release_id in request.also:
        if find_ontology(workspace, str(release_id)).id == request.ontology_id:
            raise UserError(
                tr("an ontology is learned from anyway; choose others to learn from besides")
            )


def _lists_text(lists: tuple[ListClass, ...]) -> str:
    if not lists:
        return ""
    return f" + {lists[0].title if len(lists) == 1 else f'{len(lists):,} lists'}"


def _check_judged(request: RunRequest) -> None:
    if (RECIPES[request.recipe].group == JUDGED) == (request.judged is not None):
        return
    if request.judged is None:
        raise UserError(
            tr(
                "{recipe} learns from judged pairs; choose a study, or a file",
                recipe=request.recipe,
            )
        )
    raise UserError(
        tr(
            "{recipe} does not learn from judged pairs; choose the recipe judged",
            recipe=request.recipe,
        )
    )


def _check_lists(request: RunRequest) -> None:
    if request.class_lists and RECIPES[request.recipe].group != SHOTS:
        raise UserError(
            tr(
                "{recipe} takes no list as a class; choose few-shot, or leave the lists out",
                recipe=request.recipe,
            )
        )
    titles = [class_list.title for class_list in request.class_lists]
    for title in titles:
        if titles.count(title) > 1:
            raise UserError(tr("the list {title} is named twice; name each once", title=title))
