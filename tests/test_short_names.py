"""Names that stand side by side are told apart when they are shortened."""

import doctest
import re

from hypothesis import given
from hypothesis import strategies as st

from termexplorer import short_names
from termexplorer.short_names import ELLIPSIS, shorten_names

_WORD = st.text("abc12", min_size=1, max_size=4)
_PART = st.lists(_WORD, max_size=6).map(" ".join)


def wide(text: str) -> float:
    """Return a width as that of a font whose letters differ."""
    return sum(3 if letter in "il1…" else 7 for letter in text)


@given(st.lists(_PART, max_size=6), st.integers(0, 90))
def test_no_name_is_wider_than_it_may_be(names: list[str], width: int) -> None:
    shortened = shorten_names(names, width, wide)
    for name, short in zip(names, shortened, strict=True):
        assert wide(short) <= width or not name
        assert (short == name) is (wide(name) <= width)
        parts = ".+".join(map(re.escape, short.split(ELLIPSIS)))
        assert not short or re.fullmatch(parts, name)


@given(_PART, st.lists(_WORD, unique=True, min_size=2, max_size=6), _PART, st.integers(0, 9))
def test_what_differs_is_seen(begin: str, words: list[str], end: str, spare: int) -> None:
    names = [f"{begin} <{word}> {end}" for word in words]
    width = 14 + spare  # twice a word in its brackets, and an ellipsis at each side
    shortened = shorten_names(names, width, len)
    assert len(set(shortened)) == len(names)
    assert all(len(short) <= width for short in shortened)


@given(st.lists(st.text("ab ", max_size=40), unique=True, max_size=5))
def test_names_that_have_room_are_whole(names: list[str]) -> None:
    assert shorten_names(names, 40, len) == names


def test_several_differences_are_all_seen() -> None:
    names = [
        f"few-shot, {names} names a class, level {level}, hidden {hidden}, fastText vectors"
        for names in (5, 15)
        for level in (1, 2)
        for hidden in (128, 256)
    ]
    shortened = shorten_names(names, 32, len)
    assert len(set(shortened)) == len(names)


def test_the_end_is_seen_that_alone_differs() -> None:
    names = ["fastText mean, ICD-10-CM #5", "fastText mean, ICD-10-CM #15"]
    first, second = shorten_names(names, 8, len)
    assert (first[-2:], second[-3:]) == ("#5", "#15")
    assert not first.endswith(f"{ELLIPSIS}5")


def test_examples_are_as_told() -> None:
    assert doctest.testmod(short_names).failed == 0
