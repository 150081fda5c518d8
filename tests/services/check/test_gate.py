"""The gate: files or tables of terms in, findings and reports out."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from checked_gate import CHEAP, refuse_workspace, run_cheap_gate
from checked_terms import list_known_terms, make_term

from termexplorer.errors import UserError
from termexplorer.services.check.findings_table import HEADER, list_rows
from termexplorer.services.check.gate import GateReport, run_gate, split_new
from termexplorer.services.curate.suggestion_words import name_list
from termexplorer.store.judging.suggestions import ListHead

Run = Callable[..., GateReport]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run the gate on new terms, written after the known ones, or on a table."""
    return partial(run_cheap_gate, tmp_path)


def test_only_what_the_older_file_has_not_is_tested(run: Run) -> None:
    report = run(make_term("N:1", "renal cyst", parents=["T:1"]))
    assert [term.curie for term in report.new_terms] == ["N:1"]
    assert [(f.rule, f.term.curie) for f in report.failing] == [("name-taken", "N:1")]
    assert report.rest[0].rule == "missing-synonym"


def test_a_finding_of_obo_has_the_line_of_its_stanza(run: Run) -> None:
    report = run(make_term("N:1", "renal cyst", parents=["T:1"]))
    assert report.new.path is not None
    lines = report.new.path.read_text("utf-8").splitlines()
    line = report.failing[0].term.line
    assert "id: N:1" in lines[line - 1 : line + 1]


def test_a_term_that_takes_the_place_of_another_is_no_duplicate_of_it() -> None:
    known = list_known_terms()
    merged = replace(make_term("N:1", "kidney cyst"), alternative_ids=("T:102",))
    compared, new = split_new(known, [*known, merged])
    assert new == [merged]
    assert "T:102" not in {term.curie for term in compared}
    withdrawn = replace(known[9], obsolete=True, replaced_by=("N:2",))
    changed = [withdrawn if term.curie == withdrawn.curie else term for term in known]
    compared, _ = split_new(known, [*changed, make_term("N:2", "kidney cyst")])
    assert withdrawn.curie not in {term.curie for term in compared}


def test_a_table_needs_no_ids_and_names_its_parents_by_name(run: Run) -> None:
    report = run(
        table="name,synonyms,definition,parent\n"
        "kidney scar,renal scar|scarred kidney,A scar.,Kidney Disease\n"
        "eye scar,,,nowhere\n"
    )
    scar, eye = report.new_terms
    assert scar.parents == ("T:1",)
    assert [text for text, _ in scar.names] == ["kidney scar", "renal scar", "scarred kidney"]
    assert scar.line == 2
    assert [(f.rule, f.term) for f in report.failing] == [("unknown-parent", eye)]


def test_a_table_without_a_column_of_names_is_refused(run: Run) -> None:
    with pytest.raises(UserError, match="no column is called name"):
        run(table="foo,bar\n1,2\n3,4\n")


def test_what_is_no_file_is_told_as_such(run: Run, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="there is no such file"):
        run_gate(str(tmp_path / "absent.obo"), "old.obo", refuse_workspace, CHEAP, 0.8)


def test_a_table_of_findings_has_a_cell_for_each_title(run: Run) -> None:
    (row, _) = list_rows(run(make_term("N:1", "renal cyst", parents=["T:1"])))
    cells = dict(zip(HEADER, row, strict=True))
    assert (cells["rule"], cells["severity"], cells["other concept"]) == (
        "name-taken", "error", "T:102",
    )  # fmt: skip


def test_a_list_without_encoders_is_called_by_its_ontologies(german: None) -> None:
    head = ListHead("duplicates", "Duplicates: a → b", 1, 2, [], {}, HEADER, [], {}, "")
    assert name_list(head) == "Dubletten: a → b"
