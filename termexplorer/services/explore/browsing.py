"""Looking around in one release: the tree, the search box, and the page of a concept."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from termexplorer.importers.text.curies import Curies
from termexplorer.store.database.engine import ChangeWatch
from termexplorer.store.database.raw_sql import PlainConnection, SqlReader
from termexplorer.store.releases import concepts
from termexplorer.store.releases.concepts import Concept, ConceptName, ConceptRef, TreeItem
from termexplorer.store.releases.ontologies import ontologies, prefixes
from termexplorer.store.search import queries as search
from termexplorer.store.search.code_list_search import find_curies, search_codes, split_code_list
from termexplorer.store.search.near_search import search_near
from termexplorer.store.search.queries import Hit, SearchResult
from termexplorer.texts import tr
from termexplorer.workspace import Workspace

__all__ = [
    "ChangeWatch",
    "Concept",
    "ConceptName",
    "ConceptPage",
    "ConceptRef",
    "Hit",
    "SearchAnswer",
    "SearchResult",
    "TreeItem",
    "answer_search",
    "concept_page",
    "concept_ref",
    "count_below",
    "path_to",
    "search_names",
    "short_form",
    "told_missing",
    "told_near",
    "tree_count",
    "tree_page",
    "watch_changes",
]

# As the end of a PURL: HP_0000118, also as obo:HP_0000118.
_OBO_FILE_ID = re.compile(r"(?:obo:)?([A-Za-z]\w*?)_([A-Z]?\d+)", re.IGNORECASE)
_HOST = re.compile(r"[\w-]+(\.[\w-]+)*\.[A-Za-z]{2,}/\S+")  # an IRI without its scheme
_IRI = re.compile(r"https?://\S+")
# Sites whose addresses end in a CURIE.
_RESOLVERS = re.compile(
    r"https?://(?:www\.)?(?:bioregistry\.io|identifiers\.org|n2t\.net)/(?:\w+/)?(\w[\w.]*:\S+)",
    re.IGNORECASE,
)
MOST_PATHS = 40
MOST_STEPS = 200


@dataclass(frozen=True, slots=True)
class ConceptPage:
    """All that is shown of one concept.

    Attributes:
        paths: from a root down to a parent of the concept, each; at most `MOST_PATHS`, none
            longer than `MOST_STEPS`.
        all_paths: whether `paths` holds them all.
        became: CURIE -> what an obsolete concept is associated with, as far as the release has it.
    """

    concept: Concept
    parents: tuple[ConceptRef, ...]
    paths: tuple[tuple[ConceptRef, ...], ...]
    all_paths: bool
    children: int
    siblings: int
    descendants: int
    became: Mapping[str, ConceptRef]


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """What a search box shows.

    Attributes:
        hits: the best first, those of the release that was asked for before the others.
        replacements: obsolete concept -> what takes its place, as far as that is in its release.
        cut: whether not all that may answer was looked at, as there is so much of it.
        near: what was searched for instead, as nothing answers the query itself; usually empty.
        missing: codes of a list of codes that no concept has.
    """

    query: str
    hits: tuple[Hit, ...] = ()
    replacements: Mapping[int, ConceptRef] = field(default_factory=dict)
    cut: bool = False
    near: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


def tree_page(
    workspace: Workspace, release_id: int, parent_id: int | None, limit: int, offset: int
) -> list[TreeItem]:
    """Some of the children of a concept, or of the roots when `parent_id` is None."""
    with workspace.store.looking() as connection:
        if parent_id is None:
            return concepts.roots(connection, release_id, limit, offset)
        return concepts.children(connection, parent_id, limit, offset)


def tree_count(workspace: Workspace, release_id: int, parent_id: int | None) -> int:
    """How many children a concept has, or how many roots there are."""
    with workspace.store.looking() as connection:
        if parent_id is None:
            return concepts.count_roots(connection, release_id)
        return concepts.count_children(connection, parent_id)


def count_below(workspace: Workspace, concept_ids: Sequence[int]) -> dict[int, int]:
    """Return how many concepts lie below each of some concepts, by their ids."""
    with workspace.store.looking() as connection:
        return concepts.count_all_descendants(connection, concept_ids)


def concept_page(workspace: Workspace, concept_id: int) -> ConceptPage | None:
    """The page of a concept, or None when it is gone."""
    with workspace.store.looking() as connection:
        concept = concepts.concept(connection, concept_id)
        if concept is None:
            return None
        paths, complete = _paths_to_root(connection, concept_id)
        return ConceptPage(
            concept=concept,
            parents=tuple(concepts.parents(connection, concept_id)),
            paths=paths,
            all_paths=complete,
            children=concepts.count_children(connection, concept_id),
            siblings=len(concepts.siblings(connection, concept_id)),
            descendants=concepts.count_descendants(connection, concept_id),
            became=_find_concepts(
                connection, concept, (*concept.replacements, *concept.associated)
            ),
        )


def path_to(workspace: Workspace, concept_id: int) -> tuple[int, ...]:
    """Ids from a root down to a concept by a shortest way: what a tree opens to show it."""
    below: dict[int, int] = {concept_id: 0}
    level = [concept_id]
    with workspace.store.looking() as connection:
        while level:
            above: list[int] = []
            for node in level:
                parents = concepts.parents(connection, node)
                if not parents:
                    return _way_down(below, node)
                fresh = [parent.id for parent in parents if parent.id not in below]
                below.update(dict.fromkeys(fresh, node))
                above += fresh
            level = above
    return (concept_id,)  # only cycles above: it is a root of the tree itself


def _way_down(below: dict[int, int], node: int) -> tuple[int, ...]:
    way = [node]
    while node := below[node]:
        way.append(node)
    return tuple(way)


def search_names(
    workspace: Workspace, query: str, ontology_id: int | None = None, limit: int = 100
) -> SearchResult:
    """Find concepts that answer a query, or else those that are nearest.

    Args:
        workspace: where to look.
        query: what was typed: names, codes, ids, IRIs or cross-references, names also in part.
        ontology_id: the release to look in, or None for all.
        limit: the most concepts to return.
    """
    with workspace.store.looking() as connection:
        releases = ontologies(connection)
        ids = [ontology_id] if ontology_id else [release.id for release in releases]
        if iri := _read_iri(query):
            return _search_iri(connection, iri, ids, limit)
        query = short_form(connection, query, ids)
        result = search.search(connection, query, ids, limit)
        if result.hits:
            return result
        codes = _search_codes(connection, query, ids, limit)
        if codes.hits or result.cut:  # what is near counts only where nothing answers
            return replace(codes, cut=result.cut or codes.cut)
        return search_near(connection, query, ids, limit)


def answer_search(
    workspace: Workspace, query: str, ontology_id: int | None, limit: int = 100
) -> SearchAnswer:
    """Search one release, then the others, and look up what replaces obsolete hits.

    Where nothing answers in any of them, what is nearest is searched for, likewise.
    """
    with workspace.store.looking() as connection:
        release_ids = [ontology.id for ontology in ontologies(connection)]
        first_ids = release_ids if ontology_id is None else [ontology_id]
        other_ids = [release_id for release_id in release_ids if release_id not in first_ids]
        short, iri = short_form(connection, query, release_ids), _read_iri(query)
        if iri:
            result = _search_iri(connection, iri, [*first_ids, *other_ids], limit)
        else:
            result = _search_in_turn(connection, search.search, short, first_ids, other_ids, limit)
        cut = result.cut
        if not result.hits and not iri:
            result = _search_codes(connection, short, [*first_ids, *other_ids], limit)
        if not result.hits and not iri and not cut:  # what is near counts where nothing answers
            result = _search_in_turn(connection, search_near, short, first_ids, other_ids, limit)
        replaced = {
            hit.concept_id: _find_replacement(connection, hit.concept_id)
            for hit in result.hits
            if hit.obsolete
        }
    replacements = {id_: ref for id_, ref in replaced.items() if ref}
    cut = cut or result.cut
    return SearchAnswer(query, result.hits, replacements, cut, result.near, result.missing)


def _search_iri(
    connection: PlainConnection, iri: str, release_ids: list[int], limit: int
) -> SearchResult:
    """Find what an IRI stands for in each release: by its CURIE there, or else as it is."""
    hits: list[Hit] = []
    cut = False
    for release_id in release_ids:
        short = short_form(connection, iri, [release_id])
        for form in dict.fromkeys((short, iri, _with_other_scheme(iri))):
            result = search.search(connection, form, [release_id], limit)
            cut = cut or result.cut
            if result.hits:
                hits += result.hits
                break
    hits.sort(key=lambda hit: hit.match)  # stable: the order of the releases stays
    return SearchResult(tuple(hits[:limit]), cut)


def _search_codes(
    connection: PlainConnection, query: str, release_ids: list[int], limit: int
) -> SearchResult:
    """Look up a list of codes, or else the CURIEs among words: these are near, not equal."""
    codes = split_code_list(query)
    listed = [short_form(connection, code, release_ids) for code in codes]
    result = search_codes(connection, listed, release_ids, limit)
    if result.hits or codes:
        return result
    curies = find_curies(query)
    result = search_codes(connection, curies, release_ids, limit)
    near = tuple(curie for curie in curies if result.hits and curie not in result.missing)
    return replace(result, near=near, missing=())


def _search_in_turn(
    connection: PlainConnection,
    look: Callable[[PlainConnection, str, list[int], int], SearchResult],
    query: str,
    first_ids: list[int],
    other_ids: list[int],
    limit: int,
) -> SearchResult:
    """Return the hits in some releases before those in others."""
    result = look(connection, query, first_ids, limit)
    hits, cut, near = result.hits, result.cut, result.near
    if other_ids and len(hits) < limit:
        more = look(connection, query, other_ids, limit - len(hits))
        hits, cut = hits + more.hits, cut or more.cut
        near = tuple(dict.fromkeys((*near, *more.near)))
    return SearchResult(hits, cut, near)


def short_form(connection: SqlReader, query: str, release_ids: Iterable[int]) -> str:
    """Return the CURIE of an IRI that was entered, also in angle brackets; else the query."""
    if file_id := _OBO_FILE_ID.fullmatch(_strip_brackets(query)):
        return ":".join(file_id.groups())
    bare = _read_iri(query)
    if not bare:
        return query
    if resolved := _RESOLVERS.fullmatch(bare):
        return resolved[1]
    for release_id in release_ids:
        curies = Curies(prefixes(connection, release_id))
        for iri in (bare, _with_other_scheme(bare)):
            if (short := curies.shorten(iri)) != iri:
                return short
    return bare


def _strip_brackets(query: str) -> str:
    return query.strip().removeprefix("<").removesuffix(">")


def _read_iri(query: str) -> str:
    """Return the IRI that a query is, with its scheme; "" where it is none."""
    bare = _strip_brackets(query)
    if _HOST.fullmatch(bare):
        return f"http://{bare}"
    return bare if _IRI.fullmatch(bare) and not split_code_list(bare) else ""


def _with_other_scheme(iri: str) -> str:
    scheme, _, rest = iri.partition("://")
    return f"{'http' if scheme == 'https' else 'https'}://{rest}"


def told_missing(missing: Sequence[str]) -> str:
    """Return what is said of codes of a list that no concept has."""
    return tr("Not found: {codes}", codes=", ".join(missing))


def told_near(query: str, near: Sequence[str]) -> str:
    """Return what is said above hits that are near a query and do not answer it."""
    return tr("Nothing is called “{query}”. The nearest: {near}", query=query, near=", ".join(near))


def concept_ref(workspace: Workspace, concept_id: int) -> ConceptRef | None:
    """A link to a concept, or None when it is gone."""
    with workspace.store.looking() as connection:
        return concepts.references(connection, [concept_id]).get(concept_id)


def watch_changes(workspace: Workspace) -> ChangeWatch:
    """Something to ask, now and then, whether anybody wrote to the workspace."""
    return ChangeWatch(workspace.store.path)


def _find_replacement(connection: SqlReader, concept_id: int) -> ConceptRef | None:
    concept = concepts.concept(connection, concept_id)
    if concept is None:
        return None
    return next(iter(_find_concepts(connection, concept, concept.replacements).values()), None)


def _paths_to_root(
    connection: SqlReader, concept_id: int
) -> tuple[tuple[tuple[ConceptRef, ...], ...], bool]:
    """Paths from a root to a parent of the concept, and whether these are all."""
    done: list[tuple[ConceptRef, ...]] = []
    seen: dict[int, list[ConceptRef]] = {}
    waiting: list[tuple[int, tuple[ConceptRef, ...]]] = [(concept_id, ())]
    while waiting:
        node, path = waiting.pop()
        if len(done) >= MOST_PATHS or len(path) >= MOST_STEPS:
            return (tuple(done) or (path,)), False
        if node not in seen:
            seen[node] = concepts.parents(connection, node)
        on_path = {concept_id, *(step.id for step in path)}
        above = [parent for parent in seen[node] if parent.id not in on_path]
        if not above:
            done.append(path)
        waiting += [(parent.id, (parent, *path)) for parent in reversed(above)]
    return tuple(done), True


def _find_concepts(
    connection: SqlReader, concept: Concept, curies: Iterable[str]
) -> dict[str, ConceptRef]:
    """Concepts of the same release, by the CURIEs that they were asked for with."""
    refs = ((curie, concepts.find(connection, concept.release_id, curie)) for curie in curies)
    return {curie: ref for curie, ref in refs if ref is not None}
