"""What the names of [BNE] are drawn to."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trainer_words import CPU, WIDTH, data_of, parts_of, synonyms

from termexplorer.trainer.data.training_data import TrainingData
from termexplorer.trainer.encoders.recurrent import RecurrentEncoder
from termexplorer.trainer.recipes.bne import BiomedicalNameEncoder
from termexplorer.trainer.representations.skipgrams import SkipGramNames, concept_token, name_token
from termexplorer.trainer.text.tokenizer import tokenize
from termexplorer.trainer.training.run import BEST, train


def skip_grams(names: Sequence[str], concepts: Sequence[str]) -> SkipGramNames:
    """Vectors of the words of all names, and own ones of some names and concepts."""
    of_names = [name_token(tokenize(name)) for name in names]
    tokens = [*of_names, *map(concept_token, concepts)]
    words = sorted({word for name in synonyms(6).names for word in tokenize(name)})
    entries = list(dict.fromkeys([*words, *tokens]))
    matrix = np.random.default_rng(len(entries)).normal(size=(len(entries), WIDTH))
    return SkipGramNames(matrix.astype(np.float32), entries, 0, 0, 0)


@given(st.sets(st.integers(0, 23)), st.sets(st.integers(0, 5), min_size=1))
def test_own_targets_are_the_vectors_of_names_and_concepts(
    names: set[int], concepts: set[int]
) -> None:
    """Option 1, naively; option 2 where nothing was marked."""
    labels = synonyms(6)
    marked = [labels.classes[concept] for concept in sorted(concepts)]
    source = skip_grams([labels.names[name] for name in sorted(names)], marked)
    vectors = np.ones((len(labels.names), WIDTH), np.float32)
    raw = TrainingData.prepare(labels, parts_of(labels), vectors, CPU, source)
    data = BiomedicalNameEncoder(targets="own").prepared(raw)

    def vector(token: str) -> np.ndarray:
        return source.token_vectors([token])[0][0]

    contexts = []
    for name in [name for name in range(24) if name % 4 != 3]:
        tokens = tokenize(labels.names[name])
        own_tokens = [name_token(tokens)] if name in names else tokens
        contexts.append(np.mean([vector(token) for token in own_tokens], axis=0))
    np.testing.assert_allclose(data.names, contexts, atol=1e-6)
    for concept in range(6):
        expected = np.mean(contexts[3 * concept : 3 * concept + 3], axis=0)
        if concept in concepts:
            expected = vector(concept_token(labels.classes[concept]))
        np.testing.assert_allclose(data.prototypes[concept], expected, atol=1e-6)


def test_own_targets_need_vectors_of_names_and_concepts() -> None:
    labels, recipe = synonyms(6), BiomedicalNameEncoder(targets="own")
    with pytest.raises(ValueError, match=r"of words alone.*take skip-grams \(SGS\.C\)"):
        recipe.prepared(data_of(labels))
    names_alone = skip_grams(labels.names, ["DOID:4"])
    vectors = np.ones((len(labels.names), WIDTH), np.float32)
    data = TrainingData.prepare(labels, parts_of(labels), vectors, CPU, names_alone)
    with pytest.raises(ValueError, match=r"none of the 6 concepts.*same ids as here \(c0\)"):
        recipe.prepared(data)
    with pytest.raises(ValueError, match="targets is 'concepts'; choose one of words, own"):
        BiomedicalNameEncoder(targets="concepts")


def test_names_are_drawn_to_their_own_targets(tmp_path: Path) -> None:
    labels = synonyms(6)
    source = skip_grams(labels.names, labels.classes)
    vectors = source.encode(labels.names)
    products = {}
    for targets in ("words", "own"):
        recipe = BiomedicalNameEncoder(
            hidden=16, characters=6, spelling=5, batch=16, synonym_weight=0.0, targets=targets,
            maximum_epochs=30, patience=30, learning_rate=0.01, dropout=0.0,
        )  # fmt: skip
        options = {"seed": 1, "device": "cpu", "state_dir": tmp_path / targets, "source": source}
        parts = parts_of(labels)
        *_, last = train(recipe, labels, parts, vectors, **options)  # type: ignore[arg-type]
        assert np.isfinite(last.validation)
        encoder = RecurrentEncoder.load(tmp_path / targets / BEST)
        encoded = encoder.encode_names(labels.names, source)
        concept_vectors = source.concept_vectors(labels.classes)[0][labels.class_index]
        products[targets] = float(np.mean((encoded * concept_vectors).sum(1)))
    assert products["own"] > products["words"] + 1
