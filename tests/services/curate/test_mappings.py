"""Two small ontologies that know each other by cross-references, mapped."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from toy_ontology import HEADER, stanza
from toy_workspace import LEXICAL, VECTORS, load, opened_copy, quiet
from typer.testing import CliRunner

from termexplorer.cli.commands import app
from termexplorer.errors import UserError
from termexplorer.services.curate.mapping_rows import mapping_file
from termexplorer.services.curate.mappings import Mappings, suggest_mappings
from termexplorer.services.curate.suggestion_files import write_suggestions
from termexplorer.services.curate.suggestion_lists import find_list, read_list
from termexplorer.services.explore.ontologies import find_ontology
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

OWN = (
    stanza("A:1", "lung tumour") + "xref: B:1\n",
    stanza("A:2", "severe heart injury", "A:1") + "xref: B_2018_03_01:2\n",
    stanza("A:3", "kidney infection", "", "infection of the kidney"),
    stanza("A:4", "mild liver tumour", "A:1") + "xref: ELSE:9\n",
)
OTHER = (
    stanza("B:1", "Lung  Tumour"),
    stanza("B:2", "heart disease"),
    stanza("B:3", "renal trouble", "", "Kidney infection") + "xref: A:3\n",
    stanza("B:4", "injury of the heart", "", "severe injury"),
    stanza("B:5", "viral liver disease"),
    "[Term]\nid: B:6\nname: mild liver tumour\nis_obsolete: true\n",
)

Two = tuple[Workspace, int, int]


@pytest.fixture(scope="module")
def two(toy: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Two]:
    """The toy's workspace with both, and their ids."""
    ids = []
    folder = tmp_path_factory.mktemp("mappings")
    with opened_copy(toy, folder) as workspace:
        for name, terms in (("own", OWN), ("other", OTHER)):
            path = folder / f"{name}.obo"
            text = HEADER.replace("ontology: toy", f"ontology: {name}")
            path.write_text(f"{text}\n" + "\n".join(terms), encoding="utf-8")
            ids.append(load(workspace, path).id)
        yield workspace, ids[0], ids[1]


@pytest.fixture(scope="module")
def both(two: Two) -> Mappings:
    """Mapped by two encoders."""
    return mapped(*two, VECTORS, LEXICAL)


def mapped(workspace: Workspace, source: int, to: int, *encoders: int, root: str = "") -> Mappings:
    sides = [find_ontology(workspace, str(ontology_id)) for ontology_id in (source, to)]
    return suggest_mappings(workspace, *sides, encoders, root, JobControl(), quiet)


def test_the_best_concept_is_found_by_any_of_the_names(both: Mappings) -> None:
    mappings = both
    best = {suggestion.subject: suggestion for suggestion in mappings.suggestions}
    assert set(best) == {"A:1", "A:2", "A:3", "A:4"}
    assert (best["A:1"].object, best["A:1"].same_name, best["A:1"].known) == ("B:1", True, True)
    assert (best["A:3"].object, best["A:3"].same_name, best["A:3"].agree) == ("B:3", True, 2)
    assert best["A:3"].references == ("B:3",)
    assert best["A:2"].object == "B:4"
    assert (best["A:2"].known, best["A:2"].references) == (False, ("B:2",))
    assert best["A:4"].object != "B:6"
    assert best["A:4"].references == ()
    similar = [suggestion.similarity for suggestion in mappings.suggestions]
    assert max(similar) <= 1
    assert similar == sorted(similar, reverse=True)
    assert similar[0] == pytest.approx(1)
    assert all(0 <= suggestion.margin <= 2 for suggestion in mappings.suggestions)
    assert mappings.labels["B:3"] == "renal trouble"


def test_cross_references_of_both_tell_how_good_encoders_are(two: Two, both: Mappings) -> None:
    mappings = both
    figures = {(f.encoder_id, f.metric): (f.value, f.n) for f in mappings.figures}
    assert figures[VECTORS, "hits@1"] == (pytest.approx(2 / 3), 3)
    assert figures[VECTORS, "hits@10"] == (1, 3)
    assert {encoder for encoder, _ in figures} == {VECTORS, LEXICAL}
    none = mapped(two[0], 1, two[2], VECTORS)
    assert none.figures == ()


def test_a_part_of_an_ontology_is_mapped(two: Two) -> None:
    mappings = mapped(*two, VECTORS, root="A:1")
    assert {suggestion.subject for suggestion in mappings.suggestions} == {"A:1", "A:2", "A:4"}


def test_what_cannot_be_mapped_is_refused(two: Two) -> None:
    workspace, source, target = two
    with pytest.raises(UserError, match="mapped to itself"):
        mapped(workspace, source, source, VECTORS)
    with pytest.raises(UserError, match="at least one encoder"):
        mapped(workspace, source, target)
    with pytest.raises(UserError, match="at most 8"):
        mapped(workspace, source, target, *range(1, 10))
    with pytest.raises(UserError, match="no encoder 99"):
        mapped(workspace, source, target, 99)
    with pytest.raises(UserError, match="X:1"):
        mapped(workspace, source, target, VECTORS, root="X:1")


