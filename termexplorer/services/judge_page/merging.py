"""Answers of a service, taken into the author's log as they come, and sent to the team."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

from termexplorer.errors import UserError
from termexplorer.services.studies.answers import merge_answers
from termexplorer.services.team.background import TeamLoop
from termexplorer.services.team.joining import read_membership
from termexplorer.workspace import Workspace

__all__ = ["AnswersMerger", "merging_answers"]

_LOOK = 2.0  # seconds between looks at the files


class AnswersMerger:
    """Merges files of answers whenever they have grown.

    Args:
        workspace: of the author, which has the study.
        files: of the judges, which may not be there yet.
        on_problem: is told why a file is not merged; it is tried again once it has grown.
        on_merge: is told each file of which rows were new, and how many.
    """

    def __init__(
        self,
        workspace: Workspace,
        files: Sequence[Path],
        on_problem: Callable[[str], None],
        on_merge: Callable[[Path, int], None] = lambda _file, _rows: None,
    ) -> None:
        self._workspace, self._on_problem, self._on_merge = workspace, on_problem, on_merge
        self._sizes = dict.fromkeys(files, 0)
        self._is_copied = False

    def merge_grown(self) -> int:
        """Merge what has grown since the last call; return how many rows are new."""
        rows = 0
        for path, before in self._sizes.items():
            size = path.stat().st_size if path.exists() else 0
            if size == before:
                continue
            self._sizes[path] = size
            try:
                merged = merge_answers(self._workspace, [path], copies=not self._is_copied)
            except UserError as error:
                self._on_problem(str(error))
                continue
            self._is_copied = True
            if new := sum(file.new_rows for file in merged):
                self._on_merge(path, new)
            rows += new
        return rows


@contextmanager
def merging_answers(
    workspace: Workspace,
    files: Sequence[Path],
    on_problem: Callable[[str], None],
    on_merge: Callable[[Path, int], None] = lambda _file, _rows: None,
) -> Iterator[None]:
    """Merge answers, and send them where the workspace is in a team, for as long as it is needed.

    Args:
        workspace: of the author, which has the study.
        files: of the judges.
        on_problem: is told what keeps answers from the log or the team.
        on_merge: is told each file of which rows were new, and how many.
    """
    merger, ended = AnswersMerger(workspace, files, on_problem, on_merge), Event()

    def merge_on() -> None:
        while not ended.wait(_LOOK):
            merger.merge_grown()

    threads = [Thread(target=merge_on)]
    loop = None
    if read_membership(workspace) is not None:
        loop = TeamLoop(workspace, lambda state: on_problem(state.problem))
        threads.append(Thread(target=loop.run))
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        ended.set()
        threads[0].join()
        merger.merge_grown()
        if loop is not None:
            loop.stop()
        for thread in threads:
            thread.join()
