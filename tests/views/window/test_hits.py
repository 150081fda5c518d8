"""The bold pieces of a search hit."""

import pytest

from termexplorer.services.explore.browsing import Hit
from termexplorer.store.search.typed_query import Match
from termexplorer.views.window.hit_delegate import hit_formats


def hit(text: str, *spans: tuple[int, int]) -> Hit:
    return Hit(1, 1, "A:1", "A:1", text, False, text, Match.INSIDE, spans, 0)


@pytest.mark.parametrize(
    ("text", "spans", "pieces"),
    [
        ("Viral pneumonia", [(0, 3), (6, 10)], [(0, 3), (6, 4)]),
        ("𝛼-virus", [(2, 5)], [(3, 3)]),  # the first letter takes two units in Qt
        ("none", [], []),
    ],
)
def test_found_words_are_bold(
    text: str, spans: list[tuple[int, int]], pieces: list[tuple[int, int]]
) -> None:
    formats = hit_formats(hit(text, *spans))
    assert [(format_range.start, format_range.length) for format_range in formats] == pieces
    assert all(format_range.format.fontWeight() > 400 for format_range in formats)
