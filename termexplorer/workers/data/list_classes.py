"""Kept lists as classes besides those of a level: a curator says what belongs together."""

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np

from termexplorer.errors import UserError
from termexplorer.store.judging.lists import CONCEPTS
from termexplorer.store.releases.corpus import Int64s, ReleaseNames
from termexplorer.texts import number, tr


@dataclass(frozen=True, slots=True)
class ListClass:
    """A list as it was when a run was asked for, so that the run can be done again.

    Attributes:
        title: of the list.
        kind: what is on it: concepts, all of whose names are meant, or names.
        subjects: CURIEs or names, of the run's terminology.
        elsewhere: how many others are on it.
    """

    title: str
    kind: str
    subjects: tuple[str, ...]
    elsewhere: int = 0

    @classmethod
    def read_all(cls, values: Mapping[str, Any]) -> "tuple[ListClass, ...]":
        """From what a run keeps of them; a run of an older version keeps none."""
        stored = values.get("class_lists", ())
        return tuple(cls(**{**fields, "subjects": tuple(fields["subjects"])}) for fields in stored)


@dataclass(frozen=True, eq=False)
class ListNames:
    """The names of a list in a release.

    Attributes:
        title: of the list.
        names: places of names that make the class.
        left_out: how many of its members, or of their names, are not among these, by reason.
    """

    title: str
    names: Int64s
    left_out: dict[str, int]

    @property
    def facts(self) -> dict[str, int]:
        """What a run's card says of it."""
        return {"names": len(self.names), **self.left_out}


def lists_text(lists: Sequence[ListClass]) -> str:
    """What the rule of a split says of lists: equal only for equal ones; empty without any."""
    if not lists:
        return ""
    text = json.dumps([asdict(name_list) for name_list in lists])
    return f", lists {hashlib.sha256(text.encode()).hexdigest()[:16]}"


def names_of_list(
    class_list: ListClass,
    names: ReleaseNames,
    curies: Mapping[int, str],
    below: Collection[int] | None,
    on_level: Int64s,
) -> ListNames:
    """The names of a list that a run learns as a class.

    Names of the level's own concepts are none of them: hypernyms are ranked among these.

    Args:
        class_list: the list.
        names: all live names of the release.
        curies: of concepts, by their ids.
        below: the concepts below the root; None where all are.
        on_level: the concepts that are classes.
    """
    wanted = set(class_list.subjects)
    if class_list.kind == CONCEPTS:
        subjects: Sequence[str] = [curies[i] for i in names.concept_ids.tolist()]
    else:
        subjects = names.texts
    is_wanted = np.fromiter((subject in wanted for subject in subjects), bool, len(subjects))
    inside = is_wanted if below is None else is_wanted & np.isin(names.concept_ids, list(below))
    kept_names = inside & ~np.isin(names.concept_ids, on_level)

    def told(mask: "np.ndarray[Any, np.dtype[np.bool_]]") -> int:
        return len({subjects[index] for index in np.flatnonzero(mask).tolist()})

    left_out = {
        f"{class_list.kind} not in the ontology": len(wanted)
        - told(is_wanted)
        + class_list.elsewhere,
        f"{class_list.kind} not below the root": told(is_wanted) - told(inside),
        "names of the level's own concepts": int(inside.sum() - kept_names.sum()),
    }
    return ListNames(
        class_list.title, np.flatnonzero(kept_names), {k: n for k, n in left_out.items() if n}
    )


def check_lists(lists: Sequence[ListNames], texts: Sequence[str], shots: int) -> None:
    """Refuses lists that few-shot cannot take as classes.

    Raises:
        UserError: a list has too few names, or two share one.
    """
    for name_list in lists:
        if len(name_list.names) < shots:
            raise UserError(_too_few(name_list, shots))
    for first, second in combinations(lists, 2):
        shared = np.intersect1d(first.names, second.names)
        if len(shared):
            raise UserError(
                tr(
                    "the lists {one} and {two} share {count:,} names, such as {name!r}, and a "
                    "name is learned in one class; leave out one of them",
                    one=first.title,
                    two=second.title,
                    count=len(shared),
                    name=texts[shared[0]],
                )
            )


def _too_few(list_names: ListNames, shots: int) -> str:
    why = "; ".join(f"{number(count)} {reason}" for reason, count in list_names.left_out.items())
    left_out = tr(" ({why} left out)", why=why) if why else ""
    return tr(
        "the list {title} has {count:,} names to learn from{left_out}, and {shots:,} are drawn of "
        "each class; put more on it, or draw fewer names of a class",
        title=list_names.title,
        count=len(list_names.names),
        left_out=left_out,
        shots=shots,
    )
