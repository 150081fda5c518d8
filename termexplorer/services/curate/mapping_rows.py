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
    "concept", "name", "best", "its name", "similarity", "margin", "same name", "agree", "known",
    "cross-references",
)  # fmt: skip


def mapping_file(mappings: Mappings, chosen: Sequence[SuggestedMapping]) -> SuggestionSheet:
    """Some of the mappings, to be written.

    Concepts that have a name in common are `skos:exactMatch`, others `skos:closeMatch`.
    """
    return SuggestionSheet(
        mappings.own,
        mappings.to,
        mappings.encoder_ids,
        HEADER,
        [_mapping_cells(mappings, each) for each in chosen],
        [_mapping_row(mappings, each) for each in chosen],
    )


def _mapping_cells(mappings: Mappings, each: SuggestedMapping) -> list[Cell]:
    return [
        each.subject,
        mappings.labels[each.subject],
        each.object,
        mappings.labels[each.object],
        each.similarity,
        each.margin if each.margin == each.margin else None,
        "yes" if each.same_name else "no",
        each.agree,
        "yes" if each.known else "no",
        " ".join(each.references),
    ]


def _mapping_row(mappings: Mappings, each: SuggestedMapping) -> SssomRow:
    agreed = f"{each.agree} of {len(mappings.encoder_ids)} encoders find it best"
    told = "; a cross-reference says the same" if each.known else ""
    if each.references and not each.known:
        told = f"; a cross-reference names {', '.join(each.references)}"
    return SssomRow(
        each.subject,
        mappings.labels[each.subject],
        "skos:exactMatch" if each.same_name else "skos:closeMatch",
        each.object,
        mappings.labels[each.object],
        "semapv:LexicalMatching" if each.same_name else SEMANTIC,
        confidence(each.similarity),
        agreed + told,
    )
