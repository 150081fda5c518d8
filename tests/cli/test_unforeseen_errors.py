"""What a command says of an error that nobody foresaw, and of output that nobody reads."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from program import called

from termexplorer.services.explore import ontologies
from termexplorer.workers.process.bug_place import locate_crash
from termexplorer.workspace import Workspace

NOTE = "Anna's note on pneumonia"


@pytest.mark.parametrize("error", [ValueError(NOTE), KeyError(NOTE)])
def test_a_bug_is_told_by_its_place_and_without_its_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(_workspace: object) -> None:
        raise error

    Workspace(tmp_path).close()
    monkeypatch.setattr("termexplorer.cli.ontologies.list_ontologies", fail)
    done = called("ontology", "list", "--workspace", tmp_path)
    assert done.returncode == 1
    assert "this is a bug" in done.stderr
    assert type(error).__name__ in done.stderr
    assert "termexplorer/cli/ontologies.py" in done.stderr
    assert "pneumonia" not in done.stderr


def test_what_the_system_refuses_is_no_bug(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_workspace: object) -> None:
        raise PermissionError(13, "Permission denied", "/srv/terms")

    Workspace(tmp_path).close()
    monkeypatch.setattr("termexplorer.cli.ontologies.list_ontologies", fail)
    done = called("ontology", "list", "--workspace", tmp_path)
    assert done.returncode == 1
    assert "/srv/terms: Permission denied" in done.stderr
    assert "bug" not in done.stderr


def test_a_crash_of_a_child_is_told_by_its_place() -> None:
    module_file = Path(ontologies.__file__)
    frame = f'  File "{module_file}", line 7, in f'
    text = f"Traceback (most recent call last):\n{frame}\nValueError: {NOTE}\n"
    assert locate_crash(text) == "ValueError (termexplorer/services/explore/ontologies.py:7)"
    assert locate_crash("the process was killed by the system") == (
        "the process was killed by the system"
    )


@pytest.mark.parametrize("locale", ["C", "POSIX"])
def test_an_ascii_terminal_and_closed_output_are_no_bugs(tmp_path: Path, locale: str) -> None:
    source = tmp_path / "names.csv"
    source.write_text("id,name\nT:1,Ménière’s disease\n", "utf-8")
    run = [sys.executable, "-c", "from termexplorer.cli.main import run; run()"]
    options = ["--workspace", str(tmp_path / "ws")]
    subprocess.run([*run, "import", str(source), *options], check=True, capture_output=True)
    plain = {"LC_ALL": locale, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PATH": "/usr/bin"}
    process = subprocess.run([*run, "search", "disease", *options], capture_output=True, env=plain)
    assert (process.returncode, b"bug" in process.stderr) == (0, False)
    assert b"disease" in process.stdout
    with subprocess.Popen(
        [*run, "search", "disease", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as reader:
        assert reader.stdout is not None
        reader.stdout.close()
        assert reader.stderr is not None
        assert b"bug" not in reader.stderr.read()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such pipes")
@pytest.mark.parametrize("words", ["import", "vectors add", "verdicts import"])
def test_a_pipe_that_nobody_writes_to_is_refused(tmp_path: Path, words: str) -> None:
    pipe = tmp_path / "pipe.tsv"
    os.mkfifo(pipe)
    Workspace(tmp_path / "ws").close()
    done = called(*words.split(), pipe, "--workspace", tmp_path / "ws")
    assert done.returncode == 1
    assert "pipe.tsv" in done.stderr
    assert "pipe or a device" in done.stderr


def test_a_name_that_is_too_long_is_told_as_such(tmp_path: Path) -> None:
    Workspace(tmp_path / "ws").close()
    done = called("import", tmp_path / f"{'x' * 300}.obo", "--workspace", tmp_path / "ws")
    assert done.returncode == 1
    assert "cannot be read" in done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="other systems' words are text")
def test_a_word_that_is_no_text_is_no_bug(tmp_path: Path) -> None:
    source = tmp_path / "names.csv"
    source.write_text("id,name\nT:1,lung disease\n", "utf-8")
    assert called("import", source, "--workspace", tmp_path).returncode == 0
    run = [sys.executable, "-c", "from termexplorer.cli.main import run; run()"]
    words = [os.fsencode(word) for word in (*run, "search", "--workspace", str(tmp_path))]
    done = subprocess.run([*words, b"lung\xe9"], capture_output=True, check=False)
    assert done.returncode == 1
    assert b"no text in UTF-8" in done.stderr
    assert b"bug" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of Unix")
def test_output_that_is_closed_from_the_start_is_no_bug(tmp_path: Path) -> None:
    Workspace(tmp_path).close()
    run = f"'{sys.executable}' -c 'from termexplorer.cli.main import run; run()'"
    shell = f"{run} ontology list --workspace '{tmp_path}' >&-"
    done = subprocess.run(["sh", "-c", shell], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(sys.platform != "linux", reason="limits of Linux")
def test_a_workbook_for_which_there_is_no_room_is_no_bug(tmp_path: Path) -> None:
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))"
    write = "write_table(Path(sys.argv[1]), ('a',), ((str(n) * 50,) for n in range(2000)))"
    code = f"""import sys
from pathlib import Path
from termexplorer.errors import UserError
from termexplorer.services.files.exports import write_table
{limit}
try:
    {write}
except UserError as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "out.xlsx")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "cannot be written" in done.stdout, done.stderr
