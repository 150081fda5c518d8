import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from importing import names, read, write

from termexplorer.errors import UserError
from termexplorer.importers.records import NameRecord

HEADER = """format-version: 1.2
data-version: releases/2016-03-04
remark: Licensed under a Creative Commons Attribution licence.
idspace: EX http://example.org/
ontology: toy

"""
TERM = """[Term]
id: T:2
name: second   one ! a comment
alt_id: T:22
def: "What it \\"is\\"." [X:1]
synonym: "two" EXACT [X:1]
synonym: "Second One" RELATED []
synonym: "zwei" BROAD LATIN []
xref: MESH:D1 "a text"
is_a: T:1 {source="x"} ! first
is_a: http://purl.obolibrary.org/obo/T_0
is_a: T:1
relationship: part_of T:9
"""


def obo(tmp_path, text):
    return read("obo", write(tmp_path, "toy.obo", text))


def test_the_header_is_read(tmp_path):
    header = obo(tmp_path, HEADER + TERM).header
    assert (header.terminology, header.version) == ("toy", "2016-03-04")
    assert header.licence.startswith("Licensed under")
    assert header.prefixes == {"EX": "http://example.org/"}


def test_a_stated_licence_and_title_come_before_remarks(tmp_path):
    header = obo(
        tmp_path,
        "property_value: http://purl.org/dc/terms/license https://example.org/by\n"
        'property_value: dc:title "The toys" xsd:string\n' + HEADER + TERM,
    ).header
    assert header.licence == "https://example.org/by"
    assert header.title == "The toys"


def test_a_terminology_that_is_known_has_the_note_on_its_licence(tmp_path):
    header = obo(tmp_path, "ontology: hp\n\n" + TERM).header
    assert "HPO Consortium" in header.licence


def test_a_term_is_read_whole(tmp_path):
    imported = obo(tmp_path, HEADER + TERM)
    (concept,) = imported.concepts
    assert (concept.curie, concept.code, concept.line) == ("T:2", "T:2", 7)
    assert concept.names == (
        NameRecord("second one", "preferred"),
        NameRecord("two", "synonym", "EXACT"),
        NameRecord("zwei", "synonym", "BROAD"),
    )
    assert concept.definition == 'What it "is".'
    assert concept.parents == ("T:1", "T:0")
    assert concept.alternative_ids == ("T:22",)
    assert concept.cross_references == ("MESH:D1",)
    assert not concept.obsolete
    assert not imported.skipped


def test_obsolete_terms_keep_what_replaces_them(tmp_path):
    more = "is_obsolete: true\nreplaced_by: T:3\nconsider: T:4\nconsider: T:5\n"
    (concept,) = obo(tmp_path, HEADER + TERM + more).concepts
    assert concept.obsolete
    assert concept.replaced_by == ("T:3",)
    assert concept.consider == ("T:4", "T:5")


def test_one_bad_clause_costs_no_more_than_itself(tmp_path):
    text = HEADER + TERM + "xref: a b c\nis_a: T:7\n\n[Term]\nid: T:3\nname: third\n"
    imported = obo(tmp_path, text)
    assert [concept.curie for concept in imported.concepts] == ["T:2", "T:3"]
    assert imported.concepts[0].parents == ("T:1", "T:0", "T:7")
    (skipped,) = imported.skipped
    assert skipped.line == text.split("\n").index("xref: a b c") + 1
    assert "xref does not parse" in skipped.reason


def test_malformed_sources_do_not_cost_the_text(tmp_path):
    bad = 'def: "A text." [a b c, url:http\\://x.y]\nsynonym: "uno" NARROW [a b]\n'
    imported = obo(tmp_path, HEADER + "[Term]\nid: T:1\nname: one\n" + bad)
    assert imported.concepts[0].definition == "A text."
    assert imported.concepts[0].names[1] == NameRecord("uno", "synonym", "NARROW")
    assert [skipped.line for skipped in imported.skipped] == [10, 11]


def test_old_forms_of_synonyms_are_read(tmp_path):
    old = 'exact_synonym: "uno" []\nsynonym: "ein" []\n'
    imported = obo(tmp_path, HEADER + "[Term]\nid: T:1\nname: one\n" + old)
    assert [name.scope for name in imported.concepts[0].names] == ["", "EXACT", "RELATED"]
    assert not imported.skipped


