"""Run by a Python that has them: what `krippendorff` and `irrCAC` make of tables of ratings.

Reads a JSON list of [scale, rows, labels], and writes a list of objects of figures, without those
that a package refuses, and NaN for those that it leaves undefined.
"""

import json
import math
import sys
import warnings
from typing import Any

WEIGHTS = {
    "nominal": "identity",
    "ordinal": "ordinal",
    "interval": "quadratic",
    "ratio": "ratio",
}


def alpha_of(scale: str, rows: list[list[Any]], labels: list[float]) -> dict[str, float]:
    import krippendorff
    import numpy

    table = numpy.array(rows, float).T
    try:
        value = krippendorff.alpha(table, value_domain=labels, level_of_measurement=scale)
    except ValueError:
        return {}
    return {"alpha": float(value)}


def chance_corrected(scale: str, rows: list[list[Any]], labels: list[float]) -> dict[str, float]:
    import pandas
    from irrCAC.raw import CAC

    def value(name: str, weights: str, figure: str) -> float:
        try:
            package = CAC(frame, weights=weights, categories=labels, digits=12)
            return float(getattr(package, name)()["est"][figure])
        except ZeroDivisionError:  # what it makes of an undefined figure
            return math.nan

    frame = pandas.DataFrame(rows, dtype=float)
    if len(labels) < 2 or len(frame.dropna(how="all")) < 2 or (scale == "ratio" and 0 in labels):
        return {}
    figure_by_name = {
        "agreement": value("gwet", "identity", "pa"),
        "fleiss": value("fleiss", WEIGHTS[scale], "coefficient_value"),
        "gwet": value("gwet", WEIGHTS[scale], "coefficient_value"),
    }
    if frame.shape[1] == 2:
        frame = frame.dropna()
        if len(frame) > 1:
            figure_by_name["cohen"] = value("conger", WEIGHTS[scale], "coefficient_value")
    return figure_by_name


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    tables = json.load(sys.stdin)
    json.dump([alpha_of(*table) | chance_corrected(*table) for table in tables], sys.stdout)
