"""Collects the texts of the program and compiles their German: python packaging/translations.py.

With files it prints what still has no German there, as lines to be filled in:
python packaging/translations.py FILE >> resources/translations/de/AREA.toml
"""

import argparse
import ast
import json
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from string import Formatter
from typing import Any
from xml.etree import ElementTree as Tree

import PySide6

from termexplorer.files import atomic_write
from termexplorer.services.recipes.presets import SETTING, recipes
from termexplorer.trainer.metrics import ACCURACY_OF_PAIRS, METRICS
from termexplorer.trainer.recipes import RECIPES
from termexplorer.trainer.recipes.ranges import RANGES
from termexplorer.trainer.representations.methods import METHODS

ROOT = Path(__file__).resolve().parents[1]
TRANSLATIONS = ROOT / "resources" / "translations"
CONTEXT = "termexplorer"
TOML_KEYS = {  # which values of a resource are shown to people
    "recipes.toml": ("meaning", "within"),
    "study_presets.toml": ("meaning", "question", "guidelines", "answer"),
}
_MARKS = {"tr": 1, "mark": 1, "trn": 2, "mark_plural": 2}  # how many texts each of them takes
_MESSAGES = {
    "Message",
    "TrainerError",
    "DivergedError",
    "RankLostError",
}  # what the trainer tells by a template

German = str | list[str]


@dataclass(frozen=True)
class Text:
    """A text of the program; `one` is its English for 1, where it depends on a number."""

    text: str
    sense: str = ""
    one: str = ""
    place: str = ""

    @property
    def key(self) -> str:
        """By which its German is listed."""
        return f"{self.text} [{self.sense}]" if self.sense else self.text


def collected(files: Iterable[Path], wrong: list[str]) -> list[Text]:
    """The texts of Python files and resources; what is marked but no constant goes to `wrong`."""
    found: list[Text] = []
    for path in files:
        if path.suffix == ".toml":
            table = tomllib.loads(path.read_text("utf-8"))
            found += _listed(table, TOML_KEYS[path.name], _named(path))
        else:
            found += _marked_in(path, wrong)
    return found


def _marked_in(path: Path, wrong: list[str]) -> Iterator[Text]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            name = node.func.id
            if name in _MARKS:
                yield from _marked(node, name, f"{_named(path)}:{node.lineno}", wrong)


def _named(path: Path) -> str:
    return str(path.resolve().relative_to(ROOT))


def _marked(node: ast.Call, name: str, place: str, wrong: list[str]) -> Iterator[Text]:
    given = [*node.args[: _MARKS[name]], *(k.value for k in node.keywords if k.arg == "sense")]
    words = [each.value for each in given if isinstance(each, ast.Constant)]
    if len(words) < len(given) or not words or not all(isinstance(each, str) for each in words):
        wrong.append(f"{place}: {name}() takes constant texts; `translated` takes marked ones")
    elif _MARKS[name] > 1:
        yield Text(words[1], one=words[0], place=place)
    else:
        yield Text(words[0], sense=words[1] if len(words) > 1 else "", place=place)


def _listed(table: dict[str, Any], keys: tuple[str, ...], place: str) -> Iterator[Text]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _listed(value, keys, place)
        elif isinstance(value, list):
            for each in value:
                yield from _listed(each if isinstance(each, dict) else {}, keys, place)
        elif key in keys and not value.isdecimal():
            yield Text(value.strip(), place=place)


def listed_by_the_trainer() -> Iterator[Text]:
    """What is shown of recipes and methods that the trainer lists; it marks nothing itself."""
    for parameter in chain.from_iterable(recipes().values()):
        for text in (parameter.title, *parameter.choices):
            yield Text(text, SETTING, place="resources/recipes.toml")
    for recipe in RECIPES.values():
        for text in (recipe.title, recipe.group, recipe.when):
            yield Text(text, place="trainer/recipes/__init__.py")
    for metric in (*METRICS.values(), ACCURACY_OF_PAIRS):
        yield Text(metric.meaning, place="trainer/metrics.py")
    for method in METHODS.values():
        for text in (method.title, method.when):
            yield Text(text, place="trainer/representations/methods.py")


