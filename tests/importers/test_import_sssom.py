"""SSSOM/TSV files: heads, tables, and what is refused."""

import csv
import gzip
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from termexplorer.errors import UserError
from termexplorer.exporters.sssom import joined, write_sssom
from termexplorer.importers.sssom.sssom import read_sssom, values

COLUMNS = "subject_id\tpredicate_id\tobject_id\tmapping_justification"
ROW = "A:1\tskos:exactMatch\tB:1\tsemapv:LexicalMatching"
FIRST = dict(zip(COLUMNS.split("\t"), ROW.split("\t"), strict=True))
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
words = texts.filter(bool)


def write(folder: Path, text: str | bytes, name: str = "set.sssom.tsv") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def refusal(folder: Path, text: str | bytes) -> str:
    with pytest.raises(UserError) as caught:
        read_sssom(write(folder, text))
    assert str(folder / "set.sssom.tsv") in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        f"{COLUMNS}\n{ROW}\n",
        f"{COLUMNS}\r\n{ROW}\r\n",
        f"\ufeff{COLUMNS}\n{ROW}",
        f"{COLUMNS}\n\n{ROW}\n\n",
        f'"{COLUMNS}"\n"{ROW}"\n'.replace("\t", '"\t"'),
    ],
)
def test_no_head_is_fine(tmp_path: Path, text: str) -> None:
    sssom_set = read_sssom(write(tmp_path, text))
    assert (sssom_set.head, sssom_set.rows) == ({}, [FIRST])


def test_a_head_is_kept_as_its_texts(tmp_path: Path) -> None:
    lines = [
        "curie_map:",
        '  A: "http://a/"\t\t\t',  # as spreadsheets leave it
        "mapping_set_version: 1.10",
        "mapping_date: 2020-05-30",
        "license:",
        "creator_id: [a, b]",
        "other: no",
        "comment: |",
        "  two",
        "  lines",
    ]
    for start in ("#", "# "):
        head = "".join(f"{start}{line}\n" for line in lines)
        sssom_set = read_sssom(write(tmp_path, f"{head}{COLUMNS}\n{ROW}\n"))
        assert sssom_set.head == {
            "curie_map": {"A": "http://a/"},
            "mapping_set_version": "1.10",
            "mapping_date": "2020-05-30",
            "creator_id": ["a", "b"],
            "other": "no",
            "comment": "two\nlines\n",
        }
        assert sssom_set.lines == [12]


@pytest.mark.parametrize("name", ["set.sssom.yml", "set.yml", "set.sssom.yaml"])
def test_a_head_may_be_a_file_of_its_own(tmp_path: Path, name: str) -> None:
    write(tmp_path, "mapping_set_id: http://x/\n", name)
    zipped = gzip.compress(f"{COLUMNS}\n{ROW}\n".encode())
    for path in (
        write(tmp_path, f"{COLUMNS}\n{ROW}\n"),
        write(tmp_path, zipped, "set.sssom.tsv.gz"),
        write(tmp_path, f"{COLUMNS}\n{ROW}\n", "set.tsv"),
    ):
        assert read_sssom(path).head == {"mapping_set_id": "http://x/"}
    write(tmp_path, "a: *b\n", name)
    with pytest.raises(UserError, match=rf"{name}, line 1"):
        read_sssom(tmp_path / "set.tsv")


