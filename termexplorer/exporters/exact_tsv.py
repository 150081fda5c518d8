"""Tab-separated values that other programs read back as they were."""

from collections.abc import Iterable, Sequence
from pathlib import Path

_BREAKING = ("\t", "\n", "\r", '"')


def write_exact_tsv(
    path: Path,
    comments: Iterable[str],
    rows: Iterable[Sequence[str]],
    doubled: str = '"',
) -> None:
    """Writes texts by the rules of RFC 4180, but with tabs.

    A spreadsheet may take a text for a formula here: what people open is written by `tables`.

    Args:
        path: where it is written to, in UTF-8.
        comments: lines before the first row.
        rows: the texts of each.
        doubled: signs that are doubled between quotation marks.
    """
    with path.open("w", encoding="utf-8", newline="") as file:
        file.writelines(f"{line}\n" for line in comments)
        for row in rows:
            file.write("\t".join(_quote_text(text, doubled) for text in row) + "\n")


def _quote_text(text: str, doubled: str) -> str:
    if not any(sign in text for sign in (*_BREAKING, *doubled)):
        return text
    for sign in doubled:
        text = text.replace(sign, sign * 2)
    return f'"{text}"'
