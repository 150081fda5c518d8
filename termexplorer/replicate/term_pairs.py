"""[MTS]: pair sets of an ontology, and how well measures over vectors part similar from others."""

import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from termexplorer.errors import UserError
from termexplorer.replicate.request import PaperStudyRequest, StudyRelease
from termexplorer.replicate.runs import Bench, exact
from termexplorer.replicate.term_categories import CATEGORIES, drawn_terms, overlaps
from termexplorer.replicate.work.pieces import Key, Record
from termexplorer.services.pairs.sets import SOURCES, STRATEGIES, THRESHOLD
from termexplorer.services.recipes.presets import PRESETS
from termexplorer.workers.encoders.encoding import Float32s
from termexplorer.workers.pairs.sets import PairSetRequest, run_pair_sets
from termexplorer.workers.process.child import trainer_errors

if TYPE_CHECKING:
    from termexplorer.trainer.files.pairs import PairSet

SETS = "pair sets"
LEXICAL = {"TF-IDF": "tfidf", "edit distance": "edit_distance"}

_ALL = 0
_SETTINGS = {"quick": {"pairs": 1_000, "names": 300}, "paper": {"pairs": _ALL, "names": 1_000}}
_OF_MEANS = "avg_"  # measures that need one vector a term alone


def settings(preset: str, changes: Mapping[str, Any]) -> dict[str, Any]:
    """What a study is of.

    `pairs` are the most similar pairs of each set, and dissimilar ones, 0 for all; `names` how many
    terms are drawn from categories.

    Raises:
        UserError: another preset or setting, or no whole number.
    """
    if preset not in _SETTINGS:
        raise UserError(f"there is no preset {preset!r}; there are {', '.join(PRESETS)}")
    values = {**_SETTINGS[preset], **changes}
    if set(values) != set(_SETTINGS[preset]) or not all(
        isinstance(value, int) and value >= 0 for value in values.values()
    ):
        raise UserError(
            "MTS has two settings: pairs, the most similar ones of each set, and as many "
            "dissimilar ones, 0 for all; and names, the terms that are drawn from categories"
        )
    return values


def methods(bench: Bench) -> list[str]:
    """The measures that the vectors allow for, then lexical ones."""
    return _list_methods(words=hasattr(bench.vectors, "token_vectors"))


def _list_methods(*, words: bool) -> list[str]:
    from termexplorer.trainer.measures import NAMES

    return [*(name for name in NAMES if words or name.startswith(_OF_MEANS)), *LEXICAL]


def keys(request: PaperStudyRequest) -> list[Key]:
    """All pieces of a study; vectors of whole names have fewer."""
    return [
        (release.label, piece)
        for release in request.releases
        for piece in (
            SETS,
            CATEGORIES,
            *_list_methods(words=True),
            *map(of_categories, _list_methods(words=True)),
        )
    ]


def tasks(request: PaperStudyRequest) -> list[Key]:
    """What workers take: the pair sets of each release, and its categories."""
    return [(release.label, piece) for release in request.releases for piece in (SETS, CATEGORIES)]


def run_task(bench: Bench, key: Key) -> None:
    """Runs the pieces of a task that are not there yet.

    Raises:
        UserError: an ontology has no similar pairs, or a root was named.
        InterruptedError: it was stopped.
    """
    for number, release in enumerate(bench.request.releases, 1):
        if release.label != key[0]:
            continue
        if release.roots:
            raise UserError("MTS takes all names of an ontology; leave --root out")
        if key[1] == SETS:
            _run_sets(bench, release, number)
        else:
            _run_categories(bench, release)


def of_categories(method: str) -> str:
    """The piece that is a method on categories."""
    return f"{method}, {CATEGORIES}"


def _run_sets(bench: Bench, release: StudyRelease, number: int) -> None:
    pieces = (SETS, *methods(bench))
    if all((release.label, piece) in bench.results for piece in pieces):
        return
    bench.begin(f"{release.label}, {SETS}")
    folder = bench.request.out / "pairs" / f"{number}-{release.content_hash[:8]}"
    sets = list(_open_sets(bench, release, folder))
    for method in methods(bench):
        if (release.label, method) not in bench.results:
            bench.begin(f"{release.label}, {method}")
            record = {"similarities": _measure_similarities(bench, method, sets)}
            bench.put((release.label, method), record)


