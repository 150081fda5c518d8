from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from termexplorer.trainer.agreement import read_ratings

ROWS = [["1", "", "2"], ["2", "2", "2"], ["3", "1", ""], ["1", "1", "1"]]
CODES = [[0, -1, 1], [1, 1, 1], [2, 0, -1], [0, 0, 0]]
TERMS = ["heart", "femur, left", "skin", "a b"]

FORMS = {
    "ehr.tsv": "snomed_id_1\tsnomed_label_1\trater_A\trater_B\trater_C\tmean_rating\tCUI_1\r\n"
    + "".join(
        f"13645005{at}\t{term}\t{row[0]}\t{row[1]}\t{row[2]}\t1.5\tC{at}\r\n"
        for at, (term, row) in enumerate(zip(TERMS, ROWS, strict=True))
    ),
    "names.csv": "item,Anna,Ben,Carla\n"
    + "".join(f"{at},{','.join(row)}\n" for at, row in enumerate(ROWS)),
    "series.csv": "term,other,rating 1,rating 2,rating 3,set\n"
    + "".join(f"t,u,{','.join(row)},1\n" for row in ROWS),
    "floats.csv": ',"A","B","C",seconds\n'
    + "".join(
        f"{at},{','.join(cell and f'{cell}.0' for cell in row)},4\n" for at, row in enumerate(ROWS)
    ),
    "semicolons.csv": "A;B;C\n" + "".join(f"{';'.join(row)}\n" for row in ROWS),
    "untitled.tsv": "".join("\t".join(row) + "\n" for row in ROWS),
    "spaces.txt": "A B C\n"
    + "".join(" ".join(cell or "NA" for cell in row) + "\n" for row in ROWS),
    "columns.json": json.dumps(
        {name: [row[at] or None for row in ROWS] for at, name in enumerate("ABC")}
    ),
    "records.json": json.dumps(
        [{name: row[at] and int(row[at]) for at, name in enumerate("ABC")} for row in ROWS]
    ),
}


