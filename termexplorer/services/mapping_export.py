"""Suggested mappings as files: SSSOM, or a plain table."""

import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

from termexplorer.exporters.sssom import SssomRow, write_sssom
from termexplorer.exporters.tables import Cell, write_table
from termexplorer.services.encoders import find_encoder
from termexplorer.services.mappings import Mappings, Suggested
from termexplorer.store.ontologies import prefixes
from termexplorer.workspace import Workspace

HEADER = (
    "concept", "name", "best", "its name", "similarity", "margin", "same name", "agree", "known",
    "cross-references",
)  # fmt: skip
_UNSPECIFIED = "https://w3id.org/sssom/license/unspecified"
_SETS = "https://w3id.org/sssom/mappings/"
_LEXICAL = ("skos:exactMatch", "semapv:LexicalMatching")
_SEMANTIC = ("skos:closeMatch", "semapv:SemanticSimilarityThresholdMatching")


def write_mappings(
    workspace: Workspace, path: Path, mappings: Mappings, chosen: Sequence[Suggested]
) -> None:
    """Writes some of the suggestions; `.sssom.tsv` is SSSOM, other endings are a plain table.

    Concepts that have a name in common are `skos:exactMatch`, others `skos:closeMatch`. The licence
    notes of both ontologies go with them.

    Raises:
        UserError: another ending than .sssom.tsv, .csv, .tsv or .xlsx, or the place cannot be
            written to.
    """
    if not path.name.lower().endswith(".sssom.tsv"):
        write_table(path, HEADER, mapping_rows(mappings, chosen))
        return
    with workspace.store.reading() as connection:
        known = prefixes(connection, mappings.to.id) | prefixes(connection, mappings.own.id)
    rows = [_row(mappings, each) for each in chosen]
    write_sssom(path, _about(workspace, mappings, rows), known, rows)


def mapping_rows(mappings: Mappings, chosen: Sequence[Suggested]) -> list[list[Cell]]:
    """Suggestions as rows of a file, under `HEADER`."""
    return [
        [
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
        for each in chosen
    ]


def _row(mappings: Mappings, each: Suggested) -> SssomRow:
    predicate, justification = _LEXICAL if each.same_name else _SEMANTIC
    agreed = f"{each.agree} of {len(mappings.encoder_ids)} encoders find it best"
    told = "; a cross-reference says the same" if each.known else ""
    if each.references and not each.known:
        told = f"; a cross-reference names {', '.join(each.references)}"
    return SssomRow(
        each.subject,
        mappings.labels[each.subject],
        predicate,
        each.object,
        mappings.labels[each.object],
        justification,
        _confidence(each.similarity),
        agreed + told,
    )


def _confidence(similarity: float) -> float | None:
    """A similarity between 0 and 1, but for rounding; None of encoders with other similarities."""
    near = round(similarity, 4)
    return near if 0 <= near <= 1 else None


def _about(workspace: Workspace, mappings: Mappings, rows: Sequence[SssomRow]) -> dict[str, str]:
    own, to = mappings.own, mappings.to
    encoders = [find_encoder(workspace, each).label for each in mappings.encoder_ids]
    licences = [f"{each.label}: {each.licence}" for each in (own, to) if each.licence]
    made = f"Suggested by {encoders[0]}" + (
        f"; compared with {', '.join(encoders[1:])}" if encoders[1:] else ""
    )
    return {
        "mapping_set_id": f"{_SETS}{uuid.uuid5(uuid.NAMESPACE_URL, repr((own, to, rows)))}",
        "mapping_set_title": f"{own.label} to {to.label}, suggested and not reviewed",
        "license": _UNSPECIFIED,
        "subject_source_version": own.version or own.label,
        "object_source_version": to.version or to.label,
        "mapping_tool": "termexplorer",
        "mapping_tool_version": metadata.version("termexplorer"),
        "mapping_date": datetime.now(UTC).date().isoformat(),
        "comment": ". ".join([made, *licences]),
    }