def test_sssom_tells_what_was_mapped_how(two: Two, both: Mappings, tmp_path: Path) -> None:
    mappings = both
    out = tmp_path / "own.sssom.tsv"
    write_suggestions(two[0], out, mapping_file(mappings, mappings.suggestions))
    lines = out.read_text(encoding="utf-8").splitlines()
    head = [line[1:] for line in lines if line.startswith("#")]
    about = yaml.safe_load("\n".join(head))
    for prefix in "AB":  # of OBO files, which mean PURLs without saying so
        assert about["curie_map"][prefix] == f"http://purl.obolibrary.org/obo/{prefix}_"
    assert about["mapping_tool"] == "termexplorer"
    assert about["mapping_set_title"].endswith("suggested, not reviewed")
    rows = list(csv.DictReader(lines[len(head) :], delimiter="\t"))
    assert len(rows) == 4
    by_subject = {row["subject_id"]: row for row in rows}
    assert by_subject["A:1"] == {
        "record_id": by_subject["A:1"]["record_id"],
        "subject_id": "A:1",
        "subject_label": "lung tumour",
        "predicate_id": "skos:exactMatch",
        "object_id": "B:1",
        "object_label": "Lung Tumour",
        "mapping_justification": "semapv:LexicalMatching",
        "confidence": "1.0000",
        "comment": "2 of 2 encoders find it best; a cross-reference says the same",
        "ext_termexplorer_cell_agree": "2",
        "ext_termexplorer_cell_cross_references": "B:1",
        "ext_termexplorer_cell_known": "yes",
        "ext_termexplorer_cell_margin": by_subject["A:1"]["ext_termexplorer_cell_margin"],
        "ext_termexplorer_cell_same_name": "yes",
        "similarity_score": by_subject["A:1"]["similarity_score"],
    }
    assert all(0 <= float(row["similarity_score"]) <= 1 for row in rows)
    other = by_subject["A:2"]
    assert other["predicate_id"] == "skos:closeMatch"
    assert other["comment"].endswith("a cross-reference names B:2")
    again = tmp_path / "again.sssom.tsv"
    write_suggestions(two[0], again, mapping_file(mappings, mappings.suggestions))
    assert again.read_bytes() == out.read_bytes()


def test_the_command_leaves_out_what_is_known(two: Two, tmp_path: Path) -> None:
    workspace, source, target = two
    words = ["suggest", "mappings", "--ontology", str(source), "--to", str(target)]
    words += ["--encoder", str(VECTORS), "--workspace", str(workspace.folder)]
    answer = json.loads(CliRunner().invoke(app, [*words, "--new", "--json"]).stdout)
    assert [suggestion["concept"] for suggestion in answer["suggestions"]] == ["A:4"]
    assert {f["metric"] for f in answer["figures"]} == {"mrr", "hits@1", "hits@10"}
    suggestion_list = find_list(workspace, answer["list"])
    assert (suggestion_list.head.kind, suggestion_list.count) == (
        "mappings",
        len(read_list(workspace, suggestion_list.id)),
    )
    out = tmp_path / "near.csv"
    shown = CliRunner().invoke(app, [*words, "--least", "0.999", "--out", str(out)]).stdout
    assert "2 suggestions are in" in shown
    assert (
        f"leave out {suggestion_list.count - 2} of the {suggestion_list.count} in the list" in shown
    )
    assert f"List {suggestion_list.id} had the same settings" in shown
    shown = CliRunner().invoke(app, [*words, "--limit", "1"]).stdout
    assert f"Shown: 1 of {suggestion_list.count:,} suggestions" in shown
    with out.open(encoding="utf-8", newline="") as file:
        assert {row["concept"] for row in csv.DictReader(file)} == {"A:1", "A:3"}


def test_concepts_that_nothing_is_like_are_left_out_and_counted(two: Two, tmp_path: Path) -> None:
    workspace, source, _ = two
    path = tmp_path / "far.obo"
    terms = stanza("F:1", "qqq"), stanza("F:2", "www"), stanza("F:3", "lung tumour")
    path.write_text(HEADER.replace("ontology: toy", "ontology: far") + "\n" + "\n".join(terms))
    far = load(workspace, path).id
    mappings = mapped(workspace, far, source, LEXICAL)
    assert [suggestion.subject for suggestion in mappings.suggestions] == ["F:3"]
    assert mappings.without_evidence == 2
    words = ["suggest", "mappings", "--ontology", str(far), "--to", str(source)]
    words += ["--encoder", str(LEXICAL), "--workspace", str(workspace.folder)]
    assert "left out: 2 concepts" in CliRunner().invoke(app, words).stdout
    answer = json.loads(CliRunner().invoke(app, [*words, "--json"]).stdout)
    assert answer["without_evidence"] == 2
    assert any("2 concepts are left" in f for f in find_list(workspace, answer["list"]).head.facts)
    out = tmp_path / "far.sssom.tsv"
    assert CliRunner().invoke(app, [*words, "--out", str(out)]).exit_code == 0
    assert "F:1" not in out.read_text()
    assert "closeMatch" not in out.read_text()
