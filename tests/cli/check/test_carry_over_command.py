"""The command `suggestion carry-over`."""

import json
from pathlib import Path

import pytest
from checked_terms import list_known_terms, write_obo
from program import called

from termexplorer.exporters.sssom import write_sssom


@pytest.fixture
def words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The command on two files; in the newer one a term is called otherwise."""
    monkeypatch.chdir(tmp_path)
    known = write_obo(list_known_terms())
    (tmp_path / "old.obo").write_text(known, "utf-8")
    (tmp_path / "new.obo").write_text(known.replace("name: kidney cyst", "name: bubble"), "utf-8")
    rows = [
        {
            "subject_id": f"T:10{number}", "predicate_id": "skos:exactMatch", "object_id": "X:1",
            "mapping_justification": "semapv:LexicalMatching",
        }
        for number in (1, 2)
    ]  # fmt: skip
    write_sssom(tmp_path / "m.sssom.tsv", {}, rows)
    return ["suggestion", "carry-over", "m.sssom.tsv", "--old", "old.obo", "--new", "new.obo"]


def test_what_holds_and_what_needs_a_person_is_told_and_written(
    words: list[str], tmp_path: Path
) -> None:
    ended = called(*words, "--out", "c.sssom.tsv", "--stale", "s.csv")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "2 mappings: 1 hold, 1 need a person" in ended.stdout
    assert "T:102" in (tmp_path / "s.csv").read_text("utf-8")
    assert "T:101" in (tmp_path / "c.sssom.tsv").read_text("utf-8")
    report = json.loads(called(*words, "--json").stdout)
    assert report["reasons"] == {"renamed": 1}
    assert report["changes"][0]["concept"] == "T:102"


def test_a_release_that_is_not_there_is_one_line(words: list[str]) -> None:
    ended = called(*words[:-1], "absent.obo")
    assert ended.returncode == 1
    assert ended.stderr == (
        "termexplorer: absent.obo: there is no such file; check its name and folder\n"
    )