def _run_categories(bench: Bench, release: StudyRelease) -> None:
    drawn = release.label, CATEGORIES
    if drawn not in bench.results:
        bench.begin(f"{release.label}, {CATEGORIES}")
        knows = partial(_pair_values, bench, methods(bench)[0])
        bench.put(drawn, drawn_terms(bench, release, knows))
    for method in methods(bench):
        key = release.label, of_categories(method)
        if key not in bench.results:
            bench.begin(f"{release.label}, {of_categories(method)}")
            values = partial(_pair_values, bench, method)
            bench.put(key, overlaps(bench, bench.results[drawn], values))


def _open_sets(bench: Bench, release: StudyRelease, folder: Path) -> "Iterator[PairSet]":
    """The sets of a release, as many pairs of each as the study is of; and the benchmarks."""
    from termexplorer.trainer.files.pairs import read_pairs

    request = PairSetRequest(
        bench.request.workspace, release.id, release.content_hash, folder, tuple(SOURCES),
        STRATEGIES, THRESHOLD,
    )  # fmt: skip
    pair_sets = run_pair_sets(request, bench.channel)
    limited_sets = []
    for pair_set in pair_sets.sets:
        bench.tick()
        with trainer_errors():
            (pairs,) = read_pairs(folder / f"{pair_set.name}.tsv")
        limited_sets.append(_limit_pairs(pairs, bench.request.hyperparameters["pairs"]))
    labels = {limited.name: [int(label) for label in limited.scores] for limited in limited_sets}
    key = (release.label, SETS)
    if key not in bench.results:
        bench.put(key, {"sets": [asdict(x) for x in pair_sets.sets], "labels": labels})
    yield from limited_sets
    yield from bench.benchmarks


def _limit_pairs(pairs: "PairSet", most: int) -> "PairSet":
    """At most so many pairs of each label, at random, in the order in which they stand."""
    from termexplorer.trainer.files.pairs import PairSet

    if most == _ALL:
        return pairs
    random = np.random.default_rng(zlib.crc32(pairs.name.encode()))
    places = np.sort(
        np.concatenate(
            [random.permutation(np.flatnonzero(pairs.scores == label))[:most] for label in (1, 0)]
        )
    )
    left, right = (
        tuple(side[index] for index in places.tolist()) for side in (pairs.left, pairs.right)
    )
    return PairSet(pairs.name, left, right, pairs.scores[places])


def _measure_similarities(bench: Bench, method: str, sets: "Sequence[PairSet]") -> Record:
    """What a method says of the pairs of each set; None for those that it cannot represent."""
    values_by_set = {}
    for pairs in sets:
        bench.tick()
        with trainer_errors():
            values_by_set[pairs.name] = exact(_pair_values(bench, method, pairs))
    return values_by_set


def _pair_values(bench: Bench, method: str, pairs: "PairSet") -> Float32s:
    values = _lexical_values if method in LEXICAL else _vector_values
    return values(bench, method, pairs).astype(np.float32)


def _lexical_values(bench: Bench, method: str, pairs: "PairSet") -> Float32s:
    """By an index that is fitted on the set's own terms."""
    from termexplorer.trainer.lexical import fit

    return fit(LEXICAL[method], pairs.terms()[0]).pair_scores(pairs.left, pairs.right)


def _vector_values(bench: Bench, method: str, pairs: "PairSet") -> Float32s:
    from termexplorer.trainer.measures import measure
    from termexplorer.trainer.measures.base import WordBags

    vectors: Any = bench.vectors
    terms, left, right = pairs.terms()
    if hasattr(vectors, "token_vectors"):
        bags = WordBags.of_names(terms, vectors)
    else:
        bags = WordBags.of_vectors(vectors.encode(terms))
    return measure(method)(bags, left, right, bench.tick)
