from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from importing import names, read, write
from mutations import mutations, refused_or_read
from open_data import open_data

from termexplorer.errors import UserError
from termexplorer.importers.formats import choices_of, detect
from termexplorer.importers.records import IsARecord, NameRecord

DTD = "https://www.nlm.nih.gov/databases/dtd/nlmdescriptorrecordset_20240101.dtd"
DESCRIPTORS = f"""<?xml version="1.0"?>
<!DOCTYPE DescriptorRecordSet SYSTEM "{DTD}">
<DescriptorRecordSet LanguageCode = "eng">
<DescriptorRecord DescriptorClass = "1">
  <DescriptorUI>D000001</DescriptorUI>
  <DescriptorName><String>Calcimycin</String></DescriptorName>
  <DateCreated><Year>1974</Year></DateCreated>
  <PharmacologicalActionList><PharmacologicalAction><DescriptorReferredTo>
    <DescriptorUI>D000002</DescriptorUI><DescriptorName><String>Two</String></DescriptorName>
  </DescriptorReferredTo></PharmacologicalAction></PharmacologicalActionList>
  <SeeRelatedList><SeeRelatedDescriptor><DescriptorReferredTo>
    <DescriptorUI>D000003</DescriptorUI>
  </DescriptorReferredTo></SeeRelatedDescriptor></SeeRelatedList>
  <TreeNumberList>
    <TreeNumber>D03.633.100.221.173</TreeNumber><TreeNumber>D02.355</TreeNumber>
  </TreeNumberList>
  <ConceptList>
    <Concept PreferredConceptYN="Y">
      <ConceptUI>M0000001</ConceptUI>
      <ConceptName><String>Calcimycin</String></ConceptName>
      <RegistryNumber>37H9VM9WZL</RegistryNumber>
      <ScopeNote>An ionophorous antibiotic.
      </ScopeNote>
      <ConceptRelationList>
        <ConceptRelation RelationName="NRW">
          <Concept1UI>M0000001</Concept1UI><Concept2UI>M0353609</Concept2UI>
        </ConceptRelation>
      </ConceptRelationList>
      <TermList>
        <Term ConceptPreferredTermYN="Y" IsPermutedTermYN="N" RecordPreferredTermYN="Y">
          <TermUI>T000002</TermUI><String>Calcimycin</String>
        </Term>
        <Term IsPermutedTermYN="N"><String>A-0</String></Term>
      </TermList>
    </Concept>
    <Concept PreferredConceptYN="N">
      <ConceptUI>M0353609</ConceptUI>
      <ConceptRelationList>
        <ConceptRelation RelationName="NRW">
          <Concept1UI>M0000001</Concept1UI><Concept2UI>M0353609</Concept2UI>
        </ConceptRelation>
      </ConceptRelationList>
      <TermList>
        <Term IsPermutedTermYN="N"><String>Antibiotic A23187</String></Term>
        <Term IsPermutedTermYN="Y"><String>A23187, Antibiotic</String></Term>
      </TermList>
    </Concept>
    <Concept PreferredConceptYN="N">
      <ConceptUI>M3</ConceptUI>
      <ConceptRelationList>
        <ConceptRelation RelationName="NRW">
          <Concept1UI>M3</Concept1UI><Concept2UI>M0000001</Concept2UI>
        </ConceptRelation>
      </ConceptRelationList>
      <TermList><Term><String>Wider</String></Term></TermList>
    </Concept>
  </ConceptList>
</DescriptorRecord>
<DescriptorRecord DescriptorClass="3">
  <DescriptorUI>D000002</DescriptorUI>
  <DescriptorName><String>Two</String></DescriptorName>
</DescriptorRecord>
<DescriptorRecord DescriptorClass="4">
  <DescriptorUI>D000003</DescriptorUI>
  <DescriptorName><String>Three</String></DescriptorName>
  <TreeNumberList>
    <TreeNumber>D03.633</TreeNumber><TreeNumber>D02</TreeNumber><TreeNumber>odd</TreeNumber>
    <TreeNumber>D02.355</TreeNumber>
  </TreeNumberList>
</DescriptorRecord>
<DescriptorRecord><DescriptorUI>D000004</DescriptorUI></DescriptorRecord>
</DescriptorRecordSet>
"""
SUPPLEMENTARY = """<?xml version="1.0"?>
<SupplementalRecordSet LanguageCode="eng">
<SupplementalRecord SCRClass="3">
  <SupplementalRecordUI>C536914</SupplementalRecordUI>
  <SupplementalRecordName><String>Thyroid cancer, medullary</String></SupplementalRecordName>
  <Note>a note</Note>
  <HeadingMappedToList>
    <HeadingMappedTo><DescriptorReferredTo>
      <DescriptorUI>*D013964</DescriptorUI>
      <DescriptorName><String>Thyroid Neoplasms</String></DescriptorName>
    </DescriptorReferredTo></HeadingMappedTo>
    <HeadingMappedTo><DescriptorReferredTo>
      <DescriptorUI>D018276</DescriptorUI>
    </DescriptorReferredTo></HeadingMappedTo>
  </HeadingMappedToList>
  <ConceptList><Concept PreferredConceptYN="Y"><ConceptUI>M1</ConceptUI>
    <RegistryNumberList><RegistryNumber>0</RegistryNumber>
      <RegistryNumber>52665-69-7</RegistryNumber><RegistryNumber>EC 1.1.1.1</RegistryNumber>
    </RegistryNumberList>
    <TermList><Term><String>MTC</String></Term></TermList>
  </Concept></ConceptList>
</SupplementalRecord>
</SupplementalRecordSet>
"""
TABLE = (
    "Tree Number\tDesc Ui\tTerm\nA01\tD1\tRegions\nA01.111\tD2\tMarks\nC04\tD2\tSigns\nC05\tD3\n"
)


