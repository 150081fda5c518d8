from __future__ import annotations

import numpy as np
import pytest

from termexplorer.trainer.evaluation.candidates import bm25_candidates, candidate_ranking
from termexplorer.trainer.evaluation.scores import cosine_scores
from termexplorer.trainer.lexical.bm25 import Bm25Names
from termexplorer.trainer.text.names import LabelledNames

WORDS = ("viral", "acute", "lung", "heart", "fever", "pain", "type", "1", "2", "chronic")


def labelled(names: list[str], concepts: int, of: list[list[int]]) -> LabelledNames:
    name_index = [number for number, own_concepts in enumerate(of) for _ in own_concepts]
    return LabelledNames(
        tuple(names),
        tuple(f"concept {number}" for number in range(concepts)),
        np.array(name_index, dtype=np.int64),
        np.array([concept for own_concepts in of for concept in own_concepts], dtype=np.int64),
    )


@pytest.fixture
def dictionary() -> LabelledNames:
    """60 names of 25 concepts; some are of two, one of none, and the last concept has no name."""
    rng = np.random.default_rng(0)
    names = [" ".join(rng.choice(WORDS, rng.integers(1, 4))) for _ in range(60)]
    of = [[int(drawn) for drawn in {*rng.integers(0, 24, 1 + number % 2)}] for number in range(59)]
    return labelled(names, 25, [*of, []])


@pytest.fixture
def mentions() -> LabelledNames:
    rng = np.random.default_rng(1)
    names = [" ".join(rng.choice(WORDS, 2)) for _ in range(70)] + ["nothing known", "", "lung"]
    return labelled(names, 25, [[number % 24] for number in range(70)] + [[0], [1, 2], [24]])


def test_candidates_are_the_concepts_of_the_best_names(
    dictionary: LabelledNames, mentions: LabelledNames
) -> None:
    result = bm25_candidates(dictionary, mentions.names, concepts=5)
    index = Bm25Names.fit(dictionary.names)
    members = dictionary.members()
    for mention, concepts in zip(mentions.names, result, strict=True):
        scores = index.scores(mention)
        best = np.array([scores[member].max(initial=0) for member in members])
        expected = np.sort(best[best > 0])[::-1][:5]
        np.testing.assert_array_equal(best[concepts[concepts >= 0]], expected)
        assert (concepts[len(expected) :] == -1).all()
        assert len({*concepts[: len(expected)]}) == len(expected)


def test_which_of_equal_concepts_are_candidates_is_not_told_by_their_order(
    mentions: LabelledNames,
) -> None:
    names = ["lung pain", "acute lung", "chronic lung", "type lung", "lung 1", "lung 2"]
    for seed in range(3):
        forward = labelled(names, 6, [[number] for number in range(6)])
        back = LabelledNames(forward.names, forward.classes[::-1], np.arange(6), np.arange(6)[::-1])
        first, second = (
            [
                labelled_names.classes[concept]
                for concept in bm25_candidates(labelled_names, ["lung"], concepts=3, seed=seed)[0]
            ]
            for labelled_names in (forward, back)
        )
        assert first == second
    drawn = [bm25_candidates(forward, ["lung"], concepts=1, seed=seed)[0, 0] for seed in range(30)]
    assert len({*drawn}) == 6


def test_candidates_are_ranked_as_a_plain_loop_ranks_them(
    dictionary: LabelledNames, mentions: LabelledNames
) -> None:
    rng = np.random.default_rng(2)
    names, texts = (rng.normal(size=(count, 8)).astype(np.float32) for count in (60, 73))
    candidates = bm25_candidates(dictionary, mentions.names, concepts=6)
    result = candidate_ranking(dictionary, mentions, cosine_scores(texts, names), candidates)
    of_names, of_mentions = (labels.membership().toarray() for labels in (dictionary, mentions))
    for number in range(73):
        cosines = names @ texts[number] / np.linalg.norm(names, axis=1)
        chosen = candidates[number][candidates[number] >= 0]
        ranked = [n for n in np.argsort(-cosines) if of_names[n, chosen].any()]
        right = {n for n in range(60) if (of_names[n] & of_mentions[number]).any()}
        ranks = [rank for rank, name in enumerate(ranked, start=1) if name in right]
        total = len(right) or np.nan
        precision = sum(n / rank for n, rank in enumerate(ranks, start=1)) / total
        assert result.items["mAP"][number] == pytest.approx(precision, nan_ok=True)
        assert result.items["recall"][number] == pytest.approx(len(ranks) / total, nan_ok=True)
    assert [(figure.metric, figure.n) for figure in result.figures] == [("mAP", 72), ("recall", 72)]
    assert 0 < result.figures[0].value < result.figures[1].value < 1


def test_mentions_have_to_be_of_the_dictionarys_concepts(
    dictionary: LabelledNames, mentions: LabelledNames
) -> None:
    scores = cosine_scores(np.ones((73, 2), np.float32), np.ones((60, 2), np.float32))
    other = LabelledNames(mentions.names, ("x",), mentions.name_index[:0], mentions.name_index[:0])
    with pytest.raises(ValueError, match="same concepts"):
        candidate_ranking(dictionary, other, scores, np.zeros((73, 1), np.int64))
    with pytest.raises(ValueError, match="73 mentions"):
        candidate_ranking(dictionary, mentions, scores, np.zeros((7, 1), np.int64))
