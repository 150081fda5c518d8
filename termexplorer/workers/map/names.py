"""Which names of a release a map is of."""

from collections.abc import Iterator

import numpy as np

from termexplorer.errors import UserError
from termexplorer.store.database.engine import Store
from termexplorer.store.database.sqlalchemy_engine import Connection
from termexplorer.store.judging.lists import concept_lists, listed
from termexplorer.store.releases import concepts
from termexplorer.store.releases.corpus import ReleaseNames
from termexplorer.store.search.queries import concepts_with
from termexplorer.texts import tr
from termexplorer.workers.data.level_choice import root_id
from termexplorer.workers.map.messages import CONCEPTS, NAMES, ProjectionRequest


def map_names(store: Store, request: ProjectionRequest, names: ReleaseNames) -> ReleaseNames:
    """Those of the names of a release that are asked for.

    Raises:
        UserError: there is no such choice or list, or the root is not in the release.
    """
    if request.names not in NAMES:
        raise UserError(
            tr(
                "there are no names {names}; choose one of {known}",
                names=request.names,
                known=", ".join(NAMES),
            )
        )
    with store.reading() as connection:
        for chosen in _chosen_concepts(connection, request):
            names = names.of(chosen)
    if request.names != CONCEPTS:
        return names
    _, first = np.unique(names.concept_ids, return_index=True)
    first.sort()
    texts = tuple(names.texts[index] for index in first.tolist())
    return ReleaseNames(names.ids[first], names.concept_ids[first], texts)


def choice_text(request: ProjectionRequest, root: str) -> str:
    """Which names are asked for, in words, by what the root is called; empty for all."""
    parts = [
        root if request.root else "",
        tr("what '{words}' finds", words=request.search) if request.search else "",
        tr("the list {title}", title=request.list_title) if request.list_title else "",
    ]
    return ", ".join(filter(None, parts))


def _chosen_concepts(connection: Connection, request: ProjectionRequest) -> Iterator[set[int]]:
    """The concepts of each choice; names of those in all of them are asked for."""
    if request.root:
        top = root_id(connection, request.release_id, request.root)
        yield {top, *concepts.descendants(connection, top)}
    if request.search:
        yield concepts_with(connection, request.search, request.release_id)
    if request.list_title:
        titles = [concept_list.title for concept_list in concept_lists(connection)]
        if request.list_title not in titles:
            known = ", ".join(titles) or tr("none yet: keep what is enclosed on a map as one")
            raise UserError(
                tr(
                    "there is no list {title}; there are {known}",
                    title=request.list_title,
                    known=known,
                )
            )
        yield listed(connection, request.list_title, request.release_id)
