"""Where modules lie and what they are called: small folders, no circles, names that say enough."""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LAYERS = (
    "termexplorer/views", "termexplorer/services", "termexplorer/workers", "termexplorer/store",
    "termexplorer/importers", "trainer",
)  # fmt: skip
MOST_FILES = 37  # of one folder
MOST_ONE_WORD = 0.35  # of all functions
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def modules() -> list[Path]:
    return [*(ROOT / "termexplorer").rglob("*.py"), *(ROOT / "trainer").rglob("*.py")]


def imported(tree: ast.Module) -> Iterator[str]:
    """Modules that are imported where the code runs, not for types alone."""
    unrun = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        for each in node.body
        for inner in ast.walk(each)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and id(node) not in unrun:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_no_folder_holds_too_many_files() -> None:
    files = Counter(path.parent for path in modules() if path.name != "__init__.py")
    assert {folder for folder, count in files.items() if count > MOST_FILES} == set()


@pytest.mark.parametrize("layer", LAYERS)
def test_no_two_folders_of_a_layer_import_each_other(layer: str) -> None:
    folders = {path.name for path in (ROOT / layer).iterdir() if (path / "__init__.py").exists()}
    package = layer.replace("/", ".")
    needs: dict[str, set[str]] = defaultdict(set)
    for folder in folders:
        for path in (ROOT / layer / folder).rglob("*.py"):
            for name in imported(ast.parse(path.read_text("utf-8"))):
                other = name.removeprefix(f"{package}.").partition(".")[0]
                if name.startswith(f"{package}.") and other in folders - {folder}:
                    needs[folder].add(other)
    both = {(one, other) for one in folders for other in needs[one] if one in needs[other]}
    assert both == set()


def words_of(name: str) -> list[str]:
    parts = [part for part in name.strip("_").split("_") if part]
    return parts if len(parts) != 1 else re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])", parts[0])


def test_most_functions_say_verb_and_object() -> None:
    names = [
        node.name
        for path in modules()
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, FUNCTIONS) and not node.name.startswith("__")
    ]
    one_word = [name for name in names if len(words_of(name)) == 1]
    assert len(one_word) <= MOST_ONE_WORD * len(names)


def test_no_module_has_a_private_function_of_one_word() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
        for path in modules()
        if "migrations" not in path.parts
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, FUNCTIONS)
        and node.name.startswith("_")
        and not node.name.startswith("__")
        and len(words_of(node.name)) == 1
    ]
    assert found == []


def test_a_class_is_called_otherwise_than_every_other() -> None:
    where: dict[str, list[str]] = defaultdict(list)
    for path in modules():
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef):
                where[node.name].append(str(path.relative_to(ROOT)))
    assert {name: paths for name, paths in where.items() if len(paths) > 1} == {}
