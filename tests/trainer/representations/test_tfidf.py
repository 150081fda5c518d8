from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from termexplorer.trainer.representations import load
from termexplorer.trainer.representations.tfidf import TfidfNames

NAMES = [
    "viral pneumonia",
    "bacterial pneumonia",
    "Viral fever",
    "fracture of femur",
    "naïve T cell",
]


def test_similarities_are_cosines_of_the_weights() -> None:
    from sklearn.feature_extraction.text import TfidfVectorizer

    index = TfidfNames.fit(NAMES)
    queries = ["pneumonia, viral", "femur", "zzzzqqq", "VIRAL PNEUMONIA"]
    plain = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 4)).fit(NAMES)
    expected = (plain.transform(queries) @ plain.transform(NAMES).T).toarray()
    similarities = index.similarities(queries)
    np.testing.assert_allclose(similarities, expected, atol=1e-6)
    assert similarities.dtype == np.float32
    assert similarities[3, 0] == pytest.approx(1)
    assert (similarities[2] == 0).all()


def test_a_saved_index_answers_the_same(tmp_path: Path) -> None:
    index = TfidfNames.fit(NAMES)
    index.save(tmp_path / "index")
    again = load(tmp_path / "index")
    assert isinstance(again, TfidfNames)
    assert again.count == len(NAMES)
    assert (again.similarities(["viral"]) == index.similarities(["viral"])).all()


def test_names_without_a_letter_are_refused() -> None:
    with pytest.raises(ValueError, match="character n-gram"):
        TfidfNames.fit(["", " "])
