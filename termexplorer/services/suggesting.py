"""Finding suggestions and keeping them for review."""

from collections.abc import Callable
from dataclasses import dataclass

from termexplorer.services.corrupted_copies import Trial
from termexplorer.services.duplicates import DuplicatePairs, DuplicatesRequest, suggest_duplicates
from termexplorer.services.duplicates_rows import duplicates_file
from termexplorer.services.encoders import find_encoder
from termexplorer.services.mapping_rows import mapping_file
from termexplorer.services.mappings import Mappings, suggest_mappings
from termexplorer.services.misplaced_names import (
    DoubtfulNames,
    MisplacedNamesRequest,
    suggest_names,
)
from termexplorer.services.misplaced_names_rows import names_file
from termexplorer.services.misplacement import Misplaced, MisplacementRequest, suggest_misplaced
from termexplorer.services.misplacement_rows import misplacement_file
from termexplorer.services.ontologies import find_ontology
from termexplorer.services.suggestion_lists import keep_suggestions
from termexplorer.workers.supervision import Control
from termexplorer.workspace import Workspace

KINDS = ("misplaced", "names", "duplicates", "mappings")


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
    workspace: Workspace, wanted: Search, control: Control, on_message: Callable[[object], None]
) -> int:
    """Finds suggestions and returns the id of the list in which they are kept.

    Raises:
        UserError: something is not there, or cannot be looked for.
        Cancelled: it was cancelled.
    """
    return _SEARCHES[wanted.kind](workspace, wanted, control, on_message)


def keep_misplaced(workspace: Workspace, found: Misplaced, request: MisplacementRequest) -> int:
    """Keeps doubts for review."""
    answer = found.found
    facts = [
        f"{len(answer.all_concepts):,} concepts below {len(answer.all_classes):,} classes on "
        f"level {request.level}",
        f"Checked on copies with {answer.moved:,} of them moved at random: {_tried(answer.trial)}",
    ]
    asked = {"root": request.root, "level": request.level, "share": request.share}
    file = misplacement_file(found)
    return keep_suggestions(workspace, "misplaced", file, asked | {"seed": request.seed}, facts)


def keep_names(workspace: Workspace, found: DoubtfulNames, request: MisplacedNamesRequest) -> int:
    """Keeps doubtful names for review."""
    answer = found.found
    facts = [
        f"{answer.names:,} names besides labels, of {answer.concepts:,} concepts",
        f"Checked on copies with {answer.moved:,} of them moved at random: {_tried(answer.trial)}",
    ]
    asked = {"root": request.root, "share": request.share, "seed": request.seed}
    return keep_suggestions(workspace, "names", names_file(found), asked, facts)


def keep_duplicates(workspace: Workspace, found: DuplicatePairs, request: DuplicatesRequest) -> int:
    """Keeps pairs for review."""
    answer = found.found
    recall = answer.recall[found.encoder_ids[0]]
    facts = [
        f"{answer.concepts:,} concepts",
        f"Checked on copies with {answer.split:,} of them split in two: one half is among the k "
        "nearest of the other in "
        + ", ".join(f"{value:.3f} (k = {k})" for k, value in recall.items()),
        f"Of the pairs there: {_tried(answer.trial)}",
    ]
    asked = {"root": request.root, "share": request.share, "seed": request.seed}
    return keep_suggestions(workspace, "duplicates", duplicates_file(found), asked, facts)


def keep_mappings(workspace: Workspace, found: Mappings, root: str) -> int:
    """Keeps mappings for review."""
    labels = {each: find_encoder(workspace, each).label for each in found.encoder_ids}
    facts = [
        f"By cross-references that were held out, {labels[each.encoder_id]}: {each.metric} "
        f"{each.value:.3f} ({each.low:.3f} to {each.high:.3f}, n = {each.n:,})"
        for each in found.figures
    ]
    file = mapping_file(found, found.suggestions)
    return keep_suggestions(workspace, "mappings", file, {"root": root}, facts)


def _tried(trial: Trial) -> str:
    precision = ", ".join(
        f"{sum(values) / len(values):.3f} at {k}" for k, values in trial.precision.items()
    )
    return (
        f"precision {precision} (chance {trial.chance:.3f}); calibration error of likelihoods "
        f"{trial.calibration.error:.4f}"
    )


def _misplaced(
    workspace: Workspace, wanted: Search, control: Control, on_message: Callable[[object], None]
) -> int:
    ontology = find_ontology(workspace, str(wanted.ontology_id))
    request = MisplacementRequest(
        workspace.folder, ontology.id, wanted.encoder_ids, wanted.root, wanted.level
    )
    found = suggest_misplaced(workspace, ontology, request, control, on_message)
    return keep_misplaced(workspace, found, request)


def _names(
    workspace: Workspace, wanted: Search, control: Control, on_message: Callable[[object], None]
) -> int:
    ontology = find_ontology(workspace, str(wanted.ontology_id))
    request = MisplacedNamesRequest(workspace.folder, ontology.id, wanted.encoder_ids, wanted.root)
    found = suggest_names(workspace, ontology, request, control, on_message)
    return keep_names(workspace, found, request)


def _duplicates(
    workspace: Workspace, wanted: Search, control: Control, on_message: Callable[[object], None]
) -> int:
    ontology = find_ontology(workspace, str(wanted.ontology_id))
    request = DuplicatesRequest(workspace.folder, ontology.id, wanted.encoder_ids, wanted.root)
    found = suggest_duplicates(workspace, ontology, request, control, on_message)
    return keep_duplicates(workspace, found, request)


def _mappings(
    workspace: Workspace, wanted: Search, control: Control, on_message: Callable[[object], None]
) -> int:
    own, to = (find_ontology(workspace, str(i)) for i in (wanted.ontology_id, wanted.to_id))
    found = suggest_mappings(
        workspace, own, to, wanted.encoder_ids, wanted.root, control, on_message
    )
    return keep_mappings(workspace, found, wanted.root)


_SEARCHES = {
    "misplaced": _misplaced,
    "names": _names,
    "duplicates": _duplicates,
    "mappings": _mappings,
}
