"""What takes long to make is made once, whoever asks for it."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier, Event

import pytest

from termexplorer.kept import SharedCache


def test_who_asks_while_it_is_made_waits_for_the_same_thing() -> None:
    cache, began, go = SharedCache(2), Event(), Event()
    results: list[object] = []

    def make() -> object:
        began.set()
        assert go.wait(60)
        results.append(object())
        return results[-1]

    with ThreadPoolExecutor(4) as pool:
        first = pool.submit(cache.get, "lens", make)
        assert began.wait(60)
        other_jobs = [pool.submit(cache.get, "lens", make) for _ in range(3)]
        assert not any(job.done() for job in other_jobs)
        go.set()
        values = [job.result(60) for job in (first, *other_jobs)]
    assert len(results) == 1
    assert all(value is results[0] for value in values)


def test_different_things_are_made_at_the_same_time() -> None:
    cache, both = SharedCache(2), Barrier(2, timeout=60)
    with ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(cache.get, key, both.wait) for key in "ab"]
        assert sorted(job.result(60) for job in jobs) == [0, 1]


def test_the_things_asked_for_last_are_kept() -> None:
    cache, keys_made = SharedCache(2), list[str]()

    def make(key: str) -> str:
        keys_made.append(key)
        return key

    assert [cache.get(key, partial(make, key)) for key in "abacab"] == list("abacab")
    assert keys_made == list("abcb")  # a was asked for again before c came, so b went


def test_what_could_not_be_made_is_tried_again() -> None:
    cache = SharedCache(2)
    with pytest.raises(ZeroDivisionError):
        cache.get("half", lambda: 1 // 0)
    assert cache.get("half", lambda: 2) == 2
    assert cache.get("half", lambda: 3) == 2
