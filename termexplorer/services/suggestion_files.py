"""Suggestions as files: SSSOM, or a plain table."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

from termexplorer.exporters.sssom import SssomRow, write_sssom
from termexplorer.exporters.tables import Cell, write_table
from termexplorer.services.encoders import find_encoder
from termexplorer.store.ontologies import Ontology, prefixes
from termexplorer.workspace import Workspace

__all__ = ["SEMANTIC", "SssomRow", "Suggestions", "confidence", "write_suggestions"]

SEMANTIC = "semapv:SemanticSimilarityThresholdMatching"
_UNSPECIFIED = "https://w3id.org/sssom/license/unspecified"
_SETS = "https://w3id.org/sssom/mappings/"


@dataclass(frozen=True, slots=True)
class Suggestions:
    """What is written.

    Attributes:
        own: the release whose concepts are the subjects.
        to: the release whose concepts are the objects.
        encoder_ids: what they come from.
        header: the titles of the columns of a plain table.
        rows: its cells.
        mappings: the same as mappings.
    """

    own: Ontology
    to: Ontology
    encoder_ids: tuple[int, ...]
    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    mappings: Sequence[SssomRow]


def write_suggestions(workspace: Workspace, path: Path, suggestions: Suggestions) -> None:
    """Writes suggestions; `.sssom.tsv` is SSSOM, other endings are a plain table.

    The licence notes of both ontologies go with SSSOM.

    Raises:
        UserError: another ending than .sssom.tsv, .csv, .tsv or .xlsx, or the place cannot be
            written to.
    """
    if not path.name.lower().endswith(".sssom.tsv"):
        write_table(path, suggestions.header, suggestions.rows)
        return
    with workspace.store.reading() as connection:
        releases = (suggestions.to, suggestions.own)
        known = {k: v for each in releases for k, v in prefixes(connection, each.id).items()}
    write_sssom(path, _about(workspace, suggestions), known, suggestions.mappings)


def confidence(value: float) -> float | None:
    """A similarity between 0 and 1, but for rounding; None of encoders with other similarities."""
    near = round(value, 4)
    return near if 0 <= near <= 1 else None


def _about(workspace: Workspace, suggestions: Suggestions) -> dict[str, str]:
    own, to = suggestions.own, suggestions.to
    encoders = [find_encoder(workspace, each).label for each in suggestions.encoder_ids]
    releases = dict.fromkeys((own, to))
    licences = [f"{each.label}: {each.licence}" for each in releases if each.licence]
    content = repr((own, to, tuple(suggestions.mappings)))
    return {
        "mapping_set_id": f"{_SETS}{uuid.uuid5(uuid.NAMESPACE_URL, content)}",
        "mapping_set_title": f"{' to '.join(e.label for e in releases)}, suggested, not reviewed",
        "license": _UNSPECIFIED,
        "subject_source_version": own.version or own.label,
        "object_source_version": to.version or to.label,
        "mapping_tool": "termexplorer",
        "mapping_tool_version": metadata.version("termexplorer"),
        "mapping_date": datetime.now(UTC).date().isoformat(),
        "comment": ". ".join([f"Suggested by {', '.join(encoders)}", *licences]),
    }
