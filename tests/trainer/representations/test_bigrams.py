from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from termexplorer.trainer.representations import load
from termexplorer.trainer.representations.bigram_training import Bigrams, sentences, write_examples
from termexplorer.trainer.representations.bigrams import BigramNames, bigram_hashes, word_hashes
from termexplorer.trainer.text.tokenizer import tokenize

NAMES = ["Acute viral pneumonia", "viral", "unheard pneumonia, of type 2", "fièvre 肺炎", "zzz", ""]


def naive_hash(word: str) -> int:
    value = 2166136261
    for byte in word.encode():
        signed = byte - 256 if byte > 127 else byte
        value = ((value ^ (signed & 0xFFFFFFFF)) * 16777619) & 0xFFFFFFFF
    return value - (1 << 32 if value >> 31 else 0)  # as a signed number


@given(st.lists(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))))
def test_hashes_are_those_of_the_written_rule(words: list[str]) -> None:
    hashes = word_hashes(words)
    assert hashes.view(np.int32).tolist() == [naive_hash(word) for word in words]
    indices = np.arange(len(words))
    expected = [
        (naive_hash(word) * 116049371 + naive_hash(other)) % 2**64
        for word, other in zip(words, reversed(words), strict=True)
    ]
    assert bigram_hashes(hashes, indices, indices[::-1]).tolist() == expected


def test_vectors_are_the_librarys_own(corpus: Path, tmp_path: Path) -> None:
    """Its bag holds the end of the line too, and the bigram of that with the last word."""
    import fasttext

    from termexplorer.trainer.representations.fasttext_matrices import write_model

    labelled = tmp_path / "labelled.txt"
    lines = corpus.read_text(encoding="utf-8").splitlines()
    labelled.write_text("".join(f"__label__{n % 3} {line}\n" for n, line in enumerate(lines)))
    model = fasttext.train_supervised(
        str(labelled), dim=6, wordNgrams=2, bucket=50, epoch=1, thread=11, verbose=0, loss="ns"
    )
    write_model(model, tmp_path / "copy", "bigrams")
    vectors = load(tmp_path / "copy")
    assert isinstance(vectors, BigramNames)
    matrix = model.get_input_matrix()
    for name, vector in zip(NAMES, vectors.encode(NAMES), strict=True):
        words = [token for token in tokenize(name) if token in vectors.words]
        theirs = model.get_sentence_vector(" ".join(words)) * (2 * len(words) + 1)
        theirs -= matrix[vectors.words.index("</s>")]
        if words:
            last = bigram_hashes(word_hashes([words[-1], "</s>"]), np.array([0]), np.array([1]))
            theirs -= matrix[len(vectors.words) + int(last[0] % np.uint64(50))]
        np.testing.assert_allclose(vector * max(2 * len(words) - 1, 0), theirs, atol=1e-5)
    assert vectors.encode([]).shape == (0, 6)


def test_training_goes_from_text_to_vectors(corpus: Path, tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text(corpus.read_text(encoding="utf-8") + "seldom pneumonia\n", encoding="utf-8")
    seen = []
    method = Bigrams(dimension=8, buckets=40, threshold=1e-3)
    method.fit(text, tmp_path / "made", seen.append)
    vectors = load(tmp_path / "made")
    assert isinstance(vectors, BigramNames)
    assert seen[-1].fraction == 1
    encoded = vectors.encode(NAMES)
    assert np.isfinite(encoded).all()
    assert encoded.any(axis=1).tolist() == [True, True, True, True, False, False]
    assert "seldom" not in vectors.words
    first, second = vectors.encode(["viral acute pneumonia", "acute viral pneumonia"])
    assert not np.allclose(first, second)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["made", "text.txt"]


def examples_of(folder: Path, text: str, **options: float) -> list[str]:
    (folder / "text.txt").write_text(text, encoding="utf-8")
    chosen = {"min_count": 1, "threshold": 1.0, "seed": 0, **options}
    write_examples(folder / "text.txt", folder / "examples.txt", **chosen)
    return (folder / "examples.txt").read_text(encoding="utf-8").splitlines()


def test_each_word_is_predicted_from_the_rest_of_its_sentence(tmp_path: Path) -> None:
    assert examples_of(tmp_path, "a b c . d\n\nb rare a\n", min_count=2) == [
        "__label__a <word> b", "__label__b a <word>",
        "__label__b <word> a", "__label__a b <word>",
    ]  # fmt: skip


def test_frequent_words_are_predicted_less_often(tmp_path: Path) -> None:
    text = "the of\n" * 4500 + "the pain\n" * 500
    labels = Counter(line.split()[0] for line in examples_of(tmp_path, text, threshold=1e-2))
    for word, count in (("the", 5000), ("of", 4500), ("pain", 500)):
        share = 1e-2 / (count / 10_000)
        expected = count * (share**0.5 + share)
        assert labels[f"__label__{word}"] == pytest.approx(expected, abs=4 * expected**0.5)


def test_too_little_text_is_refused(tmp_path: Path) -> None:
    for text in ("", "word\n", "one one\n", "seldom word\n"):
        (tmp_path / "text.txt").write_text(text, encoding="utf-8")
        with pytest.raises(ValueError, match="the text has no sentence of words that occur 2"):
            Bigrams(min_count=2).fit(tmp_path / "text.txt", tmp_path / "made")
    assert [path.name for path in tmp_path.iterdir()] == ["text.txt"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("One. Two? Three", ["one .", "two ?", "three"]),
        ("of 0.05 (p). E. coli, i.e. 3.", ["of 0 . 05 ( p ) .", "e . coli , i . e . 3 ."]),
        (". a", [".", "a"]),
        ("", []),
    ],
)
def test_lines_are_cut_into_sentences(line: str, expected: list[str]) -> None:
    assert [" ".join(sentence) for sentence in sentences(tokenize(line))] == expected


@given(st.lists(st.sampled_from(["a", "word", ".", "!", "3"]), max_size=300))
def test_sentences_are_all_of_a_line(tokens: list[str]) -> None:
    split_sentences = list(sentences(tokens))
    assert [token for sentence in split_sentences for token in sentence] == tokens
    assert all(0 < len(sentence) <= 100 for sentence in split_sentences)
