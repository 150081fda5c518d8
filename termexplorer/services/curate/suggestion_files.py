"""Suggestions as files, as they were found: forms of mappings, or a plain table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from termexplorer.exporters.tables import Cell
from termexplorer.services.curate.mapping_formats import find_mapping_format, write_mapping_set
from termexplorer.services.curate.record_ids import RECORD_ID, RecordIds
from termexplorer.services.curate.review_slots import cell_slots, row_of
from termexplorer.services.curate.sssom_sets import Origin, own_head, whole_head
from termexplorer.services.files.mapping_tables import write_mapping_table
from termexplorer.services.verdicts.log import now
from termexplorer.store.judging.suggestions import Suggestion
from termexplorer.store.judging.verdicts import VerdictSubject
from termexplorer.store.releases.ontologies import Ontology
from termexplorer.workspace import Workspace

__all__ = [
    "SEMANTIC",
    "SssomRow",
    "SuggestionSheet",
    "confidence",
    "kept_rows",
    "make_suggestion",
    "write_suggestions",
]

SEMANTIC = "semapv:SemanticSimilarityThresholdMatching"


@dataclass(frozen=True, slots=True)
class SssomRow:
    """One mapping, in the words of the standard.

    Attributes:
        term: the name of the subject that is meant; empty for all of it. No slot of the standard.
        further: other slots.
    """

    subject_id: str
    subject_label: str
    predicate_id: str
    object_id: str
    object_label: str
    mapping_justification: str
    confidence: float | None
    comment: str
    term: str = ""
    further: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SuggestionSheet:
    """What is written.

    Attributes:
        source: the release whose concepts are the subjects.
        to: the release whose concepts are the objects.
        encoder_ids: what they come from.
        header: the titles of the columns of a plain table.
        rows: its cells.
        mappings: the same as mappings.
    """

    source: Ontology
    to: Ontology
    encoder_ids: tuple[int, ...]
    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    mappings: Sequence[SssomRow]


def write_suggestions(workspace: Workspace, path: Path, suggestions: SuggestionSheet) -> None:
    """Writes suggestions; in one of `MAPPING_FORMATS`, or as a plain table.

    The licence notes of both ontologies go with mappings.

    Raises:
        UserError: another ending, or the place cannot be written to.
    """
    suggestion_rows = kept_rows(suggestions)
    cells = cell_slots(suggestions.header, suggestion_rows)
    records = RecordIds()
    rows = [
        {RECORD_ID: records.make_id(suggestion)} | row_of(suggestion, cells)
        for suggestion in suggestion_rows
    ]
    columns = dict(zip(cells, suggestions.header, strict=True))
    releases = (suggestions.source.id, suggestions.to.id)
    origin = Origin(releases, suggestions.encoder_ids, columns, now())
    head = whole_head(*own_head(workspace, origin, rows), rows)
    if mapping_format := find_mapping_format(path):
        write_mapping_set(workspace, path, mapping_format, head, rows)
        return
    table = list(zip(suggestions.rows, rows, strict=True))
    write_mapping_table(path, suggestions.header, table, head)


def confidence(value: float) -> float | None:
    """A similarity between 0 and 1, but for rounding; None of encoders with other similarities."""
    near = round(value, 4)
    return near if 0 <= near <= 1 else None


def kept_rows(suggestions: SuggestionSheet) -> list[Suggestion]:
    """The same as they are kept for review."""
    pairs = zip(suggestions.mappings, suggestions.rows, strict=True)
    return [make_suggestion(row, cells) for row, cells in pairs]


def make_suggestion(row: SssomRow, cells: Sequence[Cell]) -> Suggestion:
    """Return a mapping as it is kept for review, with what is shown of it."""
    about = VerdictSubject(row.predicate_id, row.subject_id, row.object_id, row.term)
    slots = {
        "subject_label": row.subject_label,
        "object_label": row.object_label,
        "mapping_justification": row.mapping_justification,
        "confidence": "" if row.confidence is None else f"{row.confidence:.4f}",
        "comment": row.comment,
        **row.further,
    }
    return Suggestion(about, list(cells), {slot: text for slot, text in slots.items() if text})
