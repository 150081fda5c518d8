import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from importing import names, read, write

from termexplorer.errors import UserError
from termexplorer.importers.records import IsARecord, NameRecord

OBO = "http://purl.obolibrary.org/obo/"
IN_OWL = "http://www.geneontology.org/formats/oboInOwl#"


def annotation(predicate, value):
    return {"pred": predicate, "val": value}


NODE = {
    "id": f"{OBO}T_2",
    "lbl": "second  one",
    "type": "CLASS",
    "meta": {
        "definition": {"val": "What it is.", "xrefs": []},
        "synonyms": [
            annotation("hasExactSynonym", "two"),
            annotation(f"{IN_OWL}hasNarrowSynonym", "narrow two"),
            annotation("hasRelatedSynonym", "Second One"),
        ],
        "xrefs": [{"val": "MESH:D1"}, {"val": f"{OBO}X_9"}],
        "basicPropertyValues": [annotation(f"{IN_OWL}hasAlternativeId", "T:22")],
    },
}
OLD = {
    "id": f"{OBO}T_3",
    "lbl": "obsolete",
    "type": "CLASS",
    "meta": {
        "deprecated": True,
        "basicPropertyValues": [
            annotation(f"{OBO}IAO_0100001", f"{OBO}T_2"),
            annotation(f"{IN_OWL}consider", "T:1"),
        ],
    },
}


def graph(nodes, edges=(), **more):
    edges = [{"sub": sub, "pred": pred, "obj": obj} for sub, pred, obj in edges]
    return {"nodes": nodes, "edges": edges, "id": f"{OBO}toy.owl", **more}


def graphs(tmp_path, *several):
    path = write(tmp_path, "toy.json", json.dumps({"graphs": several}, indent=1))
    return read("obographs", path)


def test_a_node_is_read_whole(tmp_path):
    concept, old = graphs(tmp_path, graph([NODE, OLD])).concepts
    assert (concept.curie, concept.code) == ("T:2", "T:2")
    assert concept.names == (
        NameRecord("second one", "preferred"),
        NameRecord("two", "synonym", "EXACT"),
        NameRecord("narrow two", "synonym", "NARROW"),
    )
    assert concept.definition == "What it is."
    assert concept.alternative_ids == ("T:22",)
    assert concept.cross_references == ("MESH:D1", "X:9")
    assert (old.obsolete, old.replaced_by, old.consider) == (True, ("T:2",), ("T:1",))


def test_what_a_graph_says_of_itself_may_follow_its_nodes(tmp_path):
    meta = {
        "version": f"{OBO}toy/releases/2018-07-05/toy.owl",
        "basicPropertyValues": [
            annotation("http://purl.org/dc/terms/title", "The toys"),
            annotation("http://purl.org/dc/terms/license", "https://example.org/by"),
        ],
    }
    header = graphs(tmp_path, graph([NODE], meta=meta)).header
    assert (header.terminology, header.version) == ("toy", "2018-07-05")
    assert (header.title, header.licence) == ("The toys", "https://example.org/by")


def test_a_licence_in_a_comment_is_found(tmp_path):
    meta = {"basicPropertyValues": [annotation("rdfs#comment", "Free under CC0 1.0")]}
    assert graphs(tmp_path, graph([NODE], meta=meta)).header.licence == "Free under CC0 1.0"


def test_only_is_a_edges_are_links(tmp_path):
    edges = [(f"{OBO}T_2", "is_a", f"{OBO}T_1"), (f"{OBO}T_2", f"{OBO}BFO_1", f"{OBO}T_0")]
    assert graphs(tmp_path, graph([NODE], edges)).links == [IsARecord("T:2", "T:1")]


def test_other_graphs_properties_and_references_are_counted(tmp_path):
    property_node = {"id": f"{OBO}P_1", "lbl": "part of", "type": "PROPERTY"}
    reference = {"id": f"{OBO}X_1"}
    untyped = {"id": f"{OBO}T_4", "lbl": "four"}
    other = graph([{"id": f"{OBO}Y_1", "lbl": "other", "type": "CLASS"}], [("a", "is_a", "b")])
    imported = graphs(tmp_path, graph([property_node, reference, untyped, NODE]), other, other)
    assert [concept.curie for concept in imported.concepts] == ["T:4", "T:2"]
    assert imported.links == []
    assert imported.note("other graphs") == 2
    assert imported.note("property nodes") == imported.note("references") == 1


def test_nodes_and_edges_without_ids_are_skipped(tmp_path):
    imported = graphs(tmp_path, graph([{"lbl": "x"}, {"id": 3}, NODE], [(None, "is_a", "b")]))
    assert len(imported.concepts) == 1
    assert len(imported.skipped) == 3


