"""Finds numbers that a module shows with English separators whatever the language.

`python tests/helpers/plain_numbers.py FILE…` prints them.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

_SEPARATES = re.compile(r"[,%eg]|\.[1-9]")  # what makes `format` write a separator, or per cent
# what no person reads
EXEMPT = {
    "BASE_POINTS * self.zoom * TITLE_RATIO": "a size of a style sheet",
    "font.pointSizeF()": "a size of a style sheet",
    "facts['weight']": "a key under which figures are kept",
    "cell_value": "what a cell of a file shows",
    "choice.value": "part of a scale, which is read again",
    "each.value": "part of a scale, which is compared",
    "hidden": "the title of a run, which is kept",
    "rule.shots": "the title of a run, which is kept",
    "len(lists)": "the title of a run, which is kept",
    "weight": "the title of an encoder, which is kept, or a key",
    "_ZERO_SHOT_SHARE": "the rule of a split, which is kept",
    "len(chances)": "what tells corrections apart, which is kept",
    "row.confidence": "a cell of a file",
}


def plain_numbers(path: Path) -> Iterator[str]:
    """What is not written by `number`, `tr` or the like, each with its line."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        value, spec = _formatted(node)
        if value and _SEPARATES.search(spec) and value not in EXEMPT:
            yield f"{path}:{node.lineno}: {value} as {spec!r}"  # type: ignore[attr-defined]


def _formatted(node: ast.AST) -> tuple[str, str]:
    """What is formatted, and how; both empty if nothing is."""
    match node:
        case ast.FormattedValue(value=value, format_spec=ast.JoinedStr(values=parts)):
            return ast.unparse(value), "".join(_constant(part) for part in parts)
        case ast.Call(func=ast.Name(id="format"), args=[value, spec]):
            return ast.unparse(value), _constant(spec)
        case ast.BinOp(left=ast.Constant(value=str(spec)), op=ast.Mod(), right=value):
            return ast.unparse(value), spec
    return "", ""


def _constant(node: ast.AST) -> str:
    return str(node.value) if isinstance(node, ast.Constant) else "1"


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print("\n".join(plain_numbers(Path(name))))  # noqa: T201
