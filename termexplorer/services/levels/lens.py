"""The level lens: what each level would train on, seen before anything is trained."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial

import numpy as np

from termexplorer.errors import UserError
from termexplorer.services.explore.class_labels import ConceptLabels
from termexplorer.services.explore.ontologies import Ontology, find_concept, find_ontology
from termexplorer.store.releases.corpus import Int64s, ids_of, name_concepts
from termexplorer.taxonomy import CleaningCounts, Examples, Lens, LevelSummary
from termexplorer.taxonomy.default_level import LevelShape, choose_default_level
from termexplorer.texts import tr
from termexplorer.workers.data.counted_graph import counted_graph
from termexplorer.workers.data.level_choice import LevelChoice, build_taxonomy
from termexplorer.workspace import Workspace

__all__ = [
    "ClassRow",
    "CleaningCounts",
    "LevelChoice",
    "LevelLens",
    "LevelSummary",
    "LevelView",
    "check_level",
    "level_lens",
    "open_lens",
    "why_no_level",
    "why_no_levels",
]

_SUMMARIES = 64  # that a lens keeps


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

    def __init__(self, workspace: Workspace, ontology: Ontology, choice: LevelChoice) -> None:
        root_id = _root_id(workspace, ontology.id, choice.root)
        counted = counted_graph(workspace, ontology)
        self._graph = graph = counted.graph
        self._labels = ConceptLabels(workspace, ontology)
        self._workspace, self._ontology_id, self._root = workspace, ontology.id, choice.root
        self._taxonomy = build_taxonomy(graph, root_id, choice.rules)
        self._lens = Lens(self._taxonomy, self._name_places, counted.names)
        self._summaries = lru_cache(_SUMMARIES)(self._summary)
        self.levels = self._taxonomy.levels()
        self.deepest = self._taxonomy.deepest() if len(graph.children) else 0
        self.removed: CleaningCounts = self._taxonomy.removed

    @cached_property
    def default_shape(self) -> LevelShape | None:
        """The level to begin with, by all names below its classes; None where there are none."""
        every = LevelChoice(self._root, below_depth=False)
        levels = range(1, self.levels + 1)
        return choose_default_level(LevelShape.of(self.summary(every.on(n))) for n in levels)

    def summary(self, choice: LevelChoice) -> LevelSummary:
        """The figures of the level that is chosen; those asked for last are kept."""
        return self._summaries(choice)

    def _summary(self, choice: LevelChoice) -> LevelSummary:
        places = self._places_of(choice.left_out) if choice.left_out else []
        selection = choice.selection(frozenset(places))
        return self._lens.summary(choice.level, choice.examples, selection)

    def _places_of(self, curies: Collection[str]) -> list[int]:
        with self._workspace.store.reading() as connection:
            ids = np.array(ids_of(connection, self._ontology_id, curies), np.int64)
        known_ids = ids[np.isin(ids, self._graph.concept_ids)]
        positions: list[int] = self._graph.places(known_ids).tolist()
        return positions

    def _name_places(self) -> Int64s:
        with self._workspace.store.reading() as connection:
            return self._graph.places(name_concepts(connection, self._ontology_id))

    def view(self, choice: LevelChoice) -> LevelView:
        """The level that is chosen, with its classes, the largest first."""
        summary = self.summary(choice)
        rows = self.rows(summary.concepts.tolist(), summary.sizes.tolist())
        rows.sort(key=lambda row: -row.names)
        return LevelView(summary, tuple(rows), tuple(self.rows_left_out(summary)))

    def rows_left_out(self, summary: LevelSummary) -> list[ClassRow]:
        """Return what a list shows of the classes that a level does without, and why."""
        return [
            row
            for group in summary.classes_left_out
            for row in self.rows(group.concepts.tolist(), [0] * len(group.concepts), group.reason)
        ]

    def classes_among(self, level: int, concept_ids: Collection[int]) -> tuple[ClassRow, ...]:
        """Those of some concepts that are classes of a level, with all names below each."""
        summary = self._lens.summary(level, Examples.ALL_DESCENDANTS)
        ids = self._graph.concept_ids[summary.concepts]
        wanted = np.isin(ids, np.fromiter(concept_ids, np.int64, len(concept_ids)))
        return tuple(self.rows(summary.concepts[wanted].tolist(), summary.sizes[wanted].tolist()))

    def classes_of(self, level: int) -> dict[int, tuple[int, ...]]:
        """The classes of a level that each concept is or is below; ids of concepts both."""
        classes = self._taxonomy.classes(level)
        ids: list[int] = self._graph.concept_ids.tolist()
        classes_by_concept: dict[int, tuple[int, ...]] = {
            ids[index]: (ids[index],) for index in classes.tolist()
        }
        shared = {
            class_tuple: class_tuple for class_tuple in classes_by_concept.values()
        }  # a hundred thousand tuples are few
        concepts, labels = self._taxonomy.memberships(level)
        for concept, above in zip(concepts.tolist(), classes[labels].tolist(), strict=True):
            class_ids = (*classes_by_concept.get(ids[concept], ()), ids[above])
            classes_by_concept[ids[concept]] = shared.setdefault(class_ids, class_ids)
        return classes_by_concept

    def row(self, index: int, names: int, left_out: str = "") -> ClassRow:
        """What a list shows of the class at a place of `LevelSummary.concepts`."""
        return self.rows([index], [names], left_out)[0]

    def rows(
        self, places: Sequence[int], names: Sequence[int], left_out: str = ""
    ) -> list[ClassRow]:
        """What a list shows of classes, by their places and how many names each has."""
        ids = self._graph.concept_ids[places].tolist()
        texts = self._labels.of(ids)
        return [
            ClassRow(concept_id, *text, count, left_out)
            for concept_id, text, count in zip(ids, texts, names, strict=True)
        ]

    def concept_id(self, index: int) -> int:
        """The concept at a place of `LevelSummary.concepts`."""
        return int(self._graph.concept_ids[index])

    def texts(self, places: Sequence[int]) -> list[tuple[str, str, str]]:
        """CURIE, code and label of the concepts at some places."""
        return self._labels.of(self._graph.concept_ids[places].tolist())


def level_lens(workspace: Workspace, ontology_id: int, choice: LevelChoice) -> LevelLens:
    """Reads an ontology, which takes about half a second for ICD-10-CM, or has kept it.

    Raises:
        UserError: there is no such ontology, or the root is not in it.
    """
    ontology = find_ontology(workspace, str(ontology_id))
    return workspace.cache.get(
        ("levels", ontology, choice.root, choice.rules),
        partial(LevelLens, workspace, ontology, choice),
    )


def open_lens(workspace: Workspace, ontology_id: int, choice: LevelChoice) -> LevelLens:
    """An ontology that has levels, for looking at them.

    Raises:
        UserError: the ontology has no links, so no levels, or the root is not in it.
    """
    lens = level_lens(workspace, ontology_id, choice)
    if why := why_no_levels(lens, choice):
        raise UserError(why)
    return lens


def check_level(workspace: Workspace, ontology_id: int, choice: LevelChoice) -> None:
    """Refuses a level that nothing could be trained on, before a run of it waits.

    Raises:
        UserError: there is no such level, none at all, or the root is not in the ontology.
    """
    if why := why_no_level(choice.level, open_lens(workspace, ontology_id, choice).levels):
        raise UserError(why)


def why_no_level(level: int, deepest: int) -> str:
    """Why there is no such level, in words; empty where there is."""
    if level <= deepest:
        return ""
    return tr(
        "There is no level {level} here; choose one from 1 to {deepest}",
        level=level,
        deepest=deepest,
    )


def why_no_levels(lens: LevelLens, choice: LevelChoice) -> str:
    """Why a lens has no levels, in words; empty where it has some."""
    if lens.levels:
        return ""
    if lens.deepest == 1:
        return tr(
            "nothing is below level 1, the only one, so its classes have no names to learn "
            "from; neighbours and search work all the same"
        )
    if lens.deepest:
        return tr(
            "nothing is below level {depth}, and a class takes its examples from the names below "
            "it; choose a depth of {most} or less",
            depth=choice.depth,
            most=lens.deepest - 1,
        )
    if choice.root:
        return tr(
            "there are no levels: nothing is below {root}; neighbours and search work all the same",
            root=choice.root,
        )
    return tr("there are no levels: it has no is-a links; neighbours and search work all the same")


def _root_id(workspace: Workspace, ontology_id: int, root: str) -> int | None:
    if not root:
        return None
    root_concept = find_concept(workspace, find_ontology(workspace, str(ontology_id)), root)
    if root_concept.obsolete:
        raise UserError(
            tr("{root} is obsolete: nothing is below it; choose a live concept as root", root=root)
        )
    return root_concept.id
