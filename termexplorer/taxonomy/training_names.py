"""What a level trains on: names and their classes, and what becomes of names that say the same."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from termexplorer.taxonomy.graph import Ints, Mask


@dataclass(frozen=True, slots=True)
class TrainingNames:
    """Names and their classes as coordinate pairs, by class and then by name.

    Attributes:
        classes: (k,) concept index of each class.
        names: (p,) name index; a name is there once for each of its classes.
        labels: (p,) its class as a place in `classes`, and after them in `besides`.
        besides: titles of further classes, which are no concepts.
    """

    classes: Ints
    names: Ints
    labels: Ints
    besides: tuple[str, ...] = ()

    def with_classes(self, further: Mapping[str, Ints]) -> "TrainingNames":
        """The same with further classes, by their titles; their names are in no other class."""
        if not further:
            return self
        first = len(self.classes) + len(self.besides)
        taken = np.concatenate(list(further.values()))
        sizes = [len(names) for names in further.values()]
        stays = ~np.isin(self.names, taken)
        return TrainingNames(
            self.classes,
            np.concatenate([self.names[stays], taken]),
            np.concatenate([self.labels[stays], first + np.repeat(np.arange(len(sizes)), sizes)]),
            (*self.besides, *further),
        )

    def by_text(self, texts: Ints) -> "TrainingNames":
        """The same, where a name is in every class that some name of the same text is in.

        Args:
            texts: (m,) a number for each name, the same for names of the same text.
        """
        classes = len(self.classes) + len(self.besides)
        named, labels = divmod(np.unique(texts[self.names] * classes + self.labels), classes)
        names = np.unique(self.names)
        first = np.searchsorted(named, texts[names])
        counts = np.searchsorted(named, texts[names], side="right") - first
        before = np.cumsum(counts) - counts
        places = np.arange(int(counts.sum())) + np.repeat(first - before, counts)
        by_class = np.argsort(labels[places], kind="stable")
        return replace(
            self, names=np.repeat(names, counts)[by_class], labels=labels[places][by_class]
        )

    def of_one_class(self, every: "TrainingNames") -> "TrainingNames":
        """The same without names of several classes.

        Args:
            every: these names and others, with all classes of each.
        """
        names, counts = np.unique(every.names, return_counts=True)
        return self._only(np.isin(self.names, names[counts == 1]))

    def once(self, texts: Ints) -> "TrainingNames":
        """The same with the first name of each text alone, see `by_text`."""
        names = np.unique(self.names)
        _, first = np.unique(texts[names], return_index=True)
        return self._only(np.isin(self.names, names[first]))

    def _only(self, keep: Mask) -> "TrainingNames":
        return replace(self, names=self.names[keep], labels=self.labels[keep])
