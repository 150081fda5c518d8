import contextlib
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from importing import names, read, write
from rdflib import OWL, RDF, RDFS, BNode, Graph, Literal, Namespace, URIRef

from termexplorer.errors import UserError
from termexplorer.importers.formats import choices_of, detect
from termexplorer.importers.records import NameRecord

OBO = Namespace("http://purl.obolibrary.org/obo/")
IN_OWL = Namespace("http://www.geneontology.org/formats/oboInOwl#")
HEAD = """@prefix : <http://example.org/animals#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix terms: <http://purl.org/dc/terms/> .
@prefix obo: <http://purl.obolibrary.org/obo/> .
@prefix io: <http://www.geneontology.org/formats/oboInOwl#> .
@prefix ex: <http://example.org/t/> .
"""
OWL_TEXT = """
obo:toy.owl a owl:Ontology ;
  owl:versionIRI <http://purl.obolibrary.org/obo/toy/2024-02-03/toy.owl> ;
  terms:title "Toys" ; terms:license <https://example.org/by> ; owl:imports obo:other.owl .
obo:T_2 rdfs:label "two"@en , "zwei"@de ; io:hasExactSynonym "II" ; io:hasNarrowSynonym "pair" ;
  skos:altLabel "couple" ; obo:IAO_0000115 "What it\\n is." ; io:hasAlternativeId "T:22" ;
  io:hasDbXref "MESH:D1" , "MESH:D2" .
obo:T_1 a owl:Class ; rdfs:label "one" .
obo:T_2 a owl:Class ; rdfs:subClassOf owl:Thing , obo:T_1 ,
  [ a owl:Restriction ; owl:onProperty obo:P_1 ; owl:someValuesFrom obo:T_1 ] ;
  owl:equivalentClass [ a owl:Class ; owl:intersectionOf ( obo:T_1 [ a owl:Restriction ] ) ] .
obo:T_3 a owl:Class ; owl:deprecated true ; obo:IAO_0100001 obo:T_2 ; io:consider "T:1" .
obo:X_9 a owl:Class . obo:P_1 a owl:ObjectProperty ; rdfs:label "part of" .
:MeatyPizza a owl:Class ; rdfs:subClassOf obo:T_1 .
"""
SKOS_TEXT = """
ex:all a skos:ConceptScheme ; skos:prefLabel "Alles"@de , "All things"@en ;
  terms:modified "2021-05-06" .
ex:small a skos:ConceptScheme ; skos:hasTopConcept ex:3 .
ex:1 a skos:Concept ; skos:inScheme ex:all ; skos:topConceptOf ex:all ;
  skos:prefLabel "animal"@en , "Tier"@de ; skos:altLabel "beast"@en , "Viech"@de ;
  skos:hiddenLabel "aminal"@en ;
  skos:notation "A1" ; skos:scopeNote "Ein Wesen"@de , "A being"@en ; skos:narrower ex:2 ;
  skos:exactMatch <http://purl.obolibrary.org/obo/T_1> .
ex:2 a skos:Concept ; skos:inScheme ex:all ; skos:prefLabel "Hund"@de .
ex:3 a skos:Concept ; skos:broader ex:1 ; skos:prefLabel "stone"@en ; owl:deprecated true ;
  terms:isReplacedBy ex:2 .
"""


def rdf(tmp_path, text, name="toy.ttl", **choices):
    return read("rdf", write(tmp_path, name, HEAD + text), choices=choices)


def by_id(imported):
    return {concept.curie: concept for concept in imported.concepts}


def test_a_class_is_read_whole_wherever_its_triples_stand(tmp_path):
    imported = rdf(tmp_path, OWL_TEXT, "toy.ttl.gz")
    concept_by_id = by_id(imported)
    assert concept_by_id["T:2"].names == (
        NameRecord("two", "preferred"),
        NameRecord("II", "synonym", "EXACT"),
        NameRecord("pair", "synonym", "NARROW"),
        NameRecord("couple", "synonym"),
    )
    assert (concept_by_id["T:2"].definition, concept_by_id["T:2"].parents) == (
        "What it is.",
        ("T:1",),
    )
    assert concept_by_id["T:2"].alternative_ids == ("T:22",)
    assert concept_by_id["T:2"].cross_references == ("MESH:D1", "MESH:D2")
    assert concept_by_id["T:3"].obsolete
    assert (concept_by_id["T:3"].replaced_by, concept_by_id["T:3"].consider) == (("T:2",), ("T:1",))
    assert names(concept_by_id["T:3"]) == ["T:3"]
    pizza = concept_by_id["http://example.org/animals#MeatyPizza"]
    assert (pizza.code, names(pizza)) == ("MeatyPizza", ["MeatyPizza"])
    header, prefixes = imported.header, {"T": f"{OBO}T_", "X": f"{OBO}X_"}
    assert (header.terminology, header.title, header.version) == ("toy", "Toys", "2024-02-03")
    assert (header.licence, header.prefixes) == ("https://example.org/by", prefixes)
    counted = {
        "imports": 1, "equivalence axioms": 1, "superclass expressions": 1, "restrictions": 2,
        "references": 1, "properties": 1, "other languages": 1,
    }  # fmt: skip
    assert {kind: imported.note(kind) for kind in counted} == counted


