"""Counts of our importers against plain readers of XML, JSON and tables, on generated files."""

import csv
import json
from xml.etree import ElementTree as Tree

from hypothesis import given
from hypothesis import strategies as st
from importing import read, write

NAME = st.from_regex(r"[A-Za-zäé][a-zäé ,'()/-]{0,10}[a-z]", fullmatch=True).map(
    lambda text: " ".join(text.split())
)
NAMES = st.lists(NAME, min_size=1, max_size=4, unique_by=str.casefold)


@st.composite
def hierarchies(draw):
    """Concepts as (number, names, parent or None)."""
    return [
        (number, draw(NAMES), draw(st.integers(0, number - 1)) if number else None)
        for number in range(draw(st.integers(1, 8)))
    ]


def counted_by_us(format_name, path, **options):
    """How many concepts, names and links there are."""
    imported = read(format_name, path, **options)
    assert not imported.skipped
    links = {(c.curie, parent) for c in imported.concepts for parent in c.parents}
    links |= {(link.child, link.parent) for link in imported.links}
    return len(imported.concepts), sum(len(c.names) for c in imported.concepts), len(links)


@given(hierarchies())
def test_claml_is_what_plain_xml_says(tmp_path_factory, concepts):
    root = Tree.Element("ClaML", version="2.0.0")
    Tree.SubElement(root, "Title", name="X", version="1").text = "x"
    for number, names, parent in concepts:
        owner = Tree.SubElement(root, "Class", code=f"A{number}", kind="category")
        if parent is not None:
            Tree.SubElement(owner, "SuperClass", code=f"A{parent}")
        for kind, name in zip(["preferred", *["inclusion"] * 9], names, strict=False):
            rubric = Tree.SubElement(owner, "Rubric", kind=kind)
            Tree.SubElement(rubric, "Label").text = name
    path = write(tmp_path_factory.mktemp("claml"), "c.xml", Tree.tostring(root, "utf-8"))
    tree = Tree.parse(path)  # noqa: S314 (written here)
    expected = tuple(len(tree.findall(f".//{tag}")) for tag in ("Class", "Label", "SuperClass"))
    assert counted_by_us("claml", path) == expected


@given(hierarchies())
def test_mesh_is_what_plain_xml_says(tmp_path_factory, concepts):
    root = Tree.Element("DescriptorRecordSet", LanguageCode="eng")
    trees: dict[int, str] = {}
    for number, names, parent in concepts:
        trees[number] = f"{trees[parent]}.{number:03d}" if parent is not None else "A01"
        record = Tree.SubElement(root, "DescriptorRecord", DescriptorClass="1")
        Tree.SubElement(record, "DescriptorUI").text = f"D{number:06d}"
        Tree.SubElement(Tree.SubElement(record, "DescriptorName"), "String").text = names[0]
        Tree.SubElement(Tree.SubElement(record, "TreeNumberList"), "TreeNumber").text = trees[
            number
        ]
        owner = Tree.SubElement(Tree.SubElement(record, "ConceptList"), "Concept")
        terms = Tree.SubElement(owner, "TermList")
        for name in names:
            Tree.SubElement(
                Tree.SubElement(terms, "Term", IsPermutedTermYN="N"), "String"
            ).text = name
    path = write(tmp_path_factory.mktemp("mesh"), "d.xml", Tree.tostring(root, "utf-8"))
    tree = Tree.parse(path)  # noqa: S314 (written here)
    records, terms = (len(tree.findall(f".//{tag}")) for tag in ("DescriptorRecord", "Term"))
    # besides the records the category that their tree numbers begin with, above the first
    assert counted_by_us("mesh", path) == (records + 1, terms + 1, records)


