"""With --mutations N, N damaged files in all go to the importers: read, or refused in one line.

`pytest --mutations 10000 tests/importers/test_mutations.py -s` prints how each format took them.
"""

import shutil
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from importing import read, write
from mutations import mutations
from sound_files import FILES, RELEASES, workbook

from termexplorer.errors import UserError
from termexplorer.workers.importing.run import ImportRequest, run_import
from termexplorer.workspace import Workspace

FORMS = (*FILES, "table xlsx", *RELEASES)
_EVERY = 25  # of the damaged files goes into a store too
OUTCOMES = ("refused", "read, told of", "read, nothing missing", "read, fewer, untold")


@pytest.fixture(scope="module")
def number(request: pytest.FixtureRequest) -> int:
    number: int = request.config.getoption("--mutations")
    if not number:
        pytest.skip("no --mutations NUMBER")
    return number


@pytest.fixture(scope="module")
def outcomes() -> Iterator[dict[str, Counter[str]]]:
    table: dict[str, Counter[str]] = {}
    yield table
    columns = "".join(f"{name:>24}" for name in (*OUTCOMES, "store as it was"))
    print(f"\n{'format':<20}{columns}")  # noqa: T201 - it is what was asked for
    for form, counts in table.items():
        cells = "".join(f"{counts[name]:>24,}" for name in (*OUTCOMES, "store as it was"))
        print(f"{form:<20}{cells}")  # noqa: T201


class Quiet:
    """A channel that nobody listens at."""

    def progress(self, _fraction: float | None, _text: str) -> None:
        """Tells nobody."""

    def stopped(self) -> bool:
        """Never."""
        return False

    def on_stop(self, _callback: object) -> None:
        """Is never stopped."""


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("form", FORMS)
def test_no_damage_is_a_bug_or_half_an_import(
    form: str, number: int, outcomes: dict[str, Counter[str]], tmp_path: Path
) -> None:
    counts = outcomes.setdefault(form, Counter())
    sound = Sound(form, tmp_path)
    store = Store(tmp_path)
    examples_per_form = -(-number // len(FORMS))

    @settings(
        max_examples=examples_per_form, deadline=None, suppress_health_check=list(HealthCheck)
    )
    @given(st.data())
    def damage(data: st.DataObject) -> None:
        with tempfile.TemporaryDirectory(dir=tmp_path) as folder:
            path = sound.damaged(data, Path(folder))
            outcome = sound.outcome(path)
            counts[outcome] += 1
            if counts.total() % _EVERY == 0:
                counts["store as it was"] += store.takes(form.split()[0], path)

    damage()
    store.close()


class Sound:
    """A valid file or release, what is read of it, and how damaged copies of it are taken."""

    def __init__(self, form: str, folder: Path) -> None:
        self.format = form.split()[0]
        self._release: Path | None = None
        if form in RELEASES:
            self._release = RELEASES[form](folder / "sound")
        else:
            self._bytes = workbook(folder) if form == "table xlsx" else FILES[form]
        with tempfile.TemporaryDirectory(dir=folder) as whole:
            imported = read(self.format, self._release or write(Path(whole), "sound", self._bytes))
        self.concepts, self.remarks = (
            len(imported.concepts),
            len(imported.skipped) + len(imported.notes),
        )

    def damaged(self, data: st.DataObject, folder: Path) -> Path:
        """A copy with damage: of a release, in one of its files."""
        if self._release is None:
            return write(folder, "damaged", data.draw(mutations(self._bytes)))
        copy = shutil.copytree(self._release, folder / "release")
        file = data.draw(st.sampled_from(sorted(p for p in copy.rglob("*") if p.is_file())))
        file.write_bytes(data.draw(mutations(file.read_bytes())))
        return copy

    def outcome(self, path: Path) -> str:
        """How it was taken; anything but a `UserError` of one line is raised."""
        try:
            imported = read(self.format, path)
        except UserError as error:
            if not str(error).strip() or "\n" in str(error):
                pytest.fail(f"refused by no line: {error}")
            return OUTCOMES[0]
        if len(imported.skipped) + len(imported.notes) > self.remarks:
            return OUTCOMES[1]
        return OUTCOMES[2] if len(imported.concepts) >= self.concepts else OUTCOMES[3]


class Store:
    """A workspace into which damaged files are imported."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "workspace"
        Workspace(self.folder).close()

    def takes(self, format_name: str, path: Path) -> int:
        """Whether a file was refused, with the store as it was; what comes in is whole."""
        before = self._rows()
        request = ImportRequest(self.folder, str(path), format=format_name)
        try:
            imported = run_import(request, Quiet())  # type: ignore[arg-type]
        except UserError:
            assert self._rows() == before
            return 1
        assert self._rows()["concept"] == before["concept"] + (
            imported.counts.concepts + imported.counts.obsolete
        )
        return 0

    def close(self) -> None:
        """Looks at it once more."""
        with closing(sqlite3.connect(self.folder / "workspace.sqlite")) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)

    def _rows(self) -> dict[str, int]:
        tables = ("release", "concept", "name", "is_a")
        with closing(sqlite3.connect(self.folder / "workspace.sqlite")) as connection:
            return {
                table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
                for table in tables
            }