def test_braces_in_a_name_are_part_of_it(tmp_path):
    imported = obo(tmp_path, HEADER + "[Term]\nid: T:1\nname: T cell {CD4} of a kind\n")
    assert names(imported.concepts[0]) == ["T cell {CD4} of a kind"]
    assert not imported.skipped


def test_terms_without_name_or_id_and_other_stanzas(tmp_path):
    text = HEADER + "[Term]\nid: T:1\n\n[Term]\nname: no id\n\n[Typedef]\nid: part_of\nname: p\n"
    imported = obo(tmp_path, text + "\n[Term]\nid: a b\nname: bad id\n\nnonsense\n")
    assert [names(concept) for concept in imported.concepts] == [["T:1"]]
    assert imported.note("without name") == imported.note("typedef") == 1
    assert sorted(skipped.line for skipped in imported.skipped) == [10, 17, 21]


def test_without_an_ontology_the_namespace_or_the_prefixes_join_releases(tmp_path):
    terms = "[Term]\nid: X:1\n\n[Term]\nid: T:1\n\n[Term]\nid: T:2\n"
    by_prefix = obo(tmp_path, "format-version: 1.4\n" + terms)
    assert by_prefix.header.terminology == "t"
    assert by_prefix.note("terminology") == 1
    by_namespace = obo(tmp_path, "default-namespace: toys\n" + terms)
    assert by_namespace.header.terminology == "toys"


def test_lines_are_joined_by_a_backslash_and_comments_are_passed_over(tmp_path):
    text = "! nothing\n" + HEADER + "[Term] ! a term\nid: T:1\nname: one \\\nlong name\n"
    (concept,) = obo(tmp_path, text).concepts
    assert names(concept) == ["one long name"]


@pytest.mark.parametrize("cut", ["[Ter", 'synonym: "tw', "na", "is_obsolete: tr"])
def test_a_file_cut_in_the_middle_of_a_line_is_refused(tmp_path, cut):
    with pytest.raises(UserError, match=r"line 20: .*truncated"):
        obo(tmp_path, HEADER + TERM + cut)


def test_a_last_line_without_end_is_said(tmp_path):
    assert obo(tmp_path, (HEADER + TERM).rstrip()).note("may be cut") == 1


@pytest.mark.parametrize("heading", ["[Term]", "[Term]\n", "[Typedef]\n"])
def test_a_heading_alone_at_the_end_is_a_cut(tmp_path, heading):
    with pytest.raises(UserError, match=r"line 21: ends in the middle of a stanza.*truncated"):
        obo(tmp_path, HEADER + TERM + "\n" + heading)


@pytest.mark.parametrize(("end", "odd"), [("", 1), ("\n", 0), ("is_a: T:1\n", 0), ("name: x\n", 0)])
def test_a_term_that_ends_with_its_id_may_be_cut(tmp_path, end, odd):
    imported = obo(tmp_path, HEADER + TERM + "\n[Term]\nid: T:3\n" + end)
    assert len(imported.concepts) == 2
    assert imported.note("may be cut") == odd


def test_names_that_differ_in_white_space_or_case_are_counted(tmp_path):
    more = 'synonym: " two" EXACT []\nsynonym: "two" NARROW []\nsynonym: "second  ONE" EXACT []\n'
    imported = obo(
        tmp_path, HEADER + '[Term]\nid: T:2\nname: second one\nsynonym: "two" EXACT []\n' + more
    )
    assert names(imported.concepts[0]) == ["second one", "two"]
    (note,) = imported.notes
    assert (note.kind, note.count) == ("repeated names", 3)
    assert "in 2 of them the white space differs" in note.text


def test_a_chain_of_20_000_terms_streams_through(tmp_path):
    terms = (f"[Term]\nid: T:{i}\nname: n{i}\nis_a: T:{i + 1}\n" for i in range(20_000))
    imported = obo(tmp_path, HEADER + "\n".join(terms))
    assert len(imported.concepts) == 20_000
    assert imported.concepts[-1].parents == ("T:20000",)


text = st.text(st.characters(codec="utf-8"), max_size=30)


@given(st.lists(text | st.sampled_from([*TERM.split("\n"), "[Term]", "id: T:1"]), max_size=12))
def test_no_text_is_a_bug(tmp_path_factory, lines):
    path = write(tmp_path_factory.mktemp("any"), "any.obo", "\n".join(lines))
    with contextlib.suppress(UserError):
        assert all(concept.names for concept in read("obo", path).concepts)


