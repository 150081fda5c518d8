import contextlib
import gzip
import io
import json
import tarfile
from xml.sax.saxutils import quoteattr

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from importing import names, read, write

from termexplorer.errors import UserError
from termexplorer.importers.files import npm_package
from termexplorer.importers.formats import choices_of, detect
from termexplorer.importers.records import NameRecord

GERMAN = {"language": "de", "value": "Tier"}
SPECIFIED = {"use": {"code": "900000000000003001"}, "value": "Animal (being)"}
TOY = {
    "resourceType": "CodeSystem",
    "property": [
        {"code": "up", "uri": "http://hl7.org/fhir/concept-properties#parent", "type": "code"}
    ],
    "concept": [
        {
            "concept": [
                {"code": "B", "display": "bird", "concept": [{"code": "C", "display": "crow"}]},
                {"display": "nobody"},
            ],
            "code": "A",
            "display": "animal",
            "definition": "What moves.",
            "designation": [GERMAN, SPECIFIED, {"value": "creature"}],
        },
        {
            "code": "D",
            "display": "dodo",
            "property": [
                {"code": "up", "valueCode": "B"},
                {"code": "subsumedBy", "valueCoding": {"code": "A"}},
                {"code": "child", "valueCode": "E"},
                {"code": "status", "valueCode": "retired"},
                {"code": "colour", "valueString": "grey"},
            ],
        },
        {"code": "E", "property": [{"code": "inactive", "valueBoolean": False}]},
        {"code": "F", "property": [{"code": "inactive", "valueBoolean": True}]},
    ],
    "url": "http://example.org/CodeSystem/toys",
    "name": "Toys",
    "title": "The toys",
    "version": "2.1",
    "language": "en",
    "copyright": "CC0",
    "content": "fragment",
}
SMALL = {
    "resourceType": "CodeSystem",
    "url": "http://example.org/small",
    "name": "Small",
    "content": "complete",
    "concept": [{"code": "1", "display": "one"}],
}
BUNDLE = {
    "resourceType": "Bundle",
    "entry": [{"resource": {"resourceType": "ValueSet"}}, {"resource": SMALL}, {"resource": TOY}],
}


def package(*members):
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w") as archive:
        for name, content in members:
            info = tarfile.TarInfo(name)
            data = json.dumps(content).encode() if content else b""
            info.size = len(data)
            if not content:
                info.type, info.linkname = tarfile.SYMTYPE, "/etc/passwd"
            archive.addfile(info, io.BytesIO(data))
    return gzip.compress(held.getvalue())


PACKAGE = package(
    ("package/package.json", {"name": "toys"}),
    ("package/CodeSystem-small.json", SMALL),
    ("package/CodeSystem-toys.json", TOY),
)


def as_xml(resource, namespace=' xmlns="http://hl7.org/fhir"'):
    """A resource of JSON in XML."""
    kind = resource["resourceType"]
    rest = {key: value for key, value in resource.items() if key != "resourceType"}
    return f"<{kind}{namespace}>{''.join(map(as_elements, rest, rest.values()))}</{kind}>"


def as_elements(name, value):
    if isinstance(value, list):
        return "\n".join(as_elements(name, part) for part in value)
    if not isinstance(value, dict):
        text = json.dumps(value) if isinstance(value, bool) else value
        return f"<{name} value={quoteattr(text)}/>"
    if "resourceType" in value:
        return f"<{name}>{as_xml(value, '')}</{name}>"
    return f"<{name}>{''.join(map(as_elements, value, value.values()))}</{name}>"


HOLDERS = {
    "one": json.dumps(TOY),
    "bundle": json.dumps(BUNDLE, indent=1),
    "package": PACKAGE,
    "one in XML": as_xml(TOY),
    "bundle in XML": f'<?xml version="1.0" encoding="UTF-8"?>\n{as_xml(BUNDLE)}',
}


@pytest.mark.parametrize("holder", HOLDERS)
def test_a_code_system_is_read_whole(tmp_path, holder):
    path = write(tmp_path, "toy", HOLDERS[holder])
    assert detect(path) == "fhir"
    imported = read("fhir", path)
    concept_by_id = {concept.code: concept for concept in imported.concepts}
    assert concept_by_id["A"].names == (
        NameRecord("animal", "preferred"),
        NameRecord("Animal (being)", "fully specified"),
        NameRecord("creature", "synonym"),
    )
    assert (concept_by_id["A"].curie, concept_by_id["A"].definition) == ("Toys:A", "What moves.")
    assert concept_by_id["D"].parents == ("Toys:B", "Toys:A")
    links = {(link.child[-1], link.parent[-1]) for link in imported.links}
    assert links == {("B", "A"), ("C", "B"), ("E", "D")}
    assert [code for code in concept_by_id if concept_by_id[code].obsolete] == ["D", "F"]
    assert names(concept_by_id["E"]) == ["E"]
    assert [skipped_line.reason for skipped_line in imported.skipped] == [
        "a concept without a code"
    ]
    header = imported.header
    assert (header.title, header.version, header.licence) == ("The toys", "2.1", "CC0")
    assert header.prefixes == {"Toys": "http://example.org/CodeSystem/toys#"}
    assert imported.note("content") == imported.note("other values") == 1
    assert imported.note("other systems") == (not holder.startswith("one"))
    assert imported.fraction == 1


