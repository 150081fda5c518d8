"""Finding suggestions and keeping them for review."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from termexplorer.services.curate.decisions import (
    DecisionOptions,
    decide_mappings,
    keep_decisions,
)
from termexplorer.services.curate.deeper.parents import (
    DeeperDoubts,
    deeper_file,
    suggest_deeper,
)
from termexplorer.services.curate.duplicates import Duplicates, duplicates_file, suggest_duplicates
from termexplorer.services.curate.found import MOST, FinderRequest, FoundSuggestions, Trial
from termexplorer.services.curate.mapping_rows import mapping_file
from termexplorer.services.curate.mappings import Mappings, suggest_mappings
from termexplorer.services.curate.misplaced_names import MisplacedNames, suggest_names
from termexplorer.services.curate.misplaced_names_rows import names_file
from termexplorer.services.curate.misplacement import Doubted, suggest_misplaced
from termexplorer.services.curate.misplacement_rows import misplacement_file
from termexplorer.services.curate.suggestion_files import SuggestionSheet
from termexplorer.services.curate.suggestion_lists import KeptSearch, keep_suggestions
from termexplorer.services.encoders.encoders import find_encoder
from termexplorer.services.explore.ontologies import Ontology, find_ontology
from termexplorer.store.kept_messages import join_messages
from termexplorer.trainer.errors import Message
from termexplorer.workers.process import kept_texts
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

DECIDED = "decided"  # mappings with a predicate and a probability
KINDS = ("misplaced", "deeper", "names", "duplicates", "mappings", DECIDED)

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Finder(Generic[Answer]):
    """What learns from corrupted copies, and how its answer is kept.

    Attributes:
        find: looks for something and blocks until it is done.
        file: the answer to be written.
        facts: sentences on how good it is.
        parameters: of a request, those that tell one search from another.
    """

    find: Callable[
        [Workspace, Ontology, FinderRequest, JobControl, Callable[[object], None]],
        FoundSuggestions[Answer],
    ]
    file: Callable[[FoundSuggestions[Answer]], SuggestionSheet]
    facts: Callable[[FoundSuggestions[Answer], FinderRequest], list[Message]]
    parameters: tuple[str, ...] = ("root", "share", "seed")


@dataclass(frozen=True, slots=True)
class Search:
    """What is looked for.

    Attributes:
        kind: one of `KINDS`.
        ontology_id: the release that is looked through.
        encoder_ids: what the suggestions come from; the first one tells the best.
        to_id: the release that concepts are mapped to; of mappings.
        root: CURIE of the concept to look below; empty for all roots.
        level: of the classes, 1 the highest; of misplaced concepts.
    """

    kind: str
    ontology_id: int
    encoder_ids: tuple[int, ...]
    to_id: int | None = None
    root: str = ""
    level: int = 1


def search(
    workspace: Workspace, wanted: Search, control: JobControl, on_message: Callable[[object], None]
) -> KeptSearch:
    """Find suggestions and keep them for review.

    Raises:
        UserError: something is not there, or cannot be looked for.
        Cancelled: it was cancelled.
    """
    ontology = find_ontology(workspace, str(wanted.ontology_id))
    if wanted.kind == "mappings":
        to = find_ontology(workspace, str(wanted.to_id))
        mapped = suggest_mappings(
            workspace, ontology, to, wanted.encoder_ids, wanted.root, control, on_message
        )
        return keep_mappings(workspace, mapped, wanted.root)
    if wanted.kind == DECIDED:
        to = find_ontology(workspace, str(wanted.to_id))
        options = DecisionOptions(wanted.encoder_ids, wanted.root)
        decided = decide_mappings(workspace, ontology, to, options, control, on_message)
        return keep_decisions(workspace, decided)
    request = FinderRequest(
        workspace.folder, ontology.id, wanted.encoder_ids, wanted.root, wanted.level
    )
    suggestions = FINDERS[wanted.kind].find(workspace, ontology, request, control, on_message)
    return keep_found(workspace, wanted.kind, suggestions, request)


def keep_found(
    workspace: Workspace, kind: str, suggestions: FoundSuggestions[Any], request: FinderRequest
) -> KeptSearch:
    """Keep what one of `FINDERS` found for review."""
    finder = FINDERS[kind]
    asked = {name: getattr(request, name) for name in finder.parameters}
    facts = finder.facts(suggestions, request)
    if left_out := suggestions.answer.left_out:
        facts.insert(0, kept_texts.MOST_LIKELY.fill(count=left_out, most=MOST))
    return keep_suggestions(workspace, kind, finder.file(suggestions), asked, facts)


def keep_mappings(workspace: Workspace, mappings: Mappings, root: str) -> KeptSearch:
    """Keep mappings for review."""
    labels = {
        encoder_id: find_encoder(workspace, encoder_id).kept_label
        for encoder_id in mappings.encoder_ids
    }
    facts = [
        Message(
            kept_texts.BY_REFERENCES,
            encoder=labels[figure.encoder_id],
            metric=figure.metric,
            value=figure.value,
            low=figure.low,
            high=figure.high,
            n=figure.n,
        )
        for figure in mappings.figures
    ]
    if mappings.without_evidence:
        first = labels[mappings.encoder_ids[0]]
        facts.append(kept_texts.NOTHING_LIKE.fill(count=mappings.without_evidence, encoder=first))
    file = mapping_file(mappings, mappings.suggestions)
    return keep_suggestions(workspace, "mappings", file, {"root": root}, facts)


def _misplaced_facts(
    suggestions: FoundSuggestions[Doubted], request: FinderRequest
) -> list[Message]:
    answer = suggestions.answer
    return [
        kept_texts.BELOW_CLASSES.fill(
            count=len(answer.all_concepts),
            classes=len(answer.all_classes),
            level=request.level,
        ),
        _trial_with_count(answer.moved, answer.trial),
    ]


def _deeper_facts(
    suggestions: FoundSuggestions[DeeperDoubts], _request: FinderRequest
) -> list[Message]:
    answer = suggestions.answer
    return [
        kept_texts.WITH_DEEPER.fill(count=len(answer.all_concepts)),
        kept_texts.LIFTED.fill(count=answer.lifted, found=_describe_trial(answer.trial)),
    ]


def _names_facts(
    suggestions: FoundSuggestions[MisplacedNames], _request: FinderRequest
) -> list[Message]:
    answer = suggestions.answer
    names = len(answer.all_names)
    of_one = names > 1 and answer.concepts == 1
    counts = {"count": names, "concepts": answer.concepts}
    return [
        Message(kept_texts.BESIDE_LABELS_OF_ONE, **counts)
        if of_one
        else kept_texts.BESIDE_LABELS.fill(**counts),
        _trial_with_count(answer.moved, answer.trial),
    ]


def _duplicates_facts(
    suggestions: FoundSuggestions[Duplicates], _request: FinderRequest
) -> list[Message]:
    answer = suggestions.answer
    return [
        kept_texts.CONCEPTS.fill(count=answer.concepts),
        Message(
            kept_texts.SPLIT,
            count=answer.split,
            recall=join_messages(
                Message(
                    kept_texts.RECALL,
                    value=figure.value,
                    low=figure.low,
                    high=figure.high,
                    n=figure.n,
                    k=k,
                )
                for k, figure in answer.recall_figures[suggestions.encoder_ids[0]].items()
            ),
        ),
        Message(kept_texts.PAIRS_THERE, found=_describe_trial(answer.trial)),
    ]


def _trial_with_count(count: int, trial: Trial) -> Message:
    return Message(kept_texts.MOVED, count=count, found=_describe_trial(trial))


def _describe_trial(trial: Trial) -> Message:
    figures = {k: trial.precision_figure(k) for k in trial.precision}
    precision = join_messages(
        Message(
            kept_texts.PRECISION,
            value=figure.value,
            low=figure.low,
            high=figure.high,
            n=figure.n,
            k=k,
        )
        for k, figure in figures.items()
    )
    chance = trial.chance_figure
    return Message(
        kept_texts.FOUND,
        precision=precision,
        chance=chance.value,
        low=chance.low,
        high=chance.high,
        n=chance.n,
        error=trial.calibration.error,
    )


FINDERS: dict[str, Finder[Any]] = {
    "misplaced": Finder(
        suggest_misplaced,
        misplacement_file,
        _misplaced_facts,
        ("root", "level", "share", "seed"),
    ),
    "deeper": Finder(suggest_deeper, deeper_file, _deeper_facts),
    "names": Finder(suggest_names, names_file, _names_facts),
    "duplicates": Finder(suggest_duplicates, duplicates_file, _duplicates_facts),
}
