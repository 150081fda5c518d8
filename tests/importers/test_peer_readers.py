"""Counts of our importers against those of pronto and rdflib, on files made by hypothesis."""

import json
import warnings

import pronto
import pytest
from hypothesis import given
from hypothesis import strategies as st
from importing import read, write
from rdflib import OWL, RDF, RDFS, Graph, Literal, Namespace, URIRef

from termexplorer.importers.formats import detect

OBO = Namespace("http://purl.obolibrary.org/obo/")
IN_OWL = Namespace("http://www.geneontology.org/formats/oboInOwl#")
SKOS = Namespace("http://www.w3.org/2004/02/skos/core#")
XL = Namespace("http://www.w3.org/2008/05/skos-xl#")
SCOPES = ("Exact", "Related", "Narrow", "Broad")

words = st.from_regex(r"[A-Za-zäéß][a-zäé ,'()/-]{0,10}[a-z]", fullmatch=True).map(
    lambda text: " ".join(text.split())
)


@st.composite
def ontologies(draw):
    """Concepts as (number, name, [(scope, synonym)], parents, obsolete)."""
    concepts = []
    for number in range(draw(st.integers(1, 9))):
        names = draw(st.lists(words, min_size=1, max_size=4, unique_by=str.casefold))
        synonyms = [(draw(st.sampled_from(SCOPES)), name) for name in names[1:]]
        parents = draw(st.sets(st.integers(0, number - 1))) if number else set()
        concepts.append((number, names[0], synonyms, sorted(parents), draw(st.booleans())))
    return concepts


def as_obo(concepts):
    yield "format-version: 1.4\nontology: t\n"
    for number, name, synonyms, parents, obsolete in concepts:
        yield f"\n[Term]\nid: T:{number}\nname: {name}\n"
        yield from (f'synonym: "{text}" {scope.upper()} []\n' for scope, text in synonyms)
        yield from (f"is_a: T:{parent} ! a comment\n" for parent in parents)
        yield "is_obsolete: true\n" if obsolete else ""


def as_graphs(concepts, is_a):
    nodes, edges = [], []
    for number, name, synonyms, parents, obsolete in concepts:
        synonym_values = [{"pred": f"has{scope}Synonym", "val": text} for scope, text in synonyms]
        meta = {"synonyms": synonym_values, **({"deprecated": True} if obsolete else {})}
        nodes.append({"id": OBO[f"T_{number}"], "lbl": name, "type": "CLASS", "meta": meta})
        edges += [
            {"sub": OBO[f"T_{number}"], "pred": is_a, "obj": OBO[f"T_{parent}"]}
            for parent in parents
        ]
    return json.dumps({"graphs": [{"id": OBO["t.owl"], "nodes": nodes, "edges": edges}]})


def as_owl(concepts):
    graph = Graph()
    graph.add((OBO["t.owl"], RDF.type, OWL.Ontology))
    for prefix, namespace in (("oboInOwl", IN_OWL), ("obo", OBO)):
        graph.bind(prefix, namespace)
    for scope in SCOPES:
        graph.add((IN_OWL[f"has{scope}Synonym"], RDF.type, OWL.AnnotationProperty))
    for number, name, synonyms, parents, obsolete in concepts:
        subject = OBO[f"T_{number}"]
        graph.add((subject, RDF.type, OWL.Class))
        graph.add((subject, RDFS.label, Literal(name)))
        for scope, text in synonyms:
            graph.add((subject, IN_OWL[f"has{scope}Synonym"], Literal(text)))
        for parent in parents:
            graph.add((subject, RDFS.subClassOf, OBO[f"T_{parent}"]))
        if obsolete:
            graph.add((subject, OWL.deprecated, Literal(True)))
    return graph


def as_thesaurus(concepts, labels_apart):
    graph = Graph()
    for number, name, synonyms, parents, obsolete in concepts:
        subject = URIRef(f"http://example.org/t/{number}")
        graph.add((subject, RDF.type, SKOS.Concept))
        named = [("prefLabel", name), *(("altLabel", text) for _, text in synonyms)]
        for index, (label, text) in enumerate(named):
            if labels_apart:
                node = URIRef(f"{subject}/label/{index}")
                graph.add((subject, XL[label], node))
                graph.add((node, RDF.type, XL.Label))
                graph.add((node, XL.literalForm, Literal(text, lang="en")))
            else:
                graph.add((subject, SKOS[label], Literal(text, lang="en")))
        for parent in parents:
            graph.add((subject, SKOS.broader, URIRef(f"http://example.org/t/{parent}")))
        if obsolete:
            graph.add((subject, OWL.deprecated, Literal(True)))
    return graph


