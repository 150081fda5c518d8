"""Synonym sets of several terminologies as one training set, measured on the first of them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from termexplorer.trainer.data.splits import TRAIN, ZERO_SHOT, Parts
from termexplorer.trainer.text.names import LabelledNames, plain


@dataclass(frozen=True, eq=False)
class FusedNames:
    """Synonym sets of a terminology, and what others add to them for training.

    Attributes:
        labels: the names of the first terminology in their order, then the new ones; its classes,
            then the new ones.
        parts: (n,) uint8, see ``trainer.data.splits``; all new names are for training.
        joined: sets of the others that were joined to a set of the same concept.
        by_reference: those of them that share no training name with it.
        added: sets of the others that stand for themselves.
        held_out: sets of the others left out, for they are of a zero-shot concept.
    """

    labels: LabelledNames
    parts: Parts
    joined: int
    by_reference: int
    added: int
    held_out: int


def fuse(
    labels: LabelledNames,
    parts: Parts,
    other_sets: Sequence[LabelledNames],
    references: Sequence[Mapping[str, Collection[str]]] = (),
) -> FusedNames:
    """Add the synonym sets of other terminologies to the training names of one.

    Two sets are of the same concept where a cross-reference says so, or where they share a name,
    but for capitals and spaces. Of several, a set is joined to the one with which it shares most
    names, of those that are referred to if there are any. Nothing of what the first terminology
    is measured on is added: no validation or test name, and no set that shares a name with a
    zero-shot concept, or is referred to as one.

    Args:
        labels: n names of the first terminology and their concepts.
        parts: (n,) uint8, how they are parted.
        other_sets: the names of the other terminologies and their concepts.
        references: for each of the others, the classes of the first that a class of it is the
            same as, by its label; others than those in ``labels`` are passed over.
    """
    fused = _Fusion(labels, parts)
    places = {label: index for index, label in enumerate(labels.classes)}
    for number, other in enumerate(other_sets, start=2):
        same = references[number - 2] if references else {}
        for label, members in zip(other.classes, other.members(), strict=True):
            if len(members):
                names = [other.names[at] for at in members.tolist()]
                known = sorted(
                    places[same_label] for same_label in same.get(label, ()) if same_label in places
                )
                fused.take(f"{label} ({number})", names, known)
    return fused.result()


class _Fusion:
    """Names and memberships as they grow."""

    def __init__(self, labels: LabelledNames, parts: Parts) -> None:
        self._parts = parts
        self._names, self._classes = list(labels.names), list(labels.classes)
        self._pairs = dict.fromkeys(
            zip(labels.name_index.tolist(), labels.class_index.tolist(), strict=True)
        )
        self._training: dict[str, int] = {}  # the place of each name that may be trained on
        self._classes_of: defaultdict[str, list[int]] = defaultdict(list)
        self._withheld: set[str] = set()
        self._zero_shot: set[str] = set()
        self._apart = {number for name, number in self._pairs if parts[name] == ZERO_SHOT}
        for name, part in zip(labels.names, parts.tolist(), strict=True):
            key = plain(name)
            if part == ZERO_SHOT:
                self._zero_shot.add(key)
            elif part != TRAIN:
                self._withheld.add(key)
        for name, number in self._pairs:
            if parts[name] == TRAIN:
                self._training.setdefault(plain(labels.names[name]), name)
                self._classes_of[plain(labels.names[name])].append(number)
        self._joined = self._by_reference = self._added = self._held_out = 0

    def take(self, label: str, names: Sequence[str], known: Sequence[int]) -> None:
        """Add the set of a concept; ``known`` are the classes that it is referred to as."""
        names_by_key = {plain(name): name for name in names}
        if not (self._zero_shot.isdisjoint(names_by_key) and self._apart.isdisjoint(known)):
            self._held_out += 1
            return
        shared = Counter(number for key in names_by_key for number in self._classes_of.get(key, ()))
        if known or shared:
            number = max(known or shared, key=lambda candidate: shared[candidate])
            self._joined += 1
            self._by_reference += not shared[number]
        else:
            number = len(self._classes)
            self._classes.append(label)
            self._added += 1
        for key, name in names_by_key.items():
            if key not in self._withheld:
                self._put(key, name, number)

    def _put(self, key: str, name: str, number: int) -> None:
        index = self._training.setdefault(key, len(self._names))
        if index == len(self._names):
            self._names.append(name)
        if (index, number) not in self._pairs:
            self._pairs[index, number] = None
            self._classes_of[key].append(number)

    def result(self) -> FusedNames:
        """Return all that was taken."""
        index = np.array(list(self._pairs), dtype=np.int64).reshape(-1, 2).T
        labels = LabelledNames(
            tuple(self._names), tuple(self._classes), index[0].copy(), index[1].copy()
        )
        new = np.full(len(self._names) - len(self._parts), TRAIN, dtype=np.uint8)
        parts = np.concatenate((self._parts, new))
        return FusedNames(
            labels, parts, self._joined, self._by_reference, self._added, self._held_out
        )
