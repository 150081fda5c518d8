import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor

import pytest


def modules() -> set[str]:
    return set(sys.modules)


@pytest.mark.skipif(sys.platform != "linux", reason="children are begun anew elsewhere")
def test_children_come_from_a_process_that_is_ready() -> None:
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        assert "tests.ready_children" in pool.submit(modules).result(), "run tests from the root"
