"""Links of a hierarchy as further sets of two names: a concept's, and its parent's."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from termexplorer.trainer.data.splits import TRAIN, Parts
from termexplorer.trainer.text.names import LabelledNames, plain


def with_links(
    labels: LabelledNames, parts: Parts, links: Iterable[tuple[str, str]]
) -> tuple[LabelledNames, Parts]:
    """Add a class of two names for each link, so that one is drawn as the positive of the other.

    Names that are not there yet are for training, but for what is held out: a link with a name
    that is for anything else is left out, and so is one of a name to itself.

    Args:
        labels: n names and their classes.
        parts: (n,) uint8, see ``trainer.data.splits``.
        links: the names of concepts, and those of their parents.

    Returns:
        the same names and classes, and new ones after them; and how all are parted.
    """
    names, classes = list(labels.names), list(labels.classes)
    numbers: dict[str, int] = {}
    held_out: set[str] = set()
    for number, (name, part) in enumerate(zip(names, parts.tolist(), strict=True)):
        if part == TRAIN:
            numbers.setdefault(plain(name), number)
        else:
            held_out.add(plain(name))
    of_names, of_classes = [labels.name_index], [labels.class_index]
    for (child, parent), link in {tuple(map(plain, link)): link for link in links}.items():
        if child == parent or not held_out.isdisjoint((child, parent)):
            continue
        for key, name in zip((child, parent), link, strict=True):
            if key not in numbers:
                numbers[key] = len(names)
                names.append(name)
        of_names.append(np.array([numbers[child], numbers[parent]], dtype=np.int64))
        of_classes.append(np.full(2, len(classes), dtype=np.int64))
        classes.append(f"{link[0]} < {link[1]}")
    linked = LabelledNames(
        tuple(names), tuple(classes), np.concatenate(of_names), np.concatenate(of_classes)
    )
    new = np.full(len(names) - len(parts), TRAIN, dtype=np.uint8)
    return linked, np.concatenate((parts, new))
