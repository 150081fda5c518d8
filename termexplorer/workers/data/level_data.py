"""From a release and a choice of level to the names, classes and parts that a run trains on.

Kept lists may be classes besides those of the level. Their names are learned, and stop the run, in
that class instead of the level's; so they are neither asked for nor ranked where an encoder is
scored on a level, whose figures are those of the level's own classes. How near the held-out names
of the lists are to the learned ones is a figure of its own.

A name is what it says ([FSL] 2.3, [HLS]): where concepts of several classes have the same name, it
is ambiguous as one of a concept of several classes is, and of equal names one is learned or asked
for.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from termexplorer.errors import UserError
from termexplorer.store.database.engine import Store
from termexplorer.store.encoders.runs import SplitInfo, find_split, put_split, split_parts
from termexplorer.store.releases import concepts
from termexplorer.store.releases.corpus import (
    ReleaseGraph,
    ReleaseNames,
    release_graph,
    release_labels,
    release_names,
)
from termexplorer.taxonomy import ClassSelection, Lens, TrainingNames
from termexplorer.texts import mark, tr, translated
from termexplorer.workers.data.level_choice import LevelChoice, build_lens, root_id
from termexplorer.workers.data.level_sets import UNUSED, LevelSet, gathered, labelled
from termexplorer.workers.data.list_classes import (
    ListClass,
    ListNames,
    check_lists,
    lists_text,
    names_of_list,
)
from termexplorer.workers.process.child import trainer_errors

if TYPE_CHECKING:
    from termexplorer.trainer.text.names import LabelledNames


@dataclass(frozen=True, slots=True)
class SplitRule:
    """How names are parted.

    Attributes:
        recipe: `few-shot`: k names of each class, thrice; `dan`: passes over the classes at depth;
            one that learns from synonym sets: as in `concept_data`, by the seed alone.
        shots: k of few-shot.
        test_passes: of [HLS], each holds out one name for each class on the depth level.
        validation_passes: the same for validation.
        seed: of the draw.
    """

    recipe: str
    shots: int = 15
    test_passes: int = 3
    validation_passes: int = 2
    seed: int = 0

    def text(self, choice: LevelChoice) -> str:
        """The rule in a line: equal rules give equal splits."""
        if self.recipe == "few-shot":
            return f"few-shot, {self.shots} names a class, {choice}"
        return f"hls, {self.test_passes} + {self.validation_passes} passes, {choice.rules}"


def build_level_set(
    store: Store,
    release_id: int,
    choice: LevelChoice,
    rule: SplitRule,
    lists: Sequence[ListClass] = (),
) -> tuple[LevelSet, int]:
    """Reads what a run needs and keeps its split; returns it with the split's id.

    Args:
        store: of the workspace.
        release_id: whose names.
        choice: the level.
        rule: how names are parted.
        lists: kept lists that are classes besides.

    Raises:
        UserError: the level is empty, or has no class with two names; a list has too few names, or
            two share one.
    """
    release = _Release.read(store, release_id)
    lens, chosen = release.chosen(store, choice)
    _check_choice(choice, chosen)
    listed = release.listed(store, choice, lists, chosen)
    check_lists(listed, release.names.texts, rule.shots)
    chosen = _with_lists(chosen, listed)
    parts = _parts_of_names(lens, release, chosen, choice, rule)
    split = SplitInfo(
        release_id=release_id,
        root=choice.root,
        depth=choice.depth if rule.recipe == "dan" else choice.level,
        rule=rule.text(choice) + lists_text(lists),
        seed=rule.seed,
        hash=hashlib.sha256(parts.tobytes()).hexdigest(),
    )
    used = np.flatnonzero(parts < UNUSED)
    with store.writing() as connection:
        split_id = put_split(
            connection, split, release.names.ids[used].tolist(), parts[used].tolist()
        )
    return release.gathered(chosen, parts, listed), split_id


def split_sets(
    store: Store, split_id: int, choices: Iterable[LevelChoice], lists: Sequence[ListClass] = ()
) -> Iterator[tuple[LevelChoice, LevelSet]]:
    """The names of a split that was drawn before, with their classes on each level.

    Levels without anything to train on are left out. Names of lists are of no class of any level.

    Raises:
        UserError: there is no such split.
    """
    with store.reading() as connection:
        split, members = find_split(connection, split_id), split_parts(connection, split_id)
    if split is None:
        raise UserError(
            tr("there is no split {split_id}; see the cards of your runs", split_id=split_id)
        )
    release = _Release.read(store, split.release_id)
    parts = np.full(len(release.names.ids), UNUSED, np.uint8)
    ids = np.fromiter(members, np.int64, len(members))
    parts[np.searchsorted(release.names.ids, ids)] = np.fromiter(
        members.values(), np.uint8, len(members)
    )
    for choice in choices:
        _, chosen = release.chosen(store, choice)
        if not _lack_of_choice(choice, chosen):
            listed = release.listed(store, choice, lists, chosen)
            yield choice, release.gathered(_with_lists(chosen, listed), parts, listed)


def level_labels(
    store: Store, release_id: int, choices: Iterable[LevelChoice]
) -> Iterator["LabelledNames"]:
    """All live names of a release, those below each level with their classes on it.

    Raises:
        UserError: a level is empty, or has no class with two names.
    """
    release = _Release.read(store, release_id)
    for choice in choices:
        _, chosen = release.chosen(store, choice)
        _check_choice(choice, chosen)
        yield labelled(release.names, chosen)


@dataclass(frozen=True, eq=False)
class _Release:
    """What is read of a release: its live names in the order of their ids, and its graph."""

    id: int
    names: ReleaseNames
    graph: ReleaseGraph
    labels: dict[int, tuple[str, str, str]]

    @classmethod
    def read(cls, store: Store, release_id: int) -> "_Release":
        with store.reading() as connection:
            return cls(
                release_id,
                release_names(connection, release_id),
                release_graph(connection, release_id),
                release_labels(connection, release_id),
            )

    def chosen(self, store: Store, choice: LevelChoice) -> tuple[Lens, TrainingNames]:
        """The names that are examples of classes on a level."""
        with store.reading() as connection:
            root = root_id(connection, self.id, choice.root) if choice.root else None
        _, lens = build_lens(self.graph, self.names, root, choice.rules)
        by_curie = {
            self.labels[i][0]: index for index, i in enumerate(self.graph.concept_ids.tolist())
        }
        left_out = frozenset(by_curie[c] for c in choice.left_out if c in by_curie)
        selection = choice.selection(left_out)
        training_names = self._by_text(lens, choice, selection)
        if not choice.without_ambiguous:
            return lens, training_names
        # a name may say what one of a concept of several classes does, which is left out by now
        whole = replace(selection, without_ambiguous=False, largest=0, cap=0)
        every = self._by_text(lens, choice, whole)
        return lens, training_names.of_one_class(every)

    def _by_text(self, lens: Lens, choice: LevelChoice, selection: ClassSelection) -> TrainingNames:
        training_names = lens.training_names(choice.level, choice.examples, selection)
        return training_names.by_text(self.texts)

    @cached_property
    def texts(self) -> NDArray[np.int64]:
        """(n,) the same number for names that are the same but for capitals and spaces."""
        from termexplorer.trainer.text.names import plain

        numbers: dict[str, int] = {}
        text_numbers = [numbers.setdefault(plain(text), len(numbers)) for text in self.names.texts]
        return np.array(text_numbers, np.int64)

    def listed(
        self,
        store: Store,
        choice: LevelChoice,
        lists: Sequence[ListClass],
        chosen: TrainingNames,
    ) -> tuple[ListNames, ...]:
        """The names of lists below a root that are none of the level's own concepts."""
        if not lists:
            return ()
        below = None
        if choice.root:
            with store.reading() as connection:
                below = concepts.descendants(connection, root_id(connection, self.id, choice.root))
        curies = {i: texts[0] for i, texts in self.labels.items()}
        on_level = self.graph.concept_ids[chosen.classes]
        return tuple(
            names_of_list(name_list, self.names, curies, below, on_level) for name_list in lists
        )

    def gathered(
        self, chosen: TrainingNames, parts: NDArray[np.uint8], lists: tuple[ListNames, ...]
    ) -> LevelSet:
        """What a run trains, stops and is scored on."""
        return gathered(self.graph, self.names, chosen, parts, self.labels, lists)


