"""Concepts that may be one and the same, found in a child."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from termexplorer.store.releases.content import ReleaseContent, release_content
from termexplorer.texts import tr
from termexplorer.workers.curate.finder import (
    COPIES,
    MOST,
    FinderRequest,
    clip_similarity,
    keep_most_likely,
    learn_and_try,
)
from termexplorer.workers.data.concept_data import concept_names
from termexplorer.workers.encoders.keeping_encoders import CachedEncoders
from termexplorer.workers.evaluate.opening import opened
from termexplorer.workers.evaluate.scoring import scores_of
from termexplorer.workers.evaluate.steps import EvaluationSteps
from termexplorer.workers.process.child import Channel

if TYPE_CHECKING:
    from termexplorer.trainer.evaluation.duplicates import Halves, Nearest
    from termexplorer.trainer.evaluation.likelihood import Candidates, Trial
    from termexplorer.trainer.evaluation.matching import Matches
    from termexplorer.trainer.evaluation.shares import ShareFigure
    from termexplorer.trainer.text.names import LabelledNames

Ints = NDArray[np.int64]

FIRST = (1, 5)
_NEAREST = 10  # concepts that are kept of each
_LOOKED_AT = 4  # times as many pairs as are kept are looked at for words that tell them apart


@dataclass(frozen=True, slots=True)
class DuplicatePair:
    """Two concepts that may be one.

    Attributes:
        first: CURIE.
        second: CURIE.
        likelihood: that they are one, if as many pairs are as in the corrupted copies, and are as
            much alike as the halves there.
        similarity: of their most similar names, by the first encoder.
        agree: for how many encoders one of them is the nearest to the other.
        relation: `parent` if the second is one of the first, `child`, `sibling`, or empty.
        difference: words by which names that are alike else tell them apart, such as `left /
            right`; empty where there are none. Such pairs come last.
    """

    first: str
    second: str
    likelihood: float
    similarity: float
    agree: int
    relation: str
    difference: str = ""


@dataclass(frozen=True, slots=True)
class Duplicates:
    """Suggested pairs, and how well concepts that were split in two are found.

    Attributes:
        pairs: the most likely first.
        concepts: how many were looked at.
        split: how many were split in each corrupted copy, other ones each time.
        copies: how many of these there were.
        recall: encoder -> k -> the share of split ones of which one half is among the k nearest
            of the other, of all copies.
        trial: how good the likelihoods are on copies that they were not learned from.
        left_out: how many pairs were found beyond the most likely ones, and are not kept.
    """

    pairs: tuple[DuplicatePair, ...]
    concepts: int
    split: int
    copies: int
    recall: dict[int, dict[int, float]]
    trial: "Trial"
    left_out: int = 0

    @property
    def halves(self) -> int:
        """How many concepts were split in all copies together."""
        return self.split * self.copies

    @property
    def recall_figures(self) -> "dict[int, dict[int, ShareFigure]]":
        """The recall with its intervals, by encoder and k."""
        from termexplorer.trainer.evaluation.shares import ShareFigure

        return {
            encoder_id: {
                k: ShareFigure.of(value * self.halves, self.halves) for k, value in recall.items()
            }
            for encoder_id, recall in self.recall.items()
        }


def run_duplicates(request: FinderRequest, channel: Channel) -> Duplicates:
    """Looks for near pairs among all live concepts.

    Raises:
        UserError: an encoder or the root is not there, too few concepts have two names, or it was
            stopped.
    """
    from termexplorer.trainer.evaluation.duplicates import split_concepts

    with opened(request.workspace, request.encoder_ids, channel) as (store, encoders, steps):
        names, _ = concept_names(store, request.ontology_id, request.root)
        with store.reading() as connection:
            content = release_content(connection, request.ontology_id)
        steps.plan(len(request.encoder_ids), 1)
        halves = split_concepts(names.class_index, request.share, COPIES, request.seed)
        matches = [_match_among(encoders, i, names, halves, steps) for i in request.encoder_ids]
        steps.say(tr("Learning from corrupted copies"))
        copies = [_Compared.of(matches, halves, copy) for copy in range(COPIES)]
        steps.tick()
        likelihood, tried = learn_and_try([copy.pairs for copy in copies])
        asserted = _Compared.of(matches, halves, -1)
        likely = likelihood.of(asserted.pairs)
        order = np.lexsort((-asserted.pairs.features[:, 0], -likely)).tolist()
        differences = _find_differences(order[: _LOOKED_AT * MOST], names, asserted)
        order.sort(key=lambda row: bool(differences.get(row)))

        def make_pair(row: int) -> DuplicatePair:
            pair = _pair_of(row, names.classes, content, asserted, float(likely[row]))
            return replace(pair, difference=differences.get(row, ""))

        pairs, left_out = keep_most_likely(order, make_pair)
        return Duplicates(
            pairs,
            len(names.classes),
            int((halves.copies == 0).sum()),
            COPIES,
            {
                encoder_id: _measure_recall([copy.nearest[index] for copy in copies], halves)
                for index, encoder_id in enumerate(request.encoder_ids)
            },
            tried,
            left_out,
        )


def _match_among(
    encoders: CachedEncoders,
    encoder_id: int,
    names: "LabelledNames",
    halves: "Halves",
    steps: EvaluationSteps,
) -> "Matches":
    from scipy.sparse import csr_array

    from termexplorer.trainer.evaluation.matching import match_concepts

    steps.begin(encoders.info(encoder_id).label, len(names.names))
    scores = scores_of(encoders, encoder_id, names.names, tick=steps.tick, row=steps.row)
    parts, count = halves.concepts, len(halves.of)
    unknown = csr_array((count, count), dtype=np.bool_)
    return match_concepts(scores, parts, parts, unknown, k=2 * _NEAREST + 2, tick=steps.tick)


@dataclass(frozen=True, eq=False)
class _Compared:
    """The pairs of a copy, or of the ontology itself.

    Attributes:
        nearest: of its concepts, by each encoder.
        first: (p,) the concepts of each pair.
        second: (p,)
        pairs: what the encoders say of them.
    """

    nearest: "Sequence[Nearest]"
    first: Ints
    second: Ints
    pairs: "Candidates"

    @classmethod
    def of(cls, matches: "Sequence[Matches]", halves: "Halves", copy: int) -> "_Compared":
        from termexplorer.trainer.evaluation.duplicates import Nearest, near_pairs, pair_features
        from termexplorer.trainer.evaluation.likelihood import Candidates

        nearest = [Nearest.of(match, halves.as_in(copy), _NEAREST) for match in matches]
        first, second = near_pairs(nearest, max(FIRST))
        features = [pair_features(neighbours, first, second) for neighbours in nearest]
        whole, other = halves.of[first], halves.of[second]
        about = np.minimum(whole, other)
        pairs = Candidates(np.concatenate(features, axis=1), about, whole == other)
        return cls(nearest, first, second, pairs)


def _measure_recall(nearest: "Sequence[Nearest]", halves: "Halves") -> dict[int, float]:
    from termexplorer.trainer.evaluation.duplicates import found_again

    def found(k: int) -> list[NDArray[np.bool_]]:
        return [found_again(neighbours, halves, copy, k) for copy, neighbours in enumerate(nearest)]

    return {k: float(np.concatenate(found(k)).mean()) for k in FIRST}


def _find_differences(
    rows: Sequence[int], names: "LabelledNames", compared: _Compared
) -> dict[int, str]:
    """Return for rows of pairs what tells their concepts apart, such as left and right."""
    from termexplorer.trainer.text.telling_words import difference_of_concepts

    names_of: dict[int, list[str]] = {}
    for name, concept in zip(names.name_index.tolist(), names.class_index.tolist(), strict=True):
        names_of.setdefault(concept, []).append(names.names[name])
    return {
        row: difference_of_concepts(
            names_of[int(compared.first[row])], names_of[int(compared.second[row])]
        )
        for row in rows
    }


def _pair_of(
    row: int,
    curies: Sequence[str],
    content: ReleaseContent,
    compared: _Compared,
    likelihood: float,
) -> DuplicatePair:
    first, second = int(compared.first[row]), int(compared.second[row])
    agree = sum(
        bool(neighbours.places[first, 0] == second or neighbours.places[second, 0] == first)
        for neighbours in compared.nearest
    )
    first_curie, second_curie = curies[first], curies[second]
    similarity = clip_similarity(float(compared.pairs.features[row, 0]))
    relation = _relation_between(content, first_curie, second_curie)
    return DuplicatePair(first_curie, second_curie, likelihood, similarity, agree, relation)


def _relation_between(content: ReleaseContent, curie: str, other_curie: str) -> str:
    above, other_parents = content.concepts[curie].parents, content.concepts[other_curie].parents
    if other_curie in above:
        return "parent"
    if curie in other_parents:
        return "child"
    return "sibling" if above & other_parents else ""
