"""The board end to end on a small terminology, and the tables that it is shown in."""

import gzip
import json
from contextlib import closing
from pathlib import Path

import pytest
from program import called
from replicate_toy import forget_tasks

from termexplorer.errors import UserError
from termexplorer.replicate.board import sources as board_sources
from termexplorer.replicate.board.encoders import ENCODERS, BoardRequest
from termexplorer.replicate.board.measuring import (
    BoardOutcome,
    measure_board,
    prepare_board,
    take_board_tasks,
)
from termexplorer.replicate.board.sources import (
    BENCHMARKS,
    MAPPINGS,
    MENTIONS,
    MENTIONS_TO_CHOOSE_BY,
    QUICK,
    BoardSources,
)
from termexplorer.replicate.board.table import (
    BOARD_FILE,
    BoardCell,
    BoardResults,
    BoardRow,
    BoardTitle,
    rank_encoders,
    read_board,
    render_board,
    write_page,
)
from termexplorer.replicate.board.tasks import TASKS
from termexplorer.replicate.builtin.data import OntologySource
from termexplorer.replicate.work.worker import WorkerRequest, open_tasks
from termexplorer.store.tasks.task_table import TaskCounts
from termexplorer.trainer.data.splits import TEST, ZERO_SHOT

_KEYS = ("doid", "ncit", "hp", "uberon", "icd")
_ORGANS = ("heart", "lung", "skin", "liver", "kidney", "brain")
_KINDS = ("pain", "tumour", "infection", "injury", "failure", "inflammation", "bleeding", "stone")
_OTHERS = ("ache", "neoplasm", "contagion", "trauma", "shutdown", "swelling", "haemorrhage", "rock")


def _write_terminology(path: Path, prefix: str) -> None:
    """Write organs on level 2, the kinds of each on level 5, with a synonym each."""
    stanzas = [
        f"id: {prefix}:0\nname: anything",
        f"id: {prefix}:1\nname: disease\nis_a: {prefix}:0",
    ]
    number = 1
    for organ in _ORGANS:
        parent = 1
        for title in (f"{organ} disease", f"common {organ} disease", f"adult {organ} disease"):
            number += 1
            stanzas.append(f"id: {prefix}:{number}\nname: {title}\nis_a: {prefix}:{parent}")
            parent = number
        for kind, other in zip(_KINDS, _OTHERS, strict=True):
            number += 1
            stanzas.append(
                f"id: {prefix}:{number}\nname: {organ} {kind}\n"
                f'synonym: "{organ} {other}" EXACT []\nsynonym: "{kind} of {organ}" EXACT []\n'
                f'synonym: "{other} of the {organ}" EXACT []\n'
                f"is_a: {prefix}:{parent}"
            )
    path.parent.mkdir(parents=True, exist_ok=True)
    head = f"format-version: 1.2\nontology: {prefix.lower()}\n"
    path.write_text(head + "".join(f"\n[Term]\n{stanza}\n" for stanza in stanzas), "utf-8")


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "data"
    ontologies = [OntologySource(key, f"{key}.obo", "obo", key, "CC0") for key in _KEYS]
    monkeypatch.setattr(board_sources, "ONTOLOGIES", ontologies)
    medic = OntologySource("medic", "medic.txt", "dictionary", "MEDIC", "")
    monkeypatch.setattr(board_sources, "MEDIC", medic)
    for key in _KEYS:
        _write_terminology(folder / "ontologies" / f"{key}.obo", key.upper())
    rows = [
        f"C{len(_KINDS) * at + index}||{organ} {kind}|{organ} {_OTHERS[index]}"
        for at, organ in enumerate(_ORGANS)
        for index, kind in enumerate(_KINDS)
    ]
    (folder / "ontologies" / "medic.txt").write_text("\n".join(rows) + "\n", "utf-8")
    pairs = {
        "source": [f"{organ} pain" for organ in _ORGANS],
        "target": ["heart ache", "lung tumour", "skin pain", "stone", "failure", "brain rock"],
        "sims": [3.0, 1.0, 2.5, 0.5, 0.0, 1.5],
    }
    names = ("MayoSRS", "UMNSRS_relatedness.csv", "UMNSRS_similarity.csv", "EHR-RelB")
    _write_file(folder / BENCHMARKS, json.dumps(dict.fromkeys(names, pairs)))
    documents = "".join(
        f"{number}|t|Heart {kind}\n{number}|a|None.\n"
        f"{number}\t0\t{6 + len(kind)}\tHeart {kind}\tDisease\tC{number}\n\n"
        for number, kind in enumerate(_KINDS)
    )
    for path in (MENTIONS, MENTIONS_TO_CHOOSE_BY):
        _write_file(folder / path, documents)
    links = [f"DOID:{n}\t{n}th\tskos:exactMatch\tNCIT:{n}\t{n}th" for n in range(2, 68)]
    _write_file(folder / MAPPINGS, "\n".join(["subject_id\tsubject_label", *links]) + "\n")
    return folder


