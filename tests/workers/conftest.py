"""Children are begun here as users' are."""

import multiprocessing
from collections.abc import Callable
from typing import Any

import pytest


@pytest.fixture(autouse=True)
def children_begun_anew(
    children_from_one_that_is_ready: Callable[[str | None], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(multiprocessing, "get_context", children_from_one_that_is_ready)
