"""`study new`, `study export`, `study merge` and `study show`, as somebody types them."""

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from termexplorer.cli.main import run
from termexplorer.services.studies.answers import write_answers
from termexplorer.services.studies.judging import Judging, Seen
from termexplorer.services.studies.packs import open_pack
from termexplorer.workspace import Workspace

TITLES = "left\tright\tlabel\tleft_concept\tright_concept\tdistance\n"
SETS = {"synonym_synonym-easy-random": (40, 40), "replaced_by-hard-nearest": (40, 3)}
Command = Callable[..., str]


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    folder = tmp_path / "pairs"
    folder.mkdir()
    (folder / "pairs.json").write_text("{}")
    for name, sizes in SETS.items():
        kinds = [1] * sizes[0] + [0] * sizes[1]
        rows = (f"{name} {n}\tanother {n}\t{kind}\tA:1\t\t9\n" for n, kind in enumerate(kinds))
        (folder / f"{name}.tsv").write_text(TITLES + "".join(rows), "utf-8")
    return folder


def told(text: str) -> Mapping[str, object]:
    answer: Mapping[str, object] = json.loads(text)
    return answer


def new(pairs: Path, *words: str) -> list[str]:
    given = ["--pairs", str(pairs), "--title", "Doctors", "--annotator", "Anna"]
    return ["study", "new", *given, "--annotator", "Ben", *words]


def judged(pack: Path, folder: Path, count: int) -> Path:
    """The answers of an annotator who has nothing but the pack."""
    workspace = Workspace(folder / "clinic")
    opened = open_pack(workspace, pack)
    judging = Judging(workspace, opened.study_id, opened.annotator)
    for turn in judging.turns[:count]:
        judging.judge(turn, "same", Seen("2026-03-01T10:00:00.000+00:00", 1_000, 2_000))
    write_answers(workspace, opened.study_id, opened.annotator, folder / "answers")
    workspace.close()
    return folder / "answers"


def test_a_study_is_made_sent_merged_and_looked_at(
    command: Command, pairs: Path, tmp_path: Path
) -> None:
    assert "There are no studies yet" in command("study", "show")
    imported = told(command(*new(pairs, "--practice", "4", "--repeat", "0.1", "--json")))
    assert (imported["study"], imported["pairs"], imported["practice"]) == (1, 93, 4)
    assert imported["annotators"] == [
        {"annotator": name, "questions": 4 + 93 + 9} for name in ("Anna", "Ben")
    ]
    pack = tmp_path / "anna.termstudy"
    sent = told(
        command("study", "export", "1", "--annotator", "Anna", "--out", str(pack), "--json")
    )
    assert sent == {"study": 1, "questions": 106, "file": str(pack)}
    assert not any(name in json.loads(pack.read_text()) for name in SETS)
    answers = judged(pack, tmp_path, 7)
    key = json.loads(answers.read_text("utf-8"))["signature"]["key"]
    for new_rows in (7, 0):
        merged = told(command("study", "merge", str(answers), "--json"))
        assert merged == {
            "files": [
                {
                    "file": str(answers), "study": 1, "annotator": "Anna", "rows": 7,
                    "new_rows": new_rows, "differing": [], "curated": 0, "unsaved": "",
                    "signed": "signed", "key": key, "ahead": 0, "received": 0, "choice": "",
                }
            ]
        }  # fmt: skip
    (study,) = told(command("study", "show", "1", "--json"))["studies"]  # type: ignore[misc]
    anna, ben = study["annotators"]
    assert (anna["judged"], anna["asked"], anna["practised"], anna["practice"]) == (3, 102, 4, 4)
    assert (ben["judged"], study["pairs"], study["complete"]) == (0, 93, 0)
    assert study["plan"]["sets"][0] == {
        "set": "replaced_by-hard-nearest", "asked": 30, "similar": 30, "dissimilar": 3, "rated": 0,
        "left_out": {},
    }  # fmt: skip
    assert "study 1, Doctors: 0 of 93 pairs have all their answers" in command("study", "show")
    csv = tmp_path / "verdicts.csv"
    command("verdicts", "export", "--study", "1", "--out", str(csv))
    assert len(csv.read_text().splitlines()) == 8
    assert told(command("verdicts", "check", "--json")) == {"rows": 7}


def test_protocols_scales_and_what_is_short_are_told(command: Command, pairs: Path) -> None:
    text = command(*new(pairs, "--protocol", "one-hour", "--overlap", "1", "--seed", "3"))
    assert "study 1: 18 pairs, and 6 to practise" in text
    assert "replaced_by-hard-nearest: 3 dissimilar pairs, not the 5 that were asked for" in text
    guidelines = pairs / "guidelines.txt"
    guidelines.write_text("Be quick.\n")
    scale = ("--scale", "relatedness", "--question", "How near?", "--guidelines", str(guidelines))
    command(*new(pairs, *scale, "--each", "1", "--practice", "0", "--similar", "2"))
    (study,) = told(command("study", "show", "2", "--json"))["studies"]  # type: ignore[misc]
    assert study["plan"]["similar"] == "2"
    pack = pairs / "pack"
    command("study", "export", "2", "--annotator", "Ben", "--out", str(pack))
    content = json.loads(pack.read_text())["content"]
    assert (content["question"], content["guidelines"]) == ("How near?", "Be quick.")
    assert [answer["answer"] for answer in content["answers"]] == ["0", "1", "2", "3", "don't know"]
    assert (len(content["practice"]), len(content["pairs"])) == (0, 4)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["export", "1", "--annotator", "Anna", "--out", "x"], "1: no such study"),
        (["show", "3"], "3: no such study"),
        (["merge", "nowhere"], "nowhere: cannot be read"),
        (
            ["new", "--pairs", "nowhere", "--title", "t", "--annotator", "a"],
            "nowhere cannot be read",
        ),
    ],
)
def test_what_is_wrong_is_one_line_and_exits_1(
    words: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    workspace_folder = tmp_path / "workspace"
    Workspace(workspace_folder).close()
    monkeypatch.setattr(
        sys, "argv", ["termexplorer", "study", *words, "--workspace", str(workspace_folder)]
    )
    with pytest.raises(SystemExit) as left:
        run()
    assert left.value.code == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line


def test_what_may_be_looked_up_goes_along(command: Command, pairs: Path, tmp_path: Path) -> None:
    glossary, pack = tmp_path / "glossary.tsv", tmp_path / "anna.termstudy"
    glossary.write_text("RSV\ta virus\n", "utf-8")
    command(*new(pairs, "--look-up", "web", "--glossary", str(glossary)))
    command("study", "export", "1", "--annotator", "Anna", "--out", str(pack))
    assert json.loads(pack.read_text("utf-8"))["content"]["look_up"] == {
        "web": True, "glossary": [{"term": "RSV", "text": "a virus"}],
    }  # fmt: skip


def test_a_pack_goes_to_a_page_a_file_or_both(
    command: Command, pairs: Path, tmp_path: Path
) -> None:
    command(*new(pairs))
    words = ("study", "export", "1", "--annotator", "Anna")
    page, pack = tmp_path / "anna.html", tmp_path / "anna.termstudy"
    assert told(command(*words, "--html", str(page), "--json"))["file"] == str(page)
    assert command(*words, "--html", str(page), "--out", str(pack)).count("asks Anna") == 2
    assert page.stat().st_size > pack.stat().st_size > 0
