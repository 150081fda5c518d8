"""Names, titles and notes that would do something if a window took them for more than text."""

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from toy_studies import SEEN, make
from toy_workspace import VECTORS

from termexplorer.services.curate.suggestion_files import SssomRow, SuggestionSheet
from termexplorer.services.curate.suggestion_lists import keep_suggestions
from termexplorer.services.explore.bookmarks import toggle_bookmark
from termexplorer.services.explore.ontologies import find_ontology
from termexplorer.services.levels.concept_lists import add_to_list
from termexplorer.services.studies.judging import Judging
from termexplorer.services.verdicts.people import Judge, add_person
from termexplorer.workspace import Workspace

HIDDEN = "\u202e\u2066\x07\x1b"
LONG = 10_000
_COLUMNS = {
    "concept": ("label", "definition"),
    "name": ("text",),
    "encoder": ("title",),
    "run": ("title", "notes"),
    "release": ("title", "version", "licence", "source"),
    "import_remark": ("text",),
}
_OPENED = 0x20  # IN_OPEN of inotify


def hostile(file: Path) -> str:
    """Markup that would open a file, marks of direction, control characters, a second line."""
    return f'<img src="{file.as_uri()}"> <b>bold</b> &lt;i&gt; {HIDDEN}gpj.exe\nsecond line'


def without_signs(text: str) -> str:
    """The text as far as a study takes it: what nobody sees is refused there."""
    return "".join(sign for sign in text if sign not in HIDDEN).replace("\n", " ")


def fill(workspace: Workspace, text: str) -> None:
    """Puts the text wherever the workspace keeps one that people or files gave."""
    with workspace.store.writing() as connection:
        for table, columns in _COLUMNS.items():
            for column in columns:
                connection.exec_driver_sql(f"UPDATE {table} SET {column} = ? || ' ' || id", (text,))
        connection.exec_driver_sql("UPDATE encoder SET title = title || ?", ("x" * LONG,))
        connection.exec_driver_sql("UPDATE run SET title = title || ?", ("x" * LONG,))
    judge = add_person(workspace, text)
    seen = without_signs(text)
    annotator_name = seen[:60]
    study = make(workspace, title=seen + "x" * 1_500, annotators=[annotator_name, "Ben"])
    for annotator in (annotator_name, "Ben"):
        work = Judging(workspace, study, annotator)
        for number, turn in enumerate(work.turns):
            work.judge(turn, ("same", "not same")[number % 2], SEEN, note=text)
    _add_suggestions(workspace, text, judge)
    add_to_list(workspace, text + "x" * LONG, 1, ["TOY:1", "TOY:2"])
    toggle_bookmark(workspace, 1)


def _add_suggestions(workspace: Workspace, text: str, judge: Judge) -> None:
    toy = find_ontology(workspace, "1")
    rows = [("TOY:2", "TOY:1"), ("TOY:3", "TOY:1")]
    mappings = [
        SssomRow(subject, text, "skos:broadMatch", other, text, "semapv:X", 0.9, text)
        for subject, other in rows
    ]
    cells = [[subject, text, 0.9] for subject, _ in rows]
    sheet = SuggestionSheet(toy, toy, (VECTORS,), ("concept", text, "likelihood"), cells, mappings)
    keep_suggestions(workspace, "misplaced", sheet, {"level": 1}, [text])


@contextmanager
def watching(file: Path) -> Iterator[list[int]]:
    """Makes a file; at the end the list holds how often anybody has opened it meanwhile."""
    file.write_bytes(b"not a picture")
    library = ctypes.CDLL(None, use_errno=True)
    watch = library.inotify_init1(os.O_NONBLOCK)
    assert library.inotify_add_watch(watch, str(file).encode(), _OPENED) > 0
    opened: list[int] = []
    try:
        yield opened
        with suppress(BlockingIOError):
            opened.append(len(os.read(watch, 4_096)))
    finally:
        os.close(watch)
