import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from program import called
from toy_ontology import write_toy, write_vectors

from termexplorer.cli.output import print_table
from termexplorer.store.search import candidates


class Program:
    """The program on one workspace."""

    def __init__(self, workspace: Path) -> None:
        self.workspace = workspace

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        return called(*words, "--workspace", self.workspace)

    def json(self, *words: str) -> Any:
        done = self.run(*words, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def fails(self, code: int, *words: str) -> str:
        done = self.run(*words)
        assert done.returncode == code, (done.stdout, done.stderr)
        assert "Traceback" not in done.stderr
        if code == 1:
            assert len(done.stderr.splitlines()) == 1
        return done.stderr


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("commands")


@pytest.fixture(scope="session")
def program(folder: Path) -> Program:
    """A workspace with the toy ontology, vectors (5) and a few-shot encoder (6)."""
    program = Program(folder / "workspace")
    imported = program.json("import", str(write_toy(folder)))
    assert {k: imported[k] for k in ("ontology", "concepts", "is_a", "obsolete", "skipped")} == {
        "ontology": 1, "concepts": 377, "is_a": 376, "obsolete": 1, "skipped": 0,
    }  # fmt: skip
    assert imported["names"] == 669
    assert program.json("vectors", "add", str(write_vectors(folder)))["encoder"] == 5
    trained = program.json(
        "train", "few-shot", "--ontology", "toy", "--level", "1", "--vectors", "5", "--shots", "5"
    )
    assert trained["encoder"] == 6
    return program


def test_ontologies_and_search(program: Program) -> None:
    (ontology,) = program.json("ontology", "list")["ontologies"]
    assert ontology["terminology"] == "toy"
    hits = program.json("search", "dis lun")["hits"]
    assert hits[0]["name"] == "lung disease"
    assert "lung disease" in program.run("search", "dis lun").stdout


def test_a_search_that_was_cut_says_so(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    assert program.json("search", "isease")["cut"] is False
    monkeypatch.setattr(candidates, "MOST_CANDIDATES", 3)
    assert program.json("search", "isease")["cut"] is True
    assert "More results exist" in program.run("search", "isease").stderr


def test_levels(program: Program) -> None:
    levels = program.json("levels", "--ontology", "1", "--depth", "3")["levels"]
    keys = ("level", "classes", "names", "min", "median", "max", "singletons", "ambiguous")
    assert [[level[key] for key in keys] for level in levels[:3]] == [
        [1, 4, 576, 144, 144.0, 144, 0, 0],
        [2, 12, 576, 48, 48.0, 48, 0, 0],
        [3, 72, 576, 8, 8.0, 8, 0, 0],
    ]
    below = program.json("levels", "--ontology", "1", "--depth", "2", "--root", "TOY:1")["levels"]
    assert below[0]["classes"] == 3


def test_encoders_and_runs(program: Program) -> None:
    encoders = program.json("encoder", "list")["encoders"]
    assert [(e["encoder"], e["kind"], e["made_of"]) for e in encoders] == [
        *((number, "lexical", []) for number in (1, 2, 3, 4)),
        (5, "untrained", []),
        (6, "trained", [5]),
        (7, "untrained", []),
    ]
    assert encoders[-1]["title"] == "Built-in"  # nothing has been encoded by it yet
    assert program.json("encoder", "list")["encoders"] == encoders
    (run,) = program.json("run", "list")["runs"]
    header, row = program.run("run", "list").stdout.splitlines()
    assert header.split()[:6] == ["run", "title", "preset", "ontology", "vectors", "split"]
    assert f"toy 2026-01-01  {run['vectors']:>7}" in row
    card = program.json("run", "show", str(run["run"]))
    assert card["status"] == "finished"
    assert card["epochs"]
    assert card["card"]["split"] == {"train": 20, "validation": 20, "test": 20}


def test_a_card_is_read_without_knowing_python(program: Program) -> None:
    (run,) = program.json("run", "list")["runs"]
    lines = program.run("run", "show", str(run["run"])).stdout.splitlines()
    title = "title: few-shot, 5 names a class, level 1"
    assert {title, "status: finished", "vectors: toy mean #5"} <= set(lines)
    assert lines[lines.index("split") + 1 :][:3] == [
        "  train: 20",
        "  validation: 20",
        "  test: 20",
    ]
    assert {"  left out: none", "  without parents: yes", "  learning_rate: 0.0005"} <= set(lines)
    assert [line for line in lines if line.startswith("  ranking, mAP: ")]
    assert not set("{}'") & set("".join(lines))


def test_rank_takes_its_defaults_from_the_run(program: Program) -> None:
    rows = program.json("rank", "hypernyms", "viral lung tumour", "--encoder", "6")["ranking"]
    keys = {"encoder", "query", "rank", "name", "concept", "ontology", "similarity", "true"}
    assert keys <= set(rows[0])
    assert {row["name"] for row in rows if row["true"]} == {"lung disease", "disease of the lung"}
    assert len(rows) == 8


def test_rank_several_encoders_and_a_file_of_names(program: Program, folder: Path) -> None:
    names = folder / "names.txt"
    names.write_text("viral lung tumour\n\nsome heart injury\n", encoding="utf-8")
    rows = program.json(
        "rank", "neighbours", "--from", str(names),
        *("--encoder", "1", "--encoder", "5", "--ontology", "toy", "--top", "3"),
    )["ranking"]  # fmt: skip
    assert [(row["query"], row["encoder"], row["rank"]) for row in rows] == [
        (query, encoder, rank)
        for query in ("viral lung tumour", "some heart injury")
        for encoder in (1, 5)
        for rank in (1, 2, 3)
    ]


def test_failures_that_the_user_can_mend_are_one_line_and_exit_1(
    program: Program, folder: Path
) -> None:
    assert "missing.obo" in program.fails(1, "import", str(folder / "missing.obo"))
    assert "no ontology '7'" in program.fails(1, "levels", "--ontology", "7")
    assert "no run 9" in program.fails(1, "run", "show", "9")
    assert "no run 99999999999999999999" in program.fails(1, "run", "show", "9" * 20)
    ranking = ("evaluate", "ranking", "--ontology", "1", "--encoder", "5", "--split", "9" * 20)
    assert f"no split {'9' * 20}" in program.fails(1, *ranking)
    few_shot = ("train", "few-shot", "--ontology", "1", "--vectors", "5")
    assert "no level 9 here" in program.fails(1, *few_shot, "--level", "9")
    assert "CUDA" in program.fails(1, *few_shot, "--level", "1", "--device", "cuda")


def test_wrong_usage_exits_2(program: Program) -> None:
    program.fails(2, "nonsense")
    program.fails(2, "train", "few-shot", "--level", "1")
    program.fails(2, "rank", "neighbours", "flu", "--encoder", "5")
    program.fails(2, "rank", "neighbours", "--encoder", "5", "--ontology", "1")
    program.fails(2, "import", "x.csv", "--columns", "id")
    program.fails(2, "import", "x.csv", "--columns", "id=1,name=2,bogus=3")
    program.fails(2, "import", "x.xml", "--format", "xml")


@pytest.mark.parametrize("option", ["--workspace", "-w"])
def test_the_workspace_may_be_said_before_the_command(program: Program, option: str) -> None:
    executable = Path(sys.executable).with_name("termexplorer")
    words = [executable, option, str(program.workspace), "ontology", "list", "--json"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert len(json.loads(done.stdout)["ontologies"]) == 1


@pytest.mark.parametrize("words", [("--workspace", ""), ("--workspace=",), ("-w", "")])
def test_a_workspace_of_no_name_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    for word_order in ((*words, "ontology", "list"), ("ontology", "list", *words)):
        done = called(*word_order)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith("termexplorer: --workspace names no folder")
    assert sorted(tmp_path.iterdir()) == before


def test_an_unusable_workspace_is_said(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("x")
    table = tmp_path / "names.csv"
    table.write_text("id,name\nT:1,one\n")
    assert "cannot be used as a workspace" in Program(blocked).fails(1, "import", str(table))
    assert "is no workspace" in Program(blocked).fails(1, "ontology", "list")


@pytest.mark.parametrize(
    "words",
    [
        ["ontology", "list"],
        ["search", "heart"],
        ["levels", "--ontology", "1"],
        ["diff", "1", "2"],
        ["rank", "neighbours", "heart", "--encoder", "1"],
        ["encoder", "list"],
        ["run", "list"],
        ["map", "list"],
        ["evaluation", "list"],
        ["evaluate", "synonyms", "--encoder", "1", "--ontology", "1"],
        ["suggestion", "list"],
        ["suggestion", "export", "1", "--out", "x.csv"],
        ["study", "show"],
        ["study", "agreement", "1"],
        ["verdicts", "check"],
        ["verdicts", "export", "--out", "x.csv"],
        ["workspace", "check"],
        ["doctor"],
    ],
    ids=" ".join,
)
def test_what_only_reads_makes_no_workspace(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    error_text = Program(tmp_path / "mistyped").fails(1, *words)
    assert "mistyped is no workspace" in error_text
    assert "termexplorer import" in error_text
    assert list(tmp_path.iterdir()) == []


def test_pairs_of_a_file_need_no_workspace_before(tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("term1,term2,score\nheart,cor,3\nskin,hair,1\nliver,lung,2\n", "utf-8")
    done = Program(tmp_path / "new").run(
        "evaluate", "relatedness", "--pairs", str(pairs), "--encoder", "1"
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "new" / "workspace.sqlite").exists()


def test_a_table_shows_names_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    names = ["[D]Heart disease [disease] [red]x", "protein [/EC]"]
    print_table(["name [b]"], [(name,) for name in names])
    assert [line.strip() for line in capsys.readouterr().out.splitlines()] == ["name [b]", *names]


def test_in_a_pipe_a_row_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(["name", "rank"], [("a long name " * 50, 12_345), ("b", 1)])
    header, first, second = capsys.readouterr().out.splitlines()
    assert header.split() == ["name", "rank"]
    assert first.count("a long name") == 50
    assert first.endswith("12,345")
    assert second.split() == ["b", "1"]