word = st.from_regex(r"[a-zA-Z][a-z\"\\\[\]()' é-]{0,8}[a-z]", fullmatch=True)
phrase = st.lists(word, min_size=1, max_size=3).map(lambda words: " ".join(" ".join(words).split()))


@st.composite
def ontologies(draw):
    return [
        (number, draw(phrase), draw(st.lists(phrase, max_size=3)), draw(st.sets(st.integers(0, 9))))
        for number in range(draw(st.integers(1, 8)))
    ]


def escaped(value):
    return value.replace("\\", "\\\\").replace('"', '\\"')


def as_obo(terms):
    for number, name, synonyms, parents in terms:
        yield f"[Term]\nid: T:{number}\nname: {escaped(name)}\n"
        yield from (f'synonym: "{escaped(synonym)}" NARROW []\n' for synonym in synonyms)
        yield from (f"is_a: T:{parent}\n" for parent in parents)


@given(ontologies())
def test_what_is_written_is_read(tmp_path_factory, terms):
    path = write(tmp_path_factory.mktemp("trip"), "trip.obo", HEADER + "".join(as_obo(terms)))
    imported = read("obo", path)
    assert not imported.skipped
    for concept, (number, name, synonyms, parents) in zip(imported.concepts, terms, strict=True):
        expected = {synonym.casefold(): synonym for synonym in reversed([name, *synonyms])}
        assert concept.curie == f"T:{number}"
        assert names(concept)[0] == name
        assert sorted(names(concept)) == sorted(expected.values())
        assert set(concept.parents) == {f"T:{parent}" for parent in parents}


@pytest.mark.parametrize(
    ("written", "name", "comments"),
    [
        ("BS3!Hydrolyzed", "BS3!Hydrolyzed", 0),
        ("X! Tandem ! an engine", "X! Tandem", 1),
        ("!Kung", "!Kung", 0),
        ("BS3 !c", "BS3", 1),
        (r"say \! it!", "say ! it!", 0),
        (r"a\\!b", r"a\!b", 0),
        ("cell {CD4!} ! c", "cell {CD4!}", 1),
        ('one {source="x"} ! c', "one", 1),
    ],
)
def test_a_comment_begins_only_after_a_blank(tmp_path, written, name, comments):
    imported = obo(tmp_path, HEADER + f"[Term]\nid: T:1\nname: {written}\n")
    assert names(imported.concepts[0]) == [name]
    assert imported.note("comments") == comments
    assert not imported.skipped


PROPERTIES = r"""[Term]
id: T:1
name: assay
property_value: IAO:0000118 "measuring procedure" xsd:string
property_value: http\://purl.obolibrary.org/obo/IAO_0000118 "gauging" xsd:string {source="x"}
property_value: skos:altLabel "not typed"
property_value: oboInOwl:hasNarrowSynonym "blood assay" xsd:string
property_value: IAO:0100001 T:2
property_value: skos:exactMatch MESH:D1
property_value: owl:deprecated "true" xsd:boolean
property_value: IAO:0000112 "an example" xsd:string
comment: not read
relationship: part_of T:9
relationship: part_of T:8
relationship: has_part T:7
"""


def test_properties_that_say_what_clauses_say_are_read_and_others_are_told(tmp_path):
    imported = obo(tmp_path, HEADER + PROPERTIES)
    (concept,) = imported.concepts
    assert names(concept) == ["assay", "blood assay", "measuring procedure", "gauging", "not typed"]
    assert [name.scope for name in concept.names] == ["", "NARROW", "", "", ""]
    assert (concept.obsolete, concept.replaced_by) == (True, ("T:2",))
    assert concept.cross_references == ("MESH:D1",)
    assert not imported.skipped
    text_by_kind = {note.kind: note.text.partition(": ")[2] for note in imported.notes}
    assert text_by_kind == {
        "relationships": "part_of 2, has_part 1",
        "other clauses": "comment 1, property_value IAO:0000112 1",
    }


def test_a_second_stanza_of_a_term_needs_no_name(tmp_path):
    imported = obo(tmp_path, HEADER + TERM + "[Term]\nid: T:2\nis_obsolete: true\n")
    assert imported.note("without name") == 0