def test_languages_and_prefixes_can_be_chosen(tmp_path):
    path = write(tmp_path, "toy.ttl", HEAD + OWL_TEXT)
    languages, prefixes = choices_of("rdf", path)
    assert {option.value: option.count for option in languages.options} == {
        "none": 4,
        "en": 1,
        "de": 1,
    }
    assert languages.usual == ("en", "none")
    assert {option.value: option.count for option in prefixes.options} == {
        "T": 3, "X": 1, "http://example.org/animals#": 1,
    }  # fmt: skip
    imported = read("rdf", path, choices={"languages": ("de",), "prefixes": ("T",)})
    assert [names(concept)[0] for concept in imported.concepts] == ["one", "zwei", "T:3"]
    assert imported.note("foreign names") == 1
    assert imported.note("not chosen") == 2


def test_a_thesaurus_has_its_schemes_above(tmp_path):
    imported = rdf(tmp_path, SKOS_TEXT)
    concept_by_id = by_id(imported)
    assert (concept_by_id["ex:1"].code, concept_by_id["ex:1"].parents) == ("A1", ("ex:all",))
    assert names(concept_by_id["ex:1"]) == ["animal", "beast", "aminal"]
    assert concept_by_id["ex:1"].definition == "A being"
    assert concept_by_id["ex:1"].cross_references == ("T:1",)
    assert (concept_by_id["ex:2"].parents, names(concept_by_id["ex:2"])) == (("ex:1",), ["Hund"])
    assert concept_by_id["ex:3"].parents == ("ex:1", "ex:small")
    assert (concept_by_id["ex:3"].obsolete, concept_by_id["ex:3"].replaced_by) == (True, ("ex:2",))
    assert (concept_by_id["ex:all"].kind, names(concept_by_id["ex:all"])) == (
        "scheme",
        ["All things"],
    )
    assert (imported.header.title, imported.header.version) == ("All things", "2021-05-06")
    assert imported.header.prefixes == {"ex": "http://example.org/t/"}
    small = rdf(tmp_path, SKOS_TEXT, schemes=("http://example.org/t/small",))
    assert sorted(by_id(small)) == ["ex:3", "ex:small"]
    assert small.note("not chosen") == 3


def as_owl(node, graph):
    """What a node of OBO Graphs says, as triples."""
    subject, meta = URIRef(node["id"]), node.get("meta", {})
    graph.add((subject, RDF.type, OWL.Class))
    statements = [(RDFS.label, node["lbl"])] if "lbl" in node else []
    statements += [
        (IN_OWL[synonym["pred"]], synonym["val"]) for synonym in meta.get("synonyms", ())
    ]
    statements += [(IN_OWL.hasDbXref, xref["val"]) for xref in meta.get("xrefs", ())]
    statements += [(OBO.IAO_0000115, meta["definition"]["val"])] if "definition" in meta else []
    statements += [
        (URIRef(property_value["pred"]), property_value["val"])
        for property_value in meta.get("basicPropertyValues", ())
    ]
    statements += [(OWL.deprecated, True)] if meta.get("deprecated") else []
    for predicate, value in statements:
        graph.add((subject, predicate, Literal(value)))


def told(imported):
    concepts = {
        (concept.curie, names(concept)[0], frozenset(map(str.casefold, names(concept))),
         concept.definition, frozenset(concept.alternative_ids),
         frozenset(concept.cross_references), concept.obsolete,
         concept.replaced_by, frozenset(concept.consider))
        for concept in imported.concepts
    }  # fmt: skip
    links = {(concept.curie, parent) for concept in imported.concepts for parent in concept.parents}
    return concepts, links | {(link.child, link.parent) for link in imported.links}


