"""With --agreement the figures are held against the packages `krippendorff` and `irrCAC`."""

import json
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from agreement_tables import both_rated, labels_of, random_tables

from termexplorer.trainer.agreement import measure_agreement, ratings_of

METRICS = ("alpha", "agreement", "cohen", "fleiss", "gwet")


def test_figures_are_those_of_the_packages_on_random_tables_with_gaps(
    request: pytest.FixtureRequest,
) -> None:
    python = request.config.getoption("--agreement")
    if not python:
        pytest.skip("needs krippendorff and irrCAC: --agreement PYTHON")
    tables = [(scale, rows, labels_of(rows)) for scale, rows in random_tables(1000, seed=1)]
    pairs = [(scale, both_rated(rows, 0, 1), labels) for scale, rows, labels in tables]
    script = Path(__file__).with_name("agreement_packages.py")
    asked = json.dumps(tables + pairs)
    done = subprocess.run([python, script], input=asked, capture_output=True, text=True, check=True)
    answers = json.loads(done.stdout)
    compared: Counter[str] = Counter()
    for (scale, rows, _), of_all, of_pair in zip(
        tables, answers[:1000], answers[1000:], strict=True
    ):
        raters = [str(at) for at in range(len(rows[0]))]
        result = measure_agreement(ratings_of(rows, raters, scale), resamples=1)
        for figures, wanted in ((result.figures, of_all), (result.pairs[0].figures, of_pair)):
            for metric, figure in zip(METRICS, figures, strict=True):
                if metric in wanted and not (metric == "cohen" and figure.undefined):
                    compared[metric] += 1
                    assert figure.value == pytest.approx(wanted[metric], abs=1e-9, nan_ok=True), (
                        metric,
                        scale,
                        rows,
                        wanted,
                    )
    assert all(compared[metric] > 500 for metric in METRICS), compared