def test_a_designation_without_a_value_is_told(tmp_path):
    concept = {"code": "a", "display": "one", "designation": [{"language": "en", "display": "x"}]}
    system = {"resourceType": "CodeSystem", "url": "http://a.org/b", "concept": [concept]}
    imported = read("fhir", write(tmp_path, "toy.json", json.dumps(system)))
    assert imported.note("other values") == 1


def test_code_systems_and_languages_can_be_chosen(tmp_path):
    path = write(tmp_path, "toys.tgz", PACKAGE)
    systems, languages = choices_of("fhir", path)
    offered = [(option.value[-5:], option.label, option.count) for option in systems.options]
    assert offered == [("/toys", "The toys", 6), ("small", "Small", 1)]
    assert {option.value: option.count for option in languages.options} == {
        "en": 7,
        "de": 1,
        "none": 1,
    }
    chosen = {"systems": ("http://example.org/small",), "languages": ("none",)}
    assert names(read("fhir", path, choices=chosen).concepts[0]) == ["one"]
    german = {concept.code: names(concept) for concept in
              read("fhir", path, choices={"languages": ("de",)}).concepts}  # fmt: skip
    assert (german["A"], german["B"]) == (["Tier"], ["bird"])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (package(("package/CodeSystem.json", None)), "is a link or leads out"),
        (package(("../CodeSystem.json", TOY)), "is a link or leads out"),
        (package(("package/big.json", {"x": " " * (1 << 21)})), "packed more than text can be"),
        (gzip.compress(gzip.decompress(PACKAGE)[:2000]), "damaged package|truncated"),
        (gzip.decompress(PACKAGE)[:1600], "damaged package"),  # within a file
        (PACKAGE[:-200], "truncated"),
        (package(("package/package.json", {"name": "toys"})), "holds no CodeSystem"),
        (json.dumps(SMALL)[:-9], "truncated"),
        (as_xml(SMALL)[:-9], "truncated"),
        (as_xml({**SMALL, "concept": [], "content": "not-present"}), "content: not-present"),
        (f'<!DOCTYPE x [<!ENTITY a "b">]>{as_xml(SMALL)}', "declares an entity"),
        (as_xml(SMALL)[:-13] + "<concept>" * 300, "nested too deeply"),
        (json.dumps({**SMALL, "concept": [], "content": "not-present"}), "content: not-present"),
        (json.dumps({**SMALL, "x": 1})[:-2] + '{"concept":[' * 100_000, "nested too deeply"),
    ],
)
def test_what_is_not_sound_is_refused(tmp_path, monkeypatch, content, message):
    monkeypatch.setattr(npm_package, "_SMALL", 1 << 20)  # a ratio says something sooner
    with pytest.raises(UserError, match=message) as error:
        read("fhir", write(tmp_path, "toy", content))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("written", [json.dumps, as_xml])
def test_another_resource_is_called_by_its_name(tmp_path, written):
    with pytest.raises(UserError, match="FHIR resource that is no CodeSystem"):
        detect(write(tmp_path, "toy", written({"resourceType": "ValueSet"})))
    with pytest.raises(UserError, match=r"FHIR ConceptMap.*as SSSOM"):
        detect(write(tmp_path, "toy", written({"resourceType": "ConceptMap"})))


def test_xml_and_json_tell_the_same(tmp_path):
    first, second = (
        read("fhir", write(tmp_path, "toy", HOLDERS[h])) for h in ("one", "one in XML")
    )
    assert second.header == first.header
    assert second.concepts
    assert list(map(repr, second.concepts)) == list(map(repr, first.concepts))  # but for the lines
    assert [(link.child, link.parent) for link in second.links] == [
        (link.child, link.parent) for link in first.links
    ]
    assert [(n.kind, n.count, n.text) for n in second.notes] == [
        (n.kind, n.count, n.text) for n in first.notes
    ]


SOUND = [
    HOLDERS["bundle"].encode(), HOLDERS["bundle in XML"].encode(), gzip.decompress(PACKAGE)
]  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_no_mutation_is_a_bug(tmp_path_factory, data):
    text = data.draw(st.sampled_from(SOUND))
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(text))] * 2)))
    middle = data.draw(
        st.sampled_from([b"", text[start:end] * 2, b"{", b'"', b"null", b"[1]", b"<a>"])
    )
    path = write(tmp_path_factory.mktemp("any"), "any", text[:start] + middle + text[end:])
    with contextlib.suppress(UserError):
        read("fhir", path)
