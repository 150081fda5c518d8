"""What takes long to make is made once, whoever asks for it."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier, Event

import pytest

from termexplorer.kept import SharedCache


def test_who_asks_while_it_is_made_waits_for_the_same_thing() -> None:
    kept, began, go = SharedCache(2), Event(), Event()
    made: list[object] = []

    def make() -> object:
        began.set()
        assert go.wait(60)
        made.append(object())
        return made[-1]

    with ThreadPoolExecutor(4) as pool:
        first = pool.submit(kept.get, "lens", make)
        assert began.wait(60)
        others = [pool.submit(kept.get, "lens", make) for _ in range(3)]
        assert not any(each.done() for each in others)
        go.set()
        found = [each.result(60) for each in (first, *others)]
    assert len(made) == 1
    assert all(each is made[0] for each in found)


def test_different_things_are_made_at_the_same_time() -> None:
    kept, both = SharedCache(2), Barrier(2, timeout=60)
    with ThreadPoolExecutor(2) as pool:
        found = [pool.submit(kept.get, key, both.wait) for key in "ab"]
        assert sorted(each.result(60) for each in found) == [0, 1]


def test_the_things_asked_for_last_are_kept() -> None:
    kept, made = SharedCache(2), list[str]()

    def make(key: str) -> str:
        made.append(key)
        return key

    assert [kept.get(each, partial(make, each)) for each in "abacab"] == list("abacab")
    assert made == list("abcb")  # a was asked for again before c came, so b went


def test_what_could_not_be_made_is_tried_again() -> None:
    kept = SharedCache(2)
    with pytest.raises(ZeroDivisionError):
        kept.get("half", lambda: 1 // 0)
    assert kept.get("half", lambda: 2) == 2
    assert kept.get("half", lambda: 3) == 2
