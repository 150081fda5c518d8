"""Verdicts go out as tables and come back unchanged, once, all of them or none."""

import csv
import io
import json
import re
import zipfile
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook
from toy_studies import ANNA, BEN, SEEN, answer_all, at_work, make, opened, sent
from typer.testing import CliRunner

from termexplorer.cli.commands import app
from termexplorer.errors import UserError
from termexplorer.services.files.exports import write_table
from termexplorer.services.files.written_tables import READ_ENDINGS, read_written
from termexplorer.services.studies.answers import merge_answers, write_answers
from termexplorer.services.studies.judging import Judging
from termexplorer.services.studies.verdict_files import HEADER, write_verdicts
from termexplorer.services.studies.verdict_import import ImportedVerdicts, import_verdicts
from termexplorer.services.verdicts.log import (
    Answer,
    Judge,
    VerdictSubject,
    check_log,
    give_verdict,
    judged,
    undo_verdict,
)
from termexplorer.workspace import Workspace

HARMFUL = (
    "=1+1",
    "'=1+1",
    "''=1+1",
    "@SUM(A1)",
    "＝1+1",
    "＠SUM(A1)",
    "|cmd",
    "'＋1",
    "+1",
    "-1",
    "\tx",
    "'s",
    "“x”",
    'a "b"; c, d\n=e',
)
CARL = Judge("=Carl", "0000-0002-1825-0097")
TEXTS = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0")
    | st.sampled_from("=+-@'\t\r\n,;\"_x0D")
)
TYPED = ("1", "+1", "1e3", "TRUE", "2026-03-01", "#N/A", "=A1", " x ", "_x0041_")


def said(workspace: Workspace, study: str = "") -> set[tuple[object, ...]]:
    """What counts, without what another workspace may call it."""
    return {
        (
            verdict.judge, verdict.subject, verdict.answer.answer, verdict.answer.note,
            verdict.answer.shown_at,
            verdict.answer.answered_at, verdict.answer.release_hash,
            json.dumps({k: v for k, v in verdict.answer.details.items() if k != "origin"}),
        )
        for verdict in judged(workspace, study)
    }  # fmt: skip


def judge_harmfully(workspace: Workspace) -> None:
    for second, text in enumerate((*HARMFUL, *TYPED)):
        about = VerdictSubject("skos:exactMatch", f"A:{second}", f"=B:{second}", text)
        at = f"2026-03-01T10:00:{second:02}.000+00:00"
        details = {"of": text, "sure": 0.5, "more": [None, True]}
        give_verdict(workspace, CARL, about, Answer("wrong", text, at, at, "ab" * 32, details))


@pytest.mark.parametrize("ending", READ_ENDINGS)
def test_what_spreadsheets_would_run_comes_back_unchanged_and_once(
    tmp_path: Path, ending: str
) -> None:
    path = tmp_path / f"verdicts{ending}"
    with opened(tmp_path / "one") as opened_workspace, opened(tmp_path / "two") as two:
        judge_harmfully(opened_workspace)
        count = write_verdicts(opened_workspace, path)
        assert import_verdicts(two, path) == ImportedVerdicts(count, count, 0, ())
        assert said(two) == said(opened_workspace)
        for workspace in (opened_workspace, two):
            assert import_verdicts(workspace, path) == ImportedVerdicts(count, 0, 0, ())
            assert check_log(workspace) == count
        undo_verdict(two, CARL)
        assert import_verdicts(two, path).new == 0  # what was taken back stays so
        assert len(said(two)) == count - 1


