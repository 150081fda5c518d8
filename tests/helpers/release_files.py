"""Shared by the tests of imports: files written, imported, and what the store holds then."""

import sqlite3
from contextlib import closing
from pathlib import Path

from toy_ontology import HEADER

from termexplorer.services.explore.ontologies import import_report
from termexplorer.store.releases.ontologies import Ontology
from termexplorer.workspace import Workspace


def rows(workspace: Workspace) -> dict[str, int]:
    tables = ("release", "terminology", "concept", "name", "identifier", "is_a", "import_remark")
    with closing(sqlite3.connect(workspace.folder / "workspace.sqlite")) as connection:
        counts = {t: connection.execute(f"SELECT count(*) FROM {t}").fetchone()[0] for t in tables}
        for index in ("search_words", "search_trigrams"):
            connection.execute(f"INSERT INTO {index}({index}) VALUES ('integrity-check')")
    return counts


def write(path: Path, *stanzas: str) -> Path:
    path.write_text(HEADER + "\n" + "\n".join(stanzas), encoding="utf-8")
    return path


def told(workspace: Workspace, ontology: Ontology) -> str:
    return "\n".join(remark.text for remark in import_report(workspace, ontology.id))
