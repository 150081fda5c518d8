"""The level lens: what each level would train on, seen before anything is trained."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import partial

from termexplorer.errors import UserError
from termexplorer.services.ontologies import find_concept, find_ontology
from termexplorer.services.release_texts import release_texts
from termexplorer.store.corpus import release_graph
from termexplorer.taxonomy import Examples, LevelSummary, Removed
from termexplorer.workers.level_choice import LevelChoice, build_lens
from termexplorer.workspace import Workspace

__all__ = [
    "ClassRow",
    "LevelChoice",
    "LevelLens",
    "LevelSummary",
    "LevelView",
    "Removed",
    "level_lens",
    "open_lens",
]


@dataclass(frozen=True, slots=True)
class ClassRow:
    """A class of a level: its concept, how many names it has, or why it is left out."""

    concept_id: int
    curie: str
    code: str
    label: str
    names: int
    left_out: str


@dataclass(frozen=True, slots=True)
class LevelView:
    """A level as it would be trained: its figures, its classes, and those that are left out."""

    summary: LevelSummary
    classes: tuple[ClassRow, ...]
    left_out: tuple[ClassRow, ...]


class LevelLens:
    """One ontology below one root, cleaned by one set of rules; made by `level_lens`.

    Attributes:
        levels: how many levels have classes.
        deepest: the deepest level of any concept, before the rules; 0 without links.
        removed: what the rules took out.
    """

    def __init__(self, workspace: Workspace, ontology_id: int, choice: LevelChoice) -> None:
        root_id = _root_id(workspace, ontology_id, choice.root)
        texts = release_texts(workspace, ontology_id)
        with workspace.store.reading() as connection:
            graph = release_graph(connection, ontology_id)
        self._labels = texts.labels
        self._ids = graph.concept_ids.tolist()
        self._taxonomy, self._lens = build_lens(graph, texts.names, root_id, choice.rules)
        self.levels = self._taxonomy.levels()
        self.deepest = self._taxonomy.deepest() if len(graph.children) else 0
        self.removed: Removed = self._taxonomy.removed

    def summary(self, choice: LevelChoice) -> LevelSummary:
        """The figures of the level that is chosen."""
        gone = set(choice.left_out)
        places = (p for p, i in enumerate(self._ids) if self._labels[i][0] in gone) if gone else ()
        selection = choice.selection(frozenset(places))
        return self._lens.summary(choice.level, choice.examples, selection)

    def view(self, choice: LevelChoice) -> LevelView:
        """The level that is chosen, with its classes, the largest first."""
        summary = self.summary(choice)
        pairs = zip(summary.concepts.tolist(), summary.sizes.tolist(), strict=True)
        rows = [self.row(place, size) for place, size in pairs]
        rows.sort(key=lambda row: -row.names)
        left_out = [
            self.row(place, 0, group.reason)
            for group in summary.classes_left_out
            for place in group.concepts.tolist()
        ]
        return LevelView(summary, tuple(rows), tuple(left_out))

    def classes_among(self, level: int, concept_ids: Collection[int]) -> tuple[ClassRow, ...]:
        """Those of some concepts that are classes of a level, with all names below each."""
        summary = self._lens.summary(level, Examples.ALL_DESCENDANTS)
        pairs = zip(summary.concepts.tolist(), summary.sizes.tolist(), strict=True)
        return tuple(self.row(place, n) for place, n in pairs if self._ids[place] in concept_ids)

    def classes_of(self, level: int) -> dict[int, tuple[int, ...]]:
        """The classes of a level that each concept is or is below; ids of concepts both."""
        classes = self._taxonomy.classes(level)
        ids: list[int] = self._ids
        found: dict[int, tuple[int, ...]] = {
            ids[place]: (ids[place],) for place in classes.tolist()
        }
        shared = {own: own for own in found.values()}  # a hundred thousand tuples are few
        concepts, labels = self._taxonomy.memberships(level)
        for place, above in zip(concepts.tolist(), classes[labels].tolist(), strict=True):
            own = (*found.get(ids[place], ()), ids[above])
            found[ids[place]] = shared.setdefault(own, own)
        return found

    def row(self, place: int, names: int, left_out: str = "") -> ClassRow:
        """What a list shows of the class at a place of `LevelSummary.concepts`."""
        concept_id = self._ids[place]
        return ClassRow(concept_id, *self._labels[concept_id], names, left_out)

    def concept_id(self, place: int) -> int:
        """The concept at a place of `LevelSummary.concepts`."""
        return int(self._ids[place])

    def texts(self, place: int) -> tuple[str, str, str]:
        """CURIE, code and label of the concept at a place."""
        return self._labels[self._ids[place]]


def level_lens(workspace: Workspace, ontology_id: int, choice: LevelChoice) -> LevelLens:
    """Reads an ontology, which takes about half a second for ICD-10-CM, or has kept it.

    Raises:
        UserError: there is no such ontology, or the root is not in it.
    """
    ontology = find_ontology(workspace, str(ontology_id))
    return workspace.kept.get(
        ("levels", ontology, choice.root, choice.rules),
        partial(LevelLens, workspace, ontology_id, choice),
    )


def open_lens(workspace: Workspace, ontology_id: int, choice: LevelChoice) -> LevelLens:
    """An ontology that has levels, for looking at them.

    Raises:
        UserError: the ontology has no links, so no levels, or the root is not in it.
    """
    lens = level_lens(workspace, ontology_id, choice)
    if lens.levels:
        return lens
    if lens.deepest:
        raise UserError(
            f"nothing is below level {choice.depth}, so every concept is a dead end; "
            f"choose a depth under {lens.deepest}, or switch the dead-end rule off"
        )
    where = f"nothing is below {choice.root}" if choice.root else "it has no is-a links"
    raise UserError(f"there are no levels: {where}; neighbours and search work all the same")


def _root_id(workspace: Workspace, ontology_id: int, root: str) -> int | None:
    if not root:
        return None
    found = find_concept(workspace, find_ontology(workspace, str(ontology_id)), root)
    if found.obsolete:
        raise UserError(f"{root} is obsolete: nothing is below it; choose a live concept as root")
    return found.id
