"""What is trained on: a root, a level, and the choices on top; shared by lens and training."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from termexplorer.errors import UserError
from termexplorer.store.database.sqlalchemy_engine import Connection
from termexplorer.store.releases import concepts
from termexplorer.store.releases.corpus import Int64s, ReleaseGraph, ReleaseNames
from termexplorer.taxonomy import FSL_RULES, ClassSelection, Examples, Lens, Rules, Taxonomy
from termexplorer.texts import tr


@dataclass(frozen=True, slots=True)
class LevelChoice:
    """Which names of a release are examples of which classes.

    Attributes:
        root: CURIE of the concept to look below; empty for all roots (or the only one).
        level: of the classes, 1 the highest.
        depth: of the dead-end rule and of the examples below depth [HLS].
        shortcuts: drop is-a links that jump over a level.
        dead_ends: drop concepts without a path down to `depth`.
        below_depth: examples are names of concepts below `depth` [HLS], not of all below a class
            [FSL].
        left_out: CURIEs of classes left out by hand.
        without_parents: leave out classes that are parents of others on the level [FSL].
        largest: keep only so many of the largest classes; 0: all.
        without_ambiguous: leave out names of several classes.
        cap: draw at most so many names of a class; 0: all.
        seed: of that draw.
    """

    root: str = ""
    level: int = 1
    depth: int = 4
    shortcuts: bool = True
    dead_ends: bool = True
    below_depth: bool = True
    left_out: tuple[str, ...] = ()
    without_parents: bool = False
    largest: int = 0
    without_ambiguous: bool = False
    cap: int = 0
    seed: int = 0

    @classmethod
    def for_recipe(cls, recipe: str, **changes: Any) -> "LevelChoice":
        """The paper's own choice of a recipe, with changes."""
        if recipe == "few-shot":
            return cls(**(_FEW_SHOT | changes))
        return cls(**changes)

    @classmethod
    def read(cls, values: dict[str, Any]) -> "LevelChoice":
        """From what a run keeps of it."""
        return cls(**{**values, "left_out": tuple(values.get("left_out", ()))})

    @property
    def rules(self) -> Rules:
        """How the taxonomy is cleaned."""
        return Rules(self.shortcuts, self.dead_ends, self.depth)

    @property
    def examples(self) -> Examples:
        """Whose names are examples."""
        return Examples.BELOW_DEPTH if self.below_depth else Examples.ALL_DESCENDANTS

    def selection(self, left_out: frozenset[int]) -> ClassSelection:
        """The choices on top, `left_out` being the places of `self.left_out`."""
        return ClassSelection(
            left_out=left_out,
            without_parents=self.without_parents,
            largest=self.largest,
            without_ambiguous=self.without_ambiguous,
            cap=self.cap,
            seed=self.seed,
        )

    def whole(self, level: int) -> "LevelChoice":
        """All classes of another level, with all their names, by the same rules of cleaning."""
        plain = LevelChoice(
            root=self.root, depth=self.depth, shortcuts=self.shortcuts, dead_ends=self.dead_ends
        )
        return replace(plain, level=level, below_depth=self.below_depth)

    def on(self, level: int) -> "LevelChoice":
        """The same on another level."""
        return replace(self, level=level)


_FEW_SHOT: dict[str, Any] = {
    "shortcuts": FSL_RULES.shortcuts,
    "dead_ends": FSL_RULES.dead_ends,
    "below_depth": False,
    "without_parents": True,
    "largest": 21,
    "without_ambiguous": True,
}


def root_id(connection: Connection, release_id: int, root: str) -> int:
    """The concept to look below.

    Raises:
        UserError: there is none.
    """
    root_concept = concepts.find(connection, release_id, root)
    if root_concept is None:
        raise UserError(tr("the root {root} is not in this ontology; choose another", root=root))
    return root_concept.id


def build_lens(
    graph: ReleaseGraph, names: ReleaseNames, root_id: int | None, rules: Rules
) -> tuple[Taxonomy, Lens]:
    """The taxonomy below a root, and the lens over the names of the release."""
    taxonomy = build_taxonomy(graph, root_id, rules)
    places: Int64s = graph.places(names.concept_ids)
    return taxonomy, Lens(taxonomy, places)


def build_taxonomy(graph: ReleaseGraph, root_id: int | None, rules: Rules) -> Taxonomy:
    """The taxonomy below a root."""
    root = None if root_id is None else int(graph.places(np.array([root_id], np.int64))[0])
    return Taxonomy.build(len(graph.concept_ids), graph.children, graph.parents, root, rules)