def test_literals_and_nothing_found(tmp_path: Path) -> None:
    columns = f"{COLUMNS}\tsubject_type\tsubject_label"
    literal = "\tskos:exactMatch\tsssom:NoTermFound\tsemapv:X\trdfs literal\ta | b"
    (row,) = read_sssom(write(tmp_path, f"{columns}\n{literal}\n")).rows
    assert (row["subject_label"], row["object_id"]) == ("a | b", "sssom:NoTermFound")
    of_all = f"#subject_type: rdfs literal\n{columns}\n{literal.replace('rdfs literal', '')}\n"
    assert read_sssom(write(tmp_path, of_all)).rows[0]["subject_label"] == "a | b"
    without = f"subject_label\tsubject_type{COLUMNS.removeprefix('subject_id')}\n"
    apart = f"{without}a\trdfs literal\tskos:exactMatch\tB:1\tsemapv:X\n"
    assert read_sssom(write(tmp_path, apart)).rows[0]["subject_label"] == "a"
    other = f"{columns}\n{literal.replace('rdfs literal', 'owl class')}\n"
    assert "line 2: subject_id is empty" in refusal(tmp_path, other)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (f"{COLUMNS}\n{ROW}\tmore\n", "line 2: 5 cells, but there are 4 columns"),
        (f"{COLUMNS}\n{ROW}\nA:2\n", "line 3: 1 cells"),
        ("#a: b\nsubject_id\tobject_id\n", "line 2: no column predicate_id"),
        (COLUMNS.replace("\t", ","), "line 1: no column subject_id"),
        (f"{COLUMNS}\tsubject_id\n", "subject_id stands there twice"),
        (f"{COLUMNS}\t\n", "a column has no title"),
        ("#a: b\n", "no table below the head"),
        (f'{COLUMNS}\n{ROW}\n"A:2\tx\ty\tz\n', "line 3: unexpected end of data"),
        (f'{COLUMNS}\n"A"1\tx\ty\tz\n', "line 2: '\t' expected after '\"'"),
        (f"{COLUMNS}\nA:1\t\tB:1\tx\n", "line 2: predicate_id is empty"),
        (f"#a: b\n#  c: d\n{COLUMNS}\n", "line 2: the head cannot be read"),
        (f"#a: b\n#curie_map: c\n{COLUMNS}\n", "line 2: the head cannot be read: curie_map is to"),
        (f"#mapping_date: [a]\n{COLUMNS}\n", "mapping_date is to be a text"),
        (f"#- a\n{COLUMNS}\n", "line 1: the head cannot be read: it is no list of slots"),
        (f"#a: b\n#a: c\n{COLUMNS}\n", "line 2: the head cannot be read: a stands there twice"),
        (f"#a: &x b\n#c: *x\n{COLUMNS}\n", "line 1: the head cannot be read: SSSOM allows no"),
        (f"#a: !!python/object/apply:os.abort []\n{COLUMNS}\n", "SSSOM allows no anchors"),
        (f"#%YAML 1.2\n#---\n#a: b\n{COLUMNS}\n", "SSSOM allows no anchors"),
        (f"#a: {'[' * 10_000}\n{COLUMNS}\n", "more than 20 levels deep"),
        (f"#a: b\x07\n{COLUMNS}\n", "line 1: the head holds a character that YAML forbids"),
        (f'#a: "\\ud800"\n{COLUMNS}\n', "half a character"),
        (f"#a: b\n{COLUMNS}\n{ROW}\n".encode() + b"A:2\xff\n", "line 4: not UTF-8"),
        (f"{COLUMNS}\n{ROW}".encode("utf-16"), "UTF-16"),
        (f"{COLUMNS}\n{'a' * 70_000}\n\0".encode(), "line 3: binary"),
        (b"", "is empty"),
    ],
)
def test_what_is_no_sssom_is_refused_with_its_line(
    tmp_path: Path, text: str | bytes, says: str
) -> None:
    assert says in refusal(tmp_path, text)


ROW = "X:1\tskos:exactMatch\tY:1\tsemapv:ManualMappingCuration"


@pytest.mark.parametrize("slot", ["mapping_date", "publication_date", "review_date"])
@pytest.mark.parametrize(
    ("day", "fault"),
    [
        ("9999-99-99", "is no date"),
        ("20230228", "is no date"),  # sorted as a text, it is after all days of its year
        ("2023-W09-2", "is no date"),
        ("1601-01-01", "is no date"),
        ("2023-02-30", "is no date"),
        ("yesterday", "is no date"),
        ("9999-01-01", "is still to come"),
    ],
)
def test_dates_that_cannot_be_are_refused(tmp_path: Path, slot: str, day: str, fault: str) -> None:
    columns = "subject_id\tpredicate_id\tobject_id\tmapping_justification"
    path = tmp_path / "any.sssom.tsv"
    for line, text in (
        (2, f"{columns}\t{slot}\n{ROW}\t{day}\n"),
        (1, f"#{slot}: {day}\n{columns}\n{ROW}\n"),
    ):
        path.write_text(text)
        with pytest.raises(UserError, match=f"line {line}: {slot}: '{day}' {fault}"):
            read_sssom(path)
        path.write_text(text.replace(day, "2023-02-28"))
        assert len(read_sssom(path).rows) == 1


