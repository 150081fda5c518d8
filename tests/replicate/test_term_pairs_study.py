"""[MTS] on a toy ontology."""

import csv
import json
from collections import defaultdict
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from rapidfuzz.distance import Levenshtein
from replicate_toy import run, toy_study, write_deep
from toy_ontology import write_synonyms
from typer.testing import CliRunner

from termexplorer.cli.commands import app
from termexplorer.errors import UserError
from termexplorer.replicate.studies import AskedStudy
from termexplorer.trainer.evaluation.comparison import holm, mcnemar
from termexplorer.trainer.evaluation.pairs.comparison import compare_classifications
from termexplorer.trainer.files.pairs import PairSet
from termexplorer.trainer.measures import NAMES

METHODS = (*NAMES, "TF-IDF", "edit distance")


def asked(folder: Path, **changes: object) -> AskedStudy:
    """A study of 24 concepts with five names each."""
    study = toy_study(folder, "MTS", ontologies=(str(write_synonyms(folder)),), changes={})
    return replace(study, **changes)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> AskedStudy:
    """A finished study of 40 similar pairs of each set, and as many others."""
    pair_study = asked(tmp_path_factory.mktemp("pairs"), changes={"pairs": 40})
    run(pair_study)
    return pair_study


def figures(study: AskedStudy) -> list[dict[str, str]]:
    with (study.out / "figures.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def records(study: AskedStudy) -> dict[str, dict[str, dict[str, list[float]]]]:
    lines = (study.out / "results.jsonl").read_text("utf-8").splitlines()[1:]
    return {record["key"][1]: record for record in map(json.loads, lines)}


def test_every_method_is_measured_on_every_set(study: AskedStudy) -> None:
    row_by_key = {(row["encoder"], row["data"], row["metric"]): row for row in figures(study)}
    labels = records(study)["pair sets"]["labels"]
    assert {label.rpartition("-")[2] for label in labels} == {"random", "nearest"}
    for method in METHODS:
        for name, of_set in labels.items():
            similarities = np.array(records(study)[method]["similarities"][name])
            truth = np.array(of_set)
            assert 0 < (truth == 1).sum() <= 40
            above = similarities[truth == 1][:, None] - similarities[truth == 0]
            area = row_by_key[method, name, "AUC"]
            assert float(area["value"]) == pytest.approx((np.sign(above) / 2 + 0.5).mean())
            assert float(area["low"]) <= float(area["value"]) <= float(area["high"])
            best = max(((similarities >= t) == truth).mean() for t in [*similarities, np.inf])
            assert float(row_by_key[method, name, "accuracy"]["value"]) == pytest.approx(best)
            assert int(area["n"]) == len(of_set)
            assert area["threshold"] == ""  # that is of accuracies
        assert (method, "pairs", "spearman") in row_by_key


def test_differences_are_those_of_mcnemar_and_delong_with_holm(study: AskedStudy) -> None:
    row_by_key = {(row["encoder"], row["data"], row["metric"]): row for row in figures(study)}
    labels = records(study)["pair sets"]["labels"]
    p: dict[tuple[str, ...], float] = {}
    ahead = {}
    for name, of_set in labels.items():
        truth = PairSet(name, ("",) * len(of_set), ("",) * len(of_set), np.array(of_set, float))
        similarities = {
            method: np.array(records(study)[method]["similarities"][name]) for method in METHODS
        }
        right = {}
        for method, values in similarities.items():
            threshold = row_by_key[method, name, "accuracy"]["threshold"]
            passed = values >= (float(threshold) if threshold else np.inf)
            right[method] = passed == np.array(of_set)
        for left, two in combinations(METHODS, 2):
            better, worse = (
                int((right[a] & ~right[b]).sum()) for a, b in ((left, two), (two, left))
            )
            p[name, "accuracy", left, two] = mcnemar(better, worse)
            ahead[name, "accuracy", left, two] = better - worse
            area = compare_classifications(
                truth, similarities[left], similarities[two], resamples=1
            )["AUC"]
            p[name, "AUC", left, two] = area.p
            ahead[name, "AUC", left, two] = area.difference
    assert min(map(len, labels.values())) >= 10
    corrected = dict(zip(p, holm(list(p.values())), strict=True))
    page = (study.out / "report.html").read_text("utf-8")
    assert f"The correction is over {len(p):,} comparisons" in page
    counts: dict[tuple[str, str, str], list[int]] = defaultdict(lambda: [0, 0])
    for (name, metric, *couple), p_value in corrected.items():
        if p_value < 0.05:
            first, second = couple if ahead[name, metric, *couple] > 0 else couple[::-1]
            counts[first, name, metric][0] += 1
            counts[second, name, metric][1] += 1
    assert counts
    for key, row in row_by_key.items():
        if row["task"] == "pairs":
            assert [int(row[side]) for side in ("better", "worse")] == counts[key]


def test_categories_are_held_apart_as_a_loop_over_all_triples_says(tmp_path: Path) -> None:
    study = asked(tmp_path, ontologies=(str(write_deep(tmp_path)),), changes={"pairs": 5})
    run(replace(study, benchmarks=()))
    record_by_key = records(study)
    drawn = record_by_key["categories"]
    assert set(drawn["above"]) == {f"{organ} disease" for organ in ("lung", "heart", "liver")}
    assert len(set(drawn["category"])) == 6
    shown = {
        (row["encoder"], row["data"]): row for row in figures(study) if row["task"] == "categories"
    }
    lines = Path(study.vectors).read_text("utf-8").splitlines()[1:]
    words = {word: np.array(row, float) for word, *row in map(str.split, lines)}
    means = [np.mean([words[word] for word in name.split()], axis=0) for name in drawn["names"]]

    def cosine(i: int, j: int) -> float:
        first, second = means[i], means[j]
        return float(first @ second / np.sqrt(first @ first * (second @ second)))

    def edits(i: int, j: int) -> float:
        return Levenshtein.normalized_similarity(drawn["names"][i], drawn["names"][j])

    index = range(len(drawn["names"]))
    for method, similar in (("avg_cosine", cosine), ("edit distance", edits)):
        overlap = []
        for i in index:
            close = [
                j
                for j in index
                if drawn["above"][j] == drawn["above"][i]
                and drawn["category"][j] != drawn["category"][i]
            ]
            distant = [k for k in index if drawn["above"][k] != drawn["above"][i]]
            near, far = ([similar(i, j) for j in indices] for indices in (close, distant))
            overlap.append(np.mean([first <= other + 1e-6 for first in near for other in far]))
        assert record_by_key[f"{method}, categories"]["overlap"] == pytest.approx(overlap, abs=0.02)
        assert float(shown[method, "all"]["value"]) == pytest.approx(np.mean(overlap), abs=0.01)
        assert int(shown[method, "all"]["n"]) == len(overlap)
    assert {data for _, data in shown} == {"all", *drawn["above"]}
    assert "categories" in (study.out / "report.html").read_text("utf-8")


def test_the_page_has_the_sets_and_the_papers_figures(study: AskedStudy) -> None:
    page = (study.out / "report.html").read_text("utf-8")
    assert "MeSH intr" in page
    assert "Table 5: accuracy" in page
    assert "McNemar" in page
    assert "No similar pairs: possibly equivalent to, consider" in page
    assert "never by a benchmark" not in page  # nothing is trained
    assert "http" not in page


def test_a_finished_study_is_not_run_again(study: AskedStudy) -> None:
    before = figures(study)
    _, messages = run(study)
    assert not [text for text in messages if "pair sets" in text or "TF-IDF" in text]
    assert figures(study) == before


def test_all_pairs_are_taken_by_the_paper_size(tmp_path: Path) -> None:
    report, _ = run(asked(tmp_path, preset="paper", benchmarks=()))
    lines = {row["data"]: row["n"] for row in report.figures}
    assert lines
    (folder,) = (tmp_path / "out" / "pairs").iterdir()
    for name, count in lines.items():
        rows = (folder / f"{name}.tsv").read_text("utf-8").splitlines()
        assert count == len(rows) - 1


def test_pairs_that_only_some_methods_know_are_counted_in_each_row(tmp_path: Path) -> None:
    pairs = tmp_path / "some.tsv"
    terms = ("lung\theart\t1", "lung\tliver\t3", "heart\tliver\t2", "xyzzy\tlung\t4")
    pairs.write_text("\n".join(("left\tright\tscore", *terms)) + "\n", encoding="utf-8")
    study = asked(tmp_path, benchmarks=(pairs,), changes={"pairs": 5, "names": 5})
    run(study)
    page = (study.out / "report.html").read_text("utf-8")
    table = page.split("BCa")[1].split("</table>")[0]
    assert table.count("<small>n = 3 of 4</small>") == len(METHODS) - 2
    assert table.count("<small>n = 4</small>") == 2  # texts alone
    assert "<b>" not in table


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"changes": {"hidden": 3}}, "MTS has two settings"),
        ({"changes": {"pairs": -1}}, "MTS has two settings"),
        ({"preset": "huge"}, "there is no preset"),
        ({"roots": ("S:1",)}, "leave --root out"),
        ({"seeds": 5}, "leave --seeds out"),
        ({"shots": (5, 10, 15)}, "leave --shots out"),
    ],
)
def test_what_it_does_not_have_is_told(
    tmp_path: Path, changes: dict[str, object], message: str
) -> None:
    with pytest.raises(UserError, match=message):
        run(asked(tmp_path, **changes))


@pytest.mark.parametrize("option", ["--seeds", "--shots"])
def test_the_command_refuses_what_changes_nothing_even_at_its_usual_value(
    tmp_path: Path, option: str
) -> None:
    study = asked(tmp_path)
    words = ["replicate", "MTS", "--ontology", study.ontologies[0], "--vectors", study.vectors]
    done = CliRunner().invoke(app, [*words, "--out", str(study.out), option, "5"])
    assert done.exit_code
    assert isinstance(done.exception, UserError)
    assert f"leave {option} out" in str(done.exception)
    assert not study.out.exists()
