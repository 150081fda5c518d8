from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from termexplorer.trainer.corpora.annotated import AnnotatedLine, Span
from termexplorer.trainer.representations import load
from termexplorer.trainer.representations.skipgram_training import (
    SkipGrams,
    sequences,
    write_marked_corpus,
)
from termexplorer.trainer.representations.skipgrams import SkipGramNames, concept_token, name_token
from termexplorer.trainer.text.tokenizer import tokenize

LINE = AnnotatedLine(["wl", "w1", "w2", "wr"], [Span(1, 3, "D 1")])
S, C = "s_w1_w2", "c_D_1"


def test_lines_are_written_as_in_the_paper() -> None:
    assert sequences(LINE, "SGW") == [["wl", "w1", "w2", "wr"]]
    assert sequences(LINE, "SGS") == [["wl", S, "wr"]]
    assert sequences(LINE, "SGS.C") == [
        ["wl", S, C, "w1", "w2", "wr"],
        ["wl", "w1", "w2", S, C, "wr"],
    ]
    nothing = AnnotatedLine(["wl"], [])
    assert sequences(nothing, "SGS.C") == [["wl"]]
    two = AnnotatedLine(["a", "b", "c"], [Span(0, 1, None), Span(1, 2, "D1")])
    assert sequences(two, "SGS") == [["s_a", "s_b", "c"]]
    assert sequences(two, "SGS.C")[1] == ["a", "s_a", "b", "s_b", "c_D1", "c"]


@given(st.lists(st.lists(st.sampled_from(["a", "_", "b-c", "s", "3"]), min_size=1), min_size=2))
def test_tokens_of_names_are_no_words_and_told_apart(names: list[list[str]]) -> None:
    tokenized = {tuple(tokenize(" ".join(name))) for name in names}
    tokens = {name_token(name) for name in tokenized}
    assert len(tokens) == len(tokenized)
    assert not any(tokenize(token) == [token] for token in tokens)
    assert concept_token("a") not in tokens


def marked_lines() -> list[AnnotatedLine]:
    rng = np.random.default_rng(0)
    words = np.array(["viral", "fever", "acute", "pain", "of", "the", "heart"])
    lines = []
    for number in range(300):
        tokens = ["heart", "attack", *rng.choice(words, 6)]
        lines.append(AnnotatedLine(tokens, [Span(0, 2, "D1" if number % 2 else None)]))
    return lines


@pytest.mark.parametrize("method", ["SGW", "SGS", "SGS.C"])
def test_vectors_of_words_names_and_concepts_are_read(tmp_path: Path, method: str) -> None:
    corpus = tmp_path / "corpus.txt"
    assert write_marked_corpus(marked_lines(), method, corpus) == 300
    seen = []
    SkipGrams(method, dimension=8, epochs=1).fit(corpus, tmp_path / "made", seen.append)
    vectors = load(tmp_path / "made")
    assert isinstance(vectors, SkipGramNames)
    assert vectors.dimension == 8
    assert seen[-1].fraction == 1
    encoded, known = vectors.name_vectors(["Heart attack", "viral fever"])
    assert known.tolist() == [method != "SGW", False]
    assert vectors.concept_vectors(["D1", "D2"])[1].tolist() == [method == "SGS.C", False]
    words, of_words = vectors.token_vectors(["viral", "fever", "attack", "unheard"])
    assert of_words.tolist() == [True, True, method != "SGS", False]
    encoded_rows = vectors.encode(["HEART  attack", "viral fever", "unheard", ""])
    heart = vectors.token_vectors(["heart"])[0][0]
    expected = (heart + words[2]) / 2 if method == "SGW" else encoded[0]
    np.testing.assert_allclose(encoded_rows[0], expected, atol=1e-6)
    np.testing.assert_allclose(encoded_rows[1], words[:2].mean(0), atol=1e-6)
    assert not encoded_rows[2:].any()


def test_text_without_words_or_names_is_refused(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.txt"
    nothing = [AnnotatedLine([], [])]
    with pytest.raises(ValueError, match="holds no word"):
        write_marked_corpus(nothing, "SGW", corpus)
    plain = [AnnotatedLine(["pain"], [])]
    with pytest.raises(ValueError, match="no name is marked in the text, which SGS learns from"):
        write_marked_corpus(plain, "SGS", corpus)
    write_marked_corpus(plain, "SGW", corpus)
    with pytest.raises(ValueError, match="cannot train on"):
        SkipGrams("SGW", dimension=4).fit(corpus, tmp_path / "made")