@given(hierarchies())
def test_fhir_is_what_plain_json_says(tmp_path_factory, concepts):
    listed = [
        {
            "code": f"A{number}",
            "display": names[0],
            "designation": [{"value": name} for name in names[1:]],
            "property": [{"code": "parent", "valueCode": f"A{parent}"}] * (parent is not None),
        }
        for number, names, parent in concepts
    ]
    system = {"resourceType": "CodeSystem", "url": "http://x", "content": "complete"}
    text = json.dumps(system | {"concept": listed})
    path = write(tmp_path_factory.mktemp("fhir"), "c.json", text)
    answer = json.loads(path.read_text("utf-8"))["concept"]
    names = sum(1 + len(concept["designation"]) for concept in answer)
    links = sum(len(concept["property"]) for concept in answer)
    assert counted_by_us("fhir", path) == (len(answer), names, links)


VALID = {"valid_start_date": "20020131", "valid_end_date": "20991231", "invalid_reason": ""}
OF_CONCEPT = ["concept_id", "concept_name", "domain_id", "vocabulary_id", "concept_class_id"]
OF_CONCEPT += ["standard_concept", "concept_code", *VALID]
OF_RELATION = ["concept_id_1", "concept_id_2", "relationship_id", *VALID]


def write_rows(path, columns, rows, delimiter):
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, delimiter=delimiter, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def omop_row(number, name):
    return {
        "concept_id": number, "concept_name": name, "domain_id": "Condition",
        "vocabulary_id": "SNOMED", "concept_class_id": "Finding", "standard_concept": "S",
        "concept_code": f"{number + 100}", **VALID,
    }  # fmt: skip


@given(hierarchies(), st.sampled_from("\t,;"))
def test_omop_is_what_the_csv_module_reads(tmp_path_factory, concepts, delimiter):
    folder = tmp_path_factory.mktemp("omop")
    rows = [omop_row(number + 1, names[0]) for number, names, _ in concepts]
    links = [
        {"concept_id_1": number + 1, "concept_id_2": parent + 1, "relationship_id": "Is a", **VALID}
        for number, _, parent in concepts
        if parent is not None
    ]
    write_rows(folder / "CONCEPT.csv", OF_CONCEPT, rows, delimiter)
    write_rows(folder / "CONCEPT_RELATIONSHIP.csv", OF_RELATION, links, delimiter)
    counts = []
    for name in ("CONCEPT.csv", "CONCEPT_RELATIONSHIP.csv"):
        with (folder / name).open(encoding="utf-8", newline="") as file:
            counts.append(len(list(csv.DictReader(file, delimiter=delimiter))))
    assert counted_by_us("omop", folder) == (counts[0], counts[0], counts[1])


@given(hierarchies())
def test_a_dictionary_and_a_tree_table_are_what_their_lines_say(tmp_path_factory, concepts):
    folder = tmp_path_factory.mktemp("lines")
    names = "".join(
        f"D{number}||{'|'.join(concept_names)}\n" for number, concept_names, _ in concepts
    )
    path = write(folder, "d.txt", names)
    lines = path.read_text("utf-8").splitlines()
    name_count = sum(line.count("|") - 1 for line in lines)
    assert counted_by_us("dictionary", path) == (len(lines), name_count, 0)
    rows = "".join(
        f"A01{f'.{number:03d}' if number else ''}\tD{number:06d}\t{concept_names[0]}\n"
        for number, concept_names, _ in concepts
    )
    tree = write(folder, "t.tsv", f"Tree Number\tDesc Ui\tTerm\n{rows}")
    count = len(tree.read_text("utf-8").splitlines()) - 1
    assert counted_by_us("mesh-tree", tree) == (count + 1, count + 1, count)


def test_files_of_a_release_that_are_not_read_are_told(tmp_path):
    write_rows(tmp_path / "CONCEPT.csv", OF_CONCEPT, [omop_row(1, "heart")], "\t")
    write_rows(tmp_path / "CONCEPT_RELATIONSHIP.csv", OF_RELATION, [], "\t")
    write(tmp_path, "DRUG_STRENGTH.csv", "a\tb\n")
    write(tmp_path, "readme.txt", "text")
    (note,) = (n for n in read("omop", tmp_path).notes if n.kind == "unread files")
    assert (note.count, note.text.partition(": ")[2]) == (1, "DRUG_STRENGTH.csv")
