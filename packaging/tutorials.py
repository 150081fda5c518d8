"""Runs the tutorials of the docs and writes what their commands print: `tutorials.py [PAGE ...]`.

Each page is gone through in a workspace of its own, block by block. What stands in a block of text
right below a block of commands is what those print; an ellipsis in its last line cuts it there. A
picture that the page shows from pictures/, and that a command wrote under this name, is kept.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "resources/docs/tutorials"
BLOCK = re.compile(
    r"^```sh\n(?P<code>.*?)^```\n(?P<gap>\n?)(?:^```text\n(?P<text>.*?)^```\n)?", re.M | re.S
)
WIDTH = 1200  # pixels of a picture
PICTURE = re.compile(r"\]\(pictures/([^)]+)\)")
ANNOTATOR = f"{sys.executable} {ROOT / 'packaging/tutorial_annotator.py'}"
SHELL = f"""set -eu
termexplorer() {{
    if [ "$1" = judge ]; then {ANNOTATOR} "$2"; else {ROOT}/.venv/bin/termexplorer "$@"; fi
}}
"""


def run_block(code: str, folder: Path) -> str:
    """Run commands in a folder and return what they print.

    Raises:
        SystemExit: a command fails.
    """
    places = {"TERMEXPLORER_WORKSPACE": "workspace", "XDG_CONFIG_HOME": "config"}
    variables = os.environ | {name: str(folder / place) for name, place in places.items()}
    done = subprocess.run(  # noqa: S603 - these commands are ours
        ["/bin/bash", "-c", SHELL + code],
        cwd=folder, env=variables, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        sys.exit(f"tutorials: {code}{done.stderr}")
    return done.stdout.replace(f"{folder}/", "")


def cut_output(printed: str, shown: str) -> str:
    """Return what is printed, cut where it was cut before: after as many lines, and an ellipsis."""
    lines = [line.rstrip() for line in printed.splitlines()]
    before = shown.splitlines()
    if before[-1:] == ["…"]:
        lines = [*lines[: len(before) - 1], "…"]
    return "\n".join(lines) + "\n"


def renew_page(path: Path) -> bool:
    """Run all commands of a page, keep what they print, and return whether it was another text."""
    with tempfile.TemporaryDirectory() as folder:

        def renew(match: re.Match[str]) -> str:
            printed = run_block(match["code"], Path(folder))
            whole = f"```sh\n{match['code']}```\n{match['gap']}"
            if match["text"] is None:
                return whole
            return f"{whole}```text\n{cut_output(printed, match['text'])}```\n"

        old = path.read_text("utf-8")
        new = BLOCK.sub(renew, old)
        path.write_text(new, "utf-8")
        for picture in PICTURE.findall(new):
            if (Path(folder) / picture).is_file():
                (path.parent / "pictures").mkdir(exist_ok=True)
                shrink_picture(Path(folder) / picture, path.parent / "pictures" / picture)
    return new != old


def shrink_picture(source: Path, target: Path) -> None:
    """Write a picture as wide as a page, in 256 colours."""
    smooth = Qt.TransformationMode.SmoothTransformation
    picture = QImage(str(source)).scaledToWidth(WIDTH, smooth)
    small = picture.convertToFormat(
        QImage.Format.Format_Indexed8, Qt.ImageConversionFlag.ThresholdDither
    )
    small.save(str(target), quality=0)


if __name__ == "__main__":
    for page in map(Path, sys.argv[1:] or sorted(FOLDER.glob("*.md"))):
        sys.stdout.write(f"{page.name}: {'renewed' if renew_page(page) else 'as it was'}\n")