def test_cells_of_text_files_begin_with_nothing_that_is_run(tmp_path: Path) -> None:
    with opened(tmp_path / "one") as workspace:
        judge_harmfully(workspace)
        write_verdicts(workspace, tmp_path / "verdicts.tsv")
    with (tmp_path / "verdicts.tsv").open(encoding="utf-8", newline="") as file:
        cells = [cell for row in csv.reader(file, delimiter="\t") for cell in row]
    assert len(cells) > 14
    run = [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t"))]
    assert set(run) <= {"+1", "-1"}  # numbers are not run


@given(texts=st.lists(TEXTS | st.sampled_from((*HARMFUL, *TYPED)), max_size=5))
@pytest.mark.parametrize("ending", READ_ENDINGS)
def test_any_text_is_read_as_it_was_written(ending: str, texts: Sequence[str]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"table{ending}"
        write_table(path, ("one", "Two"), [(text, "end") for text in ["", *texts]])
        rows_read = [(row.cells["one"], row.cells["two"]) for row in read_written(path, ("one",))]
    assert rows_read == [(text, "end") for text in ["", *texts]]


def test_a_workbook_is_read_whole_from_the_sheet_that_has_the_titles(tmp_path: Path) -> None:
    book = Workbook()
    book.active.append(["About", "these verdicts"])
    sheet = book.create_sheet("Verdicts")
    for row in (["one", "Two"], *([f"a{n}", f"b{n}"] for n in range(9))):
        sheet.append(row)
    sheet.title = "Verdicts"
    buffer = io.BytesIO()
    book.save(buffer)
    path = tmp_path / "verdicts.xlsx"
    short = b'<dimension ref="A1:B3"/>'
    with zipfile.ZipFile(buffer) as parts, zipfile.ZipFile(path, "w") as stale:
        for name in parts.namelist():
            stale.writestr(name, re.sub(rb'<dimension ref="[^"]*" ?/>', short, parts.read(name)))
    texts_read = [row.cells["two"] for row in read_written(path, ("one", "two"))]
    assert texts_read == [f"b{n}" for n in range(9)]


@pytest.mark.parametrize("ending", READ_ENDINGS)
def test_a_studys_verdicts_come_back_and_merging_knows_them(tmp_path: Path, ending: str) -> None:
    path, answers = tmp_path / f"verdicts{ending}", tmp_path / "answers"
    with opened(tmp_path / "author") as author, opened(tmp_path / "clinic") as clinic:
        study_id = make(author)
        judging = at_work(clinic, sent(author, study_id, ANNA, tmp_path))
        answer_all(judging, lambda position: ("same", "not same", "don't know")[position % 3])
        key = judging.study.head.key
        judging.judge(judging.turns[0], "same", SEEN, note="=cmd()\r\nor 'so'")
        write_verdicts(clinic, path, key)
        result = import_verdicts(author, path, study_id)
        assert (result.rows, result.new, result.unfit) == (11, 11, ())
        assert said(author, key) == said(clinic, key)
        assert import_verdicts(author, path, study_id).new == 0
        write_answers(clinic, 1, ANNA, answers)
        (merged,) = merge_answers(author, [answers])
        assert (merged.rows, merged.new_rows, merged.differing) == (12, 1, ())  # what was replaced
        write_answers(author, study_id, ANNA, tmp_path / "again")
        assert merge_answers(clinic, [tmp_path / "again"])[0].new_rows == 0


def rows_of(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def study_rows(workspace: Workspace, path: Path) -> list[dict[str, object]]:
    study_id = make(workspace)
    judging = Judging(workspace, study_id, BEN)
    answer_all(judging)
    write_verdicts(workspace, path, judging.study.head.key)
    return rows_of(path)


def test_a_plain_table_of_a_spreadsheet_is_enough(tmp_path: Path) -> None:
    with opened(tmp_path / "one") as workspace, opened(tmp_path / "two") as two:
        rows = study_rows(workspace, tmp_path / "verdicts.jsonl")
        study_id = make(two)
        table = tmp_path / "plain.csv"
        lines = ["Judge;SUBJECT;object;predicate;answer;answered at;showing;remark"]
        lines += [
            f"{r['annotator']};{r['object']};{r['subject']};;{r['answer']};{r['answered at']};"
            f"{r['showing']};mine"
            for r in rows
        ]
        table.write_text("\ufeff" + "\r\n".join(lines), encoding="utf-8")
        assert import_verdicts(two, table, study_id).new == len(rows)
        judging = Judging(two, study_id, BEN)
        assert judging.current() is None
        write_answers(two, study_id, BEN, tmp_path / "answers")
        assert merge_answers(workspace, [tmp_path / "answers"])[0].rows == len(rows)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"annotator": "Eve"}, "'Eve' does not judge in the study; Anna Berg, Ben do"),
        ({"annotator": " "}, "nobody is named"),
        ({"ORCID": "0000-0002-1825-0097"}, "no ORCID"),
        ({"answer": "maybe"}, "'maybe' is no answer of the study; same, not same, don't know"),
        ({"object": "another"}, "Ben is not asked about 'another' and"),
        ({"showing": 2}, "Ben is not asked about"),
        ({"predicate": "How?"}, "'How?' is not what the study asks"),
        ({"answered at": "yesterday"}, "answered at is no moment in UTC"),
        ({"answer": "not same"}, "Ben said 'same' of it at that moment"),
        ({"details": "{"}, "no JSON"),
        ({"details": '{"place": 3}'}, "is missing"),
        ({"note": "x" * 20_001}, "no text of 0 to 20,000 characters"),
        ({"subject": None}, "subject is no text of 1"),
    ],
)
def test_rows_that_do_not_fit_are_listed_and_nothing_is_stored(
    tmp_path: Path, change: dict[str, object], reason: str
) -> None:
    with opened(tmp_path / "one") as workspace:
        rows = study_rows(workspace, tmp_path / "verdicts.jsonl")
        position = next(n for n, row in enumerate(rows) if row["showing"] == 1 and n > 3)
        rows[position] |= change
        path = tmp_path / "changed.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in [*rows, {"x": [1]}]), "utf-8")
        before = check_log(workspace)
        result = import_verdicts(workspace, path, 1)
        assert check_log(workspace) == before
    assert (result.rows, result.new) == (len(rows) + 1, 0)
    first, last = result.unfit
    assert (first.line, last.line) == (position + 1, len(rows) + 1)
    assert reason in first.reason
    assert "no JSON object of texts and numbers" in last.reason


