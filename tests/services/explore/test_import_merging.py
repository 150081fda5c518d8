from pathlib import Path

from release_files import rows, told, write
from toy_workspace import load

from termexplorer.services.explore.browsing import ConceptPage, concept_page, search_names
from termexplorer.services.explore.ontologies import import_report
from termexplorer.store.releases.ontologies import Ontology
from termexplorer.workspace import Workspace


def test_a_term_that_stands_twice_keeps_what_either_has(empty: Workspace, tmp_path: Path) -> None:
    path = write(
        tmp_path / "twice.obo",
        "[Term]\nid: T:1\nname: one\nxref: X:1\nalt_id: T:7\n",
        '[Term]\nid: T:2\nname: two\ndef: "The second." []\n',
        '[Term]\nid: T:1\nname: One\ndef: "The first." []\nxref: X:1\nxref: X:2\nalt_id: T:7\n'
        'alt_id: T:8\nsynonym: "uno" EXACT []\nis_a: T:2\n',
        '[Term]\nid: T:2\ndef: "Another." []\n',
        "[Term]\nid: T:3\nis_a: T:2\n",
        "[Term]\nid: T:3\nname: three\n",
    )
    ontology = load(empty, path)
    assert (ontology.concepts, ontology.names, ontology.is_a) == (3, 4, 2)
    first, second, third = (page(empty, ontology, f"T:{number}") for number in (1, 2, 3))
    assert first.concept.definition == "The first."
    assert first.concept.cross_references == ("X:1", "X:2")
    assert first.concept.alternative_ids == ("T:7", "T:8")
    assert [name.text for name in first.concept.names] == ["one", "uno"]
    assert second.concept.definition == "The second."
    assert [name.text for name in second.concept.names] == ["two"]
    assert (third.concept.label, third.concept.names[0].kind) == ("three", "preferred")
    assert search_names(empty, "three", ontology.id).hits[0].curie == "T:3"
    text_by_line = {r.line: r.text for r in import_report(empty, ontology.id) if r.line}
    assert [
        text_by_line[line].partition(" stands again; merged")[::2] for line in sorted(text_by_line)
    ] == [
        ("T:1", ", which adds 1 name, 1 parent, 1 definition, 1 other id, 1 cross-reference"),
        ("T:2", "; its other definition is left out"),
        ("T:3", ", which adds 1 name"),
    ]
    assert "3 rows of a concept that was there before, merged with it" in told(empty, ontology)
    assert "1 definition of theirs left out" in told(empty, ontology)
    rows(empty)  # checks the search indexes


def test_a_second_record_can_say_that_a_concept_is_obsolete(
    empty: Workspace, tmp_path: Path
) -> None:
    path = write(
        tmp_path / "twice.obo",
        "[Term]\nid: T:1\nname: one\n",
        '[Term]\nid: T:2\nname: two\nsynonym: "zwei" EXACT []\nis_a: T:1\n',
        "[Term]\nid: T:2\nis_obsolete: true\nreplaced_by: T:1\nname: deux\n",
        "[Term]\nid: T:3\nis_a: T:1\n",
        "[Term]\nid: T:3\nname: three\nis_obsolete: true\n",
        "[Term]\nid: T:4\nname: four\nis_obsolete: true\n",
        "[Term]\nid: T:4\nname: vier\n",
    )
    ontology = load(empty, path)
    assert (ontology.concepts, ontology.names, ontology.is_a) == (1, 1, 0)
    assert ontology.obsolete == 3
    pages = [page(empty, ontology, f"T:{number}").concept for number in (1, 2, 3, 4)]
    assert [shown_page.obsolete for shown_page in pages] == [False, True, True, True]
    assert pages[1].replaced_by == ("T:1",)
    message = " ".join(r.text for r in import_report(empty, ontology.id))
    assert message.count("that it is obsolete") == 2


def test_the_report_names_the_child_that_lost_its_parent(empty: Workspace, tmp_path: Path) -> None:
    path = write(
        tmp_path / "lost.obo",
        "[Term]\nid: T:1\nname: one\nis_a: T:8\n",
        "[Term]\nid: T:2\nname: two\nis_a: T:1\n",
    )
    message = " ".join(r.text for r in import_report(empty, load(empty, path).id))
    assert "T:1 to T:8" in message
    assert "T:8 is not in this release" in message


def page(workspace: Workspace, ontology: Ontology, curie: str) -> ConceptPage:
    (hit,) = search_names(workspace, curie, ontology.id, limit=1).hits
    result = concept_page(workspace, hit.concept_id)
    assert result is not None
    return result


def test_rows_of_one_id_are_told_alike_wherever_they_stand(
    empty: Workspace, tmp_path: Path
) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("id,name\nA:1,one\nA:1,uno\nA:2,two\nA:1,ein\n", encoding="utf-8")
    ontology = load(empty, path)
    assert (ontology.concepts, ontology.names) == (2, 4)
    remarks = {r.line: r.text for r in import_report(empty, ontology.id) if r.line}
    assert {line: text.split(",")[0] for line, text in remarks.items()} == {
        3: "A:1 stands again; merged",
        5: "A:1 stands again; merged",
    }
    assert "2 rows of a concept that was there before" in told(empty, ontology)


def test_where_several_rows_of_an_id_are_the_rule_one_remark_tells(
    empty: Workspace, tmp_path: Path
) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("id,name\n" + "".join(f"A:{n // 2},name {n}\n" for n in range(60)))
    (remark, no_links) = import_report(empty, load(empty, path).id)
    assert (remark.count, no_links.count) == (30, 30)
    assert remark.text.endswith(
        "merged with it: lines " + ", ".join(map(str, range(3, 42, 2))) + " and 10 more"
    )


def test_a_merged_row_tells_on_its_own_line_what_it_adds(empty: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text(
        "id,name,parents,definition,synonyms\nA:1,one,,,\nA:2,two,A:1,,\n"
        "A:2,zwei,A:1|A:3|A:9,The second.,deux|two\nA:3,three,,,\nA:2,duo,A:1|A:7,Another.,\n",
        encoding="utf-8",
    )
    ontology = load(empty, path)
    remarks = {(r.line, r.skipped): r.text for r in import_report(empty, ontology.id) if r.line}
    assert ", which adds 2 names, 2 parents, 1 definition" in remarks[4, False]
    assert ", which adds 1 name, 1 parent; " in remarks[6, False]
    assert "A:9" in remarks[4, True]
    assert "A:7" in remarks[6, True]


def test_rows_that_lost_a_cell_are_counted_once_each(empty: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text(
        "id,name,parents\nA:1,one,\nA:2,two,A:1,more\nA:3,three,A:8|A:9\nA:4,four,A:1,more\n"
        "A:5,,A:1,more\n" + "".join(f"A:{n},name {n},A:1\n" for n in range(10, 30)),
        encoding="utf-8",
    )
    assert load(empty, path).skipped == 4