@given(st.lists(texts))
@example(["a|b\\", "\\|", ""])
def test_several_values_of_a_slot_come_back(slot_values: list[str]) -> None:
    assert values(joined(slot_values)) == (slot_values if slot_values != [""] else [])


FORMS = ("curie_map", "extension_definitions", "mapping_set_source", "mapping_date")
slots = st.recursive(texts, lambda x: st.lists(x) | st.dictionaries(words, x), max_leaves=6)
CHECKED = ("publication_date", "review_date", "confidence", "similarity_score", *FORMS)
heads = st.dictionaries(words.filter(lambda slot: slot not in CHECKED), slots)
rows = st.lists(
    st.dictionaries(
        words.map(str.strip).filter(lambda w: w[:1] not in "#" and w not in CHECKED), words
    ).map(lambda row: FIRST | row)
)


@given(heads, rows)
@example({"mapping_date": "2020-01-01", "mapping_set_confidence": "0.80"}, [])
@example({"mapping_date": "", "mapping_set_confidence": "-"}, [])
@example({"curie_map": {"A": "http://a"}, "mapping_set_source": ["a", "b"]}, [])
def test_any_texts_come_back(
    tmp_path_factory: pytest.TempPathFactory,
    head: dict[str, object],
    rows: list[dict[str, str]],
) -> None:
    path = tmp_path_factory.getbasetemp() / "texts.sssom.tsv"
    write_sssom(path, head, rows)
    sssom_set = read_sssom(path)
    assert sssom_set.head == head
    assert sssom_set.rows == rows


HARMFUL = (
    "=1+1",
    "'=1+1",
    "''@x",
    "＝1",
    "|cmd",
    "｜cmd",
    "+1+1",
    "-1-2",
    "-1",
    "\tx",
    "\r=1",
    "'-ol",
)


@given(st.lists(st.sampled_from(HARMFUL) | texts, min_size=1))
def test_what_a_spreadsheet_would_run_is_escaped_and_comes_back(
    tmp_path_factory: pytest.TempPathFactory, labels: list[str]
) -> None:
    path = tmp_path_factory.getbasetemp() / "harmful.sssom.tsv"
    rows = [FIRST | {"subject_label": label, "=other": "x"} for label in labels if label]
    write_sssom(path, {"mapping_set_id": "http://a"}, rows)
    assert read_sssom(path).rows == rows
    with path.open(encoding="utf-8", newline="") as file:
        table = csv.reader((line for line in file if not line.startswith("#")), "excel-tab")
        cells = [cell for row in table for cell in row]
    signs = ("=", "+", "-", "@", "|", "＝", "\t")
    assert {cell for cell in cells if cell.startswith(signs)} <= {"-1"}  # a number is not run


def test_a_file_of_others_is_read_as_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "theirs.sssom.tsv"
    path.write_text(f"{COLUMNS}\tsubject_label\n{ROW}\t'-yl group\n", "utf-8")
    assert read_sssom(path).rows[0]["subject_label"] == "'-yl group"


@given(st.binary() | texts.map(str.encode))
def test_any_bytes_are_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "bytes.sssom.tsv"
    refused = []
    for before in (b"", b"#", f"#a: b\n{COLUMNS}\n".encode()):
        path.write_bytes(before + content)
        try:
            assert read_sssom(path).rows is not None
        except UserError as error:
            refused.append(str(error))
    assert all(str(path) in message for message in refused)


@pytest.mark.parametrize("slot", ["confidence", "similarity_score"])
@pytest.mark.parametrize(
    ("text", "fits"), [("0", 1), ("1.0", 1), ("87", 0), ("-0.1", 0), ("nan", 0)]
)
def test_shares_are_numbers_from_0_to_1(tmp_path: Path, slot: str, text: str, fits: int) -> None:
    table = f"{COLUMNS}\t{slot}\n{ROW}\t{text}\n"
    if fits:
        assert read_sssom(write(tmp_path, table)).rows[0][slot] == text
    else:
        assert f"line 2: {slot}: '{text}' is no number from 0 to 1" in refusal(tmp_path, table)