def test_what_a_curator_said_later_here_counts(tmp_path: Path) -> None:
    about = VerdictSubject("skos:exactMatch", "A:1", "B:1")
    with opened(tmp_path) as workspace:
        for hour, answer in ((10, "wrong"), (12, "correct")):
            at = f"2026-03-01T{hour}:00:00.000+00:00"
            give_verdict(workspace, CARL, about, Answer(answer, "", at, at))
        path = tmp_path / "older.csv"
        row = ("", "=Carl", CARL.orcid, "skos:exactMatch", "A:1", "", "B:1", 1, "unsure", "", "",
               "2026-03-01T11:00:00.000+00:00", "", "")  # fmt: skip
        write_table(path, HEADER, [row])
        assert import_verdicts(workspace, path) == ImportedVerdicts(1, 0, 1, ())
        for at in (
            "20260301",
            "2026-W09-7",
            "9999-99-99",
            "9999-01-01",
            "2026-02-30",
            "1601-01-01",
        ):
            write_table(path, HEADER, [(*row[:11], at, *row[12:])])
            assert import_verdicts(workspace, path).unfit[0].reason.startswith("answered at: ")
        for at in ("2026-03-01T13:00:00+02:00", "2026-03-01T11:00Z", "2026-03-01T10:59:59"):
            write_table(path, HEADER, [(*row[:11], at, *row[12:])])
            assert import_verdicts(workspace, path).older == 1  # wherever the clock hangs
        write_table(path, HEADER, [(*row[:8], "perhaps", *row[9:])])
        assert import_verdicts(workspace, path).unfit[0].reason.startswith("'perhaps' is no answer")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", b"judge,answer\nAnna,same\n", "no column 'predicate'"),
        ("a.csv", b"judge,judge\n", "no column"),
        ("a.csv", b"", "no column 'annotator'"),
        ("a.csv", b'judge,"answer\n', "a cell has no end"),
        ("a.csv", b"judge,\xff\n", "not UTF-8"),
        ("a.xlsx", b"judge,answer\n", "no XLSX workbook"),
        ("a.xlsx", b"PK\x03\x04damaged", "no sound XLSX workbook"),
        ("a.jsonl", b"", "a.jsonl is empty"),
        ("a.json", b"{}", "no list of rows in JSON"),
        ("a.parquet", b"PAR", "no sound Parquet file"),
        ("a.ods", b"", "give a file that is named .csv, .tsv, .xlsx, .jsonl, .json or .par"),
    ],
)
def test_files_that_are_none(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with opened(tmp_path / "one") as workspace:
        with pytest.raises(UserError, match=message):
            import_verdicts(workspace, path)
        assert check_log(workspace) == 0


def test_a_row_that_was_cut_off_does_not_fit(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.csv"
    with opened(tmp_path / "one") as workspace, opened(tmp_path / "two") as two:
        judge_harmfully(workspace)
        count = write_verdicts(workspace, path)
        path.write_bytes(path.read_bytes()[:-3])
        with pytest.raises(UserError, match="a cell has no end"):
            import_verdicts(two, path)
        lines = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(b"".join(lines[:-1]) + b"99,=Carl\r\n")
        (cut,) = import_verdicts(two, path).unfit
        assert "it has 2 cells, not 14" in cut.reason
        assert check_log(two) == 0
        assert count == check_log(workspace)


def test_only_what_is_stored_is_worth_a_backup(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.csv"
    with opened(tmp_path / "one") as workspace, opened(tmp_path / "two") as two:
        judge_harmfully(workspace)
        write_verdicts(workspace, path)
        sound = path.read_bytes()
        path.write_bytes(sound + b"99,=Carl\r\n")
        assert import_verdicts(two, path).unfit
        with pytest.raises(UserError):
            import_verdicts(two, tmp_path / "none.csv")
        path.write_text("judge\n", "utf-8")
        with pytest.raises(UserError):
            import_verdicts(two, path)
        assert list(two.folder.glob("backups/*")) == []
        path.write_bytes(sound)
        assert import_verdicts(two, path).new
        assert len(list(two.folder.glob("backups/*"))) == 1


def test_by_command(tmp_path: Path) -> None:
    path, folder = tmp_path / "verdicts.csv", tmp_path / "one"
    with opened(folder) as workspace:
        rows = study_rows(workspace, tmp_path / "verdicts.jsonl")
        write_verdicts(workspace, path, Judging(workspace, 1, BEN).study.head.key)
    with opened(tmp_path / "two") as two:
        make(two)
    call = ["verdicts", "import", str(path), "--workspace", str(tmp_path / "two")]
    done = CliRunner().invoke(app, [*call, "--study", "1"])
    assert f"{len(rows)} verdicts, {len(rows)} of them new" in done.output
    answer = json.loads(CliRunner().invoke(app, [*call, "--study", "1", "--json"]).stdout)
    assert answer == {"rows": len(rows), "new": 0, "older": 0, "unfit": [], "unsaved": ""}
    wrong = CliRunner().invoke(app, call)  # as curators' verdicts
    assert isinstance(wrong.exception, UserError)
    assert f"{len(rows)} of {len(rows)} rows do not fit, the first in line 2" in str(
        wrong.exception
    )
    assert wrong.output.count("'same' is no answer; correct, also, changed, wrong") == len(rows) - 1
    assert "is it a study's verdict?" in wrong.output  # the repeated one
