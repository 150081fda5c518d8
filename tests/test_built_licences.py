"""The tool that collects the licences of what a built program holds."""

import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

ROOT = Path(__file__).parent.parent


def held(package: str) -> tuple[str, str, str]:
    """An entry of PyInstaller's lists: some module of a package."""
    installed = distribution(package)
    file = next(
        package_file for package_file in installed.files or [] if package_file.name == "__init__.py"
    )
    return (file.as_posix(), str(installed.locate_file(file)), "DATA")


def collect(folder: Path, *entries: tuple[str, str, str]) -> subprocess.CompletedProcess[str]:
    (folder / "COLLECT-00.toc").write_text(repr(([*entries],)), "utf-8")
    (folder / "PYZ-00.toc").write_text("()", "utf-8")
    command = [sys.executable, str(ROOT / "packaging/licences.py"), str(folder), str(folder)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_every_package_has_its_text_and_a_line_in_the_list(tmp_path: Path) -> None:
    packages = ("PySide6-Essentials", "pyoxigraph", "pyqtgraph")
    done = collect(tmp_path, *map(held, packages))
    assert (done.returncode, done.stderr) == (0, "")
    listed = (tmp_path / "licences/README.txt").read_text("utf-8")
    text_by_name = {
        name: (tmp_path / f"licences/{name.lower()}.txt").read_text() for name in packages
    }
    for name, text in text_by_name.items():
        assert f"({name.lower()}.txt)" in listed
        assert len(text) > 1000
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in text_by_name["PySide6-Essentials"]
    assert "Apache License" in text_by_name["pyoxigraph"]
    qt = (tmp_path / "licences/qt.txt").read_text()
    assert distribution("PySide6-Essentials").version in qt
    assert "{" not in qt


def test_what_is_under_the_gpl_only_is_refused(tmp_path: Path) -> None:
    readline = ("libreadline.so.8", str(ROOT / "LICENSE"), "BINARY")
    done = collect(tmp_path, held("PySide6-Essentials"), readline)
    assert done.returncode == 1
    assert "libreadline.so.8: under the GPL only" in done.stderr
