"""Suggested mappings as rows of files."""

from collections.abc import Sequence

from termexplorer.services.curate.mappings import Mappings, SuggestedMapping
from termexplorer.services.curate.suggestion_files import (
    SEMANTIC,
    SssomRow,
    SuggestionSheet,
    confidence,
)
from termexplorer.services.files.exports import Cell

HEADER = (
    "concept", "name", "other concept", "other name", "similarity", "margin", "same name", "agree",
    "known", "cross-references",
)  # fmt: skip


def mapping_file(mappings: Mappings, chosen: Sequence[SuggestedMapping]) -> SuggestionSheet:
    """Some of the mappings, to be written.

    Concepts that have a name in common are `skos:exactMatch`, others `skos:closeMatch`.
    """
    return SuggestionSheet(
        mappings.source,
        mappings.to,
        mappings.encoder_ids,
        HEADER,
        [_mapping_cells(mappings, mapping) for mapping in chosen],
        [_mapping_row(mappings, mapping) for mapping in chosen],
    )


def _mapping_cells(mappings: Mappings, mapping: SuggestedMapping) -> list[Cell]:
    return [
        mapping.subject,
        mappings.labels[mapping.subject],
        mapping.object,
        mappings.labels[mapping.object],
        mapping.similarity,
        mapping.margin if mapping.margin == mapping.margin else None,
        "yes" if mapping.same_name else "no",
        mapping.agree,
        "yes" if mapping.known else "no",
        " ".join(mapping.references),
    ]


def _mapping_row(mappings: Mappings, mapping: SuggestedMapping) -> SssomRow:
    agreed = f"{mapping.agree} of {len(mappings.encoder_ids)} encoders find it best"
    references_note = "; a cross-reference says the same" if mapping.known else ""
    if mapping.references and not mapping.known:
        references_note = f"; a cross-reference names {', '.join(mapping.references)}"
    return SssomRow(
        mapping.subject,
        mappings.labels[mapping.subject],
        "skos:exactMatch" if mapping.same_name else "skos:closeMatch",
        mapping.object,
        mappings.labels[mapping.object],
        "semapv:LexicalMatching" if mapping.same_name else SEMANTIC,
        confidence(mapping.similarity),
        agreed + references_note,
    )
