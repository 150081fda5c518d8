"""With --judge the judging program that was built is started on a pack, and judged with."""

import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from judging_windows import make_pack
from x_screen import Screen, picture_folder

PATIENCE = 60  # seconds


@pytest.fixture
def program(request: pytest.FixtureRequest) -> Path:
    given: str | None = request.config.getoption("--judge")
    if given is None:
        pytest.skip("no --judge PROGRAM")
    return Path(given).absolute()


@pytest.fixture
def screen() -> Iterator[Screen]:
    screen = Screen()
    yield screen
    screen.close()


def wait_for(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "gave up waiting"
        time.sleep(0.3)


def answers(workspace: Path) -> list[str]:
    with closing(sqlite3.connect(workspace / "workspace.sqlite")) as connection:
        return [answer for (answer,) in connection.execute("SELECT answer FROM verdict")]


def test_the_built_program_judges_a_pack(program: Path, screen: Screen, tmp_path: Path) -> None:
    pack, workspace = make_pack(tmp_path), tmp_path / "clinic"
    # nothing of this Python is there for it
    environment = {
        "DISPLAY": screen.environment["DISPLAY"], "HOME": str(tmp_path), "LANG": "C.UTF-8",
        "TERMEXPLORER_WORKSPACE": str(workspace),
    }  # fmt: skip
    window = subprocess.Popen([program, pack], env=environment, cwd=tmp_path)
    try:
        wait_for(lambda: screen.do("search", "--onlyvisible", "--name", "termexplorer"))
        window_id = screen.do("search", "--onlyvisible", "--name", "termexplorer").splitlines()[-1]
        screen.do("windowfocus", "--sync", window_id)
        time.sleep(1)
        screen.do("key", "Return")
        for count in (1, 2):
            time.sleep(1)
            screen.do("key", str(count))
            wait_for(lambda: len(answers(workspace)) == count)  # noqa: B023 - called at once
        screen.save_picture(picture_folder(tmp_path) / "judge_build.png")
        screen.do("key", "ctrl+q")
        assert window.wait(20) == 0
    finally:
        window.kill()
        window.wait()
    assert answers(workspace) == ["same", "not same"]


def test_what_is_no_pack_is_one_line(program: Path, screen: Screen, tmp_path: Path) -> None:
    (tmp_path / "a.termstudy").write_text("{}", "utf-8")
    environment = {"HOME": str(tmp_path), "LANG": "C.UTF-8", "QT_QPA_PLATFORM": "offscreen"}
    command = [program, tmp_path / "a.termstudy"]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 1
    assert "a.termstudy" in done.stderr
