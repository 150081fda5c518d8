"""Pair sets of a release, made in a child and written to a folder, a file each."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from termexplorer.errors import UserError
from termexplorer.store.term_content import term_content
from termexplorer.texts import tr
from termexplorer.workers.child import Channel, trainer_errors
from termexplorer.workers.pair_folder import PairFolder
from termexplorer.workers.pair_terms import concept_terms
from termexplorer.workspace import Workspace

if TYPE_CHECKING:
    from trainer.term_pairs.concepts import Kept, Vocabulary
    from trainer.term_pairs.making import Group
    from trainer.term_pairs.nearest import NearestTerms
    from trainer.term_pairs.negatives import Negatives
    from trainer.term_pairs.positives import Positives


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

    def made_of(self) -> dict[str, object]:
        """What decides what is in the files."""
        names = ("content_hash", "sources", "strategies", "threshold", "ancestors", "siblings")
        return {name: getattr(self, name) for name in names} | {"seed": self.seed}


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
        distances: source -> how many similar pairs have each edit distance, from 0 on.
        prefixes: of the CURIEs of its concepts.
    """

    sets: tuple[PairSetInfo, ...]
    distances: dict[str, tuple[int, ...]]
    prefixes: tuple[str, ...]


def run_pair_sets(request: PairSetRequest, channel: Channel) -> PairSets:
    """Makes the sets and writes their files; asked for again after a stop, it goes on.

    Raises:
        UserError: the folder has other files, cannot be written to, there are no similar pairs, or
            it was stopped.
    """
    folder = PairFolder(request.folder, request.made_of())
    vocabulary, by_source = _paired(request, channel)
    with trainer_errors(), folder.writing():
        from trainer.term_pairs.concepts import Kept
        from trainer.term_pairs.making import groups

        kept = Kept(request.ancestors, request.siblings)
        found = list(groups(by_source, request.threshold))
        if not found:
            raise UserError(tr("no concept has two names for a pair; choose other sources"))
        making = _Making(vocabulary, kept, request, folder, channel)
        prefixes = sorted({each.id.partition(":")[0] for each in vocabulary.concepts})
        made = PairSets(tuple(making.sets(found)), _distances(by_source), tuple(prefixes))
        folder.finish([each.name for each in made.sets], made)
    return made


def run_pair_distances(request: PairSetRequest, channel: Channel) -> PairSets:
    """Counts similar pairs by their edit distance, without a set of them; writes nothing."""
    return PairSets((), _distances(_paired(request, channel)[1]), ())


def _paired(request: PairSetRequest, channel: Channel) -> "tuple[Vocabulary, dict[str, Positives]]":
    """The names of a release, and its similar pairs by where they come from."""
    channel.progress(None, tr("Reading names"))
    with closing(Workspace(request.workspace)) as workspace, workspace.store.reading() as reading:
        concepts, links = concept_terms(term_content(reading, request.ontology_id))
    channel.progress(None, tr("Pairing names"))
    with trainer_errors():
        from trainer.term_pairs.concepts import Vocabulary
        from trainer.term_pairs.positives import positives

        vocabulary = Vocabulary(concepts, links)
        return vocabulary, positives(vocabulary, links, request.sources)


class _Making:
    """Makes the sets of one request."""

    def __init__(
        self,
        vocabulary: "Vocabulary",
        kept: "Kept",
        request: PairSetRequest,
        folder: PairFolder,
        channel: Channel,
    ) -> None:
        self._vocabulary, self._kept, self._request = vocabulary, kept, request
        self._folder, self._channel = folder, channel
        self._before, self._terms = 0, 1

    def sets(self, groups: "Sequence[Group]") -> Iterator[PairSetInfo]:
        from trainer.term_pairs.files import rows, write_rows
        from trainer.term_pairs.kinds import NEAREST
        from trainer.term_pairs.nearest import NearestTerms

        searches = {}
        if NEAREST in self._request.strategies:
            searches = {
                id(each): NearestTerms(self._vocabulary, each.pairs, self._kept) for each in groups
            }
            self._estimate(list(searches.values()))
        for group, strategy in product(groups, self._request.strategies):
            name = f"{group.source}-{group.difficulty}-{strategy}"
            others = self._negatives(group, strategy, name, searches.get(id(group)))
            with self._folder.file(name) as path:
                write_rows(path, rows(self._vocabulary, group.pairs, others))
            yield self._told(name, group, strategy, others)

    def _estimate(self, searches: "Sequence[NearestTerms]") -> None:
        self._channel.progress(None, tr("Telling how long it will take"))
        self._terms = sum(len(each) for each in searches)
        seconds = 0.0
        for search in searches:
            self._stop_if_asked()
            seconds += search.seconds()
        self._channel.report(Estimated(self._terms, seconds))

    def _negatives(
        self, group: "Group", strategy: str, name: str, search: "NearestTerms | None"
    ) -> "Negatives":
        from trainer.term_pairs.kinds import NEAREST
        from trainer.term_pairs.negatives import random_negatives

        seed = group.seed(self._request.seed)
        if strategy != NEAREST or search is None:
            self._channel.progress(None, tr("{name}: pairs at random", name=name))
            self._stop_if_asked()
            return random_negatives(self._vocabulary, group.pairs, seed, self._kept)

        def told(done: int, of: int) -> None:
            self._stop_if_asked()
            share = (self._before + done) / self._terms
            self._channel.progress(
                share,
                tr("{name}: nearest of {done:,} of {of:,} terms", name=name, done=done, of=of),
            )

        found = search.negatives(seed, self._folder.parts(name), told)
        self._before += len(search)
        return found

    def _told(self, name: str, group: "Group", strategy: str, others: "Negatives") -> PairSetInfo:
        apart = others.distances
        return PairSetInfo(
            name,
            group.source,
            group.difficulty,
            strategy,
            len(group.pairs.left),
            len(others.left),
            float(group.pairs.distances.mean()),
            float(apart.mean()) if len(apart) else None,
        )

    def _stop_if_asked(self) -> None:
        if self._channel.stopped():
            raise UserError(tr("stopped; asked for again with the same folder, it goes on"))


def _distances(by_source: "dict[str, Positives]") -> dict[str, tuple[int, ...]]:
    import numpy as np

    return {
        source: tuple(np.bincount(pairs.distances).tolist()) for source, pairs in by_source.items()
    }
