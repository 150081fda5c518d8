"""Sound files of mappings, verdicts, studies and pairs."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from termexplorer.bench.durability import judge_some, make_study_workspace
from termexplorer.bench.mutations.sound_file import (
    FileReading,
    SoundFile,
    make_file,
    make_rows,
    make_workbooks,
)
from termexplorer.bench.mutations.terminology_files import pack_gzip
from termexplorer.errors import UserError
from termexplorer.workspace import Workspace

_ROWS = 12
_RESAMPLES = 20
_USES = 40  # of a copy of a workspace, which grows with each
_ANNOTATOR = "Anna"


class CopiedWorkspaces:
    """Workspaces that files are taken into: a new copy of one after so many."""

    def __init__(self, folder: Path) -> None:
        self._origin, self._copy = folder, folder.with_name(f"{folder.name}-copy")
        self._uses = 0
        self._workspace: Workspace | None = None

    def take(self) -> Workspace:
        """Return a workspace."""
        if self._workspace is None or self._uses == _USES:
            if self._workspace is not None:
                self._workspace.close()
            shutil.rmtree(self._copy, ignore_errors=True)
            shutil.copytree(self._origin, self._copy)
            self._workspace, self._uses = Workspace(self._copy), 0
        self._uses += 1
        return self._workspace


def make_mapping_files(folder: Path) -> list[SoundFile]:
    """Return mappings in SSSOM, and curators' verdicts in each form of tables."""
    from termexplorer.services.curate.sssom_import import import_sssom
    from termexplorer.services.curate.suggestion_lists import read_list
    from termexplorer.services.files.written_tables import read_written
    from termexplorer.services.studies.verdict_import import import_verdicts

    Workspace(folder / "mappings").close()
    workspaces = CopiedWorkspaces(folder / "mappings")

    def read_mappings(path: Path) -> FileReading:
        workspace = workspaces.take()
        imported = import_sssom(workspace, path)
        return FileReading(str(read_list(workspace, imported.list_id)))

    def read_verdicts(path: Path) -> FileReading:
        rows = list(read_written(path, ("annotator", "answer")))
        import_verdicts(workspaces.take(), path)
        return FileReading(str(rows), {"unfit": sum(bool(row.unfit) for row in rows)})

    head = (
        "# curie_map:\n#   A: http://a.org/\n#   B: http://b.org/\n"
        "# mapping_set_id: https://a.org/set\n# license: https://a.org/licence\n"
        "subject_id\tsubject_label\tpredicate_id\tobject_id\tmapping_justification\tauthor_label\t"
        "mapping_date\tconfidence\tcomment\n"
    )
    mappings = make_rows(
        _ROWS,
        lambda n, name: (
            f"A:{n}\t{name}\tskos:exactMatch\tB:{n}\tsemapv:ManualMappingCuration\tAnna\t"
            f'2024-01-{n:02}\t0.{n:02}\t"""so,"" he said"\n'
        ),
    )
    sssom = make_file("set.sssom.tsv", read_mappings, mappings, head)
    return [sssom, sssom, *_make_verdict_tables(read_verdicts)]


_TITLES = ("annotator", "predicate", "subject", "object", "answer", "note", "answered at")


def _verdict_cells(number: int, name: str) -> tuple[str, ...]:
    moment = f"2024-01-02T10:00:{number:02}.000+00:00"
    return "Anna", "skos:exactMatch", f"A:{number}", f"B:{number}", "correct", name, moment


def _make_verdict_tables(read: Callable[[Path], FileReading]) -> list[SoundFile]:
    csv = make_rows(_ROWS, lambda n, name: ",".join(_verdict_cells(n, name)) + "\r\n")
    tsv = make_rows(_ROWS, lambda n, name: "\t".join(_verdict_cells(n, name)) + "\n")
    lines = make_rows(
        _ROWS,
        lambda n, name: json.dumps(dict(zip(_TITLES, _verdict_cells(n, name), strict=True))) + "\n",
    )
    cells = (_verdict_cells(n, f"Zq{n}q") for n in range(1, _ROWS + 1))
    return [
        make_file("verdicts.csv", read, csv, ",".join(_TITLES) + "\r\n"),
        make_file("verdicts.tsv", read, tsv, "\t".join(_TITLES) + "\n"),
        make_file("verdicts.jsonl", read, lines),
        *make_workbooks("verdicts.xlsx", read, (_TITLES, *cells)),
    ]


