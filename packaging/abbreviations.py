"""Make the table of abbreviations anew: `python packaging/abbreviations.py --data DIR`.

DIR has `ontologies/`, with the files that `termexplorer.replicate.builtin.data` names. What is in
the table are names of their concepts, of the ontologies whose licences allow it.
"""

import argparse
import sys
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.replicate.builtin.data import ONTOLOGIES, read_concepts
from termexplorer.trainer.mapping.abbreviations import FILE, count_abbreviations

RESOURCES = Path(__file__).resolve().parent.parent / "resources"
USED = ("doid", "ncit")  # CC0 and CC BY 4.0
MOST = 4  # readings of an abbreviation


def main() -> None:
    """Read the ontologies, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder of open data")
    parser.add_argument("--out", type=Path, default=RESOURCES / FILE, help="where the table goes")
    asked = parser.parse_args()
    try:
        asked.out.write_text(make_table(asked.data), encoding="utf-8")
    except (UserError, OSError) as error:
        sys.exit(str(error))


def make_table(folder: Path) -> str:
    """Return the table: an abbreviation a line, then what it stands for, the most usual first."""
    sources = [source for source in ONTOLOGIES if source.key in USED]
    counts = count_abbreviations(
        [
            [text for text, _, _ in concept.names]
            for concept in read_concepts(folder, source).values()
        ]
        for source in sources
    )
    lines = [f"# {source.title}; {source.licence}" for source in sources]
    for short, longs in sorted(counts.items()):
        best = sorted(longs, key=lambda long: (-longs[long], len(long), long))[:MOST]
        lines.append("\t".join([short, *best]))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
