"""A study pack as one page: it opens in any browser, keeps the answers there and sends nothing.

The page is put together from `resources/judge_page`; its head allows it to run its own script and
style, known by their hashes, and to fetch nothing. What a study says is data in it, never markup.
"""

import json
import re
import tomllib
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any

from termexplorer.files import atomic_write
from termexplorer.resources import FOLDER
from termexplorer.services.files.annotator_files import name_files
from termexplorer.services.studies.packs import SealedPack, seal_pack
from termexplorer.services.verdicts.judging_keys import scale_keys
from termexplorer.store.indexes.folding import fold_text
from termexplorer.texts import language
from termexplorer.workspace import Workspace

__all__ = ["SendingDoor", "make_page", "make_start_page", "write_judge_page"]

_PARTS: Path = FOLDER / "judge_page"
_SCRIPTS = (
    "hashing", "log", "keeping", "attention", "texts", "words", "labels", "looking_up", "files",
    "given_answers", "screen", "keys", "events", "main",
)  # fmt: skip
_SENDING = "sending"  # the script of pages that send
_SLOT = re.compile(r"\{\{(\w+)\}\}")


@dataclass(frozen=True, slots=True)
class SendingDoor:
    """Where a page that a service hands out sends its answers.

    Attributes:
        url: of the same site.
        token: shows that it is this page that sends.
    """

    url: str
    token: str


def write_judge_page(workspace: Workspace, study_id: int, annotator: str, path: Path) -> int:
    """Write what an annotator needs to judge as a page; return how often they are asked.

    Raises:
        UserError: no such study or annotator, or a place that cannot be written to.
    """
    pack = seal_pack(workspace, study_id, annotator)
    page = make_page(pack)
    with atomic_write(path) as fresh:
        fresh.write_text(page, "utf-8", newline="\n")
    return len(pack.turns)


def make_page(pack: SealedPack, sends: SendingDoor | None = None) -> str:
    """Return the page of a pack; the same each time.

    Args:
        pack: what is asked.
        sends: where the answers go; None for a page that sends nothing, and may not.
    """
    style = _fill_slots(_read_part("page.css"), _name_colours())
    names = _SCRIPTS if sends is None else (_SENDING, *_SCRIPTS)
    script = "".join(_read_part(f"{name}.js") for name in names)
    values = {
        "script_hash": _hash_part(script),
        "style_hash": _hash_part(style),
        "title": escape(" ".join(pack.head.pack_title.split())),
        "style": style,
        "connect": "" if sends is None else " connect-src 'self';",
        "data": _write_data(pack, sends),
        "script": script,
    }
    return _fill_slots(_read_part("page.html"), values)


def make_start_page(title: str, annotator: str) -> str:
    """Return the page that lets a browser in, by a press: programs that look at links press none.

    Args:
        title: of the study.
        annotator: whose link it is.
    """
    style = _fill_slots(_read_part("page.css"), _name_colours())
    values = {
        "style_hash": _hash_part(style),
        "style": style,
        "title": escape(" ".join(title.split())),
        "annotator": escape(annotator),
    }
    return _fill_slots(_read_part("start.html"), values)


def _write_data(pack: SealedPack, sends: SendingDoor | None) -> str:
    """Return the data of a page; nothing in it can end the element that it stands in."""
    # the very text that hashes of packs are made of: a browser would write its numbers otherwise
    content = json.dumps(pack.content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    data: dict[str, Any] = {
        "content": content,
        "hash": sha256(content.encode()).hexdigest(),
        "keys": scale_keys(pack.head.answers),
        "file": f"{name_files([pack.annotator])[pack.annotator]}.termanswers",
        "language": language(),
        "send": None if sends is None else asdict(sends),
        "german": json.loads(_read_part("texts.de.json")),
    }
    if pack.head.look_up.glossary:
        data["folded_terms"] = [fold_text(entry.term) for entry in pack.head.look_up.glossary]
        data["folded_turns"] = [fold_text(f"{turn.left}\n{turn.right}") for turn in pack.turns]
    return json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")


def _read_part(name: str) -> str:
    return (_PARTS / name).read_text("utf-8")


def _fill_slots(template: str, values: Mapping[str, str]) -> str:
    """Return a template with its `{{names}}` filled, once: what is put in is left as it is."""
    return _SLOT.sub(lambda slot: values[slot[1]], template)


def _name_colours() -> dict[str, str]:
    """Return the colours of each theme as properties of the style."""
    themes = tomllib.loads((FOLDER / "themes.toml").read_text("utf-8"))
    return {
        name: "\n".join(f"  --{key}: {colour};" for key, colour in colours.items())
        for name, colours in themes.items()
    }


def _hash_part(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode("ascii")
