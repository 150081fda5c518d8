"""Words fitted, trained on and rounded, against plain re-computations and planted answers."""

from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from termexplorer.trainer.data.splits import TEST, TRAIN
from termexplorer.trainer.distillation.distil import DistillationData, StaticSettings, distil
from termexplorer.trainer.distillation.pair_training import (
    PairSource,
    StaticTraining,
    train_words,
)
from termexplorer.trainer.distillation.rounding import make_tables
from termexplorer.trainer.distillation.vocabulary import WordVocabulary
from termexplorer.trainer.distillation.word_fitting import fit_words, remove_common, scale_to_unit
from termexplorer.trainer.notebook import labelled
from termexplorer.trainer.representations.static import StaticNames
from termexplorer.trainer.text.tokenizer import tokenize

LINES = ["fever of the lung", "lung fever", "the left lung - the fever", "gout"]


@pytest.fixture
def vocabulary(tmp_path: Path) -> WordVocabulary:
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("\n".join(LINES), encoding="utf-8")
    return WordVocabulary.choose(corpus, ["Lung cyst", "gout"], 2)


def test_a_vocabulary_has_frequent_words_and_those_of_names(vocabulary: WordVocabulary) -> None:
    assert vocabulary.words == ("fever", "lung", "the", "gout", "cyst")
    assert vocabulary.counts.tolist() == [3, 3, 3, 1, 1]
    shares = np.array([3, 3, 3, 1, 1]) / 11
    np.testing.assert_allclose(vocabulary.weigh_words(0.1), 0.1 / (0.1 + shares))


def test_names_are_averaged_by_the_weights_of_their_words(vocabulary: WordVocabulary) -> None:
    weights = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    vectors = np.random.default_rng(0).normal(size=(5, 3))
    averaged = vocabulary.average_names(["Fever of the lung", "unheard", "gout gout"], weights)
    expected = [(vectors[0] + 3 * vectors[2] + 2 * vectors[1]) / 6, np.zeros(3), vectors[3]]
    np.testing.assert_allclose(averaged @ vectors, expected)


def test_names_are_padded_and_cut(vocabulary: WordVocabulary) -> None:
    padded = vocabulary.pad_names(["lung fever", "", "the cyst of the lung"], 3)
    assert padded.tolist() == [[1, 0, -1], [-1, -1, -1], [2, 4, -1]]


def test_fitted_words_are_those_of_ridge_regression() -> None:
    random = np.random.default_rng(1)
    averages = random.random((20, 6)).astype(np.float32)
    targets = random.normal(size=(20, 4)).astype(np.float32)
    start = random.normal(size=(6, 4)).astype(np.float32)
    left = averages.T @ averages + 0.3 * np.eye(6)
    expected = np.linalg.solve(left, averages.T @ targets + 0.3 * start)
    fitted = fit_words(csr_matrix(averages), targets, start, ridge=0.3)
    np.testing.assert_allclose(fitted, expected, atol=1e-3)


def test_what_words_share_is_taken_away() -> None:
    random = np.random.default_rng(2)
    vectors = random.normal(size=(500, 8)).astype(np.float32) + 5
    known = np.ones(500, dtype=np.bool_)
    known[-1] = False
    parted = remove_common(vectors, known)
    cosines = parted[:-1] @ parted[:-1].T
    assert abs(cosines.mean()) < 0.05
    assert not parted[-1].any()


def _make_source(names: np.ndarray, concepts: np.ndarray, teacher: np.ndarray) -> PairSource:
    order = np.argsort(concepts, kind="stable")
    sizes = np.bincount(concepts)
    return PairSource(
        names,
        np.concatenate(([0], np.cumsum(sizes))),
        order,
        np.array([[0, 1], [2, 3]]),
        names[:2],
        np.array([0, 1]),
        teacher,
        np.ones(int(names.max()) + 1, dtype=np.float32),
    )