@pytest.mark.parametrize("syntax", ["xml", "pretty-xml", "turtle", "ntriples"])
def test_what_rdflib_writes_is_what_obo_graphs_say(tmp_path, syntax):
    ids = [f"{OBO}T_{number}" for number in range(60)]
    nodes = [
        {"id": iri, "lbl": f"name <{number}> & \u00e9", "type": "CLASS", "meta": {
            "synonyms": [{"pred": "hasExactSynonym", "val": f'"{number}" ('},
                         {"pred": "hasBroadSynonym", "val": "wide"}],
            "definition": {"val": f"Number {number}."},
            "xrefs": [{"val": f"MESH:D{number}"}],
            "deprecated": number % 7 == 3,
            "basicPropertyValues": [{"pred": f"{IN_OWL}hasAlternativeId", "val": f"T:9{number}"},
                                    {"pred": f"{OBO}IAO_0100001", "val": f"{OBO}T_1"}],
        }}
        for number, iri in enumerate(ids)
    ]  # fmt: skip
    edges = [{"sub": ids[n], "pred": "is_a", "obj": ids[n // 2]} for n in range(1, 60)]
    graph = Graph()
    graph.add((OBO["toy.owl"], RDF.type, OWL.Ontology))
    for node in nodes:
        as_owl(node, graph)
    for edge in edges:
        graph.add((URIRef(edge["sub"]), RDFS.subClassOf, URIRef(edge["obj"])))
        blank = BNode()
        graph.add((URIRef(edge["sub"]), RDFS.subClassOf, blank))
        graph.add((blank, RDF.type, OWL.Restriction))
    path = write(tmp_path, "toy", graph.serialize(format=syntax, encoding="utf-8"))
    graphs = write(tmp_path, "toy.json", json.dumps({"graphs": [{"nodes": nodes, "edges": edges}]}))
    assert detect(path) == "rdf"
    imported = read("rdf", path)
    assert told(imported) == told(read("obographs", graphs))
    assert imported.note("superclass expressions") == 59
    assert imported.fraction == 1


XML = """<?xml version="1.0"?>
<!DOCTYPE rdf:RDF [ <!ENTITY obo "http://purl.obolibrary.org/obo/" >%s
]>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:o="&obo;"
 xmlns:owl="http://www.w3.org/2002/07/owl#" xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#">
<owl:Class rdf:about="&obo;T_1"><rdfs:label>one</rdfs:label>%s</owl:Class>
</rdf:RDF>
"""


def test_entities_that_are_prefixes_are_fine(tmp_path):
    assert names(read("rdf", write(tmp_path, "toy.owl", XML % ("", ""))).concepts[0]) == ["one"]


LAUGHS = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 30))
DEEP = "<rdfs:seeAlso><owl:Class>" * 200_000


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (XML % (f'<!ENTITY a0 "ha">{LAUGHS}', "<o:l>&a29;</o:l>"), "line 2: .*made of others"),
        (
            XML % ('<!ENTITY x SYSTEM "file:///etc/passwd">', "<o:l>&x;</o:l>"),
            "line 2: .*elsewhere",
        ),
        (XML % ('<!ENTITY % x SYSTEM "http://localhost/x">', ""), "line 2: .*elsewhere"),
        (XML % (f'<!ENTITY x "{"x" * 2_000}">', ""), "longer or more than prefixes"),
        (
            (XML % ("", "<o:l>&away;</o:l>")).replace("RDF [", 'RDF SYSTEM "x.dtd" ['),
            "line 6: &away; stands for a text that is not in the file",
        ),
        (XML % ("", DEEP), "line 6: .*nested too deeply"),
        (XML % ("", "<o:l>&nothing;</o:l>"), "line 6: no sound XML"),
        ((XML % ("", ""))[:-20], "line 6: .*truncated"),
        (XML.replace('"1.0"', '"1.0" encoding="latin1"') % ("", ""), "in latin1; save it in UTF-8"),
        (HEAD + 'ex:a rdfs:label "one" ,\n\n; .', "line 11: no sound Turtle"),
        (HEAD + 'ex:a rdfs:label "one', "truncated"),
        (HEAD + "ex:a rdfs:label nope:x .", "line 9: no sound Turtle"),
        (HEAD + "ex:a rdfs:label " + "(\n" * 200_000, "nested too deeply"),
        (HEAD + "ex:a rdfs:label " + "[ ex:b " * 200_000, "nested too deeply"),
        (HEAD + 'ex:a rdfs:label """' + "much text " * 1_000_000, "8 MiB without a statement"),
        (HEAD + 'ex:a rdfs:label "one" .', "no owl:Class and no skos:Concept"),
    ],
)
def test_what_is_not_sound_or_would_blow_up_is_refused(tmp_path, text, message):
    with pytest.raises(UserError, match=message) as error:
        read("rdf", write(tmp_path, "toy.rdf", text))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '<?xml version="1.0"?>\n<Ontology xmlns="http://www.w3.org/2002/07/owl#">',
            "OWL/XML.*RDF",
        ),
        ("Prefix(:=<http://e/>)\nOntology(<http://e>\n)", "functional or Manchester.*RDF"),
    ],
)
def test_other_syntaxes_of_owl_are_called_by_their_name(tmp_path, text, message):
    with pytest.raises(UserError, match=message):
        detect(write(tmp_path, "toy.owl", text))


