"""Lists of local codes that are mapped, kept for review and written with all their columns."""

import csv
import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from openpyxl import load_workbook
from toy_ontology import HEADER, stanza
from toy_workspace import LEXICAL, load, quiet
from typer.testing import CliRunner

from termexplorer.cli.commands import app
from termexplorer.services.curate.code_list_files import keep_decided_list, write_decided_lists
from termexplorer.services.curate.code_lists import DecidedList, decide_list, read_list_file
from termexplorer.services.curate.decisions import DecisionOptions
from termexplorer.services.curate.sssom_import import import_sssom
from termexplorer.services.curate.suggestion_lists import find_list, read_list
from termexplorer.services.curate.suggestion_words import question_on
from termexplorer.services.explore.ontologies import find_ontology
from termexplorer.workers.process.protocol import JobProgress
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

ORGANS = ("kidney", "liver", "heart", "lung")
TROUBLES = ("failure", "abscess", "cyst", "injury", "tumour", "infection")
ROWS = [
    ["code", "name", "ward", "n"],
    ["L1", "Liver cyst", "=1+1", "5"],
    ["L2", "xylophone", "", "300"],
    ["L3", "abscess of kidney", "A", "70"],
    ["L4", "", "B", "8"],
    ["L1", "cyst, liver", "C", ""],
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a workspace of one ontology, and a list."""
    folder = tmp_path_factory.mktemp("lists")
    terms = [stanza("B:0", "disease")]
    for number, organ in enumerate(ORGANS, start=1):
        terms.append(stanza(f"B:{number}", f"{organ} disease", "B:0"))
        terms += [
            stanza(f"B:{number}{i}", f"{organ} {t}", f"B:{number}", f"{t} of {organ}")
            for i, t in enumerate(TROUBLES)
        ]
    text = HEADER.replace("ontology: toy", "ontology: B")
    (folder / "B.obo").write_text("\n".join([text, *terms]), encoding="utf-8")
    with (folder / "codes.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(ROWS)
    with closing(Workspace(folder / "workspace")) as workspace:
        load(workspace, folder / "B.obo")
    return folder


@pytest.fixture(scope="module")
def workspace(folder: Path) -> Iterator[Workspace]:
    with closing(Workspace(folder / "workspace")) as workspace:
        yield workspace


@pytest.fixture(scope="module")
def decided(folder: Path, workspace: Workspace) -> DecidedList:
    codes = read_list_file(folder / "codes.csv")
    target = find_ontology(workspace, "b 2026-01-01")  # by its title
    options = DecisionOptions(encoder_ids=(LEXICAL,))
    return decide_list(workspace, codes, target, options, JobControl(), quiet)


def test_the_most_frequent_codes_come_first_and_none_is_lost(decided: DecidedList) -> None:
    assert [m.row.line for m in decided.mapped] == [3, 4, 5, 2, 6]
    objects = [m.decision and (m.decision.predicate, m.decision.object) for m in decided.mapped]
    assert objects[1] == ("exact", "B:11")
    assert objects[2] is None
    assert objects[3] == objects[4] == ("exact", "B:22")  # one code, its names together
    first = decided.mapped[0].decision
    assert first is not None
    assert (first.predicate, 0.5 <= first.probability <= 1) == ("none", True)
    assert sum(decided.count_predicates().values()) == 4
    assert decided.unmapped == 1


def test_names_that_were_decided_as_one_are_told(
    workspace: Workspace, decided: DecidedList, tmp_path: Path
) -> None:
    """Else another thing under the same code would be mapped to what its fellow is."""
    assert any("L1" in str(fact) for fact in decided.facts)
    assert not any("L3" in str(fact) for fact in decided.facts)
    write_decided_lists(workspace, tmp_path / "out.csv", [decided])
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as file:
        remarks = [row["remark"] for row in csv.DictReader(file)]
    assert "cyst, liver" in remarks[3]
    assert "Liver cyst" in remarks[4]
    assert "cyst" not in remarks[1]


def test_all_columns_come_back_in_a_table(
    workspace: Workspace, decided: DecidedList, tmp_path: Path
) -> None:
    write_decided_lists(workspace, tmp_path / "out.csv", [decided])
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0])[:5] == [*ROWS[0], "mapped to"]
    assert [row["code"] for row in rows] == ["L2", "L3", "L4", "L1", "L1"]
    assert rows[3]["ward"] == "'=1+1"  # nothing runs in a spreadsheet
    assert rows[0]["predicate"] == "none"
    assert (rows[0]["other concept"], rows[0]["remark"] != "") == ("", True)
    assert (rows[2]["predicate"], rows[2]["remark"]) == ("", "no name")
    write_decided_lists(workspace, tmp_path / "out.xlsx", [decided, decided])
    sheet = load_workbook(tmp_path / "out.xlsx").worksheets[0]
    assert [row[0].value for row in sheet.iter_rows(min_row=2)][:4] == ["L2", "L2", "L3", "L3"]


def test_a_mapped_list_is_written_as_sssom(
    workspace: Workspace, decided: DecidedList, tmp_path: Path
) -> None:
    out = tmp_path / "out.sssom.tsv"
    write_decided_lists(workspace, out, [decided])
    lines = [line for line in out.read_text("utf-8").splitlines() if not line.startswith("#")]
    rows = list(csv.DictReader(lines, delimiter="\t"))
    assert [row["subject_id"] for row in rows] == [f"codes:L{n}" for n in (2, 3, 1, 1)]
    assert rows[0]["object_id"] == "sssom:NoTermFound"
    assert rows[1]["object_id"] == "B:11"
    assert rows[1]["mapping_justification"] == "semapv:LexicalMatching"
    assert {row["ext_termexplorer_cell_ward"] for row in rows} >= {"A", "C"}


def test_a_mapped_list_is_reviewed_as_others_are(
    workspace: Workspace, decided: DecidedList
) -> None:
    kept_search = keep_decided_list(workspace, decided)
    again = keep_decided_list(workspace, decided)
    assert (again.list_id, again.replaced, again.unchanged) == (kept_search.list_id, 3, 4)
    kept_list = find_list(workspace, kept_search.list_id)
    assert kept_list.head.header[:3] == ["code", "name", "frequency"]
    assert kept_list.head.header[-1] == "ward"
    suggestions = read_list(workspace, kept_search.list_id)
    assert [s.cells[0] for s in suggestions] == ["L2", "L3", "L1", "L1"]
    assert str(suggestions[0].cells[2]) == "300"  # a count, without decimals
    assert suggestions[0].about.object == "sssom:NoTermFound"
    assert "NoTermFound" not in question_on(kept_list, suggestions[0])


def test_the_command_takes_a_file_and_its_older_words(
    folder: Path, workspace: Workspace, tmp_path: Path
) -> None:
    def call(*words: str) -> str:
        done = CliRunner().invoke(app, [*words, "--workspace", str(workspace.folder)])
        assert done.exit_code == 0, done.output
        return done.output

    words = ["map", str(folder / "codes.csv"), "--to", "b", "--encoder", str(LEXICAL)]
    content = json.loads(call(*words, "--json", "--out", str(tmp_path / "out.jsonl")))
    (target,) = content["targets"]
    assert [code["code"] for code in target["suggestions"]] == ["L2", "L3", "L4", "L1", "L1"]
    assert target["suggestions"][1]["other_concept"] == "B:11"
    assert target["suggestions"][0]["cells"] == dict(zip(ROWS[0], ROWS[2], strict=True))
    assert len((tmp_path / "out.jsonl").read_text("utf-8").splitlines()) == len(ROWS) - 1
    assert json.loads(call("map", "list", "--json")) == {"maps": []}


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["no-such.csv", "--to", "b"], "no-such.csv"),
        (["codes.csv", "--to", "c"], "there is no ontology 'c'"),
        (["codes.csv", "--to", "b", "--columns", "code"], "code=1,name=3"),
    ],
)
def test_bad_input_of_the_command_is_told_in_one_line(
    folder: Path,
    workspace: Workspace,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    part: str,
) -> None:
    monkeypatch.chdir(folder)
    done = CliRunner().invoke(app, ["map", *words, "--workspace", str(workspace.folder)])
    assert done.exit_code == 1
    assert part in str(done.exception or done.output)


def test_names_without_codes_are_mapped_by_the_numbers_of_their_rows(
    workspace: Workspace, tmp_path: Path
) -> None:
    path = tmp_path / "names.csv"
    path.write_text("Diagnosis,Count\nliver cyst,n/a\nabscess of kidney,3\n", encoding="utf-8")
    target = find_ontology(workspace, "1")
    options = DecisionOptions(encoder_ids=(LEXICAL,))
    messages: list[object] = []
    codes = read_list_file(path)
    decided = decide_list(workspace, codes, target, options, JobControl(), messages.append)
    progress = [message for message in messages if isinstance(message, JobProgress)]
    fractions = [step.fraction for step in progress if step.fraction is not None]
    assert fractions == sorted(fractions)
    assert any(step.seconds_left for step in progress)  # the time left is shown
    assert [m.curie for m in decided.mapped] == ["names:3", "names:2"]  # the frequent one first
    facts = " ".join(map(str, decided.facts))
    assert "the numbers of its rows" in facts
    assert "n/a in line 2" in facts
    for ending in (".csv", ".sssom.tsv"):
        write_decided_lists(workspace, tmp_path / f"out{ending}", [decided])
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    assert [row["code"] for row in table] == ["3", "2"]
    imported = import_sssom(workspace, tmp_path / "out.csv")
    assert (imported.suggestions, imported.unknown_ids) == (2, 2)
    assert import_sssom(workspace, tmp_path / "out.sssom.tsv").suggestions == 2