def test_training_brings_synonyms_together_and_is_repeated_by_its_seed() -> None:
    random = np.random.default_rng(3)
    words = random.normal(size=(60, 16)).astype(np.float32)
    names = np.arange(60, dtype=np.int32)[:, None]
    source = _make_source(names, np.arange(60) // 2, scale_to_unit(words))
    settings = StaticTraining(steps=60, batch=16, learning_rate=0.2, distillation=0)
    losses: list[float] = []
    trained = train_words(words, source, settings, lambda step, loss: losses.append(loss))

    def rank_partners(vectors: np.ndarray) -> float:
        cosines = scale_to_unit(vectors) @ scale_to_unit(vectors).T
        np.fill_diagonal(cosines, -2)
        return float((cosines.argmax(axis=1) == (np.arange(60) ^ 1)).mean())

    assert rank_partners(words) < 0.2
    assert rank_partners(trained) > 0.8
    assert len(losses) == 60
    assert train_words(words, source, settings).tobytes() == trained.tobytes()


def test_rounded_tables_give_the_same_cosines() -> None:
    random = np.random.default_rng(4)
    words = [f"word{number}" for number in range(200)]
    scales = random.uniform(0.01, 1, (200, 1))  # as weights of words are
    vectors = (random.normal(size=(200, 32)) * scales).astype(np.float32)
    encoder = StaticNames(make_tables(words, vectors, scales[:, 0], 64))
    names = [" ".join(random.choice(words, 4)) for _ in range(50)]
    exact = np.array(
        [vectors[[words.index(word) for word in tokenize(name)]].sum(axis=0) for name in names]
    )
    np.testing.assert_allclose(encoder.encode(names), scale_to_unit(exact), atol=0.01)


def test_an_unknown_word_is_near_those_that_are_spelled_like_it() -> None:
    random = np.random.default_rng(5)
    stems = {
        f"{stem}{end}": stem
        for stem in ("cardio", "pneumo", "nephro")
        for end in ("a", "b", "itis")
    }
    centres = {stem: random.normal(size=16) for stem in stems.values()}
    vectors = np.array([centres[stem] for stem in stems.values()], dtype=np.float32)
    encoder = StaticNames(make_tables(list(stems), vectors, np.ones(len(stems)), 512))
    unknown = encoder.encode(["cardioxyz"])
    cosines = (unknown @ encoder.encode(list(stems)).T)[0]
    nearest = [list(stems.values())[index] for index in np.argsort(-cosines)[:3]]
    assert nearest == ["cardio"] * 3


class _Teacher:
    """Names by their first letters."""

    dimension = 8

    def encode(self, names: object) -> np.ndarray:
        rows = []
        for name in names:  # type: ignore[attr-defined]
            seeds = [np.random.default_rng(ord(word[0])) for word in tokenize(name)]
            rows.append(np.mean([seed.normal(size=8) for seed in seeds], axis=0))
        return np.array(rows, dtype=np.float32)


def test_an_encoder_is_made_of_text_a_teacher_and_synonyms(tmp_path: Path) -> None:
    random = np.random.default_rng(6)
    words = [f"{letter}{number}" for letter in "abcdefgh" for number in range(12)]
    corpus = tmp_path / "corpus.txt"
    lines = [" ".join(random.choice(words, 8)) for _ in range(400)]
    corpus.write_text("\n".join(lines), encoding="utf-8")
    names = {f"C:{number}": [f"a{number} b1", f"c{number} d1"] for number in range(12)}
    labels = labelled(names)
    parts = np.full(24, TRAIN, dtype=np.uint8)
    parts[:2] = TEST
    data = DistillationData(
        corpus, labels, parts, [(2, 3), (0, 1)], {4: "a4 of some b1", 0: "a0"}, ["unread zzz"]
    )
    settings = StaticSettings(
        dimension=8, windows={4: 1.0}, buckets=64, counted_width=10,
        training=StaticTraining(steps=200, batch=8, learning_rate=0.5, distillation=0, graded=0),
    )  # fmt: skip
    reported: list[str] = []
    encoder = StaticNames(distil(data, _Teacher(), settings, reported.append))
    assert reported
    assert encoder.dimension == 8
    assert {"unread", "zzz", "a0"} <= set(encoder.words)
    vectors = encoder.encode(
        [f"{kind} {end}" for n in range(1, 12) for kind, end in ((f"a{n}", "b1"), (f"c{n}", "d1"))]
    )
    cosines = vectors @ vectors.T
    partners = cosines[np.arange(22), np.arange(22) ^ 1]
    assert partners.mean() > cosines.mean() + 0.2
