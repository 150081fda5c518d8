"""n and coverage stand beside every figure, and each encoder's figure on all that it knows."""

from dataclasses import replace
from pathlib import Path

import pytest
from toy_workspace import VECTORS, quiet

from termexplorer.services.encoders.vectors import add_vectors
from termexplorer.services.evaluate.conclusion_words import headline_text
from termexplorer.services.evaluate.conclusions import conclude
from termexplorer.services.evaluate.evaluation import (
    EvaluationRequest,
    evaluate,
    list_evaluations,
)
from termexplorer.services.evaluate.rows import EXPORT_HEADER, evaluation_rows
from termexplorer.services.figures.coverage_words import coverage_text, evaluated_n_text, n_text
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

ORGANS, KINDS = ("lung", "heart", "skin"), ("disease", "tumour", "injury")


def few_words(workspace: Workspace, folder: Path) -> int:
    """Vectors that know the lung alone."""
    path = folder / "few.vec"
    path.write_text("3 2\nlung 1 0\ndisease 0 1\ntumour 1 1\n", encoding="utf-8")
    return add_vectors(workspace, path, JobControl(), quiet).id


def write_pairs(folder: Path, last: str) -> Path:
    terms = [f"{organ} {kind}" for organ in ORGANS for kind in KINDS]
    rows = [
        f"{term}\t{other}\t{int(term.split()[0] == other.split()[0])}"
        for at, term in enumerate(terms)
        for other in terms[:at]
    ]
    path = folder / "pairs.tsv"
    unknown = [f"zzq{n} w\tzzq{n} v\t{n % 2}" for n in range(40)]
    path.write_text("\n".join((f"left\tright\t{last}", *rows, *unknown)) + "\n", "utf-8")
    return path


@pytest.mark.parametrize(("task", "last"), [("pairs", "label"), ("relatedness", "score")])
def test_each_encoder_is_measured_on_all_that_it_knows_besides(
    with_run: Workspace, tmp_path: Path, task: str, last: str
) -> None:
    few = few_words(with_run, tmp_path)
    request = EvaluationRequest(
        with_run.folder, task, (VECTORS, 1, few), pairs=(write_pairs(tmp_path, last),)
    )
    (evaluated,) = evaluate(with_run, request, JobControl(), quiet)
    assert evaluated.items == 36 + 40
    assert evaluated.n == 21
    figure_by_encoder = {
        f.encoder_id: f
        for f in evaluated.figures
        if f.metric == f"{evaluated.metric}, all it knows"
    }
    assert {encoder_id: figure.n for encoder_id, figure in figure_by_encoder.items()} == {
        VECTORS: 36,
        few: 21,
        1: 76,
    }
    common = {f.encoder_id: f for f in evaluated.figures if f.metric == evaluated.metric}
    assert figure_by_encoder[few].value == pytest.approx(common[few].value)
    assert figure_by_encoder[1].value != pytest.approx(common[1].value)
    (stored,) = list_evaluations(with_run)
    assert (stored.items, stored.n) == (76, 21)
    assert evaluated_n_text(stored) == "⚠ 21 of 76"
    labels = {VECTORS: "vectors", 1: "TF-IDF", few: "few"}
    assert headline_text(conclude(stored), labels).endswith("⚠ Only 21 of 76 items count (28%).")
    rows = [dict(zip(EXPORT_HEADER, row, strict=True)) for row in evaluation_rows([stored], labels)]
    assert {(row["n"], row["items"]) for row in rows} == {(21, 76), (36, 76), (76, 76)}
    assert {row["coverage"] for row in rows} == {21 / 76, 36 / 76, 1}


def test_n_is_told_of_how_many() -> None:
    assert [n_text(5, None), n_text(5, 5)] == ["5", "5"]
    assert [n_text(9, 10), n_text(79, 100)] == ["9 of 10", "⚠ 79 of 100"]
    assert [coverage_text(5, None), coverage_text(0, 9)] == ["", ""]
    assert coverage_text(9, 10) == "n = 9 of 10."


def test_figures_on_other_items_are_never_compared(with_run: Workspace, tmp_path: Path) -> None:
    few = few_words(with_run, tmp_path)
    request = EvaluationRequest(
        with_run.folder, "pairs", (1, few), pairs=(write_pairs(tmp_path, "label"),)
    )
    (evaluated,) = evaluate(with_run, request, JobControl(), quiet)
    assert {difference.metric for difference in evaluated.differences} == {"AUC", "accuracy"}
    concluded = conclude(replace(evaluated, differences=()))
    assert [metric.metric for metric in concluded.metrics] == ["AUC", "accuracy"]
