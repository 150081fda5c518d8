"""Products of 8-bit rows and a vector, exact integers, at the speed of memory."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

Int8s = NDArray[np.int8]
Int32s = NDArray[np.int32]


@njit(cache=True, nogil=True)
def multiply_rows(rows: Int8s, vector: Int8s, products: Int32s) -> None:
    """Write the product of each of (n, d) rows with a vector (d,) to ``products`` (n,)."""
    for row in range(rows.shape[0]):
        total = np.int32(0)
        for column in range(rows.shape[1]):
            total += np.int32(rows[row, column]) * np.int32(vector[column])
        products[row] = total