SOUND = [(HEAD + OWL_TEXT).encode(), (XML % ("", "<o:l>x</o:l>")).encode()]


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_no_mutation_is_a_bug(tmp_path_factory, data):
    text = data.draw(st.sampled_from(SOUND))
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(text))] * 2)))
    middle = data.draw(
        st.sampled_from([b"", text[start:end] * 2, b"<", b'"', b"\xff", b"[(", b"&"])
    )
    path = write(tmp_path_factory.mktemp("any"), "any", text[:start] + middle + text[end:])
    with contextlib.suppress(UserError):
        read("rdf", path)


@pytest.mark.parametrize(
    "external", ["", 'SYSTEM "x.dtd" ', "PUBLIC '-//X' 'http://localhost:9/x'"]
)
def test_entities_are_read_however_they_are_quoted(tmp_path, external):
    text = (XML % ("", "")).replace('"http://purl.obolibrary.org/obo/"', f"'{OBO}'")
    text = text.replace("rdf:RDF [", f"rdf:RDF {external} [ <!-- 'it' is \"quoted\" -->\n")
    assert "'http" in text
    (tmp_path / "x.dtd").write_text("<!NO DTD")
    (concept,) = read("rdf", write(tmp_path, "toy.owl", text)).concepts
    assert (concept.curie, names(concept)) == ("T:1", ["one"])
    with pytest.raises(UserError, match="line 7: no sound"):
        read("rdf", write(tmp_path, "toy.owl", text.replace("</owl:Class>", "<")))


XL = """
@prefix xl: <http://www.w3.org/2008/05/skos-xl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
ex:1 a skos:Concept ; xl:prefLabel ex:l1 , ex:l2 ; xl:altLabel [ xl:literalForm "corn"@en ] ;
  xl:hiddenLabel ex:l4 ; skos:definition [ rdf:value "A cereal."@en ] ; skos:prefLabel "maize"@en .
ex:2 a skos:Concept ; skos:broader ex:1 ; xl:prefLabel ex:gone ; rdfs:comment "Says it."@en .
ex:l1 a xl:Label ; xl:literalForm "maize"@en . ex:l2 xl:literalForm "Mais"@de .
ex:l4 a xl:Label ; xl:literalForm "maze"@en .
[] a skos:Concept ; skos:prefLabel "nobody"@en .
"""


def test_labels_of_skos_xl_are_names_and_what_is_not_read_is_told(tmp_path):
    imported = rdf(tmp_path, XL)
    first, second = by_id(imported)["ex:1"], by_id(imported)["ex:2"]
    assert first.names == (
        NameRecord("maize", "preferred"),
        NameRecord("corn", "synonym"),
        NameRecord("maze", "synonym", "RELATED"),
    )
    assert (first.definition, names(second)) == ("A cereal.", ["ex:2"])
    assert (imported.note("absent texts"), imported.note("without IRI")) == (1, 1)
    assert imported.note("repeated names") == 0
    (other_note,) = (note for note in imported.notes if note.kind == "other statements")
    assert (other_note.count, other_note.text.partition(": ")[2]) == (1, "rdfs:comment 1")


def test_statements_that_are_not_read_are_counted_by_their_property(tmp_path):
    more = "obo:T_2 ex:synonym 'a' , 'b' ; ex:see obo:T_1 ; terms:title 'dyad' .\n"
    imported = rdf(tmp_path, OWL_TEXT + more)
    (other_note,) = (note for note in imported.notes if note.kind == "other statements")
    assert other_note.text.partition(": ")[2] == "ex:synonym 2, ex:see 1"
    assert names(by_id(imported)["T:2"])[:2] == ["two", "dyad"]


