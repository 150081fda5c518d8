"""Rows of pair sets and ratings are all there, or the file is refused with the line."""

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from termexplorer.trainer.agreement.tables import read_ratings
from termexplorer.trainer.files.pairs import read_pairs
from termexplorer.trainer.term_pairs.drawn import is_pair_set, read_drawn
from termexplorer.trainer.term_pairs.files import TITLES

ERRORS = ("#N/A", "#REF!", "#VALUE!", "#DIV/0!", "#NV", "Err:502")
TERM = st.sampled_from(["heart", "cor pulmonale", "lung", "a; b", "x, y", *ERRORS[:1]])
SCORE = st.sampled_from(["0", "1"])
ANSWER = st.sampled_from(["yes", "no", "", "perhaps", *ERRORS[:1]])


def _write_rows(folder: Path, rows: list[tuple[str, ...]], delimiter: str) -> Path:
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter, lineterminator="\n").writerows(rows)
    path = folder / "rows.csv"
    path.write_text(text.getvalue(), encoding="utf-8")
    return path


def _first_error(rows: list[tuple[str, ...]]) -> int:
    """Return the line of the first row with an error, 0 where there is none."""
    lines = (line for line, row in enumerate(rows, 2) if set(row) & set(ERRORS))
    return next(lines, 0)


@given(st.lists(st.tuples(TERM, TERM, SCORE), min_size=2, max_size=8), st.sampled_from("\t;,"))
def test_each_row_of_a_pair_set_is_a_pair_or_refused(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, ...]], delimiter: str
) -> None:
    titles = ("term1", "term2", "label")
    path = _write_rows(tmp_path_factory.mktemp("pairs"), [titles, *rows], delimiter)
    if line := _first_error(rows):
        with pytest.raises(ValueError, match=f"line {line}: #N/A is an error of a spreadsheet"):
            read_pairs(path)
        return
    (pair_set,) = read_pairs(path)
    assert list(zip(pair_set.left, pair_set.right, pair_set.scores, strict=True)) == [
        (left, right, float(score)) for left, right, score in rows
    ]


@given(st.lists(st.tuples(ANSWER, ANSWER), max_size=8), st.sampled_from("\t;,"))
def test_each_row_of_ratings_is_an_item_or_refused(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, ...]], delimiter: str
) -> None:
    sure = [("yes", "no"), ("no", "yes"), ("perhaps", "no")]  # so that there are raters
    given_rows = [(f"item {n}", *row) for n, row in enumerate([*sure, *rows])]
    titles = ("item", "Anna", "Ben")
    path = _write_rows(tmp_path_factory.mktemp("ratings"), [titles, *given_rows], delimiter)
    raters = ["Anna", "Ben"]
    if line := _first_error(given_rows):
        with pytest.raises(ValueError, match=f"line {line}: #N/A is an error of a spreadsheet"):
            read_ratings(path, "nominal", raters)
        return
    result = read_ratings(path, "nominal", raters).ratings
    labels = [*result.labels, ""]  # -1 for not rated
    read = [tuple(labels[max(code, -1)] for code in row) for row in result.codes.tolist()]
    assert read == [row[1:] for row in given_rows]


@pytest.mark.parametrize("error", ERRORS)
def test_every_error_is_known_in_a_text(tmp_path: Path, error: str) -> None:
    path = _write_rows(tmp_path, [("a", "b", "1"), ("c", error, "0"), ("e", "f", "1")], "\t")
    with pytest.raises(ValueError, match="is an error of a spreadsheet"):
        read_pairs(path)


@given(st.lists(st.tuples(TERM, TERM, SCORE), min_size=2, max_size=8))
def test_each_row_of_a_set_that_was_drawn_is_a_pair_or_refused(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, ...]]
) -> None:
    drawn = [(left, right, label, "X:1", "X:2", "3") for left, right, label in rows]
    path = _write_rows(tmp_path_factory.mktemp("drawn"), [TITLES, *drawn], "\t")
    path = path.rename(path.with_suffix(".tsv"))
    assert is_pair_set(path)
    if line := _first_error(rows):
        with pytest.raises(ValueError, match=f"line {line}: #N/A is an error of a spreadsheet"):
            read_drawn(path)
        return
    assert [(pair.left, pair.right) for pair in read_drawn(path)] == [row[:2] for row in rows]