def counted_by_us(format_name, path):
    imported = read(format_name, path)
    assert not imported.skipped
    concepts = imported.concepts
    return (
        len(concepts),
        sum(len(concept.names) for concept in concepts),
        sum(len(concept.parents) for concept in concepts) + len(imported.links),
        sum(concept.obsolete for concept in concepts),
    )


def counted_by_pronto(path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        terms = list(pronto.Ontology(str(path)).terms())
    return (
        len(terms),
        sum(1 + len(term.synonyms) for term in terms),
        sum(len(list(term.superclasses(1, with_self=False))) for term in terms),
        sum(term.obsolete for term in terms),
    )


def counted_by_rdflib(path, kind, above, names):
    graph = Graph().parse(path, format="turtle")
    subjects = set(graph.subjects(RDF.type, kind))
    return (
        len(subjects),
        sum(len(list(graph.objects(subject, name))) for subject in subjects for name in names),
        sum(len(list(graph.objects(subject, above))) for subject in subjects),
        len({subject for subject in subjects if graph.value(subject, OWL.deprecated)}),
    )


@given(ontologies())
def test_obo_and_obo_graphs_are_what_pronto_reads(tmp_path_factory, concepts):
    folder = tmp_path_factory.mktemp("peers")
    obo = write(folder, "t.obo", "".join(as_obo(concepts)))
    graphs = write(folder, "t.json", as_graphs(concepts, "is_a"))
    curies = write(folder, "curies.json", as_graphs(concepts, "rdfs:subClassOf"))
    owl = write(folder, "t.owl", as_owl(concepts).serialize(format="pretty-xml", encoding="utf-8"))
    expected = counted_by_pronto(obo)
    assert expected == counted_by_pronto(graphs) == counted_by_pronto(owl)
    assert counted_by_us("obo", obo) == expected
    assert counted_by_us("obographs", graphs) == expected
    assert counted_by_us("obographs", curies) == expected
    assert counted_by_us("rdf", owl) == expected


@given(ontologies())
def test_owl_and_skos_are_what_rdflib_reads(tmp_path_factory, concepts):
    folder = tmp_path_factory.mktemp("peers")
    names = (RDFS.label, *(IN_OWL[f"has{scope}Synonym"] for scope in SCOPES))
    owl = write(folder, "t.ttl", as_owl(concepts).serialize(format="turtle"))
    expected = counted_by_rdflib(owl, OWL.Class, RDFS.subClassOf, names)
    assert counted_by_us("rdf", owl) == expected
    labels = (SKOS.prefLabel, SKOS.altLabel)
    skos = write(folder, "s.ttl", as_thesaurus(concepts, False).serialize(format="turtle"))
    assert counted_by_rdflib(skos, SKOS.Concept, SKOS.broader, labels) == expected
    assert counted_by_us("rdf", skos) == expected
    linked = write(folder, "s.jsonld", as_thesaurus(concepts, False).serialize(format="json-ld"))
    assert counted_by_us("rdf", linked) == expected
    apart = write(folder, "x.ttl", as_thesaurus(concepts, True).serialize(format="turtle"))
    assert counted_by_us("rdf", apart) == expected


@pytest.mark.parametrize("name", ["BS3!Hydrolyzed", "X! Tandem"])
def test_where_pronto_cuts_a_name_we_keep_it(tmp_path, name):
    path = write(tmp_path, "t.obo", f"format-version: 1.4\n\n[Term]\nid: T:1\nname: {name}\n")
    assert next(iter(pronto.Ontology(str(path)).terms())).name == name.partition("!")[0]
    assert read("obo", path).concepts[0].names[0].text == name


MARK = b"\xef\xbb\xbf"


@pytest.mark.parametrize("ends", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("mark", [b"", MARK])
def test_marks_and_line_ends_change_no_count(tmp_path, ends, mark):
    concepts = [(0, "one", [], [], False), (1, "two", [("Exact", "zwei")], [0], True)]
    files = {
        "t.obo": ("obo", "".join(as_obo(concepts)).encode()),
        "t.json": ("obographs", as_graphs(concepts, "is_a").replace(", ", ",\n").encode()),
        "t.owl": ("rdf", as_owl(concepts).serialize(format="xml", encoding="utf-8")),
        "t.ttl": ("rdf", as_owl(concepts).serialize(format="turtle", encoding="utf-8")),
    }
    for name, (format_name, content) in files.items():
        path = write(tmp_path, name, mark + content.replace(b"\n", ends))
        assert detect(path) == format_name
        assert counted_by_us(format_name, path) == (2, 3, 1, 1)