@pytest.mark.parametrize("scale", ["nominal", "ordinal"])
@pytest.mark.parametrize("name", FORMS)
def test_the_raters_of_a_file_are_found(name: str, scale: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(FORMS[name].encode())
    ratings = read_ratings(path, scale).ratings
    assert ratings.labels == ("1", "2", "3")
    assert ratings.codes.tolist() == CODES


def test_words_two_raters_and_gzip(tmp_path: Path) -> None:
    path = tmp_path / "words.csv.gz"
    text = "\ufeffleft,right,doctor_1,doctor_2\nheart,cœur,same,same\nskin,bone,not same,\n"
    path.write_bytes(gzip.compress(text.encode()))
    result = read_ratings(path, columns=["left"])
    assert result.ratings.raters == ("doctor_1", "doctor_2")
    assert result.ratings.labels == ("not same", "same")
    assert result.columns == {"left": ("heart", "skin")}
    path = tmp_path / "versions.csv"
    path.write_text("item,v1.0,v1.1\na,yes,no\nb,yes,yes\n")
    assert read_ratings(path).ratings.raters == ("v1.0", "v1.1")
    path = tmp_path / "two.csv"
    path.write_text("Anna,Ben\nsame,?\nnot same,same\n")
    ratings = read_ratings(path, dont_know="?").ratings
    assert ratings.codes.tolist() == [[1, -2], [0, 1]]


def test_raters_can_be_said(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text("term,Anna,Ben,mean\nheart,1,2,1.5\nskin,2,2,2\n")
    assert read_ratings(path, "interval").ratings.raters == ("Anna", "Ben")
    ratings = read_ratings(path, "interval", ["mean", "2"]).ratings
    assert (ratings.raters, ratings.labels) == (("mean", "Anna"), ("1", "1.5", "2"))
    assert read_ratings(path, raters=["ben"]).ratings.raters == ("Ben",)
    with pytest.raises(ValueError, match="no column 'Eve'; it has 4 columns: term, Anna, Ben"):
        read_ratings(path, raters=["Eve"])
    with pytest.raises(ValueError, match="asked for twice"):
        read_ratings(path, raters=["Anna", "2"])


def test_columns_that_are_no_ratings_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    rows = [f"{at},{30 + at % 7},{at % 4 + 0.25},{at % 3},{2005 + at}" for at in range(1, 13)]
    path.write_text("\n".join(["nr,age,Anna,Ben,year", *rows]))
    assert read_ratings(path, "interval").ratings.raters == ("Anna", "Ben")
    path.write_text("Anna,Ben,Carla\n1,1,2\n2,1,2\n3,3,2\n")
    assert read_ratings(path, "ordinal").ratings.raters == ("Anna", "Ben", "Carla")


BAD = {
    "empty.tsv": ("", "holds no item"),
    "titles.tsv": ("A\tB\tC\n", "holds no item; give a column a rater"),
    "word.csv": ("A,B\n1,2\n2,2\n3,3\n1,low\n", "line 5: 'low' is no number; a scale that is ord"),
    "words.csv": ("A,B\nsame,same\nsame,other\n", "line 2: 'same' is no number; a scale that is"),
    "infinite.csv": ("A,B\n1,2\n2,1e999\n", "line 3: '1e999' is no number"),
    "long.csv": ("A,B\n1,2\n2,2\n1,2,3\n", "line 4: it has 3 columns, not 2; a cell is empty"),
    "short.tsv": ("A\tB\tC\n1\t2\t2\n2\t2\n", "line 3: it has 2 columns, not 3"),
    "quote.csv": ('A,B\n1,"2\n2,2\n', "line 3: unexpected end of data"),
    "twice.csv": ("A,a\n1,2\n2,2\n", "two columns are titled 'a'"),
    "numbered.csv": ("item,1,2,3\nx,2,2,1\n", "line 1: .* whether item, 1, 2, 3 are titles or rat"),
    "counted.csv": ("1,2\n2,2\n", "line 1: .* whether 1, 2 are titles or ratings"),
    "terms.csv": ("term,score\nheart,2\nskin,3\n", "which columns of terms are raters; say which"),
    "one.csv": ("term,Anna\nheart,2\nskin,3\n", "which columns of one are raters"),
    "triples.csv": ("item,rater,rating\nx,A,1\nx,B,1\n", "which columns of triples are raters"),
    "sets.json": ('{"x": {"A": [1], "B": [2]}, "y": {"A": [1], "B": [2]}}', "2 tables, x, y; give"),
    "json.json": ('{"A": [1,\n2', "line 2: .*; it is no JSON"),
    "none.json": ("{}", "holds no ratings"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_wrong_is_said_with_its_line(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    text, message = BAD[name]
    path.write_text(text)
    with pytest.raises(ValueError, match=message) as error:
        read_ratings(path, "ordinal")
    assert str(path) in str(error.value)


def test_words_without_titles_are_told(tmp_path: Path) -> None:
    path = tmp_path / "words.csv"
    path.write_text("same,not same\nsame,same\nnot same,same\n")
    with pytest.raises(ValueError, match="'same' is both the title of a column and a rating"):
        read_ratings(path)
    with pytest.raises(ValueError, match=r"nowhere.csv cannot be read: .*; give a file of ratings"):
        read_ratings(tmp_path / "nowhere.csv")


labels = st.sampled_from(["", "1", "2", "7"])


@given(st.integers(2, 4).flatmap(lambda r: st.lists(st.lists(labels, min_size=r, max_size=r))))
def test_any_table_comes_back(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[str]]
) -> None:
    if not any(any(row) for row in rows):
        return
    path = tmp_path_factory.mktemp("ratings") / "r.tsv"
    titles = ["id", *(f"rater {at}" for at in range(len(rows[0])))]
    lines = [titles, *([f"x{at}", *row] for at, row in enumerate(rows))]
    path.write_text("".join("\t".join(line) + "\n" for line in lines))
    ratings = read_ratings(path, "interval").ratings
    known = [*ratings.labels, ""]  # -1 is the last
    assert [[known[code] for code in row] for row in ratings.codes] == rows


def test_words_for_not_rated_are_counted_as_signs_are(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text("item,Anna,Ben\na,1,NA\nb,2,n/a\nc,NA,.\nd,2,unsure\n", "utf-8")
    for unsure, missing in (
        ("unsure", {"NA": 2, "n/a": 1, ".": 1}),
        ("NA", {"n/a": 1, ".": 1}),
    ):
        result = read_ratings(path, raters=["Anna", "Ben"], dont_know=unsure)
        assert result.missing == missing
