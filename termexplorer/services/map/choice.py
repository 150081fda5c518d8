"""Which names a map is of: all, those below a concept or of a class, found, or on a list."""

import hashlib
from dataclasses import dataclass, replace

import numpy as np

from termexplorer.services.explore.ontologies import find_ontology
from termexplorer.services.explore.release_texts import release_texts
from termexplorer.services.levels.default_level import default_level
from termexplorer.services.levels.lens import ClassRow, LevelChoice, open_lens
from termexplorer.store.releases.corpus import ReleaseNames
from termexplorer.texts import tr
from termexplorer.workers.map.messages import ProjectionRequest
from termexplorer.workers.map.names import choice_text, map_names
from termexplorer.workspace import Workspace

__all__ = ["ClassRow", "ClassesOnLevel", "PointCount", "choice_text", "classes_on", "count_points"]


@dataclass(frozen=True, slots=True)
class PointCount:
    """How many names a map is asked for, of how many.

    Attributes:
        names: that are asked for.
        concepts: whose they are.
        of_names: all of the ontology.
        of_concepts: the same.
    """

    names: int
    concepts: int
    of_names: int
    of_concepts: int

    @property
    def text(self) -> str:
        """All of it in a line."""
        return tr(
            "{names:,} of {of_names:,} names, {concepts:,} of {of_concepts:,} concepts",
            names=self.names,
            of_names=self.of_names,
            concepts=self.concepts,
            of_concepts=self.of_concepts,
        )


@dataclass(frozen=True, eq=False)
class ChosenNames:
    """The names that a map is asked for, and their hash, by which it is found again."""

    names: ReleaseNames
    hash: str


def chosen_names(workspace: Workspace, request: ProjectionRequest) -> ChosenNames:
    """Which names a request is for; kept, but for those on a list, which may change.

    Raises:
        UserError: there is no such root or list.
    """

    def choose() -> ChosenNames:
        everything = release_texts(workspace, request.release_id).names
        names = map_names(workspace.store, request, everything)
        return ChosenNames(names, _hash_names(names))

    if request.list_title:
        return choose()
    ontology = find_ontology(workspace, str(request.release_id))
    key = ("map names", ontology, request.names, request.root, request.search)
    return workspace.cache.get(key, choose)


def count_points(workspace: Workspace, request: ProjectionRequest) -> PointCount:
    """How many names a request is for, before anything is made.

    Raises:
        UserError: there is no such root or list.
    """
    release_names = release_texts(workspace, request.release_id).names
    asked = chosen_names(workspace, request).names
    concepts, of_concepts = (len(np.unique(names.concept_ids)) for names in (asked, release_names))
    return PointCount(len(asked.ids), concepts, len(release_names.ids), of_concepts)


@dataclass(frozen=True, slots=True)
class ClassesOnLevel:
    """The classes of a level of an ontology, the largest first, and how many levels there are."""

    level: int
    levels: int
    rows: tuple[ClassRow, ...]


def classes_on(workspace: Workspace, release_id: int, level: int | None) -> ClassesOnLevel:
    """The classes of a level, the largest first, with the names below each.

    Args:
        workspace: where the release is.
        release_id: its id.
        level: None: the one to begin with.

    Raises:
        UserError: the ontology has no levels.
    """
    choice = LevelChoice(dead_ends=False, below_depth=False)
    lens = open_lens(workspace, release_id, choice)
    level = min(level or default_level(workspace, release_id), lens.levels)
    return ClassesOnLevel(level, lens.levels, lens.view(replace(choice, level=level)).classes)


def _hash_names(names: ReleaseNames) -> str:
    """SHA-256 of names, with their ids, in their order."""
    digest = hashlib.sha256(names.ids.tobytes())
    digest.update("\n".join(names.texts).encode())
    return digest.hexdigest()
