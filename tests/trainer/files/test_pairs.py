from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from termexplorer.trainer.files.pairs import PairSet, read_pairs
from termexplorer.trainer.text.names import composed

PAIRS = [("renal failure", "kidney failure", 4.0), ("heart", "femur, left", 1.25), ("a b", "c", 2)]

FORMS = {
    "tab.txt": "renal failure\tkidney failure\t4\nheart\tfemur, left\t1.25\na b\tc\t2\n",
    "titled.tsv": "term1\tterm2\tscore\r\nrenal failure\tkidney failure\t4.0\r\n"
    "heart\tfemur, left\t1.25\r\n\r\na b\tc\t2\r\n",
    "umnsrs.csv": '"Mean","Stdev","Term1","Term2","CUI1","CUI2"\n'
    '4,0.5,"renal failure","kidney failure","C0035078","C0022661"\n'
    '1.25,0.1,"heart","femur, left","C0018787","C0015811"\n2,1,a b,c,C1,C2\n',
    "semicolons.csv": "Wort;anderes Wort;Wert\nrenal failure;kidney failure;4\n"
    "heart;femur, left;1,25\na b;c;2\n",
    "pipes.txt": "renal failure|kidney failure|4\nheart|femur, left|1.25\na b|c|2",
    "spaces.txt": "renal failure   kidney failure  4\nheart    femur, left  1.25\na b  c  2\n",
    "score_first.tsv": "4\trenal failure\tkidney failure\n1.25\theart\tfemur, left\n2\ta b\tc\n",
    "ehr.tsv": "snomed_id_1\tsnomed_label_1\tsnomed_id_2\tsnomed_label_2\trater_A\trater_B\t"
    "mean_rating\tCUI_1\tCUI_2\n"
    "13645005\trenal failure\t79955004\tkidney failure\t4\t\t4.0\tC0024117\tC0238074\n"
    "102549009\theart\t400047006\tfemur, left\t1.5\t1\t1.25\tC0024117\t\n"
    "28743005\ta b\t391125004\tc\t\t2\t2\tC0239134\tC1271938\n",
    "numbered.csv": ",concept1,concept2,similarity,n\n0,renal failure,kidney failure,4,8\n"
    '1,heart,"femur, left",1.25,8\n2,a b,c,2,9\n',
    "ids_untitled.tsv": "13645005\trenal failure\tkidney failure\t4\n"
    "79955004\theart\tfemur, left\t1.25\n28743005\ta b\tc\t2\n",
    "versions.tsv": "term 1.0\tterm 1.1\tscore v1.2\n"
    "renal failure\tkidney failure\t4\nheart\tfemur, left\t1.25\na b\tc\t2\n",
    "columns.json": json.dumps(
        {"source": [p[0] for p in PAIRS], "target": [p[1] for p in PAIRS], "sims": [4, 1.25, 2]}
    ),
    "records.json": json.dumps(
        [{"id": 7, "term1": x, "term2": y, "similarity": s, "note": None} for x, y, s in PAIRS]
    ),
    "rows.json": json.dumps(PAIRS),
}


