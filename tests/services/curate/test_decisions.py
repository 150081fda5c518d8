"""Mappings that are decided, from a command and as a list for review."""

import csv
import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from toy_ontology import HEADER, stanza
from toy_workspace import LEXICAL, load, quiet
from typer.testing import CliRunner

from termexplorer.cli.commands import app
from termexplorer.errors import UserError
from termexplorer.services.curate.decisions import (
    DecidedMappings,
    DecisionOptions,
    decide_mappings,
    decision_file,
)
from termexplorer.services.curate.suggesting import DECIDED, Search, search
from termexplorer.services.curate.suggestion_files import write_suggestions
from termexplorer.services.curate.suggestion_lists import find_list, read_list
from termexplorer.services.explore.ontologies import find_ontology
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

ORGANS = ("kidney", "liver", "heart", "lung")
TROUBLES = ("failure", "abscess", "cyst", "injury", "tumour", "infection")
ADJECTIVES = dict(zip(ORGANS, ("renal", "hepatic", "cardiac", "pulmonary"), strict=True))
CROSS_REFERENCE = "xref: B:4\n"  # of a concept that nothing is called like

Two = tuple[Workspace, int, int]


def make_terms(prefix: str) -> Iterator[str]:
    """Organs' diseases, called by the organ in A, and by the adjective first in half of B."""
    yield stanza(f"{prefix}:0", "disease")
    for number, organ in enumerate(ORGANS, start=1):
        yield stanza(f"{prefix}:{number}", f"{organ} disease", f"{prefix}:0")
    for number, organ in enumerate(ORGANS, start=1):
        for trouble_number, trouble in enumerate(TROUBLES):
            names = [f"{organ} {trouble}", f"{ADJECTIVES[organ]} {trouble}"]
            if prefix == "B" and trouble_number % 2:
                names.reverse()
            yield stanza(
                f"{prefix}:{number}{trouble_number}", names[0], f"{prefix}:{number}", names[1]
            )


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Two]:
    """A workspace with both, and their ids."""
    folder = tmp_path_factory.mktemp("decisions")
    lone = stanza("A:99", "xylophone") + CROSS_REFERENCE
    ids = []
    with closing(Workspace(folder / "workspace")) as workspace:
        for prefix, further in (("A", [lone]), ("B", [])):
            text = HEADER.replace("ontology: toy", f"ontology: {prefix}")
            path = folder / f"{prefix}.obo"
            path.write_text("\n".join([text, *make_terms(prefix), *further]), encoding="utf-8")
            ids.append(load(workspace, path).id)
        yield workspace, ids[0], ids[1]


def decide(two: Two, **options: object) -> DecidedMappings:
    sides = [find_ontology(two[0], str(ontology_id)) for ontology_id in two[1:]]
    chosen = DecisionOptions(encoder_ids=(LEXICAL,), **options)  # type: ignore[arg-type]
    return decide_mappings(two[0], *sides, chosen, JobControl(), quiet)


@pytest.fixture(scope="module")
def decided(two: Two) -> DecidedMappings:
    return decide(two, one_to_one=True, withhold_references=True)


def test_concepts_of_the_same_names_are_exact_matches(decided: DecidedMappings) -> None:
    exact = {m.subject: m.object for m in decided.mappings if m.predicate == "exact"}
    assert len(set(exact.values())) == len(exact)
    right = [a for a, b in exact.items() if a.removeprefix("A") == b.removeprefix("B")]
    assert len(right) >= 0.9 * (len(decided.mappings) - 1)
    assert len(decided.mappings) == 1 + len(ORGANS) * (1 + len(TROUBLES)) + 1
    assert sum(decided.count_predicates().values()) == len(decided.mappings)
    probabilities = [mapping.probability for mapping in decided.mappings]
    assert probabilities == sorted(probabilities, reverse=True)
    assert all(0.5 <= probability <= 1 for probability in probabilities)


def test_what_is_called_like_nothing_has_no_match_unless_a_reference_says_so(
    two: Two, decided: DecidedMappings
) -> None:
    (lone,) = (mapping for mapping in decided.mappings if mapping.subject == "A:99")
    assert (lone.predicate, lone.known, lone.references) == ("none", False, ("B:4",))
    with_references = decide(two)
    (lone,) = (mapping for mapping in with_references.mappings if mapping.subject == "A:99")
    assert lone.references == ("B:4",)


def test_what_is_decided_is_written_as_sssom(
    two: Two, decided: DecidedMappings, tmp_path: Path
) -> None:
    out = tmp_path / "decided.sssom.tsv"
    write_suggestions(two[0], out, decision_file(decided, decided.mappings))
    lines = [line for line in out.read_text("utf-8").splitlines() if not line.startswith("#")]
    rows = {row["subject_id"]: row for row in csv.DictReader(lines, delimiter="\t")}
    assert len(rows) == len(decided.mappings)
    same = rows["A:10"]
    assert (same["predicate_id"], same["object_id"]) == ("skos:exactMatch", "B:10")
    assert same["mapping_justification"] == "semapv:LexicalMatching"
    assert 0.5 <= float(same["confidence"]) <= 1
    assert rows["A:99"]["object_id"] == "sssom:NoTermFound"
    assert rows["A:99"]["mapping_justification"] == "semapv:CompositeMatching"


def test_the_window_keeps_what_is_decided_for_review(two: Two) -> None:
    wanted = Search(DECIDED, two[1], (LEXICAL,), two[2], "A:1")
    kept_search = search(two[0], wanted, JobControl(), quiet)
    suggestions = read_list(two[0], kept_search.list_id)
    head = find_list(two[0], kept_search.list_id).head
    column = {title: number for number, title in enumerate(head.header)}
    predicates = {s.cells[column["predicate"]] for s in suggestions}
    assert "exact" in predicates
    assert "none" not in predicates
    assert {s.about.subject[:3] for s in suggestions} == {"A:1"}
    assert all(0.5 <= float(str(s.cells[column["probability"]])) <= 1 for s in suggestions)
    assert head.facts


def test_the_command_decides_where_no_encoder_is_named(two: Two, tmp_path: Path) -> None:
    folder, out = str(two[0].folder), tmp_path / "out.sssom.tsv"
    sides = ["--ontology", str(two[1]), "--to", str(two[2]), "--workspace", folder]
    asked = ["suggest", "mappings", *sides, "--one-to-one", "--withhold-references"]
    done = CliRunner().invoke(app, [*asked, "--json", "--with-none", "--out", str(out)])
    assert done.exit_code == 0, done.output
    answer = json.loads(done.stdout)
    assert len(answer["suggestions"]) == sum(answer["predicates"].values())
    assert {"concept", "other_concept", "predicate", "probability"} <= set(answer["suggestions"][0])
    text = out.read_text("utf-8")
    assert "sssom:NoTermFound" in text
    refused = CliRunner().invoke(
        app, ["suggest", "mappings", *sides, "--encoder", str(LEXICAL), "--one-to-one"]
    )
    assert refused.exit_code == 1
    assert "--decide" in str(refused.exception)


def test_an_ontology_is_not_mapped_to_itself(two: Two) -> None:
    with pytest.raises(UserError, match="itself"):
        decide((two[0], two[1], two[1]))
