"""The least cost of moving one name's words to another's, exact."""

from __future__ import annotations

from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

Float64s = NDArray[np.float64]

_LARGEST = 300  # rows of an assignment; beyond, a linear program is faster


def transport_cost(distances: Float64s) -> float:
    """Return the least cost of moving weight 1, equal in each row, to equal weight in each column.

    Args:
        distances: (n, m), the cost of moving weight 1 from a row to a column. They have to be
            those of points, so that no detour is shorter than the straight way: what a row and a
            column at distance 0 have in common then stays where it is.
    """
    rows, columns = distances.shape
    if min(rows, columns) == 1:
        return float(distances.mean())
    if rows == columns:
        return float(_assignment_cost(distances) / rows)
    # Equal weights are whole multiples of 1 / size, so that moving whole units is enough.
    size = lcm(rows, columns)
    out, into = np.full(rows, size // rows), np.full(columns, size // columns)
    for row, column in zip(*np.nonzero(distances == 0), strict=True):
        staying = min(out[row], into[column])
        out[row] -= staying
        into[column] -= staying
    if out.sum() > _LARGEST:
        return _by_program(distances, out / size, into / size)
    units = distances.repeat(out, axis=0).repeat(into, axis=1)
    return float(_assignment_cost(units) / size)


def _assignment_cost(distances: Float64s) -> float:
    """Return the least cost of giving each row a column of its own; (n, n)."""
    from scipy.optimize import linear_sum_assignment

    return float(distances[linear_sum_assignment(distances)].sum())


def _by_program(distances: Float64s, out: Float64s, into: Float64s) -> float:
    """Return the cost of moving weights ``out``, (n,), to weights ``into``, (m,)."""
    from scipy.optimize import linprog
    from scipy.sparse import eye_array, kron, vstack

    rows, columns = distances.shape
    out_of_rows = kron(eye_array(rows), np.ones((1, columns)))
    into_columns = kron(np.ones((1, rows)), eye_array(columns))
    moved: Any = vstack([out_of_rows, into_columns])  # sparse, which the stubs leave out
    weights = np.concatenate((out, into))
    solution: Any = linprog(distances.ravel(), A_eq=moved, b_eq=weights)
    return float(solution.fun)
