"""`-` in place of a file that is read: the text that comes on standard input."""

import json
import sys
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, get_args

from termexplorer.errors import UserError

STANDARD_INPUT = "-"
READ_AS_TEXT = frozenset(
    {
        "benchmarks",
        "checks",
        "corpus",
        "file",
        "files",
        "from_file",
        "glossary",
        "guidelines",
        "mappings",
        "matcher",
        "names",
        "pairs",
        "pubtator",
        "ratings",
        "source",
        "text",
        "training",
    }
)
"""Parameters that are files which are read, and can be text."""
_TOLD = " “-”: standard input."
_WITHOUT = frozenset({"judge"})  # a pack lies where its answers are kept


def accept_standard_input(command: Any, path: str) -> None:
    """Have the options and arguments of a command that are files which are read take `-` as well.

    Args:
        command: as typer makes it.
        path: its words, as they are typed.
    """
    for parameter in command.params:
        is_read = parameter.name in READ_AS_TEXT and path not in _WITHOUT
        if is_read and _takes_path(parameter, path):
            _read_dash(parameter)


def _takes_path(parameter: Any, path: str) -> bool:
    """Return whether a parameter is a path, as others of the same name are not."""
    kind = parameter.type_descriptor.annotation
    return kind is Path or Path in get_args(kind) or path == "import"


def _read_dash(parameter: Any) -> None:
    process = parameter.process_value
    parameter.help = f"{(parameter.help or '').rstrip()}{_TOLD}"

    def process_dash(context: Any, value: Any) -> Any:
        texts = value if isinstance(value, list | tuple) else [value]
        if STANDARD_INPUT in texts:
            if STANDARD_INPUT in context.meta:
                raise UserError("standard input can be read once; name the other file")
            context.meta[STANDARD_INPUT] = True
            path_of_input = str(_keep_input(context))
            paths = [path_of_input if text == STANDARD_INPUT else text for text in texts]
            value = paths[0] if isinstance(value, str) else type(value)(paths)
        return process(context, value)

    parameter.process_value = process_dash


def _keep_input(context: Any) -> Path:
    """Write standard input to a file that lives as long as the command; its name tells its type."""
    from shutil import rmtree

    content = sys.stdin.buffer.read()
    if not content.strip():
        raise UserError("nothing came on standard input; pipe a file into the command, or name it")
    folder = Path(mkdtemp(prefix="termexplorer-"))
    context.call_on_close(lambda: rmtree(folder, ignore_errors=True))
    path = folder / f"stdin{_tell_ending(content)}"
    path.write_bytes(content)
    return path


def _tell_ending(content: bytes) -> str:
    """Return how a file with this content is named: by its signature, or by its first line."""
    if content.startswith(b"PK"):
        return ".xlsx"
    if content.startswith(b"\x1f\x8b"):
        return ".txt.gz"
    first = content.lstrip(b"\xef\xbb\xbf \r\n").partition(b"\n")[0].strip()
    if first[:1] in (b"{", b"["):
        return ".jsonl" if _is_json(first) and b"\n" in content.strip() else ".json"
    if b"\t" in first:
        return ".tsv"
    return ".csv" if b"," in first or b";" in first else ".txt"


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True
