import gzip
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from importing import names, read, write
from lxml import etree
from mutations import mutations, refused_or_read
from open_data import open_data

from termexplorer.errors import UserError
from termexplorer.importers.formats import detect


def order_row(number, code, billable, short, long):
    return f"{number:05} {code:7} {billable} {short:60} {long}\n"


ROWS = [
    (1, "B99", 0, "Oth infectious diseases", "Other infectious diseases"),
    (2, "T360X1A", 1, "Poisoning, init", "Poisoning, initial encounter"),
    (3, "T36", 0, "Poisoning", "Poisoning"),
    (4, "T360", 0, "Poisoning by penicillins", ""),
    (5, "T360X1", 0, "Accidental", "Accidental poisoning"),
]
LINES = [order_row(*row) for row in ROWS]
XML = """<?xml version="1.0" encoding="utf-8"?>
<ICD10CM.tabular>
  <version>2021</version>
  <introduction><introSection type="title"><title>x</title></introSection></introduction>
  <chapter>
    <name>1</name>
    <desc>Infections (A00-B99)</desc>
    <excludes2><note>carriers (Z22.-)</note><note>influenza (J09-J18).</note></excludes2>
    <sectionIndex><sectionRef id="B99">B</sectionRef></sectionIndex>
    <section id="B99">
      <desc>Other infections (B99)</desc>
      <diag>
        <name>B99</name>
        <desc>Other infectious  diseases</desc>
        <includes><note>those &amp; others</note><note>Bed sore</note></includes>
        <codeFirst><note>the cause</note></codeFirst>
        <sevenChrDef><extension char="A">initial</extension></sevenChrDef>
        <diag>
          <name>B99.8</name>
          <desc>Other</desc>
          <inclusionTerm><note>One</note><note>other</note></inclusionTerm>
        </diag>
        <odd/>
        <diag><desc>no code</desc></diag>
      </diag>
    </section>
  </chapter>
</ICD10CM.tabular>
"""


def test_an_order_file_is_read_by_its_columns_and_prefixes(tmp_path):
    path = write(tmp_path, "icd10cm-order-2021.txt", "".join([*LINES, "no row\n", "\n"]))
    assert detect(path) == "icd10cm-order"
    imported = read("icd10cm-order", path)
    assert imported.header.version == "2021"
    b99, poisoned, _, penicillins, _ = imported.concepts
    assert (b99.curie, b99.kind, names(b99)) == (
        "ICD10CM:B99",
        "category",
        ["Other infectious diseases", "Oth infectious diseases"],
    )
    assert (poisoned.code, poisoned.kind) == ("T36.0X1A", "code")
    assert poisoned.parents == ("ICD10CM:T36.0X1",)
    assert penicillins.parents == ("ICD10CM:T36",)
    assert names(penicillins) == ["Poisoning by penicillins"]
    assert [(skipped.line, "no row" in skipped.reason) for skipped in imported.skipped] == [
        (6, True)
    ]
    assert imported.fraction == 1


def test_a_tabular_list_is_read_by_its_nesting(tmp_path):
    path = write(tmp_path, "list.xml", XML)
    assert detect(path) == "icd10cm-tabular"
    imported = read("icd10cm-tabular", path)
    assert (imported.header.terminology, imported.header.version) == ("icd10cm", "2021")
    chapter, block, category, code = imported.concepts
    assert (chapter.code, chapter.kind, chapter.parents) == ("1", "chapter", ())
    assert chapter.definition == "Excludes2: carriers (Z22.-); influenza (J09-J18)."
    assert (block.curie, block.parents) == ("ICD10CM:B99-B99", ("ICD10CM:1",))
    assert (category.curie, category.kind) == ("ICD10CM:B99", "category")
    assert category.parents == ("ICD10CM:B99-B99",)
    assert category.line == 12
    assert category.definition == (
        "Includes: those & others; Bed sore. Code first: the cause. 7th characters: A initial."
    )
    assert (code.parents, names(code)) == (("ICD10CM:B99",), ["Other", "One"])
    assert [tuple(name) for name in category.names] == [
        ("Other infectious diseases", "preferred", ""),
        ("Bed sore", "synonym", "RELATED"),
    ]
    assert imported.note("7th characters") == 1
    reasons = {skipped.line: skipped.reason for skipped in imported.skipped}
    assert "after the codes" in reasons[23]
    assert "without a code" in reasons[24]


def test_other_files_are_refused(tmp_path):
    with pytest.raises(UserError, match="no line of an ICD-10-CM order file"):
        read("icd10cm-order", write(tmp_path, "a.txt", "one\ntwo\n"))
    with pytest.raises(UserError, match="no tabular list"):
        read("icd10cm-tabular", write(tmp_path, "b.xml", "<other/>"))
    with pytest.raises(UserError, match="looks like an ICD-10-CM tabular list"):
        read("obo", write(tmp_path, "c.xml", XML))
    with pytest.raises(UserError, match="no code of ICD-10-CM"):
        read("icd10cm-tabular", write(tmp_path, "d.xml", "<ICD10CM.tabular/>"))


@given(st.sampled_from(["icd10cm-order", "icd10cm-tabular"]), st.data())
def test_no_damage_is_a_bug(tmp_path_factory, form, data):
    text = {"icd10cm-order": "".join(LINES), "icd10cm-tabular": XML}[form]
    refused_or_read(form, tmp_path_factory.mktemp("any"), data.draw(mutations(text.encode())))


def test_the_order_file_of_2021_comes_in_whole():
    path = open_data("icd10cm_order_2021-01.txt.gz")
    assert detect(path) == "icd10cm-order"
    imported = read("icd10cm-order", path)
    assert len({concept.curie for concept in imported.concepts}) == 95_358
    assert imported.note("billable") == 72_621
    assert imported.skipped == []


def test_the_tabular_list_of_2021_comes_in_whole():
    path = open_data("icd10cm_tabular_2021.xml.gz")
    imported = read("icd10cm-tabular", path)
    kinds = Counter(concept.kind for concept in imported.concepts)
    assert (kinds["chapter"], kinds["block"]) == (22, 296)
    assert kinds["category"] + kinds["code"] == 45_017
    codes = [concept for concept in imported.concepts if concept.kind in ("category", "code")]
    synonyms = [sum(not name.scope for name in concept.names) - 1 for concept in codes]
    assert (sum(synonyms), sum(map(bool, synonyms))) == (11_611, 6_265)  # one is there twice
    assert imported.skipped == []
    with gzip.open(path) as file:  # all at once, and by paths
        tree = etree.parse(file)
    mine = {
        (concept.code, concept.parents[0].removeprefix("ICD10CM:"))
        for concept in codes
        if concept.kind == "code"
    }
    theirs = {
        (element.findtext("name").strip(), element.getparent().findtext("name").strip())
        for element in tree.iterfind(".//diag/diag")
    }
    assert mine == theirs