def make_study_files(folder: Path) -> list[SoundFile]:
    """Return a study's pack and an annotator's answers; their hashes are mended half the time."""
    from termexplorer.services.studies.answers import merge_answers, write_answers
    from termexplorer.services.studies.judging import Judging
    from termexplorer.services.studies.packs import open_pack, write_pack

    author = make_study_workspace(folder / "author")
    shutil.copytree(author, folder / "judged")
    judge_some(folder / "judged", _ROWS)
    Workspace(folder / "nothing").close()
    pack, answers = folder / "made.termstudy", folder / "made.answers.json"
    workspace = Workspace(folder / "judged")
    annotator = judge_name(workspace)
    write_pack(workspace, 1, annotator, pack)
    write_answers(workspace, 1, annotator, answers)
    workspace.close()
    empty, authors = CopiedWorkspaces(folder / "nothing"), CopiedWorkspaces(author)

    def read_pack(path: Path) -> FileReading:
        workspace = empty.take()
        opened = open_pack(workspace, path)
        Judging(workspace, opened.study_id, opened.annotator).current()
        return FileReading("")

    def read_answers(path: Path) -> FileReading:
        merge_answers(authors.take(), [path])
        return FileReading("")

    return [
        SoundFile(file.name, {file.name: file.read_bytes()}, read, mend=mend)
        for file, read in ((pack, read_pack), (answers, read_answers))
        for mend in (None, mend_envelope, mend_envelope)
    ]


def judge_name(workspace: Workspace) -> str:
    """Return the annotator of the one study of a workspace."""
    from termexplorer.store.judging import studies

    with workspace.store.reading() as connection:
        return studies.seats_of(connection, 1)[0].annotator


def mend_envelope(path: Path) -> None:
    """Make the hash of a study's file fit its content, where it is JSON still."""
    from termexplorer.store.judging.verdicts import json_hash

    with suppress(ValueError, RecursionError, TypeError, KeyError):
        whole: dict[str, Any] = json.loads(path.read_bytes())
        whole["hash"] = json_hash(whole["content"])
        path.write_text(json.dumps(whole, ensure_ascii=False, indent=1), "utf-8")


def make_pair_files(_folder: Path) -> list[SoundFile]:
    """Return sets of pairs, and ratings."""
    from termexplorer.services.agreement.agreement import (
        RatingsRequest,
        Reckoning,
        rated_file,
        report_agreement,
    )
    from termexplorer.services.pairs.files import read_checks

    def read_pairs(path: Path) -> FileReading:
        pools = list(read_checks([path], ("same", "different")))
        texts = [
            f"{left} {right}"
            for pool in pools
            for left, right in zip(pool.left, pool.right, strict=True)
        ]
        return FileReading("\n".join(texts))

    def read_ratings(path: Path) -> FileReading:
        rated = rated_file(RatingsRequest(path=path))
        with suppress(UserError):
            report_agreement(rated, Reckoning(resamples=_RESAMPLES))
        return FileReading("")

    pairs = make_rows(_ROWS, lambda n, name: f"{name} left,{name} right,{n % 5}.5\n")
    tabs = make_rows(_ROWS, lambda n, name: f"{name} left\t{name} right\t{n % 2}\n")
    ratings = make_rows(_ROWS, lambda n, name: f"{name};{n % 3};{n % 2};{(n + 1) % 3}\n")
    objects = make_rows(_ROWS, lambda n, name: json.dumps([f"{name} a", f"{name} b", n / 2]))
    plain = make_file("pairs.csv", read_pairs, pairs, "term one,term two,score\n")
    return [
        plain, pack_gzip(plain),
        make_file("pairs.tsv", read_pairs, tabs, "left\tright\tlabel\n"),
        make_file("pairs.json", read_pairs, objects, "[", "]", ",\n"),
        make_file("ratings.csv", read_ratings, ratings, "item;Anna;Ben;Clara\n"),
    ]  # fmt: skip
