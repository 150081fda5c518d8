import json
from collections.abc import Callable
from pathlib import Path

import pytest
from openpyxl import Workbook
from program import called
from toy_ontology import HEADER, stanza
from typer.testing import CliRunner

from termexplorer.bench.releases.rf2_release import Rf2Size, write_release
from termexplorer.cli.commands import app
from termexplorer.errors import UserError


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A chain of five concepts below a root."""
    terms = [stanza(f"T:{n}", f"name {n}", f"T:{n - 1}" if n else "") for n in range(6)]
    path = tmp_path_factory.mktemp("ontologies") / "chain.obo"
    path.write_text(HEADER + "\n" + "\n".join(terms), encoding="utf-8")
    return path


def run(source: Path, *words: str) -> str:
    done = CliRunner().invoke(app, [*words, "--workspace", str(source.parent / "workspace")])
    assert done.exit_code == 0, done.output
    return done.output


def test_the_same_file_imported_again_is_said(source: Path) -> None:
    assert "same content" not in run(source, "import", str(source))
    assert "  same content as ontology 1 (toy 2026-01-01), imported on" in run(
        source, "import", str(source)
    )


def test_an_import_that_ctrl_c_ends_says_what_was_kept(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def press(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("termexplorer.cli.importing.prepare_lexical", press)
    done = called("import", source, "--workspace", tmp_path / "workspace")
    assert (done.returncode, done.stdout) == (130, "")
    message = (
        "stopped; toy 2026-01-01 is imported, as ontology 1, and its TF-IDF is made when needed"
    )
    assert done.stderr == f"termexplorer: {message}\n"


def test_a_file_is_looked_into_and_tried_without_being_kept(source: Path) -> None:
    look = json.loads(run(source, "import", str(source), "--look", "--json"))
    assert (look["format"], look["version"], look["choices"]) == ("obo", "2026-01-01", [])
    keys = ("code", "name", "parents")
    assert [[concept[key] for key in keys] for concept in look["concepts"][:2]] == [
        ["T:0", "name 0", ""], ["T:1", "name 1", "T:0"],
    ]  # fmt: skip
    before = run(source, "ontology", "list", "--json")
    tried = json.loads(run(source, "import", str(source), "--dry-run", "--json"))
    assert (tried["concepts"], tried["is_a"], tried["report"]) == (6, 5, [])
    assert run(source, "ontology", "list", "--json") == before


def test_a_search_says_what_it_did_not_find_and_that_there_is_more(source: Path) -> None:
    run(source, "import", str(source))
    nothing = run(source, "search", "xyzzyplugh")
    assert "xyzzyplugh" in nothing
    assert "code" not in nothing.split()  # no table without a row
    assert json.loads(run(source, "search", "xyzzyplugh", "--json"))["hits"] == []
    for limit, more in ((2, True), (6, False)):
        words = ("search", "name", "--ontology", "1", "--limit", str(limit))
        answer = json.loads(run(source, *words, "--json"))
        assert (len(answer["hits"]), answer["more"]) == (limit, more)
        assert (f"more than {limit}" in run(source, *words)) is more
    listed = run(source, "search", "T:2, T:99", "--ontology", "1")
    assert "name 2" in listed
    assert "T:99" in listed


def test_a_search_of_an_empty_workspace_says_what_to_do(command: Callable[..., str]) -> None:
    assert "import" in command("search", "heart")


def test_levels_without_names_say_so(source: Path) -> None:
    run(source, "import", str(source))
    levels = json.loads(run(source, "levels", "--ontology", "1", "--depth", "3", "--json"))[
        "levels"
    ]
    assert [level["names"] for level in levels] == [2, 2, 2, 1, 0]
    lines = run(source, "levels", "--ontology", "1", "--depth", "3").splitlines()[1:6]
    assert ["no names" in line for line in lines] == [False] * 4 + [True]


def test_levels_tell_what_each_level_does_without(tmp_path: Path) -> None:
    chain = [stanza(f"T:{n}", f"name {n}", f"T:{n - 1}" if n else "") for n in range(6)]
    deep = [stanza(f"T:1{n}", f"end {n}", "T:1") for n in range(7)]  # dead ends on level 2
    stubs = [stanza("T:20", "stub", "T:0")]  # one on level 1
    path = tmp_path / "ends.obo"
    path.write_text(HEADER + "\n" + "\n".join(chain + deep + stubs), encoding="utf-8")
    run(path, "import", str(path))
    words = ("levels", "--ontology", "1", "--depth", "3")
    levels = json.loads(run(path, *words, "--json"))["levels"]
    for level in levels:
        assert level["names"] + sum(level["names_left_out"].values()) == 6 + 7 + 1
    lines = [line for line in run(path, *words).splitlines() if line.startswith("left out of")]
    of_level = {n: [x for x in lines if x.startswith(f"left out of level {n}: ")] for n in (1, 2)}
    assert any("1 class" in x and "T:20 stub (dead end)" in x for x in of_level[1])
    (classes,) = [x for x in of_level[2] if "T:10 end 0" in x]
    assert "7 classes" in classes
    assert classes.endswith("; and 2 more")
    left_out = sum(levels[1]["names_left_out"].values())
    assert any(f"{left_out} names: " in x and "8 of dead ends" in x for x in of_level[2])


def test_a_release_folder_is_found_by_content_and_its_dialect_chosen(tmp_path: Path) -> None:
    folder = write_release(tmp_path / "release", Rf2Size(60, 200, 300, definitions=9))
    report = run(folder, "import", str(folder))
    assert "SNOMED CT 2025-01-01 is ontology 1: " in report
    assert "dialect en-US (900000000000509007); there are also en-GB (900000000000508004)" in report
    report = run(folder, "import", str(folder), "--dialect", "en-GB", "--json")
    british = json.loads(report.splitlines()[-1])  # a notice of their language stands above
    assert "dialect en-GB" in "\n".join(note["reason"] for note in british["report"])
    assert british["concepts"] + british["obsolete"] == 60
    assert "needs a licence" in british["licence"]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--dialect", "fr"), "no dialect 'fr' in the release; there are en-GB"),
        (("--language", "sv"), "in the language 'sv'; there are en"),
    ],
)
def test_a_dialect_that_is_not_there_names_those_that_are(
    tmp_path: Path, options: tuple[str, ...], why: str
) -> None:
    folder = write_release(tmp_path / "release", Rf2Size(30, 60, 60))
    workspace = ["--workspace", str(tmp_path / "workspace")]
    with pytest.raises(UserError, match=why):
        CliRunner().invoke(
            app, ["import", str(folder), *options, *workspace], catch_exceptions=False
        )


def test_a_dialect_is_refused_of_other_formats(source: Path) -> None:
    words = ["import", str(source), "--dialect", "en-GB", "--workspace", str(source.parent / "w")]
    with pytest.raises(UserError, match="of an RF2 release only"):
        CliRunner().invoke(app, words, catch_exceptions=False)


def test_an_ontology_is_removed_once_it_is_confirmed(source: Path, tmp_path: Path) -> None:
    path = tmp_path / "one" / "chain.obo"
    path.parent.mkdir()
    path.write_text(source.read_text("utf-8"), encoding="utf-8")
    run(path, "import", str(path))
    words = ["ontology", "remove", "1", "--workspace", str(path.parent / "workspace")]
    asked = CliRunner().invoke(app, words, input="n\n")
    assert asked.exit_code == 1
    assert "6 concepts with 6 names" in asked.output
    assert len(json.loads(run(path, "ontology", "list", "--json"))["ontologies"]) == 1
    output = run(path, "ontology", "remove", "1", "--yes")
    assert output.endswith("ontology 1 is removed\n")
    assert "Remove all this?" not in output
    assert "No ontology yet" in run(path, "ontology", "list")


def test_a_table_is_imported_by_its_titles_and_sheet(
    command: Callable[..., str], tmp_path: Path
) -> None:
    book = Workbook()
    book.active.append(["About", "this file"])
    sheet = book.create_sheet("Codes")
    for row in (["kind", "dmd_id", "dmd_name", "also"], ["VMP", 1001, "inhaler", "puffer|spray"]):
        sheet.append(row)
    path = tmp_path / "drugs.xlsx"
    book.save(path)
    columns = "id=dmd_id,name=dmd_name,synonyms=also"
    output = command("import", str(path), "--sheet", "codes", "--columns", columns)
    assert "1 concept, 3 names" in output
    assert "Sheet" in output
    assert "kind" in output
    output = command("import", str(path), "--sheet", "1", "--no-titles", "--dry-run")
    assert "1 concept, 1 name," in output


def test_what_a_spreadsheet_has_spoiled_is_told_by_a_look(
    command: Callable[..., str], tmp_path: Path
) -> None:
    path = tmp_path / "names.csv"
    path.write_text("id,name\n1.01E+15,one\n1.01E+15,two\nA3,three\n", encoding="utf-8")
    assert "2 ids" in command("import", str(path), "--look")


def test_two_terminologies_of_two_numbers_share_no_concept(
    command: Callable[..., str], tmp_path: Path
) -> None:
    for number in (9, 10):
        path = tmp_path / f"icd{number}.csv"
        path.write_text(f"code,name\nE10,of {number}\n", encoding="utf-8")
        command("import", str(path))
    answer = json.loads(command("ontology", "list", "--json"))
    assert len({ontology["terminology"] for ontology in answer["ontologies"]}) == 2


def test_spoiled_ids_are_warned_of_on_standard_error(tmp_path: Path) -> None:
    table = tmp_path / "spoiled.csv"
    table.write_text("id,name\n7.3211E+17,diabetes\nA2,measles\nA3,#N/A\n", encoding="utf-8")
    asked = ("import", table, "--workspace", tmp_path / "workspace")
    done = called(*asked)
    assert done.returncode == 0
    warnings = [line for line in done.stderr.splitlines() if line.startswith("Warning: ")]
    assert [("1 id," in line, "1 name," in line) for line in warnings] == [
        (False, True),  # the error
        (True, False),  # the shortened number
    ]
    assert all(line.removeprefix("Warning: ") in done.stdout for line in warnings)
    as_json = called(*asked, "--json")
    assert as_json.stderr == ""
    report = [remark["reason"] for remark in json.loads(as_json.stdout)["report"]]
    assert all(line.removeprefix("Warning: ") in report for line in warnings)