JSON_LD = {
    "@context": {
        "skos": "http://www.w3.org/2004/02/skos/core#",
        "ex": "http://example.org/t/",
        "prefLabel": {"@id": "skos:prefLabel", "@language": "en"},
        "broader": {"@id": "skos:broader", "@type": "@id"},
    },
    "@graph": [
        {"@id": "ex:1", "@type": "skos:Concept", "prefLabel": "heart [organ] {x}"},
        {"@id": "ex:2", "@type": "skos:Concept", "prefLabel": 'a \\" valve', "broader": "ex:1"},
    ],
}


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("last", [False, True])
def test_json_ld_is_read_with_the_context_that_it_holds(tmp_path, indent, last):
    keys = sorted(JSON_LD, reverse=last)
    text = json.dumps({key: JSON_LD[key] for key in keys}, indent=indent)
    path = write(tmp_path, "toy.jsonld", text)
    assert detect(path) == "rdf"
    imported = read("rdf", path)
    assert [names(concept) for concept in imported.concepts] == [
        ["heart [organ] {x}"],
        ['a \\" valve'],
    ]
    assert imported.concepts[1].parents == (imported.concepts[0].curie,)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"@context": "https://schema.org/", "@id": "x:1", "name": "a"}', "nothing is fetched"),
        ('[{"@id": ' + '{"@id": ' * 5_000 + "1" + "}" * 5_000 + "}]", "nested too deeply"),
        (json.dumps(JSON_LD)[:300], "truncated"),
        ('{"@graph": [{"@id": "x:1" "@type": "y:2"}]}', "no sound JSON-LD"),
    ],
)
def test_json_ld_that_is_not_whole_is_refused(tmp_path, text, message):
    with pytest.raises(UserError, match=message):
        read("rdf", write(tmp_path, "toy.jsonld", text))


BELOW = """
ex:1 a skos:Concept ; skos:prefLabel "heart"@en ; ex:short "cor" ; ex:shorter "c" ; ex:odd "x" .
ex:2 a skos:Concept ; ex:main "organ"@en ; ex:within ex:1 .
ex:short rdfs:subPropertyOf skos:altLabel . ex:shorter rdfs:subPropertyOf ex:short .
ex:within rdfs:subPropertyOf skos:broader . ex:main rdfs:subPropertyOf ex:main , skos:prefLabel .
"""


def test_properties_below_known_ones_say_what_those_say(tmp_path):
    imported = rdf(tmp_path, BELOW)
    first, second = by_id(imported)["ex:1"], by_id(imported)["ex:2"]
    assert (names(first), names(second), second.parents) == (
        ["heart", "cor", "c"],
        ["organ"],
        ("ex:1",),
    )
    (other_note,) = (note for note in imported.notes if note.kind == "other statements")
    assert "ex:odd 1" in other_note.text
    assert "ex:short" not in other_note.text.replace("ex:shorter", "")


UNNAMED = """
ex:all a skos:ConceptScheme ; skos:hasTopConcept ex:1 .
ex:1 a skos:Concept ; skos:hiddenLabel "hart" ; skos:altLabel "heart" .
ex:2 a skos:Concept ; skos:broader ex:1 ; skos:notation "7" .
ex:3 a skos:Concept ; skos:broader ex:1 ; skos:hiddenLabel "vlave" .
ex:4 a skos:Concept ; skos:broader ex:1 ; skos:prefLabel "valve" .
"""


def _as_json_ld(text):
    return Graph().parse(data=HEAD + text, format="turtle").serialize(format="json-ld")


@pytest.mark.parametrize("name", ["toy.ttl", "toy.jsonld"])
def test_what_has_no_preferred_name_is_told(tmp_path, name):
    text = HEAD + UNNAMED if name == "toy.ttl" else _as_json_ld(UNNAMED)
    imported = read("rdf", write(tmp_path, name, text))
    first = {
        concept.curie[-1]: names(concept)[0] for concept in imported.concepts if not concept.kind
    }
    assert (first["1"], first["4"]) == ("heart", "valve")
    assert {first["2"][-1], first["3"][-1]} == {"2", "3"}
    kinds = ("named by synonyms", "without names", "schemes above")
    assert [imported.note(kind) for kind in kinds] == [1, 2, 1]


def test_a_scheme_that_stands_above_is_told_by_its_name(tmp_path):
    notes = {note.kind: note.text for note in rdf(tmp_path, SKOS_TEXT).notes}
    assert "“All things”" in notes["schemes above"]
    assert "“small”" in notes["schemes above"]
    assert "without names" not in notes