def test_descriptors_have_entry_terms_by_scope_and_all_their_places(tmp_path):
    path = write(tmp_path, "any.xml", DESCRIPTORS)
    assert detect(path) == "mesh"
    imported = read("mesh", path)
    assert (imported.header.terminology, imported.header.version) == ("mesh", "2024")
    first, two, three, category = imported.concepts
    assert (first.curie, first.kind, first.line) == ("MESH:D000001", "topical descriptor", 4)
    assert first.names == (
        NameRecord("Calcimycin", "preferred"),
        NameRecord("A-0", "synonym", "EXACT"),
        NameRecord("Antibiotic A23187", "synonym", "NARROW"),
        NameRecord("A23187, Antibiotic", "synonym", "NARROW"),
        NameRecord("Wider", "synonym", "BROAD"),
    )
    assert first.definition == "An ionophorous antibiotic."
    assert first.cross_references == ("UNII:37H9VM9WZL",)
    assert set(first.associations) == {
        "SEE ALSO MESH:D000003",
        "PHARMACOLOGICAL ACTION MESH:D000002",
    }
    assert (two.kind, three.kind) == ("check tag", "geographic descriptor")
    assert (category.curie, names(category)) == ("MESH:D", ["Chemicals and Drugs"])
    assert {(link.child, link.parent) for link in imported.links} == {
        ("MESH:D000001", "MESH:D000003"),  # by D02.355, and by D03.633.100.221.173
        ("MESH:D000003", "MESH:D"),
    }
    assert imported.note("absent parents") == 2
    assert imported.note("no tree number") == 1
    assert [skipped.line for skipped in imported.skipped] == [63, 63, 71]


def test_permuted_terms_can_be_left_out(tmp_path):
    path = write(tmp_path, "any.xml", DESCRIPTORS)
    assert [choice.key for choice in choices_of("mesh", path)] == ["terms"]
    imported = read("mesh", path, choices={"terms": ("entry",)})
    assert "A23187, Antibiotic" not in names(imported.concepts[0])
    assert imported.note("permuted terms") == 1


def test_a_translation_is_an_edition_with_its_own_names(tmp_path):
    text = DESCRIPTORS.replace('"eng"', '"fre"').replace(">Two<", ">Deux[Two]<")
    imported = read("mesh", write(tmp_path, "any.xml", text))
    assert imported.header.terminology == "mesh/fre"
    assert names(imported.concepts[1]) == ["Deux"]


