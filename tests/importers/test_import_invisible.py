"""Characters that nobody sees are no part of ids and names, whatever the format."""

import json

import pytest
from importing import names, read, write

from termexplorer.importers.text.text import clean

GRAPH = {
    "graphs": [
        {
            "id": "toy",
            "nodes": [
                {"id": "T:1", "lbl": "one", "type": "CLASS"},
                {"id": "T:2", "lbl": "keto\u00adacidosis", "type": "CLASS"},
            ],
            "edges": [{"sub": "T:2", "pred": "is_a", "obj": "T:1\u200b"}],
        }
    ]
}
FILES = {
    "table": "id,name,parents\nT:1,one,\nT:2,keto\u00adacidosis,T:1\u200b\n",
    "dictionary": "T:1\u200b||one\nT:2||keto\u00adacidosis\n",
    "obo": "format-version: 1.2\nontology: toy\n\n[Term]\nid: T:1\nname: one\n\n"
    "[Term]\nid: T:2\nname: keto\u00adacidosis\nxref: X:1\u200b\nis_a: T:1\n",
    "obographs": json.dumps(GRAPH),
    "rdf": "@prefix s: <http://www.w3.org/2004/02/skos/core#> .\n"
    '<http://x.org/1> a s:Concept ; s:prefLabel "one" .\n'
    '<http://x.org/2> a s:Concept ; s:prefLabel "keto\u00adacidosis" .\n',
    "mesh-tree": "Tree Number\tDesc Ui\tTerm\nC01\tD1\u200b\tone\n"
    "C01.001\tD2\tketo\u00adacidosis\n",
    "pubtator": "1|t|keto\u00adacidosis\n1|a|\n1\t0\t13\tketo\u00adacidosis\tDisease\tT:2\n",
}


@pytest.mark.parametrize("format_name", FILES)
def test_they_are_dropped_and_counted_in_every_format(tmp_path, format_name):
    imported = read(format_name, write(tmp_path, "toys", FILES[format_name]))
    assert "ketoacidosis" in [name for concept in imported.concepts for name in names(concept)]
    ids = [
        *(
            text
            for concept in imported.concepts
            for text in (concept.curie, concept.code, *concept.parents)
        ),
        *(text for link in imported.links for text in (link.child, link.parent)),
    ]
    assert all(text.isprintable() for text in ids)
    assert imported.note("invisible") >= 1
    assert "U+00AD" in next(note.text for note in imported.notes if note.kind == "invisible")


def test_ids_and_names_that_differ_by_them_alone_are_one(tmp_path):
    text = "id,name\nT1,one\nT1\u200b,o\u00adne\n\ufeffT1,\u00a0one\nMES\u200bH:D1,two\n"
    imported = read("table", write(tmp_path, "toys.csv", text))
    assert {concept.curie for concept in imported.concepts} == {"toys:T1", "MESH:D1"}
    assert names(imported.concepts[0]) == ["one"]
    assert (imported.note("invisible"), imported.note("no-break spaces")) == (4, 1)
    dropped = next(note.text for note in imported.notes if note.kind == "invisible")
    assert "U+00A0" not in dropped


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\u00a0b", "a b"),
        ("a\u200db", "ab"),
        ("\u0645\u06cc\u200c\u0634\u0648\u062f", "\u0645\u06cc\u200c\u0634\u0648\u062f"),
        ("\u200e\u05d0\u200f", "\u05d0"),
        ("one\x07", "one"),
        ("\U000e0041x", "x"),
    ],
)
def test_what_a_script_needs_stays(text, shown):
    assert clean(text) == shown


def test_a_file_without_them_says_nothing(tmp_path):
    imported = read("table", write(tmp_path, "toys.csv", "id,name\nT1,one\nT2,caf\u00e9\n"))
    assert imported.note("invisible") == 0
