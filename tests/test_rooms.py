"""Where modules lie and what they are called: small folders, names that say enough."""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MOST_FILES = 36  # of one folder
MOST_LINES = 400  # of one file
MOST_IN_FUNCTION = 70  # lines, of which arguments and docstring are half
MOST_ONE_WORD = 0.35  # of all functions
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
EMPTY_NAMES = set(  # that say nothing of what a variable holds
    "each found kept made one others own place said there told what".split()  # noqa: SIM905
)


def modules() -> list[Path]:
    return [*(ROOT / "termexplorer").rglob("*.py"), *(ROOT / "trainer").rglob("*.py")]


def test_no_folder_holds_too_many_files() -> None:
    files = Counter(path.parent for path in modules() if path.name != "__init__.py")
    assert {folder for folder, count in files.items() if count > MOST_FILES} == set()


def test_no_file_and_no_function_is_long() -> None:
    long_files, long_functions = [], []
    for path in modules():
        source = path.read_text("utf-8")
        name = path.relative_to(ROOT)
        if source.count("\n") > MOST_LINES:
            long_files.append(str(name))
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, FUNCTIONS) and "migrations" not in path.parts:
                lines = (node.end_lineno or 0) - node.lineno + 1
                if lines > MOST_IN_FUNCTION:
                    long_functions.append(f"{name}:{node.lineno} {node.name}, {lines} lines")
    assert (long_files, long_functions) == ([], [])


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
    misnamed = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
        for path in modules()
        if "migrations" not in path.parts
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, FUNCTIONS)
        and node.name.startswith("_")
        and not node.name.startswith("__")
        and len(words_of(node.name)) == 1
    ]
    assert misnamed == []


def test_a_class_is_called_otherwise_than_every_other() -> None:
    where: dict[str, list[str]] = defaultdict(list)
    for path in modules():
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef):
                where[node.name].append(str(path.relative_to(ROOT)))
    assert {name: paths for name, paths in where.items() if len(paths) > 1} == {}


def variables_of(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The line and the name of every variable, parameter and attribute that is set.

    A field that a class declares is none of them.
    """
    fields = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            for statement in node.body:
                if isinstance(statement, ast.AnnAssign):
                    fields.add(statement.target)
                elif isinstance(statement, ast.Assign):
                    fields.update(statement.targets)
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node not in fields:
            yield node.lineno, node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.attr.strip("_")


@pytest.mark.parametrize("folder", ["termexplorer", "trainer", "tests"])
def test_a_variable_says_what_it_holds(folder: str) -> None:
    empty = [
        f"{path.relative_to(ROOT)}:{line} {name}"
        for path in (ROOT / folder).rglob("*.py")
        for line, name in variables_of(ast.parse(path.read_bytes()))
        if name in EMPTY_NAMES
    ]
    assert empty == []


def test_every_way_to_bind_a_variable_is_seen() -> None:
    code = """
def tell(told, *others, what=None):
    for place, each in told:
        with each as made, open(place) as found:
            there = [one for one in found if (said := one)]

class Field:
    kept: int = 0

class Page:
    def __init__(self):
        self._kept = self.own = 1
"""
    names = {name for _, name in variables_of(ast.parse(code))} - {"self"}
    assert names == EMPTY_NAMES
