"""[FSL]: few names of few classes, each hierarchy alone and two in turn, on pairs of terms."""

from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from termexplorer.errors import UserError
from termexplorer.replicate.examples import before_and_after
from termexplorer.replicate.request import Hierarchy, PaperStudyRequest, hierarchies
from termexplorer.replicate.runs import Bench
from termexplorer.replicate.work.pieces import Key, Record
from termexplorer.workers.data.level_choice import LevelChoice
from termexplorer.workers.data.level_data import SplitRule, build_level_set, level_labels
from termexplorer.workers.data.level_sets import LevelSet

if TYPE_CHECKING:
    from termexplorer.trainer.representations.base import Representation

CLASSES = 21
LEVELS = 4  # no lower one is looked at for classes enough
UNTRAINED: Key = ("untrained",)

_IN_TURN = " → "


def trained_on(request: PaperStudyRequest) -> list[str]:
    """What encoders are trained on: each hierarchy alone, then each two in turn."""
    labels = [hierarchy.label for hierarchy in hierarchies(request)]
    return labels + [_IN_TURN.join(pair) for pair in permutations(labels, 2)]


def keys(request: PaperStudyRequest) -> list[Key]:
    """All pieces of the study; chains follow what they stand on."""
    samples = [(k, seed) for k in request.shots for seed in range(request.seeds)]
    return [
        UNTRAINED,
        *((label, k, seed) for k, seed in samples for label in trained_on(request)),
    ]


def tasks(request: PaperStudyRequest) -> list[Key]:
    """What workers take: the untrained vectors, then each sample with all its encoders."""
    return [UNTRAINED, *((k, seed) for k in request.shots for seed in range(request.seeds))]


def run_task(bench: Bench, key: Key) -> None:
    """Runs the pieces of a task that are not there yet.

    Raises:
        UserError: a release cannot be trained on.
        InterruptedError: it was stopped.
    """
    if key == UNTRAINED:
        bench.begin("untrained vectors")
        bench.put(UNTRAINED, {"similarities": bench.similarities(bench.vectors)})
        return
    shots, seed = int(key[0]), int(key[1])
    if any((label, shots, seed) not in bench.results for label in trained_on(bench.request)):
        _run_sample(bench, shots, seed)


def _count_names_of_classes(data: LevelSet) -> dict[str, list[int]]:
    """How many names each class has to learn, and to stop by."""
    from termexplorer.trainer.data.splits import TRAIN, VALIDATION

    of, classes = data.labels, len(data.labels.classes)
    parts = data.parts[of.name_index]
    return {
        part_name: np.bincount(of.class_index[parts == part], minlength=classes).tolist()
        for part_name, part in (("training", TRAIN), ("validation", VALIDATION))
    }


def _run_sample(bench: Bench, shots: int, seed: int) -> None:
    """All encoders of one sample; those that others stand on are kept until its end."""
    places = hierarchies(bench.request)
    rule = SplitRule("few-shot", shots=shots, seed=seed)
    data, encoders = {}, {}
    for hierarchy in places:
        choice = level_choice(bench, hierarchy)
        store = bench.workspace.store
        data[hierarchy.label] = build_level_set(store, hierarchy.release.id, choice, rule)[0]
        encoders[hierarchy.label] = _run_piece(
            bench, data, bench.vectors, (hierarchy.label, shots, seed)
        )
    for first, second in permutations([other.label for other in places], 2):
        key = (_IN_TURN.join((first, second)), shots, seed)
        if key not in bench.results:
            _run_piece(bench, data, encoders[first], key)
    for label in trained_on(bench.request):
        bench.forget((label, shots, seed))


def _run_piece(
    bench: Bench, data: dict[str, LevelSet], beneath: "Representation", key: Key
) -> "Representation":
    """Trains one encoder; keeps what it came to, unless that is there."""
    label, shots, seed = key
    bench.begin(f"{label}, {shots} names a class, sample {int(seed) + 1}")
    of_last = data[str(label).rpartition(_IN_TURN)[2]]
    encoder, facts = bench.train(of_last, beneath, key, int(seed))
    if key not in bench.results:
        ranked = _rank_validation_mentions(of_last, beneath, encoder)
        bench.put(
            key,
            {
                "facts": facts | {"data": of_last.data_hash[:12]},
                "classes": list(of_last.labels.classes),
                "names": _count_names_of_classes(of_last),
                "similarities": bench.similarities(encoder),
                **ranked,
            },
        )
    return encoder


@cache
def level_choice(bench: Bench, hierarchy: Hierarchy) -> LevelChoice:
    """The paper's choice on the highest level that has as many classes as are to be learned.

    Raises:
        UserError: no level has two classes.
    """
    best, most = None, 1
    highest = LevelChoice.for_recipe("few-shot", root=hierarchy.root)
    choices = [highest.on(level) for level in range(1, LEVELS + 1)]
    labels_of_choices = level_labels(bench.workspace.store, hierarchy.release.id, choices)
    with suppress(UserError):  # nothing on a level, nor below
        for choice, labels in zip(choices, labels_of_choices, strict=True):
            bench.tick()
            if len(labels.classes) > most:
                best, most = choice, len(labels.classes)
            if most >= CLASSES:
                break
    if best is None:
        raise UserError(f"{hierarchy.label} has no level with two classes; choose another --root")
    return best


def _rank_validation_mentions(
    data: LevelSet, before: "Representation", after: "Representation"
) -> Record:
    """How validation mentions rank the training names."""
    from termexplorer.trainer.data.splits import TRAIN, VALIDATION

    mentions, names = (np.flatnonzero(data.parts == part) for part in (VALIDATION, TRAIN))
    return before_and_after(data.labels, mentions, names, before, after)


def finished(records: Iterable[Record], label: str, shots: int) -> list[Record]:
    """The samples of an encoder that are there."""
    return [record for record in records if record["key"][:2] == [label, shots]]
