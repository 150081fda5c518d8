import json
import multiprocessing
import sqlite3
import threading
import warnings
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from earlier_layouts import earlier_layout
from sqlalchemy import Row, text
from sqlalchemy.exc import IntegrityError, OperationalError

from termexplorer.errors import UserError
from termexplorer.store import opening
from termexplorer.store.database.engine import ChangeWatch, Store
from termexplorer.store.database.row_copies import install_row_copies
from termexplorer.store.database.sqlalchemy_engine import Connection
from termexplorer.store.encoders import runs
from termexplorer.store.encoders.encoders import add_encoder, remove_encoder
from termexplorer.store.encoders.evaluations import evaluations
from termexplorer.store.encoders.infos import LEXICAL, encoder, encoders
from termexplorer.store.judging import verdicts
from termexplorer.store.kept_messages import read_message
from termexplorer.store.opening import HEAD, open_store
from termexplorer.store.releases.concepts import with_name
from termexplorer.store.tables import encoders as encoder_tables
from termexplorer.store.tables import judging as judging_tables
from termexplorer.store.tables import lists as list_tables
from termexplorer.store.tables import runs as run_tables
from termexplorer.store.tables import signing as signing_tables
from termexplorer.store.tables import studies as study_tables
from termexplorer.store.tables.releases import Base


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "workspace.sqlite"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    store = open_store(path)
    yield store
    store.close()


def test_settings_are_the_safe_ones(store: Store) -> None:
    with store.reading() as connection:
        values = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "foreign_keys", "synchronous")
        }
    assert values == {"journal_mode": "wal", "foreign_keys": 1, "synchronous": 2}


def test_the_migrations_make_the_tables_that_are_mapped(store: Store) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    tables = (
        encoder_tables, judging_tables, list_tables, run_tables, signing_tables, study_tables
    )  # fmt: skip
    modules = {table.__name__ for table in tables}
    assert modules <= {subclass.__module__ for subclass in Base.__subclasses__()}

    def ours(_object: object, name: str | None, kind: str, *_rest: object) -> bool:
        return not (kind == "table" and name and name.startswith(("search_", "copy_of_")))

    with store.reading() as connection, warnings.catch_warnings():
        warnings.filterwarnings("ignore", "autogenerate skipping .*expression-based")
        warnings.filterwarnings("ignore", "Skipped unsupported reflection of expression-based")
        context = MigrationContext.configure(connection, opts={"include_object": ours})
        differences = compare_metadata(context, Base.metadata)
    assert differences == []


def test_the_head_is_the_newest_migration() -> None:
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(Path(opening.__file__).parent / "migrations"))
    assert ScriptDirectory.from_config(config).get_current_head() == HEAD


