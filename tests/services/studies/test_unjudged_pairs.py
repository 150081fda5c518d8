"""Pairs that nobody has judged are not undecided, wherever a study is told."""

import json
import re
from collections.abc import Sequence
from html import unescape
from pathlib import Path

import pytest
from toy_studies import ANNA, BEN, SEEN, make, opened
from typer.testing import CliRunner

from termexplorer.cli.commands import app
from termexplorer.services.agreement.agreement import Reckoning
from termexplorer.services.agreement.rows import OVERALL, SETS, agreement_rows
from termexplorer.services.studies.adjudication.deciding import decide
from termexplorer.services.studies.adjudication.decisions import Decision
from termexplorer.services.studies.adjudication.disputed_pairs import disputed
from termexplorer.services.studies.judging import Judging
from termexplorer.services.studies.truth import judged_study, measure_study

UNSURE = "don't know"
FEW = ["same", "not same", UNSURE, "same"]
FIGURES = "accuracy, recall or precision."


def make_judged(folder: Path, answers: Sequence[str], decided: str = "") -> None:
    """A study of 8 pairs of which Ben alone has judged some, and one of them is decided."""
    with opened(folder) as workspace:
        study_id = make(workspace, annotators=[ANNA, BEN], repeat=0)
        judging = Judging(workspace, study_id, BEN)
        turns = [turn for turn in judging.turns if not turn.practice]
        for turn, answer in zip(turns, answers, strict=False):
            judging.judge(turn, answer, SEEN)
        if decided:
            (first_pair, *_) = disputed(workspace, study_id)
            decide(workspace, study_id, first_pair.number, Decision("Dora", decided, "", "", False))


def run(folder: Path, *words: str) -> str:
    done = CliRunner().invoke(app, ["study", *words, "--workspace", str(folder)])
    assert done.exit_code == 0, done.output
    return done.stdout


def report_page(folder: Path) -> str:
    """The words of the report."""
    out = folder.parent / "report.html"
    run(folder, "report", "1", "--out", str(out))
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", out.read_text("utf-8"))).split())


@pytest.mark.parametrize("answers", [FEW, [*FEW, UNSURE], ["same", "not same"]])
def test_all_doors_tell_one_count_of_pairs_without_a_majority(
    answers: list[str], tmp_path: Path
) -> None:
    folder = tmp_path / "workspace"
    make_judged(folder, answers)
    judged, undecided = len(answers), answers.count(UNSURE)
    agreement = json.loads(run(folder, "agreement", "1", "--json"))
    assert (agreement["no_majority"], agreement["no_majority_n"]) == (undecided / judged, judged)
    assert (agreement["unjudged"], agreement["unjudged_n"]) == ((8 - judged) / 8, 8)
    out = ("--out", str(tmp_path / "r.html"), "--json")
    report = json.loads(run(folder, "report", "1", *out))
    assert report["no_majority"] == agreement["no_majority"]
    assert (report["without_majority"], report["without_truth"]) == (undecided, undecided)
    assert (report["pairs_judged"], report["unjudged"]) == (judged, (8 - judged) / 8)
    assert json.loads(run(folder, "adjudicate", "1", "--json"))["found"] == undecided
    output = run(folder, "agreement", "1")
    assert "of the rated items have no majority" in " ".join(output.split())
    assert f"{8 - judged} items were rated by nobody" in output


def test_the_window_tells_unjudged_pairs_apart(tmp_path: Path) -> None:
    make_judged(tmp_path, FEW)
    with opened(tmp_path) as workspace:
        judged = judged_study(workspace, 1)
        report = measure_study(judged, Reckoning(resamples=2))
        chosen = {disputed_pair.pair for disputed_pair in disputed(workspace, 1)}
    rows = agreement_rows(report)
    shares = {row.figure: (row.value, row.n) for row in rows if row.part == OVERALL}
    assert shares["no majority"] == (0.25, 4)
    assert shares["judged by nobody"] == (0.5, 8)
    of_sets = [row for row in rows if row.part == SETS and row.figure == "no majority"]
    assert sum(row.n for row in of_sets) == 4
    assert sum(row.n * row.value for row in of_sets if row.n) == len(chosen) == 1


@pytest.mark.parametrize(
    ("answers", "decided", "wanted", "uncounted"),
    [
        (["same"] * 8, "", "Of 8 pairs 0 have no majority.", ""),
        (
            [UNSURE, *["same"] * 7], "", "Of 8 pairs 1 have no majority.",
            "1 pair with neither a majority nor a decision counts in no",
        ),
        ([UNSURE, *["same"] * 7], "same", "Of 8 pairs 1 have no majority.", ""),
        (
            [UNSURE, *["same"] * 7], UNSURE, "Of 8 pairs 1 have no majority.",
            "1 pair with neither a majority nor a decision counts in no",
        ),
        (
            FEW, "", "Of 8 pairs 4 were judged; of these 1 have no majority.",
            "1 pair with neither a majority nor a decision and 4 pairs with no answer from anybody "
            "count in no",
        ),
        (
            FEW, "same", "Of 8 pairs 4 were judged; of these 1 have no majority.",
            "4 pairs with no answer from anybody count in no",
        ),
    ],
)  # fmt: skip
def test_the_report_says_which_pairs_count_in_no_figure(
    answers: list[str], decided: str, wanted: str, uncounted: str, tmp_path: Path
) -> None:
    folder = tmp_path / "workspace"
    make_judged(folder, answers, decided)
    page = report_page(folder)
    assert wanted in page
    assert f"{uncounted} {FIGURES}" in page if uncounted else FIGURES not in page


def test_table_3_has_the_share_of_the_judged_pairs(tmp_path: Path) -> None:
    folder = tmp_path / "workspace"
    make_judged(folder, FEW)
    run(folder, "report", "1", "--out", str(tmp_path / "r.html"))
    page = (tmp_path / "r.html").read_text("utf-8")
    row = page[page.index("no majority</th>") :].split("</tr>")[1]
    assert "0.250<small>" in row
