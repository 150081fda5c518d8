"""Changes in KGCL, the Knowledge Graph Change Language (https://w3id.org/kgcl), a line each."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from termexplorer.files import atomic_write

FORMER_PARENTS = "present_parent_ids"
"""The key of the parents that are to go, with spaces between."""
_EDGES = {
    "new parent": "rdfs:subClassOf",
    "exact match": "skos:exactMatch",
    "close match": "skos:closeMatch",
    "related match": "skos:relatedMatch",
    "cross-reference": "oboInOwl:hasDbXref",
}
_SCOPES = ("exact", "broad", "narrow", "related")


def write_kgcl(path: Path, rows: Iterable[Mapping[str, str]]) -> None:
    """Write changes beside their final place, then move them there.

    Args:
        path: ends in `.kgcl`.
        rows: changes by the titles of a template of ROBOT.

    Raises:
        UserError: the place cannot be written to.
    """
    with atomic_write(path) as fresh:
        lines = [line for row in rows for line in list_kgcl(row)]
        fresh.write_text("".join(f"{line}\n" for line in lines), "utf-8")


def list_kgcl(row: Mapping[str, str]) -> list[str]:
    """Return the lines of one change; none where the language has no way to write a text.

    A concept moves from the first of the parents that are to go; the edges to the others are taken
    away.

    >>> list_kgcl({"concept": "A:1", "new parent": "A:2"})
    ['create edge A:1 rdfs:subClassOf A:2']
    >>> list_kgcl({"concept": "A:1", "new parent": "A:2", "present_parent_ids": "A:3"})
    ['move A:1 rdfs:subClassOf A:3 from A:3 to A:2']
    """
    concept = row["concept"]
    former_parents = row.get(FORMER_PARENTS, "").split()
    ids = [concept, *former_parents, *(row[title] for title in _EDGES if row.get(title))]
    names = [row[f"{scope} synonym"] for scope in _SCOPES if row.get(f"{scope} synonym")]
    if any(" " in text for text in ids) or any("'" in name or "\n" in name for name in names):
        return []
    lines = [
        f"create edge {concept} {predicate} {row[title]}"
        for title, predicate in _EDGES.items()
        if row.get(title)
    ]
    if former_parents and (parent := row.get("new parent")):
        first, *further = former_parents
        is_a = f"{concept} {_EDGES['new parent']}"
        lines[0] = f"move {is_a} {first} from {first} to {parent}"
        lines[1:1] = [f"delete edge {is_a} {former}" for former in further]
    for scope in _SCOPES:
        if name := row.get(f"{scope} synonym"):
            lines.append(f"create {scope} synonym '{name}' for {concept}")
            if former := row.get("now a name of", "").partition(" ")[0]:
                lines.append(f"remove synonym '{name}' for {former}")
    return lines