@pytest.mark.parametrize("name", FORMS)
def test_the_columns_of_a_file_are_told(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(FORMS[name].encode())
    (pair_set,) = read_pairs(path)
    assert pair_set.name == path.stem
    assert list(zip(pair_set.left, pair_set.right, pair_set.scores, strict=True)) == PAIRS


def test_marks_of_utf_8_and_gzip_are_no_matter(tmp_path: Path) -> None:
    path = tmp_path / "naïve.tsv.gz"
    path.write_bytes(gzip.compress("\ufeffcœur\tfièvre\t0.5\n".encode()))
    (pair_set,) = read_pairs(path)
    assert (pair_set.name, pair_set.left, pair_set.right) == ("naïve", ("cœur",), ("fièvre",))


def test_words_without_titles_parted_by_single_spaces(tmp_path: Path) -> None:
    path = tmp_path / "verbs.txt"
    path.write_text("explain write 4.30\nbind cut 0\n")
    (pair_set,) = read_pairs(path)
    assert (pair_set.left, pair_set.right) == (("explain", "bind"), ("write", "cut"))


def test_a_file_of_several_sets(tmp_path: Path) -> None:
    path = tmp_path / "sets.json"
    entry = {"source": ["a"], "target": ["b"], "sims": [1.5]}
    path.write_text(json.dumps({"Mayo": entry, "UMNSRS": {**entry, "sims": [797.5], "year": 2010}}))
    assert [(pair.name, pair.scores.tolist()) for pair in read_pairs(path)] == [
        ("Mayo", [1.5]),
        ("UMNSRS", [797.5]),
    ]


@pytest.mark.parametrize("columns", [["3", "t2", "coders"], [" T1 ", "4", "1"], [3, 4, 1]])
def test_columns_can_be_given(columns: list[str | int], tmp_path: Path) -> None:
    path = tmp_path / "two_scores.csv"
    path.write_text("coders,physicians,t1,t2\n1,2,heart,liver\n3,5,skin,bone\n")
    with pytest.raises(ValueError, match="columns 1, 2 of two_scores could all be the score"):
        read_pairs(path)
    (pair_set,) = read_pairs(str(path), columns)
    assert (pair_set.left, pair_set.scores.tolist()) == (("heart", "skin"), [1, 3])


BAD = {
    "empty.tsv": ("", "empty.tsv holds no pair; give"),
    "titles.tsv": ("term1\tterm2\tscore\n", "titles.tsv holds no pair; give"),
    "two.tsv": ("heart\tliver\nskin\tbone\n", "no column of two holds scores"),
    "second.tsv": ("heart\tliver\t3\nskin\tbone\tx\n", "line 2: no column of second holds scores"),
    "one_term.tsv": ("heart\t1\t2.5\nskin\t5\t2\n", "could all be the score|no two columns"),
    "no_terms.tsv": ("1\t2.5\t3.5\n9\t3\t2\n", "could all be the score|no two columns"),
    "score.tsv": ("a\tb\t1\n" * 20 + "a\tb\tx\n", "line 21: column 3 has x, not a score"),
    "missing.tsv": ("a\tb\t1\n" * 20 + "a\tb\t\n", "line 21: column 3 has nothing, not a sc"),
    "nan.tsv": ("a\tb\t1\n\n" * 4 + "a\tb\tnan\n", "line 9: column 3 has nan, not a score"),
    "first.tsv": ("a\tb\tn/a\n" + "a\tb\t1\n" * 20, "line 1: column 3 has n/a, not a score"),
    "inf.tsv": ("a\tb\tinf\n" + "a\tb\t1\n" * 20, "line 1: column 3 has inf, not a score"),
    "low.tsv": ("a\tb\t-Infinity\n" + "a\tb\t1\n" * 9, "line 1: column 3 has -Infinity, not"),
    "most.tsv": ("a\tb\t1e400\n" + "a\tb\t1\n" * 9, "line 1: column 3 has 1e400, not a score"),
    "spoiled.tsv": ("a\tb\t3.5x\n" + "a\tb\t1\n" * 20, "line 1: column 3 has 3.5x, not a score"),
    "term.tsv": ("a\tb\t1\n" * 9 + "a\t \t1\n", "line 10: column 2 has no term"),
    "short.tsv": ("a\tb\t1\n" * 9 + "a\tb\n", "line 10: it has 2 columns, not the 3"),
    "quote.csv": ('a,b,1\nc,"d,2\ne,f,2\n', "line 3: unexpected end of data; check its quotation"),
    "rows.csv": (
        "a,b,1\n" * 300 + 'c,"d,2\ne,f",2\ng,h,3\n',
        "line 302: a quoted cell goes on in the next line; check its quotation",
    ),
    "json.json": ('{"a": [1,\n2', "line 2: .*; it is no JSON"),
    "deep.json": ("[" * 100_000, "no JSON that can be read"),
    "scalar.json": ("5", "holds no pairs"),
    "none.json": ("{}", "holds no pairs"),
    "set.json": ('{"Mayo": {"source": [], "target": [], "sims": []}}', "holds no pair in Mayo"),
    "uneven.json": (
        '{"Mayo": {"source": ["a", "b"], "target": ["c", "d"], "sims": [1]}}',
        "pair 2 of Mayo: column 3 has nothing",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_wrong_is_said_with_its_line(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    text, message = BAD[name]
    path.write_text(text)
    with pytest.raises(ValueError, match=message) as error:
        read_pairs(path)
    assert str(path) in str(error.value)


def test_files_that_are_no_text(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="cannot be read"):
        read_pairs(tmp_path / "nowhere.tsv")
    with pytest.raises(ValueError, match="cannot be read"):
        read_pairs(tmp_path)
    path = tmp_path / "latin.tsv"
    path.write_bytes("heart\tliver\t1\ncœur\tfièvre\t2\n".encode("cp1252"))
    with pytest.raises(ValueError, match="line 2: it is not UTF-8"):
        read_pairs(path)
    for content, kind in ((b"PK\x03\x04", "a workbook"), ("a\tb\t1".encode("utf-16"), "UTF-16")):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=f"{kind}.*save it as CSV"):
            read_pairs(path)
    cut = tmp_path / "cut.tsv.gz"
    cut.write_bytes(gzip.compress(b"heart\tliver\t1\n" * 100)[:-12])
    with pytest.raises(ValueError, match="cannot be read"):
        read_pairs(cut)


@pytest.mark.parametrize("columns", [["1", "2"], ["1", "2", "9"], ["term", "2", "3"]])
def test_columns_that_are_not_there(columns: list[str], tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text("heart\tliver\t1\n")
    with pytest.raises(ValueError, match="columns"):
        read_pairs(path, columns)


cells = st.text(st.characters(categories=["L"]), min_size=1, max_size=8).map(composed)


@given(st.lists(st.tuples(cells, cells, st.floats(0, 1600, width=32)), min_size=2, max_size=6))
def test_whatever_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[str, str, float]]
) -> None:
    path = tmp_path_factory.getbasetemp() / "written.tsv"
    path.write_text("".join(f"{x}\t{y}\t{score!r}\n" for x, y, score in pairs), encoding="utf-8")
    (pair_set,) = read_pairs(path)
    assert list(zip(pair_set.left, pair_set.right, pair_set.scores, strict=True)) == pairs


@given(st.binary(max_size=80), st.sampled_from(["x.tsv", "x.json", "x.csv.gz"]))
def test_no_file_ends_in_anything_but_a_sentence(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, name: str
) -> None:
    path = tmp_path_factory.getbasetemp() / name
    path.write_bytes(content)
    try:
        messages = [len(pair) > 0 for pair in read_pairs(path)]
    except ValueError as error:
        messages = [str(path) in str(error)]
    assert messages
    assert all(messages)


def test_each_term_is_known_once() -> None:
    pairs = PairSet("x", ("a", "b", "a"), ("b", "c", "a"), np.array([1.0, 2, 3]))
    terms, left, right = pairs.terms()
    assert [terms[index] for index in left] == ["a", "b", "a"]
    assert [terms[index] for index in right] == ["b", "c", "a"]
    assert sorted(terms) == ["a", "b", "c"]


def test_pair_sets_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="do not fit"):
        PairSet("x", ("a",), ("b", "c"), np.array([1.0]))
    with pytest.raises(ValueError, match="not a finite"):
        PairSet("x", ("a",), ("b",), np.array([np.nan]))


def test_files_of_made_pairs_with_labels_concepts_and_distances_are_understood(
    tmp_path: Path,
) -> None:
    path = tmp_path / "replaced_by-easy-random.tsv"
    rows = [
        ("fracture of hip", "hip fracture", 1, "DOID:4", "DOID:4", 14),
        ("fracture of hip", "mumps", 0, "DOID:4", "", 13),
        ("type 2", "type II", 1, "", "", 5),
    ]
    lines = ["left\tright\tlabel\tleft_concept\tright_concept\tdistance"]
    lines += ["\t".join(map(str, row)) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    (pair_set,) = read_pairs(path)
    assert pair_set.name == "replaced_by-easy-random"
    assert list(zip(pair_set.left, pair_set.right, pair_set.scores, strict=True)) == [
        row[:3] for row in rows
    ]


def test_columns_of_very_long_files_are_told_by_their_first_rows(tmp_path: Path) -> None:
    path = tmp_path / "long.tsv"
    lines = [f"a term {n}\tanother {n}\t{n % 2}\t{n}" for n in range(6000)]
    path.write_text("left\tright\tlabel\tdistance\n" + "\n".join(lines), encoding="utf-8")
    (pair_set,) = read_pairs(path)
    assert len(pair_set) == 6000
    assert (pair_set.left[-1], pair_set.scores[-1]) == ("a term 5999", 1)


@pytest.mark.parametrize("before", [0, 300])
def test_quotation_marks_may_be_part_of_terms_between_tabs(tmp_path: Path, before: int) -> None:
    path = tmp_path / "quotes.tsv"
    lines = [f"term {n}\tanother {n}\t{n % 2}" for n in range(before)]
    lines += ['"Butterfly" rash\tmalar rash\t1', '5" nail\tthe "nail"\t0']
    lines += ['"whole term"\t"so ""called"""\t1', '"\tditto\t0']
    lines += ['"begun\tand\t1', 'not\tended"\t0']
    path.write_text("left\tright\tlabel\n" + "\n".join(lines) + "\n", encoding="utf-8")
    (pair_set,) = read_pairs(path)
    assert list(zip(pair_set.left, pair_set.right, strict=True))[before:] == [
        ('"Butterfly" rash', "malar rash"),
        ('5" nail', 'the "nail"'),
        ("whole term", 'so "called"'),
        ('"', "ditto"),
        ('"begun', "and"),
        ("not", 'ended"'),
    ]


def test_a_nul_in_a_term_is_refused_with_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "nul.tsv"
    for title in ("left\tright\tlabel", "left\tright\tscore"):
        path.write_text(f"{title}\ngout\tflu\t1\nco\0ld\tflu\t0\n", "utf-8")
        with pytest.raises(ValueError, match=r"nul\.tsv, line 3: it holds a NUL"):
            read_pairs(path)