def test_an_unlabelled_concept_goes_by_its_id(tmp_path):
    node = {"id": "T:1", "meta": {"definition": {"val": "x"}}, "type": "CLASS"}
    assert names(graphs(tmp_path, graph([node])).concepts[0]) == ["T:1"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"graphs": [{"nodes": [{"id": "T:1", "lbl"', "truncated"),
        ('{"graphs": [{"nodes": [{"id": "T:1",\n\n,}]}]}', "near line"),
        ('{"other": 1}', "no OBO Graphs"),
        ('{"graphs": []}', "no OBO Graphs"),
        ('{"graphs":' * 20_000, "nested too deeply"),
        ("[" * 100_000, "nested too deeply"),
        ('{"graphs": [{"nodes": [{"id": "T:1", "lbl": "\ud800"}]}]}', None),
    ],
)
def test_what_is_no_graph_is_refused(tmp_path, text, message):
    data = text.encode("utf-8", "surrogatepass")
    with pytest.raises(UserError, match=message) as error:
        read("obographs", write(tmp_path, "toy.json", data))
    assert "\n" not in str(error.value)


keys = st.sampled_from(
    ["id", "lbl", "type", "meta", "synonyms", "val", "pred", "sub", "obj", "definition", "xrefs"]
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=4),
)


@given(st.dictionaries(st.sampled_from(["nodes", "edges", "id", "meta"]), values))
def test_no_shape_is_a_bug(tmp_path_factory, shape):
    text = json.dumps({"graphs": [shape]})
    with contextlib.suppress(UserError):
        read("obographs", write(tmp_path_factory.mktemp("any"), "any.json", text))


def test_prefixes_of_shortened_ids_are_kept(tmp_path):
    nodes = [NODE, {"id": "http://www.orpha.net/ORDO/Orphanet_5", "lbl": "x"}, {"id": "Q:1"}]
    assert graphs(tmp_path, graph(nodes)).header.prefixes == {
        "T": f"{OBO}T_",
        "Orphanet": "http://www.orpha.net/ORDO/Orphanet_",
    }


@pytest.mark.parametrize(
    "predicate",
    ["is_a", "subClassOf", "rdfs:subClassOf", "http://www.w3.org/2000/01/rdf-schema#subClassOf"],
)
def test_is_a_is_known_however_it_is_written(tmp_path, predicate):
    edges = [("T:2", predicate, "T:1"), ("T:2", f"{OBO}BFO_0000050", "T:0"), ("T:2", "x:y", "T:0")]
    imported = graphs(tmp_path, graph([NODE], edges))
    assert imported.links == [IsARecord("T:2", "T:1")]
    (other_note,) = (note for note in imported.notes if note.kind == "other edges")
    assert other_note.text.partition(": ")[2] == "BFO:0000050 1, x:y 1"


def test_properties_that_hold_names_are_read_and_others_are_told(tmp_path):
    meta = {
        "synonyms": [annotation("oio:hasBroadSynonym", "wide"), annotation("odd", "rel")],
        "basicPropertyValues": [
            annotation(f"{OBO}IAO_0000118", "one"),
            annotation("IAO:0000118", "two"),
            annotation("skos:altLabel", "three"),
            annotation("http://e.org/x", "not read"),
            annotation("IAO:0100001", "T:7"),
        ],
        "comments": ["a", "b"],
    }
    axiom = {"logicalDefinitionAxioms": [{"definedClassId": "T:1"}]}
    node = {"id": "T:1", "lbl": "assay", "type": "CLASS", "meta": meta}
    imported = graphs(tmp_path, graph([node], **axiom))
    (concept,) = imported.concepts
    assert concept.names == (
        NameRecord("assay", "preferred"),
        NameRecord("wide", "synonym", "BROAD"),
        NameRecord("rel", "synonym", "RELATED"),
        NameRecord("one", "synonym"),
        NameRecord("two", "synonym"),
        NameRecord("three", "synonym"),
    )
    assert concept.replaced_by == ("T:7",)
    text_by_kind = {note.kind: note.text.partition(": ")[2] for note in imported.notes}
    assert text_by_kind == {
        "axioms": "logicalDefinitionAxioms 1",
        "other values": "comments 2, http://e.org/x 1",
    }


@pytest.mark.parametrize("number", ["1" * 5_000, f"-{'1' * 5_000}.5", "1e99999999999999999999"])
@pytest.mark.parametrize("before", ["", " " * 4_090, "[1, " * 3])
def test_a_number_without_end_is_refused(tmp_path, number, before):
    text = f'{{"graphs": [{{"nodes": [{{"id": "T:1", "x": {before}{number}'
    with pytest.raises(UserError, match="near line 1: a number"):
        read("obographs", write(tmp_path, "toy.json", text))


def test_long_numbers_in_texts_and_large_ones_are_fine(tmp_path):
    node = {"id": "T:1", "lbl": "1" * 5_000, "type": "CLASS", "x": 10**900, "y": 1e300}
    assert names(graphs(tmp_path, graph([node])).concepts[0]) == ["1" * 5_000]


def test_a_synonym_without_a_text_is_told(tmp_path):
    node = {**NODE, "meta": {"synonyms": [{"pred": "hasExactSynonym", "value": "one"}]}}
    assert graphs(tmp_path, graph([node])).note("other values") == 1