def _write_file(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())


def _measure(data: Path, out: Path) -> tuple[BoardOutcome, list[str]]:
    steps: list[str] = []
    request = BoardRequest(BoardSources(data, QUICK), out, None, quick=True)
    encoders = ("tfidf", "minilm", "built-in-tfidf", "cca")
    outcome = measure_board(request, encoders, report=lambda _share, step: steps.append(step))
    return outcome, steps


def test_a_board_is_measured_once_and_goes_on(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    outcome, steps = _measure(data, out)
    rows = {row.title: row for row in outcome.results.rows}
    assert list(rows) == ["TF-IDF", "Built-in + TF-IDF", "CCA"]
    assert list(outcome.left_out) == [ENCODERS["minilm"].title]
    for row in rows.values():
        assert list(row.cells) == list(TASKS)
        assert all(cell.n and cell.low <= cell.value <= cell.high for cell in row.cells.values())
    assert rows["TF-IDF"].cells["bc5cdr"].value == 1
    assert rows["Built-in + TF-IDF"].note.startswith("TF-IDF × ")
    assert read_board(out / BOARD_FILE) == outcome.results
    forget_tasks(out)
    finished = (out / "results.jsonl").read_text("utf-8").splitlines()
    (out / "results.jsonl").write_text("\n".join([*finished[:-1], ""]), "utf-8")
    again, resumed = _measure(data, out)
    assert [step for step in resumed if ":" in step] == steps[-1:]
    for row, earlier in zip(again.results.rows, outcome.results.rows, strict=True):
        assert {key: cell.value for key, cell in row.cells.items()} == pytest.approx(
            {key: cell.value for key, cell in earlier.cells.items()}
        )


class _Channel:
    """Hears what a worker tells, and stops it never."""

    def __init__(self) -> None:
        self.steps: list[str] = []

    def progress(self, _fraction: float, text: str) -> None:
        self.steps.append(text)

    def stopped(self) -> bool:
        return False

    def paused(self) -> bool:
        return False


def test_further_workers_measure_what_one_would(data: Path, tmp_path: Path) -> None:
    alone, shared = (
        BoardRequest(BoardSources(data, QUICK), tmp_path / name, None, quick=True)
        for name in ("alone", "shared")
    )
    encoders, tasks = ("tfidf", "minilm", "bm25"), ("mayosrs", "bc5cdr")
    expected = measure_board(alone, encoders, tasks)
    prepare_board(shared, encoders, tasks)
    with closing(open_tasks(shared.folder)) as table:
        study = table.find_study()
        assert study is not None
    channel = _Channel()
    wanted = WorkerRequest(shared.folder, "another")
    take_board_tasks(study.request, wanted, channel)  # type: ignore[arg-type]
    assert len([step for step in channel.steps if ":" in step]) == 4
    with closing(open_tasks(shared.folder)) as table:
        assert table.count_tasks() == TaskCounts(0, 0, 2, 0, 1)
    steps: list[str] = []
    outcome = measure_board(shared, encoders, tasks, lambda _fraction, step: steps.append(step))
    assert not [step for step in steps if ":" in step]  # only what was left out is tried again
    assert outcome.left_out == expected.left_out
    for row, other in zip(outcome.results.rows, expected.results.rows, strict=True):
        figures = [
            [(cell.value, cell.low, cell.high, cell.n) for cell in cells.values()]
            for cells in (row.cells, other.cells)
        ]
        assert figures[0] == figures[1]
    more = measure_board(shared, encoders, (*tasks, "umnsrs-similarity"))
    assert [set(row.cells) for row in more.results.rows] == [{*tasks, "umnsrs-similarity"}] * 2


def test_what_is_looked_for_was_not_learned(data: Path) -> None:
    sources = BoardSources(data, QUICK)
    labels, parts = sources.doid.labels, sources.doid.parts
    hidden = {labels.names[index] for index in (parts == ZERO_SHOT).nonzero()[0]}
    assert hidden
    parents = sources.list_parents()
    assert set(parents.mentions.names) <= hidden
    assert not hidden & set(parents.candidates)
    learned, learned_parts = sources.read_level()
    aside = {
        name
        for name, part in zip(learned.names, learned_parts.tolist(), strict=True)
        if part in (TEST, ZERO_SHOT)
    }
    assert hidden & set(learned.names) <= aside


def test_the_command_tells_figures_and_what_is_missing(data: Path, tmp_path: Path) -> None:
    words = ("board", "--data", data, "--quick", "--encoders", "bm25", "--tasks", "mayosrs,bc5cdr")
    page = tmp_path / "page.md"
    page.write_text("Before.\n<!-- board: begin -->\nold\n<!-- board: end -->\nAfter.\n", "utf-8")
    done = called(*words, "--out", tmp_path / "out", "--page", page, "--json")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert [figure["encoder_title"] for figure in answer["figures"]] == ["BM25", "BM25"]
    assert [figure["n"] for figure in answer["figures"]] == [len(_ORGANS), len(_KINDS)]
    text = page.read_text("utf-8")
    assert text.startswith("Before.\n")
    assert text.endswith("\nAfter.\n")
    assert "| BM25 |" in text
    assert "old" not in text
    unknown = called(*words[:-1], "mayo", "--out", tmp_path / "other")
    assert unknown.returncode == 1
    assert "mayosrs" in unknown.stderr
    (data / BENCHMARKS).unlink()
    missing = called(*words, "--out", tmp_path / "third")
    assert missing.returncode == 1
    assert BENCHMARKS.rpartition("/")[2] in missing.stderr.replace("\n", "")


def _cell(value: float) -> BoardCell:
    return BoardCell(value, value - 0.1, value + 0.1, 1_234, 1.0, 2.0)


def test_the_tables_tell_the_best_what_is_learned_and_what_is_missing(tmp_path: Path) -> None:
    tasks = {"a": BoardTitle("A", "mAP", True), "b": BoardTitle("B", "MRR", False)}
    results = BoardResults(
        tasks,
        (
            BoardRow("First", "kind", True, "", 1, 2, {"a": _cell(0.5), "b": _cell(0.25)}),
            BoardRow("Second", "kind", False, "note", 1, 2, {"a": _cell(0.25), "b": _cell(0.5)}),
            BoardRow("Third", "kind", False, "", 1, 2, {"a": _cell(0.25)}),
        ),
    )
    lines = render_board(results).splitlines()
    assert "| First | **.500**° (.400–.600) | .250 (.150–.350) |" in lines
    assert "| Second | .250 (.150–.350) | **.500** (.400–.600) |" in lines
    assert lines[-1].endswith("| – |")
    assert any("n = 1,234" in line for line in lines)
    assert rank_encoders(results) == {"First": 1, "Second": 2.5, "Third": 2.5}  # by A alone
    page = tmp_path / "page.md"
    page.write_text("no markers\n", "utf-8")
    with pytest.raises(UserError, match=r"page\.md"):
        write_page(page, results)
    with pytest.raises(UserError, match=r"gone\.json"):
        read_board(tmp_path / "gone.json")