def test_supplementary_records_refer_to_their_headings_or_are_below_them(tmp_path):
    path = write(tmp_path, "supp2024.xml.gz", SUPPLEMENTARY)
    imported = read("mesh", path)
    assert (imported.header.terminology, imported.header.version) == ("mesh/supplementary", "2024")
    (record,) = imported.concepts
    assert (record.kind, record.definition) == ("disease", "a note")
    assert names(record) == ["Thyroid cancer, medullary", "MTC"]
    references = ("CAS:52665-69-7", "EC:1.1.1.1")
    assert record.cross_references == (*references, "MESH:D013964", "MESH:D018276")
    below = read("mesh", path, choices={"headings": ("parents",)})
    first, second, record = below.concepts
    assert (first.kind, names(first)) == ("heading", ["Thyroid Neoplasms"])
    assert names(second) == ["D018276"]
    assert record.parents == ("MESH:D013964", "MESH:D018276")
    assert record.cross_references == references


def test_a_tree_table_is_read_by_its_numbers(tmp_path):
    path = write(tmp_path, "mesh_tree_2017.tsv", TABLE)
    assert detect(path) == "mesh-tree"
    imported = read("mesh-tree", path)
    assert imported.header.version == "2017"
    assert [concept.curie for concept in imported.concepts] == [
        f"MESH:{code}" for code in ("D1", "D2", "A", "C")
    ]
    assert imported.links == [
        IsARecord("MESH:D1", "MESH:A", 2),
        IsARecord("MESH:D2", "MESH:D1", 3),
        IsARecord("MESH:D2", "MESH:C", 4),
    ]
    assert [skipped.line for skipped in imported.skipped] == [4, 5]  # another term; no term
    assert read("table", path).concepts  # as it always could be


def test_other_files_are_refused(tmp_path):
    with pytest.raises(UserError, match="holds <QualifierRecordSet>"):
        read("mesh", write(tmp_path, "a.xml", "<QualifierRecordSet/>"))
    with pytest.raises(UserError, match="holds no record"):
        read("mesh", write(tmp_path, "b.xml", "<DescriptorRecordSet/>"))
    with pytest.raises(UserError, match="line 1: no MeSH tree table"):
        read("mesh-tree", write(tmp_path, "c.tsv", "A01\tD1\tRegions\n"))


@given(st.sampled_from([DESCRIPTORS, SUPPLEMENTARY, TABLE]), st.data())
def test_no_damage_is_a_bug(tmp_path_factory, text, data):
    form = "mesh-tree" if text == TABLE else "mesh"
    refused_or_read(form, tmp_path_factory.mktemp("any"), data.draw(mutations(text.encode())))


def test_the_tree_of_2017_comes_in_whole():
    imported = read("mesh-tree", open_data("mesh_tree_2017.tsv.gz"))
    kinds = Counter(concept.kind for concept in imported.concepts)
    assert kinds == {"descriptor": 28_470, "category": 16}
    assert len(imported.links) == imported.note("tree numbers") == 57_840
    assert imported.note("absent parents") == len(imported.skipped) == 0


def test_elements_that_are_not_read_are_told(tmp_path):
    more = "<HistoryNote>x</HistoryNote><Frob><a/></Frob></DescriptorRecord>"
    text = DESCRIPTORS.replace("</DescriptorRecord>", more, 1)
    (note,) = (n for n in read("mesh", write(tmp_path, "d.xml", text)).notes if "unread" in n.kind)
    for counted_text in ("DateCreated 1", "HistoryNote 1", "Frob 1"):
        assert counted_text in note.text
    assert "Tree" not in note.text


def test_scope_notes_and_terms_that_are_left_out_are_counted(tmp_path):
    term = "<TermList><Term><String>{}</String></Term></TermList>".format
    text = (
        '<DescriptorRecordSet LanguageCode="eng"><DescriptorRecord DescriptorClass="1">'
        "<DescriptorUI>D000001</DescriptorUI><DescriptorName><String>one</String></DescriptorName>"
        f"<ConceptList><Concept><ScopeNote>kept</ScopeNote>{term('')}</Concept>"
        f"<Concept><ScopeNote>lost</ScopeNote>{term('dos')}</Concept></ConceptList>"
        "</DescriptorRecord></DescriptorRecordSet>"
    )
    imported = read("mesh", write(tmp_path, "d.xml", text))
    assert [concept.definition for concept in imported.concepts] == ["kept"]
    assert (imported.note("further definitions"), imported.note("empty terms")) == (1, 1)
