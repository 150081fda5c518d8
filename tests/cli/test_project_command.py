"""`project` on the command line: what it writes, prints, and says when it cannot."""

import csv
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from program import called
from toy_workspace import LEXICAL, TRAINED, VECTORS

PROGRAM = Path(sys.executable).with_name("termexplorer")
COMMAND = ("project", "--workspace", "workspace", "--ontology", "toy")


@pytest.fixture
def folder(toy: Path, tmp_path: Path) -> Path:
    shutil.copytree(toy, tmp_path / "workspace")
    return tmp_path


def project(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [PROGRAM, *COMMAND, *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)


def test_a_map_is_made_once_for_figures_and_picture(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    words = ("--encoder", str(VECTORS), "--root", "TOY:1", "--level", "1", "--iterations", "40")
    words += ("--seed", "3", "--json")
    seen = []
    for done, name in (
        (called(*COMMAND, *words, "--out", "map.csv"), "map.csv"),  # nothing is drawn: in here
        (project(folder, *words, "--out", "map.svg"), "map.svg"),
    ):
        assert (done.returncode, done.stderr) == (0, "")
        seen.append(json.loads(done.stdout))
        assert seen[-1]["file"] == str(folder / name)
        assert (folder / name).stat().st_size > 1_000
    assert (
        "t-SNE of toy 2026-01-01, lung disease by toy mean #5" in (folder / "map.svg").read_text()
    )
    assert {answer["made_at"] for answer in seen} == {seen[0]["made_at"]}
    first = seen[0]
    assert (first["points"], first["left_out"], first["method"], first["seed"]) == (
        94,
        0,
        "tsne",
        3,
    )
    assert first["parameters"] == {"perplexity": 30.0, "iterations": 40}
    quality = first["quality"]
    assert (quality["k"], quality["asked"], quality["names"]) == (15, 94, 94)
    assert 0 < quality["preservation"] <= 1
    assert first["seconds"] > 0
    with (folder / "map.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 94
    assert {row["class_name"] for row in rows} == {
        "", "lung infection", "lung tumour", "lung injury",
    }  # fmt: skip


def test_people_are_told_in_words(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    done = called(*COMMAND, "--encoder", str(VECTORS), "--method", "pca", "--out", "map.tsv")
    assert done.returncode == 0
    first, second = done.stdout.splitlines()
    assert first.startswith("377 names; trustworthiness 0.")
    assert first.endswith("of the 15 nearest kept (377 of 377 names asked)")
    assert second == f"written to {folder / 'map.tsv'}"


def test_only_what_a_search_finds(folder: Path) -> None:
    words = ("--encoder", str(VECTORS), "--method", "pca", "--search", "viral lung")
    done = project(folder, *words, "--out", "map.svg", "--json")
    assert json.loads(done.stdout)["points"] == 15
    assert "PCA of toy 2026-01-01, what &apos;viral lung&apos; finds by" in (
        folder / "map.svg"
    ).read_text("utf-8").replace("'", "&apos;")


def test_several_encoders_lie_side_by_side(
    trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(trained, tmp_path / "workspace")
    monkeypatch.chdir(tmp_path)
    words = ("--encoder", str(VECTORS), "--encoder", str(TRAINED), "--iterations", "40")
    done = called(*COMMAND, *words, "--root", "TOY:1", "--out", "maps.csv", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    answer = json.loads(done.stdout)
    assert answer["points"] == 94
    assert [name_map["encoder"] for name_map in answer["maps"]] == [VECTORS, TRAINED]
    assert answer["maps"][0]["disparity"] == 0 < answer["maps"][1]["disparity"] < 1
    header = (tmp_path / "maps.csv").read_text("utf-8").splitlines()[0]
    assert header == f"concept,name,x,y,x_{TRAINED},y_{TRAINED},moved_{TRAINED}"
    done = project(tmp_path, *words, "--root", "TOY:1", "--level", "1", "--out", "maps.png")
    assert [line.partition(": 94 names; trust")[0] for line in done.stdout.splitlines()[:2]] == [
        "toy mean #5",
        "few-shot, 5 names a class, level 1 #6",
    ]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--method", "isomap"), "there is no method isomap; choose one of pca, tsne, umap"),
        (("--method", "pca", "--perplexity", "5"), "pca has no parameter perplexity"),
        (("--names", "some"), "there are no names some; choose one of concepts, all"),
        (("--root", "TOY:777"), "has no concept 'TOY:777'"),
        (("--list", "mine"), "there is no list mine; there are none yet"),
        (("--search", "xyz"), "there are 0 in what 'xyz' finds"),
        (("--encoder", str(VECTORS)), "an encoder is named twice"),
        (("--colour", "size"), "there is no colour for size; choose one of neighbours, hyper"),
        (("--level", "8"), "there is no level 8 in this ontology; choose 1 to 5"),
        (("--out", "map.gif"), ".jsonl, .parquet, .json, .png, .svg or .pdf"),
        (("--encoder", str(LEXICAL)), "TF-IDF #1 is lexical: it has no vectors to lay out"),
        (("--encoder", "77"), "there is no encoder 77"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    folder: Path, words: tuple[str, str], says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    command = (*COMMAND, "--encoder", VECTORS, "--out", "map.csv", *words)
    done = called(*command)  # nothing is drawn, so no process of its own is needed
    assert (done.returncode, done.stdout) == (1, "")
    assert says in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(folder.iterdir()) == [folder / "workspace"]