def told_by_the_trainer() -> Iterator[Text]:
    """Yield the templates of what the trainer tells: refusals, and why a figure is undefined."""
    for path in sorted((ROOT / "trainer").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in _MESSAGES:
                template = node.args[0]
                if isinstance(template, ast.Constant):
                    yield Text(str(template.value), place=f"{_named(path)}:{node.lineno}")
    for within in RANGES:
        yield Text(within, place="trainer/recipes/ranges.py")


def sources() -> list[Path]:
    """The files that hold texts."""
    return [
        *sorted((ROOT / "termexplorer").rglob("*.py")),
        ROOT / "packaging" / "judge_entry.py",
        *(ROOT / "resources" / name for name in TOML_KEYS),
    ]


def all_texts(wrong: list[str]) -> dict[str, Text]:
    """Every text of the program, by its key."""
    found: dict[str, Text] = {}
    for each in (
        *collected(sources(), wrong),
        *listed_by_the_trainer(),
        *told_by_the_trainer(),
    ):
        other = found.setdefault(each.key, each)
        if other.one != each.one:
            wrong += [f"{each.place}: {each.key!r} has other English for 1 at {other.place}"]
    return found


def german(wrong: list[str]) -> dict[str, German]:
    """The German of `resources/translations/de/*.toml`, by keys."""
    found: dict[str, German] = {}
    for file in sorted((TRANSLATIONS / "de").glob("*.toml")):
        listed = tomllib.loads(file.read_text("utf-8"))
        wrong += [
            f"{_named(file)}: {key!r} is in another file already; keep it in common.toml"
            for key in sorted(listed.keys() & found.keys())
        ]
        found |= {key: said for key, said in listed.items() if said}
    return found


def checked(texts: dict[str, Text], said: dict[str, German]) -> Iterator[str]:
    """What is missing, what no source has, and what has other values than its English."""
    for key in texts.keys() - said.keys():
        yield f"{texts[key].place}: no German for {key!r}"
    for key in said.keys() - texts.keys():
        yield f"resources/translations/de: {key!r} is in no source any more"
    for key in texts.keys() & said.keys():
        yield from _compared(texts[key], said[key])


def _compared(text: Text, said: German) -> Iterator[str]:
    english = (text.one, text.text) if text.one else (text.text,)
    forms = (said,) * len(english) if isinstance(said, str) else tuple(said)
    if len(forms) != len(english):
        form = '["for one", "for many"], or one text for both' if text.one else "one text"
        yield f"{text.place}: the German of {text.key!r} must be {form}"
        return
    may = values(text.text) | values(text.one) | ({"n"} if text.one else set())
    for form, own in zip(forms, english, strict=True):
        if not values(own) - {"n"} <= values(form) <= may:
            yield f"{text.place}: {own!r} and {form!r} have other values"


def values(text: str) -> set[str]:
    """The names of the values in a text."""
    try:
        return {name for _, name, _, _ in Formatter().parse(text) if name is not None}
    except ValueError:  # a lone brace, in a text that takes no values
        return set()


def compile_german(texts: dict[str, Text], said: dict[str, German], target: Path) -> None:
    """Writes what Qt loads, by Qt's own compiler."""
    root = Tree.Element("TS", version="2.1", language="de_DE", sourcelanguage="en_GB")
    context = Tree.SubElement(root, "context")
    Tree.SubElement(context, "name").text = CONTEXT
    for key in sorted(texts.keys() & said.keys()):
        _add_message(context, texts[key], said[key])
    with tempfile.TemporaryDirectory() as folder:
        ts = Path(folder) / "termexplorer_de.ts"
        Tree.ElementTree(root).write(ts, "utf-8", xml_declaration=True)
        lrelease = Path(PySide6.__file__).with_name("lrelease")
        with atomic_write(target) as fresh:
            subprocess.run([lrelease, "-silent", ts, "-qm", fresh], check=True)  # noqa: S603


def _add_message(context: Tree.Element, text: Text, said: German) -> None:
    message = Tree.SubElement(context, "message")
    Tree.SubElement(message, "source").text = text.text
    if text.sense:
        Tree.SubElement(message, "comment").text = text.sense
    translation = Tree.SubElement(message, "translation")
    if not text.one and isinstance(said, str):
        translation.text = said
        return
    message.set("numerus", "yes")
    for form in (said, said) if isinstance(said, str) else said:
        Tree.SubElement(translation, "numerusform").text = form


def to_fill_in(texts: Iterable[Text], said: dict[str, German]) -> Iterator[str]:
    """Lines of TOML for what has no German."""
    for text in {each.key: each for each in texts if each.key not in said}.values():
        empty = '["", ""]' if text.one else '""'
        yield f"{json.dumps(text.key, ensure_ascii=False)} = {empty}"


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="*", type=Path, help="what to print the missing German of")
    wanted = parser.parse_args().file
    wrong: list[str] = []
    said = german(wrong)
    if wanted:
        print("\n".join(to_fill_in(collected(wanted, wrong), said)))  # noqa: T201
    else:
        texts = all_texts(wrong)
        compile_german(texts, said, TRANSLATIONS / "termexplorer_de.qm")
        wrong += sorted(checked(texts, said))
    print("\n".join(wrong), file=sys.stderr, end="\n" if wrong else "")  # noqa: T201
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
