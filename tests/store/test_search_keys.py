"""What a search finds by besides plain words: codes, and the words of all names."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from termexplorer.store.indexes.folding import changes_words, code_key, fold_text
from termexplorer.store.indexes.search_keys import SearchKeyWriter

WORD = re.compile(r"[^\W\d_][^\W_]{2,39}")
PIECES = st.sampled_from(
    [
        "Crohn's",
        "b2",
        "ẞ-Thalassämie",
        "ΟΣ",
        "x" * 41,
        "ab",
        "Ａ１",
        "Ꭰꭰ",
        "2nd",
        "İ",
        "it_is",
        "`a",
    ]
)
NAMES = st.lists(st.one_of(PIECES, st.text(max_size=8)), max_size=6).map(" ".join)


class Written:
    """Keeps the rows that are written."""

    def __init__(self) -> None:
        self.rows: list[tuple[Any, ...]] = []

    def exec_driver_sql(self, _statement: str, rows: Sequence[tuple[Any, ...]] = (), /) -> None:
        self.rows += rows


@given(st.lists(NAMES, max_size=5))
def test_words_of_many_names_are_those_of_each(names: list[str]) -> None:
    folded, words = Written(), Written()
    writer = SearchKeyWriter(7)
    writer.add_names(folded, [(n, 1, name) for n, name in enumerate(names)])
    writer.add_words(words)
    counts = Counter(word for name in names for word in WORD.findall(fold_text(name)))
    assert words.rows == [(7, word, counts[word]) for word in sorted(counts)]
    odd = [(2 * n, fold_text(name)) for n, name in enumerate(names) if changes_words(name)]
    assert folded.rows == odd


@given(st.text())
def test_only_printable_ascii_without_apostrophes_is_folded_by_its_case_alone(text: str) -> None:
    assert changes_words(text) == bool(re.search(r"[^\x20-\x7e]|['`]", text))
    if not changes_words(text):
        assert fold_text(text) == text.lower()


@given(st.text())
def test_a_code_is_looked_up_by_its_letters_and_figures(code: str) -> None:
    prefix, colon, local = code.partition(":")
    plain = re.sub(r"[\W_]+", "", local if colon else prefix).casefold()
    number = plain.isdigit() and not colon and len(plain) < 5
    expected = "" if number or not any(map(str.isdigit, plain)) else plain
    assert code_key(code) == (code.casefold() if "://" in code else expected)