def test_an_older_store_is_backed_up_and_brought_up_to_date(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE alembic_version (version_num TEXT)")
    store = open_store(path)
    with store.reading() as connection:
        assert encoders(connection)[0].id == LEXICAL
    store.close()
    (backup,) = (path.parent / "backups").iterdir()
    with closing(sqlite3.connect(backup)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master").fetchall()
    assert tables == [("alembic_version",)]


def make_second_layout(path: Path) -> None:
    """A store as the second migration left it, with vectors (2) and an encoder on them (3)."""
    with earlier_layout(path, "0002") as connection:
        for kind, beneath in (("untrained", None), ("trained", 2)):
            connection.exec_driver_sql(
                """INSERT INTO encoder (kind, method, title, input_id, dimension, path,
                content_hash, parameters, created_at)
                VALUES (?, 'm', ?, ?, 2, 'p', '', '{}', '')""",
                (kind, f"my {kind}", beneath),
            )


def test_names_are_found_in_the_order_of_their_texts(path: Path) -> None:
    with earlier_layout(path, "0010") as connection:
        run = connection.exec_driver_sql
        run("INSERT INTO terminology VALUES (1, 'toy')")
        columns = [row.name for row in run("PRAGMA table_info(release)")]
        known = {"id": 1, "terminology_id": 1}
        values = [known.get(column, "") for column in columns]
        run(f"INSERT INTO release VALUES ({', '.join('?' * len(columns))})", tuple(values))
        run("INSERT INTO concept VALUES (7, 1, 'T:7', '7', '', 'flu', '', 0, 1, NULL)")
        for number, name in enumerate(("flu", "Influenza", "grippe"), 11):
            run("INSERT INTO name VALUES (?, 1, 7, 'synonym', '', ?)", (number, name))
    store = open_store(path)
    with store.looking() as connection:
        sorted_names = connection.execute(
            "SELECT text, name_id, concept_id FROM sorted_name"
        ).fetchall()
        assert sorted_names == [("flu", 11, 7), ("grippe", 13, 7), ("Influenza", 12, 7)]
        assert [with_name(connection, 1, typed_name) for typed_name in ("INFLUENZA", "gripp")] == [
            7,
            None,
        ]
    store.close()


def test_encoders_keep_their_ids_and_lexical_ones_come_beside_them(path: Path) -> None:
    make_second_layout(path)
    store = open_store(path)
    with store.reading() as connection:
        encoder_rows = [(e.id, e.kind, e.method, e.input_id) for e in encoders(connection)]
    store.close()
    assert encoder_rows == [
        (LEXICAL, "lexical", "tfidf", None),
        (2, "untrained", "m", None),
        (3, "trained", "m", 2),
        (4, "lexical", "jaccard", None),
        (5, "lexical", "bm25", None),
        (6, "lexical", "edit_distance", None),
    ]


def fill_eleventh_layout(connection: Connection) -> None:
    """A run (4) on vectors (5) that made an encoder (6), and a list by one (9) that is gone."""
    run = connection.exec_driver_sql
    known = {"title": "mine", "kind": "trained", "method": "dan", "terminology_id": 1}
    known |= {
        "facts": "[]",
        "parameters": '{"a":  1}',
        "card": '{"b":  2}',
        "encoder_ids": "[5, 9]",
    }
    known |= {"key": "toy", "release_id": 1, "run_id": 4, "number": 1}
    rows = (
        ("terminology", {"id": 1}),
        ("release", {"id": 1}),
        ("encoder", {"id": 5}),
        ("encoder", {"id": 6, "input_id": 5}),
        ("run", {"id": 4, "input_id": 5, "encoder_id": 6, "split_id": None}),
        ("epoch", {}),
        ("figure", {"encoder_id": 6}),
        ("encoder_part", {"encoder_id": 6, "part_id": 5}),
        ("suggestion_list", {"id": 1, "object_release_id": None}),
    )
    for table, given in rows:
        columns = [row.name for row in run(f"PRAGMA table_info({table})")]
        values = {column: known.get(column, "") for column in columns} | given
        values |= {"input_id": given.get("input_id")} if "input_id" in columns else {}
        marks = ", ".join(f":{column}" for column in columns)
        connection.execute(text(f"INSERT INTO {table} VALUES ({marks})"), values)


def all_rows(connection: Connection) -> dict[str, list[tuple[object, ...]]]:
    tables = ("encoder", "run", "epoch", "figure", "encoder_part", "suggestion_list")
    run = connection.exec_driver_sql
    return {name: [shown_row(row) for row in run(f"SELECT * FROM {name}")] for name in tables}


def shown_row(row: Row[tuple[object, ...]]) -> tuple[object, ...]:
    """A row with its title in words, as it has been kept in parts since version 0024."""
    return tuple(
        str(read_message(value)) if column == "title" else value
        for column, value in row._mapping.items()
    )


def test_ids_of_encoders_and_runs_never_come_again_in_an_older_store(path: Path) -> None:
    with earlier_layout(path, "0011") as connection:
        fill_eleventh_layout(connection)
        before = all_rows(connection)
    store = open_store(path)
    with store.writing() as connection:
        assert all_rows(connection) == before
        assert not connection.exec_driver_sql("PRAGMA foreign_key_check").all()
        assert add(connection) == 10  # a list still speaks of 9
        runs.delete_run(connection, 4)
        assert remove_encoder(connection, 6) == []
        texts = dict.fromkeys(("title", "recipe", "preset"), "")
        assert runs.add_run(connection, **texts, release_id=1, input_id=5, request={}) == 5
    with pytest.raises(IntegrityError), store.writing() as connection:
        connection.exec_driver_sql("DELETE FROM encoder WHERE id = 5")
    store.close()


def test_the_id_of_an_encoder_that_went_is_no_other_ones(store: Store) -> None:
    with store.writing() as connection:
        first = add(connection)
        remove_encoder(connection, first)
    with store.writing() as connection:
        assert add(connection) == first + 1


def test_evaluations_learn_their_level_and_split_from_their_title(path: Path) -> None:
    titles = {
        "ranking": "level 12: 4 classes, 21 test names, 30 training names, split 7",
        "synonyms, test": "split 3: 12 names among 40",
        "coverage": "52 names of split 3, each among the others",
        "relatedness": "level 1: split 9.tsv, 30 pairs",
    }
    with earlier_layout(path, "0003") as connection:
        for task, title in titles.items():
            connection.exec_driver_sql(
                """INSERT INTO evaluation (task, data_hash, title, metric, differences, seen,
                notes, evaluated_at) VALUES (?, 'hash', ?, 'mAP', '[]', '{}', '[]', '')""",
                (task, title),
            )
    store = open_store(path)
    with store.reading() as connection:
        evaluation_by_task = {evaluation.task: evaluation for evaluation in evaluations(connection)}
    store.close()
    assert {
        task: (evaluation.level, evaluation.split_id)
        for task, evaluation in evaluation_by_task.items()
    } == {
        "ranking": (12, 7),
        "synonyms, test": (None, 3),
        "coverage": (None, 3),
        "relatedness": (None, None),
    }
    assert {task: evaluation.data for task, evaluation in evaluation_by_task.items()} == titles
    assert evaluation_by_task["ranking"].title == titles["ranking"].removeprefix("level 12: ")


def test_verdicts_of_before_studies_stay_whole_and_were_shown_once(path: Path) -> None:
    # three rows of the log as the program of that layout wrote them
    answer = json.loads((Path(__file__).parent / "earlier_verdicts.json").read_text("utf-8"))
    with earlier_layout(path, "0007") as connection:
        for row in answer:
            marks = ", ".join(f":{name}" for name in row)
            values = row | {"details": json.dumps(row["details"])}
            query = text(f"INSERT INTO verdict ({', '.join(row)}) VALUES ({marks})")
            connection.execute(query, values)
    store = open_store(path)
    with store.writing() as connection:
        assert verdicts.check_log(connection) == len(answer) == 3
        (before,) = verdicts.judged(connection)
        assert (before.subject.showing, before.answer.answer) == (1, answer[0]["answer"])
        again = replace(before.subject, showing=2)
        verdicts.append(connection, before.judge, again, before.answer)
        assert verdicts.check_log(connection) == 4
        assert [verdict.subject.showing for verdict in verdicts.judged(connection)] == [1, 2]
    store.close()


def test_an_encoder_made_of_others_keeps_them(store: Store) -> None:
    with store.writing() as connection:
        parts = (add(connection), add(connection))
        whole = add(connection, part_ids=parts[::-1])
    with store.reading() as connection:
        stored = encoder(connection, whole)
        assert stored is not None
        assert stored.part_ids == parts[::-1]
        assert all(
            not encoder_info.part_ids
            for encoder_info in encoders(connection)
            if encoder_info.id != whole
        )
    with (
        pytest.raises(UserError, match=f"encoder {parts[0]} is a part of encoder {whole}"),
        store.writing() as connection,
    ):
        remove_encoder(connection, parts[0])
    with store.writing() as connection:
        assert remove_encoder(connection, whole) == []
        remove_encoder(connection, parts[0])
    with store.reading() as connection:
        assert encoder(connection, whole) is None


def test_other_databases_newer_stores_and_other_files_are_refused(path: Path) -> None:
    path.write_bytes(b"no database at all, but long enough to look at" * 100)
    with pytest.raises(UserError, match="is not a termexplorer store"):
        open_store(path)
    path.unlink()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE other (a)")
    before = path.read_bytes()
    with pytest.raises(UserError, match="another program"):
        open_store(path)
    assert path.read_bytes() == before
    path.unlink()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE alembic_version (version_num TEXT)")
        connection.execute("INSERT INTO alembic_version VALUES ('9999')")
    with pytest.raises(UserError, match="newer termexplorer"):
        open_store(path)


def test_a_write_is_whole_or_not_at_all(store: Store) -> None:
    def failing() -> None:
        with store.writing() as connection:
            add(connection)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        failing()
    with store.reading() as connection:
        assert len(encoders(connection)) == 4


def add(connection: object, part_ids: tuple[int, ...] = ()) -> int:
    return add_encoder(
        connection,  # type: ignore[arg-type]
        kind="untrained",
        method="words",
        title="some",
        dimension=2,
        path="",
        content_hash="",
        parameters={},
        part_ids=part_ids,
    )


def count_up(path: Path, times: int) -> None:
    store = open_store(path)
    for _ in range(times):
        with store.writing() as connection:
            value = connection.exec_driver_sql(
                "SELECT dimension FROM encoder WHERE id = 1"
            ).scalar()
            connection.exec_driver_sql(
                "UPDATE encoder SET dimension = ? WHERE id = 1", (int(value or 0) + 1,)
            )
    store.close()


def test_updates_of_several_writers_are_not_lost(store: Store, path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=count_up, args=(path, 30)) for _ in range(2)]
    for writer in writers:
        writer.start()
    count_up(path, 30)
    for writer in writers:
        writer.join()
    with store.reading() as connection:
        assert encoders(connection)[0].dimension == 90


def test_who_writes_once_is_let_in_between_the_batches_of_an_import(store: Store) -> None:
    batches, stop = [0], threading.Event()

    def fill() -> None:
        while not stop.is_set():
            with store.filling():
                stop.wait(0.1)
            batches[0] += 1

    thread = threading.Thread(target=fill)
    thread.start()
    waited = []
    try:
        for _ in range(5):
            before = batches[0]
            with store.writing():
                waited.append(batches[0] - before)
    finally:
        stop.set()
        thread.join()
    assert max(waited) <= 5


def test_a_watch_sees_what_others_write(store: Store, path: Path) -> None:
    watch = ChangeWatch(path)
    assert not watch.changed()
    with store.writing() as connection:
        add(connection)
    assert watch.changed()
    assert not watch.changed()
    watch.close()


def test_a_long_statement_is_interrupted(store: Store) -> None:
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
    timer = threading.Timer(0.2, store.interrupt)
    timer.start()
    with pytest.raises(InterruptedError), store.reading() as connection:
        connection.exec_driver_sql(endless).scalar()
    timer.join()


def test_a_disk_that_is_gone_is_told_with_what_to_do(tmp_path: Path) -> None:
    store = open_store(tmp_path / "workspace.sqlite")
    failing = sqlite3.OperationalError("disk I/O error")
    with pytest.raises(UserError, match="see that it is there, has room, and try again"):  # noqa: SIM117
        with store.writing():
            raise OperationalError("COMMIT", {}, failing)
    store.close()


def test_a_p_that_was_corrected_for_others_is_not_taken_for_its_own(path: Path) -> None:
    fields = {"first_id": 1, "second_id": 2, "metric": "mAP", "value": 0.1, "low": 0, "high": 0.2}
    old = fields | {"p": 0.069, "significant": False, "n": 50, "test": "", "correction": "Holm"}
    with earlier_layout(path, "0013") as connection:
        for task, differences in (("ranking", [old]), ("coverage", [])):
            connection.exec_driver_sql(
                """INSERT INTO evaluation (task, data_hash, title, metric, differences, seen,
                notes, evaluated_at) VALUES (?, 'hash', '', 'mAP', ?, '{}', '["a note"]', '')""",
                (task, json.dumps(differences)),
            )
    store = open_store(path)
    with store.reading() as connection:
        evaluation_by_task = {evaluation.task: evaluation for evaluation in evaluations(connection)}
    store.close()
    assert (
        evaluation_by_task["ranking"].differences
        == evaluation_by_task["coverage"].differences
        == ()
    )
    note, message = evaluation_by_task["ranking"].notes
    assert (note, "evaluate again" in message, message.values) == ("a note", True, {})
    assert evaluation_by_task["coverage"].notes == ("a note",)


def test_evaluations_learn_of_how_many_items_they_are_from_their_notes(path: Path) -> None:
    notes = {
        "relatedness": "52 of 1,566 pairs are known to all encoders; the others are left out",
        "synonyms, test": "not counted: 7 of the 90, for which nothing that is ranked is right",
        "coverage": "names left out: 3, tokens",
    }
    with earlier_layout(path, "0016") as connection:
        for task, note in notes.items():
            connection.exec_driver_sql(
                """INSERT INTO evaluation (task, data_hash, title, metric, differences, seen,
                notes, evaluated_at) VALUES (?, 'hash', '', 'mAP', '[]', '{}', ?, '')""",
                (task, json.dumps(["first", note])),
            )
    store = open_store(path)
    with store.reading() as connection:
        items_by_task = {
            evaluation.task: evaluation.items for evaluation in evaluations(connection)
        }
    store.close()
    assert items_by_task == {"relatedness": 1566, "synonyms, test": 90, "coverage": None}


def test_a_damaged_store_of_an_older_version_is_not_migrated(path: Path) -> None:
    with earlier_layout(path, "0018") as connection:
        connection.exec_driver_sql("INSERT INTO terminology VALUES (1, 'toy')")
        install_row_copies(connection)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DROP TRIGGER copy_of_terminology_update")
        connection.execute("UPDATE terminology SET key = 'tox'")
    for _ in range(2):
        with pytest.raises(UserError, match="terminology 1"):
            open_store(path)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT * FROM alembic_version").fetchall() == [("0018",)]
    assert not list((path.parent / "backups").glob("*"))


def test_the_backup_before_a_migration_is_verified(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with earlier_layout(path, "0018") as connection:
        connection.exec_driver_sql("INSERT INTO terminology VALUES (1, 'toy')")
    copy_store = opening.copy_store

    def spoil(source: Path, target: Path) -> None:
        copy_store(source, target)
        content = target.read_bytes()
        target.write_bytes(content[: len(content) // 2])

    monkeypatch.setattr(opening, "copy_store", spoil)
    with pytest.raises(UserError, match="not brought up to date"):
        open_store(path)
    monkeypatch.setattr(opening, "copy_store", copy_store)
    open_store(path).close()
    (backup,) = (path.parent / "backups").glob("*.sqlite")
    assert backup.stat().st_size > 0


def test_opening_and_reading_wait_for_nobody_who_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "workspace.sqlite"
    open_store(path).close()
    monkeypatch.setattr("termexplorer.store.database.engine.BUSY_SECONDS", 0.05)
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        with closing(open_store(path)) as other, other.looking() as reader:
            assert reader.execute("SELECT count(*) FROM name").fetchone() == (0,)
