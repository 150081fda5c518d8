"""What is sound in a damaged store is exported, and each row that is left out is named."""

import csv
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from test_flips import judge, needs_pages, settle
from toy_studies import make
from typer.testing import CliRunner

from termexplorer.cli.commands import app
from termexplorer.services.workspace.sound_copy import open_sound_part
from termexplorer.store.database.raw_sql import connect_read_only
from termexplorer.workspace import Workspace


def change_top_bit(store: Path, table: str, key: int, column: str) -> None:
    """Change the top bit of the first letter of a text of one row, and of nothing else."""
    with closing(sqlite3.connect(store)) as connection, connection:
        triggers = connection.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ?", (table,)
        ).fetchall()
        for name, _sql in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute(
            f"UPDATE {table} SET {column} = CAST(x'c1' || CAST(substr({column}, 2) AS BLOB)"
            " AS TEXT) WHERE id = ?",
            (key,),
        )
        for _name, sql in triggers:
            connection.execute(sql)


def call(workspace: Workspace, *words: str | Path) -> tuple[int, str]:
    output = CliRunner().invoke(app, [*map(str, words), "--workspace", str(workspace.folder)])
    return output.exit_code, output.output


def read_column(path: Path, column: str) -> list[str]:
    with path.open(encoding="utf-8") as file:
        return [row[column] for row in csv.DictReader(file, delimiter="\t")]


def test_verdicts_and_names_are_exported_without_broken_rows(
    workspace: Workspace, tmp_path: Path
) -> None:
    judge(workspace, "T:2", "T:3", "T:4")
    with workspace.store.looking() as reader:
        names = [text for (text,) in reader.execute("SELECT text FROM name ORDER BY id")]
    store = settle(workspace)
    change_top_bit(store, "verdict", 2, "note")
    change_top_bit(store, "name", 1, "text")
    out = tmp_path / "verdicts.tsv"
    code, output = call(workspace, "verdicts", "export", "--out", out, "--without-broken")
    assert (code, read_column(out, "row")) == (0, ["1", "3"])
    assert "2 damaged rows" in output
    code, output = call(
        workspace, "ontology", "export", "1", "--out", out, "--without-broken", "-j"
    )
    assert code == 0
    assert read_column(out, "name") == names[1:]
    assert json.loads(output)["left_out"] == [
        {"table": "name", "row": "1"},
        {"table": "verdict", "row": "2"},
    ]


def test_mappings_are_exported_by_the_second_copy_of_a_row(
    workspace: Workspace, tmp_path: Path
) -> None:
    mappings = tmp_path / "mappings.sssom.tsv"
    rows = "".join(
        f"T:{n}\tskos:exactMatch\tT:{n + 1}\tsemapv:ManualMappingCuration\n" for n in range(2, 5)
    )
    mappings.write_text(
        f"subject_id\tpredicate_id\tobject_id\tmapping_justification\n{rows}", "utf-8"
    )
    assert call(workspace, "suggestion", "import", mappings)[0] == 0
    store = settle(workspace)
    change_top_bit(store, "suggestion", 2, "object")
    out = tmp_path / "out.sssom.tsv"
    code, output = call(workspace, "suggestion", "export", "1", "--out", out, "--without-broken")
    assert code == 0
    assert "left out" not in output
    assert [out.read_text("utf-8").count(f"\tT:{n}\t") for n in (3, 4, 5)] == [1, 1, 1]


@needs_pages
def test_verdicts_beside_a_broken_page_are_exported(workspace: Workspace, tmp_path: Path) -> None:
    judge(workspace, *(f"T:{number}" for number in range(2, 42)))
    store = settle(workspace)
    content = bytearray(store.read_bytes())
    with closing(connect_read_only(store)) as connection:
        query = "SELECT pgoffset, ncell FROM dbstat WHERE name = 'verdict' AND pagetype = 'leaf'"
        leaves = connection.execute(f"{query} ORDER BY path").fetchall()
    assert len(leaves) > 2
    (page, lost) = leaves[1]
    content[page] = 0xFF
    store.write_bytes(content)
    out = tmp_path / "verdicts.tsv"
    code, output = call(workspace, "verdicts", "export", "--out", out, "--without-broken", "-j")
    assert code == 0
    answer = json.loads(output)
    assert answer["verdicts"] == 40 - lost
    assert [row["table"] for row in answer["left_out"]] == ["verdict"] * lost


def test_a_sound_store_is_copied_whole(with_run: Workspace) -> None:
    make(with_run)
    judge(with_run, "T:2")
    settle(with_run)
    with open_sound_part(with_run.folder) as part:
        assert part.left_out == ()
        with with_run.store.looking() as mine, part.workspace.store.looking() as other:
            for table in ("concept", "name", "is_a", "verdict", "study_pair", "run", "encoder"):
                query = f"SELECT * FROM {table} ORDER BY 1, 2"
                assert mine.execute(query).fetchall() == other.execute(query).fetchall()


@pytest.mark.parametrize("content", [b"", b"no store at all " * 300])
def test_what_is_no_store_is_refused_in_one_sentence(
    workspace: Workspace, tmp_path: Path, content: bytes
) -> None:
    store = settle(workspace)
    store.write_bytes(content)
    out = tmp_path / "names.tsv"
    output = call(workspace, "ontology", "export", "1", "--out", out, "--without-broken")
    assert output[0] == 1
    assert not out.exists()
