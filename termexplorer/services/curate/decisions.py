"""Mappings from one ontology to another that are decided: exact, broad, narrow, related or none."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from termexplorer.mapping_terms import CANDIDATES, NO_TERM
from termexplorer.services.curate.mappings import check_sides
from termexplorer.services.curate.suggestion_files import SssomRow, SuggestionSheet, confidence
from termexplorer.services.curate.suggestion_lists import KeptSearch, keep_suggestions
from termexplorer.services.encoders.built_in import suggest_encoders
from termexplorer.services.explore.concept_labels import concept_labels
from termexplorer.services.explore.ontologies import Ontology
from termexplorer.services.files.exports import Cell
from termexplorer.trainer.errors import Message
from termexplorer.workers.curate.deciding import (
    DecidedMapping,
    DecisionRequest,
    DecisionResult,
    run_decision,
)
from termexplorer.workers.process import kept_texts
from termexplorer.workers.process.supervision import JobControl, supervise
from termexplorer.workspace import Workspace

__all__ = [
    "NONE", "PREDICATES", "DecidedMapping", "DecidedMappings", "DecisionOptions",
    "decide_mappings", "decision_file", "describe_learning", "justify_decision", "keep_decisions",
    "list_slots",
]  # fmt: skip

NONE = "none"
PREDICATES = {
    "exact": "skos:exactMatch",
    "broad": "skos:broadMatch",
    "narrow": "skos:narrowMatch",
    "related": "skos:relatedMatch",
    NONE: "skos:exactMatch",
}
"""What each decision is in SSSOM; of none, with `NO_TERM` as its object."""
_HEADER = (
    "concept", "name", "other concept", "other name", "predicate", "probability", "same name",
    "known", "cross-references",
)  # fmt: skip
_LEXICAL, _COMPOSITE = "semapv:LexicalMatching", "semapv:CompositeMatching"


@dataclass(frozen=True, slots=True)
class DecisionOptions:
    """How mappings are decided.

    Attributes:
        encoder_ids: what finds candidates; those that come with the program if it is empty.
        root: only this concept and those below it are told; all if it is empty.
        one_to_one: whether a concept is in one exact match at most.
        withhold_references: whether cross-references tell nothing.
    """

    encoder_ids: tuple[int, ...] = ()
    root: str = ""
    one_to_one: bool = False
    withhold_references: bool = False


@dataclass(frozen=True, slots=True)
class DecidedMappings:
    """Decided mappings with all that is needed to show and export them.

    Attributes:
        source: the release whose concepts are mapped.
        to: the release that they are mapped to.
        options: with the encoders that were asked.
        mappings: the most probable first.
        labels: of the concepts of both, by CURIE.
        facts: sentences on how good they are.
    """

    source: Ontology
    to: Ontology
    options: DecisionOptions
    mappings: tuple[DecidedMapping, ...]
    labels: dict[str, str]
    facts: tuple[Message, ...]

    def count_predicates(self) -> dict[str, int]:
        """Return how many concepts were decided to be what."""
        counts = Counter(mapping.predicate for mapping in self.mappings)
        return {predicate: counts[predicate] for predicate in PREDICATES}

    def without_none(self) -> list[DecidedMapping]:
        """Return the mappings to something."""
        return [mapping for mapping in self.mappings if mapping.predicate != NONE]


def decide_mappings(
    workspace: Workspace,
    source: Ontology,
    to: Ontology,
    options: DecisionOptions,
    control: JobControl,
    on_message: Callable[[object], None],
) -> DecidedMappings:
    """Decide for each concept of `source` what it is to those of `to`, and how probably.

    Raises:
        UserError: one ontology with itself, too many encoders, something that is not there, or too
            few synonyms to learn from.
        Cancelled: it was cancelled.
    """
    encoder_ids = options.encoder_ids or tuple(suggest_encoders(workspace))
    check_sides(source, to, encoder_ids)
    options = DecisionOptions(
        encoder_ids, options.root, options.one_to_one, options.withhold_references
    )
    request = DecisionRequest(
        workspace.folder, source.id, to.id, encoder_ids, options.root, options.one_to_one,
        options.withhold_references,
    )  # fmt: skip
    decided = supervise(run_decision, request, control, on_message)
    labels = concept_labels(workspace, source, to)
    facts = tuple(describe_learning(decided))
    return DecidedMappings(source, to, options, decided.mappings, labels, facts)


def describe_learning(decided: DecisionResult) -> list[Message]:
    """Return sentences on how good decisions are."""
    facts = [
        kept_texts.LEARNED_MAPPING.fill(
            count=decided.anchors + decided.copied,
            f1=decided.quality["macro-F1"],
            error=decided.quality["calibration error"],
        )
    ]
    if decided.repaired:
        facts.append(kept_texts.REPAIRED_MAPPING.fill(count=decided.repaired))
    return facts


def keep_decisions(workspace: Workspace, decided: DecidedMappings) -> KeptSearch:
    """Keep decided mappings for review, but for those to nothing."""
    options = decided.options
    parameters = {
        "root": options.root,
        "decided": True,
        "one_to_one": options.one_to_one,
        "withhold_references": options.withhold_references,
    }
    sheet = decision_file(decided, decided.without_none())
    return keep_suggestions(workspace, "mappings", sheet, parameters, list(decided.facts))


def decision_file(decided: DecidedMappings, chosen: Sequence[DecidedMapping]) -> SuggestionSheet:
    """Some of the decided mappings, to be written."""
    return SuggestionSheet(
        decided.source,
        decided.to,
        decided.options.encoder_ids,
        _HEADER,
        [_list_cells(decided, mapping) for mapping in chosen],
        [_make_row(decided, mapping) for mapping in chosen],
    )


def _list_cells(decided: DecidedMappings, mapping: DecidedMapping) -> list[Cell]:
    return [
        mapping.subject,
        decided.labels[mapping.subject],
        mapping.object,
        decided.labels.get(mapping.object, ""),
        mapping.predicate,
        mapping.probability,
        "yes" if mapping.same_name else "no",
        "yes" if mapping.known else "no",
        " ".join(mapping.references),
    ]


def _make_row(decided: DecidedMappings, mapping: DecidedMapping) -> SssomRow:
    is_none = mapping.predicate == NONE
    return SssomRow(
        mapping.subject,
        decided.labels[mapping.subject],
        PREDICATES[mapping.predicate],
        NO_TERM if is_none else mapping.object,
        "" if is_none else decided.labels[mapping.object],
        justify_decision(mapping),
        confidence(mapping.probability),
        _comment_on(decided, mapping),
        further=list_slots(mapping),
    )


def list_slots(mapping: DecidedMapping) -> dict[str, str]:
    """Return the slots of a mapping that hold its candidates."""
    rows = [[c.object, c.predicate, round(c.probability, 4)] for c in mapping.candidates]
    return {CANDIDATES: json.dumps(rows, ensure_ascii=False)} if rows else {}


def justify_decision(mapping: DecidedMapping) -> str:
    """Return what a decision rests on, in the words of SSSOM: equal names, or several things."""
    return _LEXICAL if mapping.same_name and mapping.predicate != NONE else _COMPOSITE


def _comment_on(decided: DecidedMappings, mapping: DecidedMapping) -> str:
    if mapping.predicate == NONE:
        if not mapping.object:
            return "nothing like it was found"
        return f"nearest: {mapping.object} {decided.labels[mapping.object]}"
    if mapping.known:
        return "a cross-reference names the same"
    if mapping.references:
        return f"a cross-reference names {', '.join(mapping.references)}"
    return ""
