"""The watch over the store ends with its window, whatever ends after it."""

from termexplorer.desk import Desk


def test_a_job_that_ends_after_the_window_finds_a_watch_that_looks_no_more(desk: Desk) -> None:
    told: list[bool] = []
    desk.shared.watch.changed.connect(lambda: told.append(True))
    desk.shared.watch.look()
    assert told == [True]
    desk.close()
    desk.shared.watch.look()
    assert told == [True]
