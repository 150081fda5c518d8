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
from termexplorer.store import title_templates
from termexplorer.store.encoders import runs as queries
from termexplorer.store.kept_messages import join_messages, list_joined, plain_message
from termexplorer.store.title_templates import CONCEPT_LISTS, LEVEL_AND_LISTS, NAMES_A_CLASS
from termexplorer.texts import tr
from termexplorer.trainer.errors import Message
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
    "title_without_shots",
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
            title=join_messages([Message(request.recipe), *_shots_text(request.rule), learned]),
            recipe=request.recipe,
            preset=request.preset,
            release_id=ontology.id,
            input_id=request.vectors_id,
            request=asdict(request),
        )


def _request_with_source(
    workspace: Workspace, ontology: Ontology, request: RunRequest
) -> tuple[RunRequest, Message]:
    """The request with what its recipe learns from alone, and that in words."""
    if RECIPES[request.recipe].group in (SHOTS, LEVEL):
        if request.choice is None:
            raise UserError(
                tr("{recipe} learns the classes of a level; choose one", recipe=request.recipe)
            )
        return request, _level_text(request.choice.level, request.class_lists)
    synonyms = _resolve_synonyms(workspace, ontology, request.synonyms)
    learned = plain_message(request.judged.source) if request.judged else synonyms.title
    return replace(request, choice=None, synonyms=synonyms), learned


def _shots_text(rule: SplitRule) -> list[Message]:
    """What the title of a run says of k, where names are drawn for each class; else nothing."""
    shots = RECIPES[rule.recipe].group == SHOTS
    return [Message(NAMES_A_CLASS, n=rule.shots)] if shots else []


def title_without_shots(title: Message) -> Message:
    """Return the title of a run that is the same for every k of few-shot."""
    parts = list_joined(title)
    if not parts:
        return title
    return join_messages(
        title_without_shots(part) if isinstance(part, Message) else part
        for part in parts
        if not (isinstance(part, Message) and part.template == NAMES_A_CLASS)
    )


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


def _level_text(level: int, lists: tuple[ListClass, ...]) -> Message:
    text = Message(title_templates.LEVEL, n=level)
    if not lists:
        return text
    titles = lists[0].title if len(lists) == 1 else Message(CONCEPT_LISTS, n=len(lists))
    return Message(LEVEL_AND_LISTS, level=text, lists=titles)


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
