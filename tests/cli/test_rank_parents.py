"""Terms placed in an ontology from the command line, and a trial on concepts that are hidden."""

import json
from pathlib import Path
from typing import Any

import pytest
from program import called

ORGANS = ["heart", "liver", "kidney", "lung", "skin", "brain"]
KINDS = ["cancer", "infection", "injury"]
CAUSES = ["acute", "chronic", "rare"]


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("placing")
    stanzas = ["id: D:0\nname: disease"]
    for kind in KINDS:
        stanzas.append(f"id: D:{kind}\nname: {kind}\nis_a: D:0")
        for organ in ORGANS:
            middle = f"D:{organ}-{kind}"
            stanzas.append(
                f"id: {middle}\nname: {organ} {kind}\nis_a: D:{kind}\n"
                f'synonym: "{kind} of the {organ}" EXACT []'
            )
            stanzas += [
                f"id: {middle}-{cause}\nname: {cause} {organ} {kind}\nis_a: {middle}"
                for cause in CAUSES
            ]
    terms = "".join(f"\n[Term]\n{stanza}\n" for stanza in stanzas)
    source = folder / "d.obo"
    source.write_text(f"format-version: 1.2\nontology: d\n{terms}", encoding="utf-8")
    assert called("import", source, "--workspace", folder / "workspace").returncode == 0
    return folder / "workspace"


def _read_json(*words: object) -> Any:
    done = called(*words, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_terms_are_placed_below_what_they_are_kinds_of(workspace: Path, tmp_path: Path) -> None:
    terms = tmp_path / "terms.txt"
    terms.write_text("sudden liver cancer\nslow brain injury\n", encoding="utf-8")
    options = ("--ontology", "d", "--encoder", "1", "--top", "3", "--workspace", workspace)
    answer = _read_json("rank", "parents", "--from", terms, *options)
    rows = answer["ranking"]
    first = {row["query"]: row["concept"] for row in rows if row["rank"] == 1}
    assert first == {"sudden liver cancer": "D:liver-cancer", "slow brain injury": "D:brain-injury"}
    assert len(rows) == 6
    assert all(0 <= row["probability"] <= 1 for row in rows)
    shown = called("rank", "parents", "sudden liver cancer", *options)
    assert "D:liver-cancer" in shown.stdout


def test_a_term_of_unknown_words_is_said_to_be_a_guess(workspace: Path) -> None:
    options = ("--ontology", "d", "--encoder", "1", "--workspace", workspace)
    guess = called("rank", "parents", "zzqx %s <b> liver", *options)
    assert "only 1 of its" in guess.stdout
    known = called("rank", "parents", "acute liver thing", *options)
    assert "guess" not in known.stdout


def test_a_trial_hides_concepts_and_tells_figures_of_both_ways(workspace: Path) -> None:
    options = ("--ontology", "d", "--encoder", "1", "--workspace", workspace)
    answer = _read_json("rank", "parents", "--trial", *options)
    by_way = {(row["way"], row["metric"]): row["value"] for row in answer["figures"]}
    assert by_way["placed", "mrr"] >= by_way["similarity", "mrr"]
    for row in answer["figures"]:
        assert row["low"] <= row["value"] <= row["high"]
        assert row["n"] > 0
    again = _read_json("rank", "parents", "--trial", *options)
    assert again == answer


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("x", "--encoder", "1"), 2, "--ontology"),
        (("--trial", "x", "--ontology", "d", "--encoder", "1"), 2, "no NAME"),
        (("x", "--ontology", "d", "--encoder", "3"), 1, "vectors"),
    ],
)
def test_what_cannot_be_placed_is_told(
    workspace: Path, words: tuple[str, ...], code: int, message: str
) -> None:
    done = called("rank", "parents", *words, "--workspace", workspace)
    assert done.returncode == code
    assert message in done.stderr
    assert "Traceback" not in done.stderr