def _check_choice(choice: LevelChoice, chosen: TrainingNames) -> None:
    lack = _lack_of_choice(choice, chosen)
    if lack:
        raise UserError(lack)


def _lack_of_choice(choice: LevelChoice, chosen: TrainingNames) -> str:
    """Why a level cannot be trained on; empty if it can."""
    if not len(chosen.classes) and choice.dead_ends and choice.level < choice.depth:
        template = mark(
            "{where} is empty: no concept on it has others below it down to level {depth}; choose "
            "another level or root, or a smaller depth"
        )
    elif not len(chosen.classes):
        template = mark("{where} is empty: no concept is on it; choose another level")
    elif not len(chosen.names):
        template = mark("the classes on {where} have no names to train on; choose another level")
    elif np.bincount(chosen.labels).max() < 2:
        template = mark("no class on {where} has two names; choose a higher level")
    else:
        return ""
    where = tr("level {level}", level=choice.level)
    if choice.root:
        where = tr("level {level} below {root}", level=choice.level, root=choice.root)
    return translated(template, where=where, depth=choice.depth)


def _parts_of_names(
    lens: Lens, release: _Release, chosen: TrainingNames, choice: LevelChoice, rule: SplitRule
) -> NDArray[np.uint8]:
    """(all names of the release,) uint8; of names of the same text all but the first are unused."""
    from termexplorer.trainer.data.splits import few_shot_split, hls_split

    names, texts = release.names, release.texts
    with trainer_errors():
        if rule.recipe == "few-shot":
            return few_shot_split(labelled(names, chosen.once(texts)), rule.shots, rule.seed)
        # one split for all levels: that of the classes at depth, whatever level is trained
        at_depth = lens.training_names(choice.depth, choice.examples).by_text(texts).once(texts)
        if not len(at_depth.names):
            raise UserError(
                tr("no name is below level {depth}; choose a smaller depth", depth=choice.depth)
            )
        parts = hls_split(
            labelled(names, at_depth), rule.test_passes, rule.validation_passes, rule.seed
        )
    outside = np.ones(len(parts), bool)
    outside[at_depth.names] = False
    parts[outside] = UNUSED
    return parts


def _with_lists(chosen: TrainingNames, lists: Sequence[ListNames]) -> TrainingNames:
    return chosen.with_classes({f"list {name_list.title}": name_list.names for name_list in lists})
