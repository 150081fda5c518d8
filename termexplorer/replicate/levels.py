"""[HLS]: an encoder for each of four levels below a root, measured on all four."""

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from termexplorer.replicate.request import PaperStudyRequest, hierarchies
from termexplorer.replicate.runs import Bench, exact, numbers, unit_vectors
from termexplorer.replicate.work.pieces import Key, Record
from termexplorer.trainer.metrics import MAP, MRR
from termexplorer.trainer.search.ties import order_shown
from termexplorer.workers.data.level_choice import LevelChoice
from termexplorer.workers.data.level_data import SplitRule, build_level_set
from termexplorer.workers.data.level_sets import LevelSet
from termexplorer.workers.process.child import trainer_errors

if TYPE_CHECKING:
    from termexplorer.trainer.representations.base import Representation

LEVELS = (1, 2, 3, 4)
UNTRAINED = 0  # the level that the untrained mean is filed under
EXAMPLE = (1, 3)  # trained on, ranked: as in Table 6
TASKS = {"ranking": MAP, "hypernyms": MRR}

_SHOWN = 5


def keys(request: PaperStudyRequest) -> list[Key]:
    """All pieces of the study."""
    return [
        (hierarchy.label, seed, level)
        for hierarchy in hierarchies(request)
        for seed in range(request.seeds)
        for level in (UNTRAINED, *LEVELS)
    ]


def run_task(bench: Bench, key: Key) -> None:
    """Runs a piece: an encoder of one split, which is the same on all levels.

    Raises:
        UserError: a root has too few levels.
        InterruptedError: it was stopped.
    """
    label, seed, level = str(key[0]), int(key[1]), int(key[2])
    data = _split_levels(bench, label, seed)
    piece = f"level {level}" if level else "untrained vectors"
    bench.begin(f"{label}, {piece}, split {seed + 1}")
    if level == UNTRAINED:
        facts = {"sizes": _count_sizes(data), "names": _test_mention_names(data)}
        record = facts | _measure_encoder(bench, data, bench.vectors)
    else:
        encoder, facts = bench.train(data[level], bench.vectors, key, seed)
        record = {"facts": facts, **_measure_encoder(bench, data, encoder)}
        if level == EXAMPLE[0]:
            ranks = numbers(record["hypernyms"][str(EXAMPLE[1])])
            record["example"] = _rank_example(bench, data[EXAMPLE[1]], encoder, ranks)
    bench.put(key, record)
    bench.forget(key)


@lru_cache(maxsize=1)  # the pieces of a split mostly follow each other
def _split_levels(bench: Bench, label: str, seed: int) -> dict[int, LevelSet]:
    (hierarchy,) = (item for item in hierarchies(bench.request) if item.label == label)
    data = {}
    for level in LEVELS:
        bench.tick()
        choice = LevelChoice(root=hierarchy.root, level=level, depth=LEVELS[-1])
        rule = SplitRule("dan", seed=seed)
        data[level], _ = build_level_set(bench.workspace.store, hierarchy.release.id, choice, rule)
    return data


def _test_mention_names(data: Mapping[int, LevelSet]) -> dict[str, list[int]]:
    """Which names of the release the test mentions of each level are."""
    from termexplorer.trainer.data.splits import TEST

    return {
        str(level): level_set.name_ids[level_set.parts == TEST].tolist()
        for level, level_set in data.items()
    }


def _measure_encoder(
    bench: Bench, data: Mapping[int, LevelSet], encoder: "Representation"
) -> Record:
    """What each test mention comes to on each level, and the similarity of each pair."""
    from termexplorer.trainer.data.splits import TEST, TRAIN
    from termexplorer.trainer.evaluation.hypernyms import hypernym_detection
    from termexplorer.trainer.evaluation.scores import cosine_scores
    from termexplorer.trainer.evaluation.similarity_ranking import similarity_ranking

    record: Record = {task: {} for task in TASKS}
    for level, level_set in data.items():
        bench.tick()
        labels = level_set.labels
        names, of_level = encoder.encode(labels.names), encoder.encode(level_set.level_names)
        mentions, candidates = (np.flatnonzero(level_set.parts == part) for part in (TEST, TRAIN))
        with trainer_errors():
            results = {
                "ranking": similarity_ranking(
                    labels, cosine_scores(names), mentions, candidates, tick=bench.tick
                ),
                "hypernyms": hypernym_detection(
                    labels,
                    cosine_scores(names, of_level),
                    mentions,
                    level_set.level_classes,
                    tick=bench.tick,
                ),
            }
        for task, metric in TASKS.items():
            record[task][str(level)] = exact(results[task].items[metric])
    return {**record, "similarities": bench.similarities(encoder)}


def _count_sizes(data: Mapping[int, LevelSet]) -> dict[str, Any]:
    from termexplorer.trainer.data.splits import TEST, TRAIN, VALIDATION

    parts = data[LEVELS[-1]].parts
    return {
        "classes": [len(data[level].labels.classes) for level in LEVELS],
        "parts": [int((parts == part).sum()) for part in (TRAIN, TEST, VALIDATION)],
    }


def _rank_example(
    bench: Bench, data: LevelSet, encoder: "Representation", after: "np.ndarray[Any, Any]"
) -> Record:
    """The names of the level that are ranked first for the mention that gained most ([HLS] 6)."""
    from termexplorer.trainer.data.splits import TEST
    from termexplorer.trainer.evaluation.hypernyms import hypernym_detection
    from termexplorer.trainer.evaluation.scores import cosine_scores

    labels, mentions = data.labels, np.flatnonzero(data.parts == TEST)
    units = [
        (unit_vectors(vectors, labels.names), unit_vectors(vectors, data.level_names))
        for vectors in (bench.vectors, encoder)
    ]
    before = hypernym_detection(labels, cosine_scores(*units[0]), mentions, data.level_classes)
    gains = np.nan_to_num(after - before.items[MRR], nan=-1)
    best = int(np.argmax(gains))
    mention = mentions[best]
    own_classes = labels.class_index[labels.name_index == mention]
    rankings = []
    for names, of_level in units:
        first = order_shown(of_level @ names[mention], _SHOWN)
        rankings.append(
            [(data.level_names[i], bool(data.level_classes[i] in own_classes)) for i in first]
        )
    return {
        "mention": labels.names[mention],
        "right": [labels.classes[i] for i in own_classes],
        "candidates": len(data.level_names),
        "reciprocal": exact(np.array([values[best] for values in (before.items[MRR], after)])),
        "before": rankings[0],
        "after": rankings[1],
    }
