"""The window's process stays light, and the package lists are complete.

That imports point one way is held by import-linter, see pyproject.toml.
"""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

# what a child computes with, and what the window's process does without at its start besides
LATER = ("torch", "sklearn", "scipy", "openTSNE", "fasttext", "hnswlib")
HEAVY = ("numpy", "sqlalchemy", "alembic", "pyqtgraph", *LATER)


def files() -> list[Path]:
    return [*(ROOT / "termexplorer").rglob("*.py"), *(ROOT / "trainer").rglob("*.py")]


def module_of(path: Path) -> str:
    """The module of a file; the library lies beside the package that it is a part of."""
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    return f"termexplorer.{name}" if name.partition(".")[0] == "trainer" else name


def imported(names: tuple[str, ...], code: str) -> str:
    """Which of some packages a new process has imported after some code."""
    code += f"; import sys; print([name for name in {names!r} if name in sys.modules])"
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout.strip()


def test_the_windows_process_imports_nothing_heavy() -> None:
    assert imported(HEAVY, "import termexplorer.desk") == "[]"


def test_no_page_imports_what_a_child_computes_with() -> None:
    pages = ("services", "models", "views")
    modules = [path for path in files() if path.relative_to(ROOT).parts[1] in pages]
    names = [module_of(path) for path in modules]
    assert imported(LATER, f"import {', '.join(names)}") == "[]"


def test_the_judging_program_starts_without_what_its_build_leaves_out() -> None:
    spec = (ROOT / "packaging" / "judge.spec").read_text("utf-8")
    (left_out,) = re.findall(r"^left_out = (\[.*?\])", spec, re.DOTALL | re.MULTILINE)
    start = (
        "import runpy, termexplorer.cli.judge, termexplorer.judging_app; "
        "runpy.run_path('packaging/judge_entry.py', run_name='entry')"
    )
    assert imported(tuple(ast.literal_eval(left_out)), start) == "[]"


def test_a_command_imports_neither_qt_nor_pytorch_before_it_needs_them() -> None:
    assert imported(("PySide6", *LATER), "import termexplorer.cli.commands") == "[]"


def test_every_package_is_installed() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        listed = set(tomllib.load(file)["tool"]["setuptools"]["packages"])
    packages = {module_of(path.parent / "__init__.py") for path in files()}
    assert listed == packages | {"termexplorer.resources", "termexplorer.resources.help"}


@pytest.mark.parametrize("path", files(), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_path_of_a_row_is_resolved_by_the_one_function_for_it(path: Path) -> None:
    joined = [
        node.lineno
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)
        if isinstance(node.right, ast.Attribute) and node.right.attr == "path"
    ]
    assert joined == [], "a row may name any file: store.kept_paths.locate_kept"


@pytest.mark.parametrize("folder", ["models", "services", "views"])
def test_texts_are_looked_for_as_searches_compare_them(folder: str) -> None:
    """Beta is found by β, strasse by Straße, in filters of tables as in the search box."""
    for path in (ROOT / "termexplorer" / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In):
                assert not _is_casefolded(node.comparators[0]), f"{path}: {ast.unparse(node)}"


def _is_casefolded(node: ast.expr) -> bool:
    """Return whether a text is put into small letters there, and nothing more."""
    call = node.func if isinstance(node, ast.Call) else None
    return isinstance(call, ast.Attribute) and call.attr in ("casefold", "lower")
