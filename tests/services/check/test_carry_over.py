"""Mappings brought to a newer release of their subjects."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from checked_gate import refuse_workspace
from checked_terms import list_known_terms, make_term, write_obo

from termexplorer.errors import UserError
from termexplorer.exporters.sssom import write_sssom
from termexplorer.importers.sssom.sssom import read_sssom
from termexplorer.services.check.carry_over import (
    HEADER,
    CarryOver,
    carry_over,
    list_stale_rows,
    write_carried,
)
from termexplorer.services.check.term_changes import ReleaseTerms
from termexplorer.services.curate.mapping_formats import MAPPING_FORMATS, MappingFormat
from termexplorer.trainer.checking.terms import OntologyTerm

CYST, STONE, TUMOR = "T:102", "T:106", "T:104"


def change_terms(*changed: OntologyTerm, without: Sequence[str] = ()) -> list[OntologyTerm]:
    """Return the known terms with some changed or added, and some gone."""
    by_curie = {term.curie: term for term in list_known_terms()} | {t.curie: t for t in changed}
    return [term for curie, term in by_curie.items() if curie not in without]


def find_term(curie: str) -> OntologyTerm:
    """Return a known term."""
    return next(term for term in list_known_terms() if term.curie == curie)


def list_reasons(newer: Sequence[OntologyTerm], curie: str) -> tuple[str, ...]:
    """Return why a mapping to a term is stale."""
    change = ReleaseTerms(list_known_terms(), newer).describe_change(curie)
    assert change is not None
    return change.reasons


def test_a_term_that_is_as_it_was_is_not_stale() -> None:
    shouted = replace(find_term(CYST), names=(("Kidney Cyst", 0), ("another name", 1)))
    below = make_term("N:9", "kidney lump", parents=["T:1"])
    deeper = replace(find_term(STONE), parents=("N:9",))  # what was above is above still
    newer = change_terms(shouted, below, deeper)
    assert list_reasons(newer, CYST) == list_reasons(newer, STONE) == ()


def test_each_kind_of_change_has_its_reason() -> None:
    cyst, stone = find_term(CYST), find_term(STONE)
    new = make_term("N:1", "kidney bubble", parents=["T:1"])
    withdrawn = replace(cyst, obsolete=True)
    assert list_reasons(change_terms(without=[CYST]), CYST) == ("retired",)
    assert list_reasons(change_terms(replace(withdrawn, replaced_by=("N:1",)), new), CYST) == (
        "replaced",
    )
    merging = replace(stone, alternative_ids=(CYST,))
    assert list_reasons(change_terms(merging, without=[CYST]), CYST) == ("merged",)
    split = replace(withdrawn, replaced_by=("N:1", STONE))
    assert list_reasons(change_terms(split, new), CYST) == ("split",)
    changed = replace(cyst, names=(("kidney bubble", 0),), parents=("T:2",))
    assert list_reasons(change_terms(changed), CYST) == ("renamed", "moved")


def carry(tmp_path: Path, *added: OntologyTerm, named: str = "stone of the kidney") -> CarryOver:
    """Carry three mappings over: of a merged term, a retired one, and one that is as it was."""
    rows = [
        {
            "subject_id": curie, "subject_label": find_term(curie).label,
            "predicate_id": "skos:exactMatch", "object_id": f"X:{number}",
            "object_label": f"thing {number}", "mapping_justification": "semapv:LexicalMatching",
            "comment": f"as Anna says {number}",
        }
        for number, curie in enumerate((CYST, STONE, TUMOR))
    ]  # fmt: skip
    rows[0]["predicate_modifier"] = "Not"
    write_sssom(tmp_path / "m.sssom.tsv", {"mapping_set_id": "https://example.org/m"}, rows)
    merging = replace(find_term("T:103"), alternative_ids=(CYST,))
    names = [named] if named == "cataract" else [named, "renal stone"]
    stones = make_term("N:1", *names, parents=["T:1"])
    newer = change_terms(merging, stones, *added, without=[CYST, STONE])
    (tmp_path / "old.obo").write_text(write_obo(list_known_terms()), "utf-8")
    (tmp_path / "new.obo").write_text(write_obo(newer), "utf-8")
    old, new = str(tmp_path / "old.obo"), str(tmp_path / "new.obo")
    return carry_over(str(tmp_path / "m.sssom.tsv"), old, new, refuse_workspace)


@pytest.fixture
def carried(tmp_path: Path) -> CarryOver:
    """Three mappings on a newer release."""
    return carry(tmp_path)


def test_what_the_release_states_is_put_in_and_the_rest_of_a_row_comes_along(
    carried: CarryOver, tmp_path: Path
) -> None:
    write_carried(tmp_path / "c.sssom.tsv", carried)
    rows = read_sssom(tmp_path / "c.sssom.tsv").rows
    assert [row["subject_id"] for row in rows] == ["T:103", STONE, TUMOR]
    assert rows[0]["subject_label"] == find_term("T:103").label
    assert rows[0]["predicate_modifier"] == "Not"
    assert [row["comment"] for row in rows] == [f"as Anna says {n}" for n in range(3)]


def test_what_needs_a_person_has_the_reason_and_a_replacement(carried: CarryOver) -> None:
    merged, retired = (dict(zip(HEADER, row, strict=True)) for row in list_stale_rows(carried))
    assert (merged["reasons"], merged["replacement"], merged["stated"], merged["denied"]) == (
        "merged", "T:103", "yes", "yes",
    )  # fmt: skip
    assert (retired["reasons"], retired["replacement"], retired["stated"]) == (
        "retired", "N:1", "no",
    )  # fmt: skip
    assert retired["other name"] == "thing 1"


def test_mappings_of_another_release_are_refused(carried: CarryOver, tmp_path: Path) -> None:
    (tmp_path / "other.obo").write_text(write_obo([make_term("Y:1", "thing")]), "utf-8")
    other = str(tmp_path / "other.obo")
    with pytest.raises(UserError, match="no mapping has a concept"):
        carry_over(str(tmp_path / "m.sssom.tsv"), other, other, refuse_workspace)


def test_a_new_term_with_the_name_of_what_is_mapped_to_is_a_better_candidate(
    tmp_path: Path,
) -> None:
    carried = carry(tmp_path, make_term("N:2", "Thing 2", parents=["T:0"]))
    *_, better = (dict(zip(HEADER, row, strict=True)) for row in list_stale_rows(carried))
    assert (better["concept"], better["reasons"], better["replacement"]) == (
        TUMOR, "better-candidate", "N:2",
    )  # fmt: skip
    assert carried.mappings[2].row == carried.mappings[2].former


@pytest.mark.parametrize("form", MAPPING_FORMATS, ids=lambda form: form.title)
def test_mappings_of_each_form_are_carried_over(tmp_path: Path, form: MappingFormat) -> None:
    row = {
        "subject_id": CYST, "subject_label": find_term(CYST).label,
        "predicate_id": "skos:exactMatch", "object_id": "OMOP:7", "object_label": "thing",
        "mapping_justification": "semapv:ManualMappingCuration", "comment": "as Anna says",
        "author_label": "Anna",
    }  # fmt: skip
    path = tmp_path / f"m{form.suffix}"
    head = {"mapping_set_id": "https://example.org/m", "curie_map": {"T": "https://example.org/t/"}}
    form.write(path, head, [row], {"OMOP:7": "7"})
    (tmp_path / "old.obo").write_text(write_obo(list_known_terms()), "utf-8")
    merging = replace(find_term("T:103"), alternative_ids=(CYST,))
    (tmp_path / "new.obo").write_text(write_obo(change_terms(merging, without=[CYST])), "utf-8")
    carried = carry_over(
        str(path), str(tmp_path / "old.obo"), str(tmp_path / "new.obo"), refuse_workspace
    )
    write_carried(tmp_path / "c.sssom.tsv", carried)
    (after,) = read_sssom(tmp_path / "c.sssom.tsv").rows
    assert after["subject_id"] == "T:103"
    assert [mapping.changes[0].reasons for mapping in carried.stale] == [("merged",)]


def test_a_replacement_that_is_not_likely_is_not_proposed(tmp_path: Path) -> None:
    carried = carry(tmp_path, named="cataract")
    _, retired = (dict(zip(HEADER, row, strict=True)) for row in list_stale_rows(carried))
    assert (retired["reasons"], retired["replacement"]) == ("retired", "")


def test_a_small_release_is_carried_by_ids_and_names_alone(tmp_path: Path) -> None:
    cyst, stone = find_term(CYST), find_term(STONE)
    new = make_term("N:1", "renal thing", stone.label.upper())
    merging = replace(find_term("T:103"), alternative_ids=(CYST,))
    (tmp_path / "old.obo").write_text(write_obo([cyst, stone, find_term("T:103")]), "utf-8")
    (tmp_path / "new.obo").write_text(write_obo([merging, new]), "utf-8")
    rows = [
        {
            "subject_id": curie, "predicate_id": "skos:exactMatch", "object_id": "X:1",
            "mapping_justification": "semapv:LexicalMatching",
        }
        for curie in (CYST, STONE)
    ]  # fmt: skip
    path = tmp_path / "m.sssom.tsv"
    write_sssom(path, {"mapping_set_id": "https://example.org/m"}, rows)
    old, new_path = str(tmp_path / "old.obo"), str(tmp_path / "new.obo")
    carried = carry_over(str(path), old, new_path, refuse_workspace)
    merged, retired = (dict(zip(HEADER, row, strict=True)) for row in list_stale_rows(carried))
    assert (merged["replacement"], retired["replacement"]) == ("T:103", "N:1")
    assert retired["probability"] is None
    assert carried.note.startswith("likelihoods of replacements were not learned")


def test_the_file_says_what_is_stale_and_no_version_that_is_past(tmp_path: Path) -> None:
    old, new, mappings = (tmp_path / name for name in ("old.obo", "new.obo", "m.sssom.tsv"))
    old.write_text(write_obo(list_known_terms()), "utf-8")
    new.write_text(write_obo(change_terms(without=[STONE])), "utf-8")
    rows = [
        {
            "subject_id": curie, "predicate_id": "skos:exactMatch", "object_id": "X:1",
            "mapping_justification": "semapv:ManualMappingCuration", "author_label": "Anna",
            "subject_source_version": "2019",
        }
        for curie in (TUMOR, STONE)
    ]  # fmt: skip
    head = {
        "mapping_set_id": "https://example.org/m", "license": "https://example.org/l",
        "subject_source_version": "2019", "object_source_version": "7",
        "curie_map": {"X": "https://example.org/x/", "T": "https://example.org/t/"},
    }  # fmt: skip
    write_sssom(mappings, head, rows)
    carried = carry_over(str(mappings), str(old), str(new), refuse_workspace)
    write_carried(tmp_path / "out.sssom.tsv", carried)
    written = read_sssom(tmp_path / "out.sssom.tsv")
    assert "subject_source_version" not in {*written.head, *written.rows[0], *written.rows[1]}
    assert written.head["object_source_version"] == "7"
    assert written.head["mapping_set_source"] == ["https://example.org/m"]
    assert written.head["mapping_set_id"] != "https://example.org/m"
    states = [row.get("ext_termexplorer_state") for row in written.rows]
    assert states == [None, "retired"]
    again = carry_over(str(tmp_path / "out.sssom.tsv"), str(old), str(old), refuse_workspace)
    write_carried(tmp_path / "again.sssom.tsv", again)
    (carried_row, _) = read_sssom(tmp_path / "again.sssom.tsv").rows
    assert "ext_termexplorer_state" not in carried_row
