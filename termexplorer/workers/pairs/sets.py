"""Pair sets of a release, made in a child and written to a folder, a file each."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from itertools import chain, product
from pathlib import Path
from typing import TYPE_CHECKING

from termexplorer.errors import UserError
from termexplorer.store.releases.term_content import term_content
from termexplorer.texts import tr
from termexplorer.workers.data.pair_folder import PairFolder
from termexplorer.workers.data.pair_terms import concept_terms
from termexplorer.workers.pairs.filter import KEEP_ALL, PairFilter
from termexplorer.workers.process.child import Channel, trainer_errors
from termexplorer.workspace import Workspace

if TYPE_CHECKING:
    from termexplorer.trainer.term_pairs.concepts import NegativeExclusions, Vocabulary
    from termexplorer.trainer.term_pairs.files import Row
    from termexplorer.trainer.term_pairs.making import Group
    from termexplorer.trainer.term_pairs.nearest import NearestTerms
    from termexplorer.trainer.term_pairs.negatives import Negatives
    from termexplorer.trainer.term_pairs.positives import Positives

_SIMILAR, _DISSIMILAR = 1, 0


@dataclass(frozen=True, slots=True)
class PairSetRequest:
    """Which pair sets are made.

    Attributes:
        workspace: its folder.
        ontology_id: the release.
        content_hash: of the release.
        folder: where the files are written.
        sources: where similar pairs come from, of `trainer.term_pairs.kinds.SOURCES`.
        strategies: how dissimilar pairs are found, of `trainer.term_pairs.kinds.STRATEGIES`.
        threshold: the edit distance up to which a similar pair is easy.
        ancestors: no dissimilar pair is of concepts of which one is below the other.
        siblings: nor of such that have a parent in common.
        seed: of what is drawn.
        leave_out: what pairs are left out for, similar and dissimilar ones, after all are made.
    """

    workspace: Path
    ontology_id: int
    content_hash: str
    folder: Path
    sources: tuple[str, ...]
    strategies: tuple[str, ...]
    threshold: int
    ancestors: bool = False
    siblings: bool = False
    seed: int = 0
    leave_out: PairFilter = KEEP_ALL

    def made_of(self) -> dict[str, object]:
        """What decides what is in the files."""
        names = ("content_hash", "sources", "strategies", "threshold", "ancestors", "siblings")
        made_of = {name: getattr(self, name) for name in names} | {"seed": self.seed}
        if self.leave_out != KEEP_ALL:  # else as it was before there was a filter
            made_of["leave_out"] = asdict(self.leave_out)
        return made_of


@dataclass(frozen=True, slots=True)
class Estimated:
    """How long it will take to find the nearest terms.

    Attributes:
        terms: how many terms their nearest are looked for.
        seconds: about.
    """

    terms: int
    seconds: float


@dataclass(frozen=True, slots=True)
class PairSetInfo:
    """A set that was made.

    Attributes:
        name: of its file, without the ending.
        source: where its similar pairs come from.
        difficulty: `easy` or `hard`.
        strategy: how its dissimilar pairs were found.
        similar: how many similar pairs it has.
        dissimilar: how many others.
        similar_distance: the mean edit distance of similar pairs.
        dissimilar_distance: that of the others; None if there are none.
    """

    name: str
    source: str
    difficulty: str
    strategy: str
    similar: int
    dissimilar: int
    similar_distance: float
    dissimilar_distance: float | None


@dataclass(frozen=True, slots=True)
class PairSets:
    """What was made.

    Attributes:
        sets: in the order of the paper's Table 2.
        distances: source -> how many similar pairs have each edit distance, from 0 on, before any
            is left out.
        prefixes: of the CURIEs of its concepts.
        left_out: set -> reason -> how many of its pairs are left out; also of sets that were not
            made, as no similar pair of theirs is left.
    """

    sets: tuple[PairSetInfo, ...]
    distances: dict[str, tuple[int, ...]]
    prefixes: tuple[str, ...]
    left_out: dict[str, dict[str, int]] = field(default_factory=dict)


def run_pair_sets(request: PairSetRequest, channel: Channel) -> PairSets:
    """Makes the sets and writes their files; asked for again after a stop, it goes on.

    Raises:
        UserError: the folder has other files, cannot be written to, there are no similar pairs, or
            it was stopped.
    """
    folder = PairFolder(request.folder, request.made_of())
    vocabulary, by_source = _positives_of_release(request, channel)
    with trainer_errors(), folder.writing():
        from termexplorer.trainer.term_pairs.concepts import NegativeExclusions
        from termexplorer.trainer.term_pairs.making import groups

        exclusions = NegativeExclusions(request.ancestors, request.siblings)
        set_groups = list(groups(by_source, request.threshold))
        if not set_groups:
            raise UserError(tr("no concept has two names for a pair; choose other sources"))
        making = _Making(vocabulary, exclusions, request, folder, channel)
        prefixes = sorted({concept.id.partition(":")[0] for concept in vocabulary.concepts})
        sets = tuple(making.sets(set_groups))
        if not sets:
            raise UserError(tr("all similar pairs would be left out; leave out less"))
        result = PairSets(sets, _count_distances(by_source), tuple(prefixes), making.left_out)
        folder.finish([pair_set.name for pair_set in result.sets], result)
    return result


def run_pair_distances(request: PairSetRequest, channel: Channel) -> PairSets:
    """Counts similar pairs by their edit distance, without a set of them; writes nothing."""
    return PairSets((), _count_distances(_positives_of_release(request, channel)[1]), ())


def _positives_of_release(
    request: PairSetRequest, channel: Channel
) -> "tuple[Vocabulary, dict[str, Positives]]":
    """The names of a release, and its similar pairs by where they come from."""
    channel.progress(None, tr("Reading names"))
    with closing(Workspace(request.workspace)) as workspace, workspace.store.reading() as reading:
        concepts, links = concept_terms(term_content(reading, request.ontology_id))
    channel.progress(None, tr("Pairing names"))
    with trainer_errors():
        from termexplorer.trainer.term_pairs.concepts import Vocabulary
        from termexplorer.trainer.term_pairs.positives import positives

        vocabulary = Vocabulary(concepts, links)
        return vocabulary, positives(vocabulary, links, request.sources)


class _KeptRows:
    """The rows of a set that are not left out; they are counted as they are iterated over.

    Attributes:
        left_out: reason -> how many rows.
    """

    def __init__(self, rows: "Iterable[Row]", leave_out: PairFilter) -> None:
        self.left_out: Counter[str] = Counter()
        self._rows, self._leave_out = rows, leave_out
        self._counts: Counter[int] = Counter()  # by label
        self._distances: Counter[int] = Counter()  # their sum, by label

    def __iter__(self) -> "Iterator[Row]":
        for row in self._rows:
            if self._leave_out != KEEP_ALL and (reason := self._leave_out.reason(*row[:2])):
                self.left_out[reason] += 1
                continue
            self._counts[row[2]] += 1
            self._distances[row[2]] += row[5]
            yield row

    def figures(self) -> tuple[int, int, float, float | None]:
        """Return how many similar and dissimilar rows were kept, and their mean distances."""
        similar, dissimilar = self._counts[_SIMILAR], self._counts[_DISSIMILAR]
        apart = self._distances[_DISSIMILAR] / dissimilar if dissimilar else None
        return similar, dissimilar, self._distances[_SIMILAR] / similar, apart


class _Making:
    """Makes the sets of one request."""

    def __init__(
        self,
        vocabulary: "Vocabulary",
        exclusions: "NegativeExclusions",
        request: PairSetRequest,
        folder: PairFolder,
        channel: Channel,
    ) -> None:
        self._vocabulary, self._exclusions, self._request = vocabulary, exclusions, request
        self._folder, self._channel = folder, channel
        self._before, self._terms = 0, 1
        self.left_out: dict[str, dict[str, int]] = {}

    def sets(self, groups: "Sequence[Group]") -> Iterator[PairSetInfo]:
        from termexplorer.trainer.term_pairs.files import rows
        from termexplorer.trainer.term_pairs.kinds import NEAREST
        from termexplorer.trainer.term_pairs.nearest import NearestTerms

        searches = {}
        if NEAREST in self._request.strategies:
            searches = {
                id(set_group): NearestTerms(self._vocabulary, set_group.pairs, self._exclusions)
                for set_group in groups
            }
            self._estimate(list(searches.values()))
        for group, strategy in product(groups, self._request.strategies):
            name = f"{group.source}-{group.difficulty}-{strategy}"
            negatives = self._negatives(group, strategy, name, searches.get(id(group)))
            kept_rows = _KeptRows(
                rows(self._vocabulary, group.pairs, negatives), self._request.leave_out
            )
            if self._write(name, kept_rows):
                yield PairSetInfo(
                    name, group.source, group.difficulty, strategy, *kept_rows.figures()
                )
            if kept_rows.left_out:
                self.left_out[name] = dict(kept_rows.left_out)

    def _write(self, name: str, kept_rows: "_KeptRows") -> bool:
        """Write the rows of a set that are kept, and return whether a similar pair is among them.

        Where there is none, as similar ones come first, no file is written.
        """
        from termexplorer.trainer.term_pairs.files import write_rows

        remaining = iter(kept_rows)
        first = next(remaining, None)
        if first is None or first[2] != _SIMILAR:
            for _ in remaining:  # counts what is left out
                pass
            return False
        with self._folder.file(name) as path:
            write_rows(path, chain([first], remaining))
        return True

    def _estimate(self, searches: "Sequence[NearestTerms]") -> None:
        self._channel.progress(None, tr("Estimating the time"))
        self._terms = sum(len(term_search) for term_search in searches)
        seconds = 0.0
        for search in searches:
            self._stop_if_asked()
            seconds += search.seconds()
        self._channel.report(Estimated(self._terms, seconds))

    def _negatives(
        self, group: "Group", strategy: str, name: str, search: "NearestTerms | None"
    ) -> "Negatives":
        from termexplorer.trainer.term_pairs.kinds import NEAREST
        from termexplorer.trainer.term_pairs.negatives import random_negatives

        seed = group.seed(self._request.seed)
        if strategy != NEAREST or search is None:
            self._channel.progress(None, tr("{name}: pairs at random", name=name))
            self._stop_if_asked()
            return random_negatives(self._vocabulary, group.pairs, seed, self._exclusions)

        def told(done: int, of: int) -> None:
            self._stop_if_asked()
            share = (self._before + done) / self._terms
            self._channel.progress(
                share,
                tr("{name}: nearest of {done:,} of {of:,} terms", name=name, done=done, of=of),
            )

        negatives = search.negatives(seed, self._folder.parts(name), told)
        self._before += len(search)
        return negatives

    def _stop_if_asked(self) -> None:
        if self._channel.stopped():
            raise UserError(tr("stopped; asked for again with the same folder, it goes on"))


def _count_distances(by_source: "dict[str, Positives]") -> dict[str, tuple[int, ...]]:
    import numpy as np

    return {
        source: tuple(np.bincount(pairs.distances).tolist()) for source, pairs in by_source.items()
    }
