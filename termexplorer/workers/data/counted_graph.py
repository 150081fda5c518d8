"""The is-a graph of a release, with how many names its concepts have, in a file beside the store.

Reading them row by row takes seconds for millions of names, the file a tenth of one. What is wrong
with a file, or missing, is made anew from the store.
"""

import hashlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from termexplorer.errors import UserError
from termexplorer.files import atomic_write
from termexplorer.store.releases.corpus import Int64s, ReleaseGraph, name_counts, release_graph
from termexplorer.store.releases.ontologies import Ontology, graph_file
from termexplorer.workspace import Workspace

_ARRAYS = ("concept_ids", "children", "parents", "names")
_UNREADABLE = (OSError, ValueError, KeyError, EOFError, BadZipFile)


@dataclass(frozen=True, eq=False)
class CountedGraph:
    """The graph of a release.

    Attributes:
        graph: Of its n live concepts.
        names: (n,) int64 names of each.
    """

    graph: ReleaseGraph
    names: Int64s

    def arrays(self) -> Iterator[NDArray[np.int64]]:
        """All of it, in the order of `_ARRAYS`."""
        yield from (self.graph.concept_ids, self.graph.children, self.graph.parents, self.names)


def counted_graph(workspace: Workspace, ontology: Ontology) -> CountedGraph:
    """The graph of a release that people see, from its file or else from the store.

    Args:
        workspace: Where it is.
        ontology: The release; a file that another import made is not read.
    """
    path, made_of = _file_and_source(workspace, ontology)
    counted = _read_graph(path, made_of)
    if counted is None:
        with workspace.store.reading() as connection:
            graph = release_graph(connection, ontology.id)
            counted = CountedGraph(graph, name_counts(connection, graph.concept_ids))
        with suppress(OSError, UserError):  # it is a copy: without room for it all works, but later
            _write_graph(path, made_of, counted)
    return counted


def is_sound(workspace: Workspace, ontology: Ontology) -> bool:
    """Whether the file of a release is there and holds what was written of this import."""
    return _read_graph(*_file_and_source(workspace, ontology)) is not None


def _file_and_source(workspace: Workspace, ontology: Ontology) -> tuple[Path, str]:
    """Where a release's file is, and what it is made of."""
    made_of = f"{ontology.content_hash} {ontology.imported_at}"
    return workspace.folder / graph_file(ontology.id), made_of


def _read_graph(path: Path, made_of: str) -> CountedGraph | None:
    if path.is_symlink() or not path.is_file():  # whoever reads a pipe waits for ever
        return None
    try:
        with path.open("rb") as raw, np.load(raw, allow_pickle=False) as file:
            ids, children, parents, names = (
                file[array_name].astype(np.int64) for array_name in _ARRAYS
            )
            stored_hash = str(file["hash"])
    except _UNREADABLE:
        return None
    counted = CountedGraph(ReleaseGraph(ids, children, parents), names)
    return counted if stored_hash == _hash_graph(made_of, counted) else None


def _write_graph(path: Path, made_of: str, graph: CountedGraph) -> None:
    path.parent.mkdir(exist_ok=True)
    # places of concepts and counts of names fit 32 bits
    arrays = dict(zip(_ARRAYS, graph.arrays(), strict=True))
    packed = {
        name: array if name == "concept_ids" else array.astype(np.int32)
        for name, array in arrays.items()
    }
    with atomic_write(path) as fresh, fresh.open("wb") as file:
        np.savez(file, allow_pickle=False, hash=np.array(_hash_graph(made_of, graph)), **packed)


def _hash_graph(made_of: str, graph: CountedGraph) -> str:
    digest = hashlib.sha256(made_of.encode())
    for array in graph.arrays():
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()
