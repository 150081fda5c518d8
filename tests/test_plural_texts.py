"""Texts that count: what can be one has a form for one."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import termexplorer
from termexplorer.workers.process import kept_texts

PACKAGE = Path(termexplorer.__file__).parent
SPEAKING = {"tr", "mark"}  # `trn` and `mark_plural` have both forms
COUNTED = re.compile(
    r"(?<!of )(?<!than )(?<!most )(?<!first )(?<!to )(?<!the )"
    r"\{(?:\w+:,|n|count)\} (?:[a-z]+ )?([a-z]+s)\b"
)
LIMITS = {"bytes", "characters", "digits", "levels", "is", "some"}  # of numbers that are never one
SEVERAL = (  # of several alone, or of whole ontologies and benchmarks
    "{count} encoders are too many", "{count} maps side by side", "Join {count} encoders",
    "{runs:,} runs have not ended", "by {n} encoders", "a pack can hold",
    "1 to {most:,} can be kept", "Of {waiting:,} some annotators",
    "cannot be decided with", "{mentions:,} mentions, {names:,} names ranked",
    "{candidates:,} candidates", "{names:,} names of {concepts:,} concepts", "{n:,} names asked",
    "{place:,} of {bars:,}", "validation names of {ontology}", "{hidden:,} hidden units",
    "{dimensions:,} dimensions", "in common, too few to lay maps", "not {titles}",
    "not the {asked:,} that were asked for; all that can be judged",
    "at least {fewest} of each are needed", "over {n} of its class",
)  # fmt: skip

SEVERAL_KEPT = {  # of two at least
    "ROOTS", "MERGED_AT", "OF_CATEGORIES", "OF_COVERAGE", "BESIDE_LABELS_OF_ONE"
}  # fmt: skip


def find_counting_texts() -> Iterator[str]:
    """Yield each text of the window with a number before a plural, and no form for one."""
    for folder in ("models", "services", "views"):
        for path in sorted((PACKAGE / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") in SPEAKING:
                    text = node.args[0]
                    if isinstance(text, ast.Constant) and set(COUNTED.findall(text.value)) - LIMITS:
                        yield f"{path.relative_to(PACKAGE)}: {text.value}"


def test_what_is_counted_has_a_form_for_one() -> None:
    wrong = [
        counting_text
        for counting_text in find_counting_texts()
        if not any(word in counting_text for word in SEVERAL)
    ]
    assert not wrong, "use trn(one, many, n)"


def test_what_is_kept_in_a_workspace_has_a_form_for_one() -> None:
    alone = {name: text for name, text in vars(kept_texts).items() if isinstance(text, str)}
    wrong = [
        f"{name}: {text}"
        for name, text in alone.items()
        if name.isupper() and set(COUNTED.findall(text)) - LIMITS and name not in SEVERAL_KEPT
    ]
    assert not wrong, "use CountTemplate"
    assert kept_texts.OF_PAIRS.fill(name="a", count=1) == "a, 1 pair"
