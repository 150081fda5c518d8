from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from termexplorer.trainer.corpora.annotated import AnnotatedLine, Span, annotated_lines
from termexplorer.trainer.corpora.dictionary_matching import NameFinder, lines_with_names
from termexplorer.trainer.corpora.pubtator import Document, Mention
from termexplorer.trainer.text.names import LabelledNames
from termexplorer.trainer.text.tokenizer import tokenize


def labelled(**concepts: list[str]) -> LabelledNames:
    names = list(dict.fromkeys(name for some in concepts.values() for name in some))
    pairs = [
        (names.index(name), number)
        for number, some in enumerate(concepts.values())
        for name in dict.fromkeys(some)
    ]
    index = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return LabelledNames(tuple(names), tuple(concepts), index[:, 0].copy(), index[:, 1].copy())


def test_the_longest_name_from_the_left_is_found() -> None:
    finder = NameFinder(
        labelled(D1=["Breast cancer", "cancer"], D2=["cancer of the skin", "Cold"], D3=["cold"])
    )
    assert finder.count == 4
    tokens = tokenize("cold breast cancer of the skin and cancer of the breast")
    assert finder.find(tokens) == [Span(0, 1, None), Span(1, 3, "D1"), Span(7, 8, "D1")]
    assert finder.find([]) == []
    assert finder.find(["unheard", "of"]) == []
    assert finder.find(["cancer", "of", "the"]) == [Span(0, 1, "D1")]


def test_short_names_and_acronyms_are_left_out() -> None:
    names = labelled(D1=["ALL", "FACE", "T - 1", "COPDX6", "Rash", "POST-OP PAIN", "?!", "face"])
    assert NameFinder(names).find(tokenize("all t-1 copdx6 rash ?!")) == [
        Span(4, 5, "D1"), Span(5, 6, "D1"),
    ]  # fmt: skip
    assert NameFinder(names).count == 4
    assert NameFinder(names, least_characters=0, longest_acronym=0).count == 6


WORDS = st.lists(st.sampled_from(["acute", "chronic", "viral", "heart", "pain"]), max_size=12)


def naive(names: list[list[str]], tokens: list[str]) -> list[tuple[int, int]]:
    """Look at every place for every name."""
    spans, start = [], 0
    while start < len(tokens):
        fitting = [len(name) for name in names if tokens[start : start + len(name)] == name]
        end = start + max(fitting, default=0)
        if end > start:
            spans.append((start, end))
        start = max(end, start + 1)
    return spans


@given(st.lists(WORDS.filter(bool), max_size=6), WORDS)
def test_spans_are_those_of_a_plain_search(names: list[list[str]], tokens: list[str]) -> None:
    finder = NameFinder(labelled(D1=[" ".join(name) for name in names]))
    assert [(span.start, span.end) for span in finder.find(tokens)] == naive(names, tokens)


def test_lines_of_text_files_are_annotated(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text("A Heart-attack!\n\nNothing\n", encoding="utf-8")
    finder = NameFinder(labelled(D1=["heart - attack"]))
    ticks: list[None] = []
    lines = list(lines_with_names([path, path], finder, tick=lambda: ticks.append(None)))
    first = AnnotatedLine(["a", "heart", "-", "attack", "!"], [Span(1, 4, "D1")])
    assert lines == [first, AnnotatedLine([], []), AnnotatedLine(["nothing"], [])] * 2
    assert len(ticks) == 2
    with pytest.raises(ValueError, match=r"none\.txt cannot be read"):
        list(lines_with_names([tmp_path / "none.txt"], finder))


def test_mentions_of_documents_are_names() -> None:
    title, abstract = "Hyper- or hypotension", "Chest pain, and pain."

    def mention(text: str, start: int, *concepts: str, kind: str = "Disease") -> Mention:
        return Mention(start, start + len(text), text, kind, concepts)

    after = len(title) + 1
    mentions = (
        mention("tension", 14, "D2"),
        mention("hypotension", 10, "D3"),
        mention("Hyper", 0),
        mention("hypotension Chest", 10, "D9"),  # from the title into the abstract
        mention("Chest pain", after, "D4", "D5"),
        mention("pain", after + 6, "D4"),
        mention("pain", after + 16, "D4", kind="Other"),
        mention(" ", after + 15, "D4"),
    )
    document = Document("1", title, abstract, mentions)
    assert list(annotated_lines([document], {"Disease"})) == [
        AnnotatedLine(["hyper", "-", "or", "hypotension"], [Span(0, 1, None), Span(3, 4, "D3")]),
        AnnotatedLine(["chest", "pain", ",", "and", "pain", "."], [Span(0, 2, None)]),
    ]
    assert list(annotated_lines([document]))[1].spans == [Span(0, 2, None), Span(4, 5, "D4")]
