import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from importing import names, read, write

from termexplorer.errors import UserError
from termexplorer.importers.records import NameRecord


def dictionary(tmp_path, text, name="toys_2012-07-06.txt", **options):
    return read("dictionary", write(tmp_path, name, text), **options)


def test_a_line_is_a_concept(tmp_path):
    imported = dictionary(tmp_path, "D000001|C000002||one|first|ONE\n\n100300||two\n")
    first, second = imported.concepts
    assert (first.curie, first.code, first.line) == ("toys:D000001", "D000001", 1)
    assert first.alternative_ids == ("toys:C000002",)
    assert first.names == (NameRecord("one", "preferred"), NameRecord("first", "synonym"))
    assert imported.note("repeated names") == 1
    assert (second.curie, second.line) == ("toys:100300", 3)
    assert (imported.header.terminology, imported.header.version) == ("toys", "2012-07-06")


@pytest.mark.parametrize(
    ("identifier", "curie"),
    [
        ("MESH:D000001", "MESH:D000001"),
        ("http://purl.obolibrary.org/obo/DOID_4", "DOID:4"),
        ("C100", "toys:C100"),
        ("C0018681", "UMLS:C0018681"),
        ("C12345678", "toys:C12345678"),
        ("D003924", "toys:D003924"),
        ("12", "toys:12"),
    ],
)
def test_bare_ids_get_the_terminology_s_prefix(tmp_path, identifier, curie):
    assert dictionary(tmp_path, f"{identifier}||name\n").concepts[0].curie == curie


def test_the_terminology_can_be_given(tmp_path):
    imported = dictionary(tmp_path, "7||seven\n", terminology="My Words")
    assert imported.header.terminology == "my_words"
    assert imported.concepts[0].curie == "my_words:7"


def test_a_vocabulary_that_is_given_has_its_prefix(tmp_path):
    imported = dictionary(tmp_path, "D003924|C0011860||one\n", terminology="MeSH")
    assert imported.concepts[0].curie == "MESH:D003924"
    assert imported.concepts[0].alternative_ids == ("UMLS:C0011860",)


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("icd9.csv", "icd9"),
        ("icd10.csv", "icd10"),
        ("ICD-10.csv", "icd-10"),
        ("icd10_2024.txt", "icd10"),
        ("icd10-2024-01-31.txt", "icd10"),
        ("icd10gm2024.txt", "icd10gm"),
        ("words v2.txt", "words"),
        ("words_20240131.txt.gz", "words"),
        ("hpv16.txt", "hpv16"),
        ("2024.txt", "2024"),
    ],
)
def test_a_key_loses_its_release_and_nothing_else(tmp_path, name, key):
    assert dictionary(tmp_path, "7||seven\n", name=name).header.terminology == key


def test_lines_that_are_no_concept_are_skipped_with_their_reason(tmp_path):
    imported = dictionary(tmp_path, "D000001||one\nno bars\n||no id\nD000002|| |\n")
    assert [(skipped.line, skipped.reason[:7]) for skipped in imported.skipped] == [
        (2, "no `||`"),
        (3, "no id i"),
        (4, "no name"),
    ]


@given(st.lists(st.text(st.sampled_from("ab|:D0 \t\r\x1c\u2028é"), max_size=12), max_size=6))
def test_no_text_is_a_bug(tmp_path_factory, lines):
    with contextlib.suppress(UserError):
        imported = dictionary(tmp_path_factory.mktemp("any"), "\n".join(lines))
        assert all(concept.curie and concept.names for concept in imported.concepts)


name = st.text(st.sampled_from("abc é,'\"-"), min_size=1, max_size=9).map(str.split).map(" ".join)
entries = st.lists(st.lists(name.filter(bool), min_size=1, max_size=4), min_size=1, max_size=6)


@given(entries)
def test_what_is_written_is_read(tmp_path_factory, entries):
    lines = (f"T:{i}||{'|'.join(entry)}\n" for i, entry in enumerate(entries))
    imported = dictionary(tmp_path_factory.mktemp("trip"), "".join(lines))
    assert not imported.skipped
    for number, (concept, entry) in enumerate(zip(imported.concepts, entries, strict=True)):
        expected = {synonym.casefold(): synonym for synonym in reversed(entry)}
        assert concept.curie == f"T:{number}"
        assert names(concept)[0] == entry[0]
        assert sorted(names(concept)) == sorted(expected.values())
