"""Imports point one way, the window's process stays light, and the package lists are complete."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

# Who may import what of ours; a package may always import itself, and everybody `errors`,
# `texts`, `files` and `plain_text`.
LAYERS: dict[str, set[str]] = {
    "trainer": set(),
    "termexplorer.errors": set(),
    "termexplorer.texts": set(),
    "termexplorer.files": {"trainer"},
    "termexplorer.short_names": set(),
    "termexplorer.plain_text": set(),
    "termexplorer.spoken": {"resources"},
    "termexplorer.licences": {"resources"},
    "termexplorer.importers": {"licences", "trainer"},
    "termexplorer.exporters": {"licences", "short_names"},
    "termexplorer.taxonomy": set(),
    "termexplorer.store": set(),
    "termexplorer.kept": set(),
    "termexplorer.workspace": {"store", "kept"},
    "termexplorer.workers": {
        "store", "importers", "taxonomy", "workspace", "trainer",
        "spoken",  # a child speaks the language of the window that started it
    },
    "termexplorer.services": {
        "workers", "store", "importers", "exporters", "taxonomy", "trainer", "workspace",
        "resources",
    },
    "termexplorer.replicate": {
        "services", "workers", "store", "exporters", "workspace", "trainer", "resources",
    },
    "termexplorer.jobs": {"workers"},
    "termexplorer.questions": set(),
    "termexplorer.models": {"services", "store", "workers", "workspace"},
    "termexplorer.views": {
        "models", "jobs", "questions", "services", "workspace", "store", "workers", "resources",
        "replicate", "spoken", "short_names",
    },
    "termexplorer.main_window": {
        "views", "models", "jobs", "questions", "services", "workspace", "store", "workers",
    },
    "termexplorer.places": set(),
    "termexplorer.app": {"views", "desk", "places", "resources"},
    "termexplorer.judging_app": {"app", "views", "services", "workspace", "places"},
    "termexplorer.desk": {
        "main_window", "views", "jobs", "questions", "services", "workspace", "store", "workers",
        "resources",
    },
    "termexplorer.cli": {
        "services", "workspace", "workers", "app", "bench", "store", "places", "replicate",
        "judging_app",
    },
    "termexplorer.bench": {
        "app", "desk", "judging_app", "views",
        "services", "workspace", "workers", "store", "taxonomy", "trainer", "importers", "cli",
    },
}  # fmt: skip
WITH_QT = {"views", "models", "jobs", "questions", "main_window", "desk", "app", "judging_app"}
# what else has it, inside its functions: a bench of a window, what exporters draw with, and what
# reads the translations for whoever does not speak English
QT_WITHIN = {
    "stall_window.py", "event_wait.py", "judging_keys.py", "search_keys.py", "pictures.py",
    "picture_page.py", "paper.py", "paper_figures.py", "spoken.py",
}  # fmt: skip
# what a child computes with, and what the window's process does without at its start besides
LATER = ("torch", "sklearn", "scipy", "openTSNE", "fasttext", "hnswlib")
HEAVY = ("numpy", "sqlalchemy", "alembic", "pyqtgraph", *LATER)


def files() -> list[Path]:
    return [*(ROOT / "termexplorer").rglob("*.py"), *(ROOT / "trainer").rglob("*.py")]


def imports_of(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def layer_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return parts[0] if parts[0] == "trainer" else ".".join(parts[:2])


@pytest.mark.parametrize("path", files(), ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_one_way(path: Path) -> None:
    layer = layer_of(path)
    if layer == "termexplorer.__init__":
        return
    own = layer.rpartition(".")[2]
    allowed = LAYERS[layer] | {own, "errors", "texts", "files", "plain_text"}
    for name in imports_of(path):
        package, _, rest = name.partition(".")
        if package == "termexplorer":
            assert layer != "trainer", name
            assert rest.partition(".")[0] in allowed, name
        elif package == "trainer":
            assert "trainer" in allowed, name
        elif package in ("PySide6", "pyqtgraph"):
            assert own in WITH_QT or path.name in QT_WITHIN, name
        elif package in ("sqlalchemy", "alembic"):
            assert layer == "termexplorer.store", name
        assert package != "filelock", "it does not see who holds a right by `store.claim`"


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
    names = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in modules]
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
    there = {".".join(path.parent.relative_to(ROOT).parts) for path in files()}
    assert listed == there | {"termexplorer.resources", "termexplorer.resources.help"}


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
