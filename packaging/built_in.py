"""Make the built-in encoder anew: `python packaging/built_in.py --data DIR --transformer DIR`.

DIR of the data has `ontologies/` and `text/`, as `termexplorer.replicate.builtin.data` names their
files; that of the transformer is all-MiniLM-L6-v2, as `save_pretrained` writes it. Without it, the
encoder that is there is measured anew.
"""

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from termexplorer.errors import UserError
from termexplorer.replicate.builtin.card import write_card, write_figures
from termexplorer.replicate.builtin.data import HeldOutNames, gather_data
from termexplorer.replicate.builtin.making import make_built_in
from termexplorer.trainer.distillation.distil import StaticSettings

FOLDER = Path(__file__).resolve().parent.parent / "resources" / "encoders" / "built_in"


def main() -> None:
    """Make the encoder, measure it, and write its model card."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder of open data")
    parser.add_argument("--transformer", type=Path, help="the teacher; else it is only measured")
    parser.add_argument("--out", type=Path, default=FOLDER, help="where the encoder goes")
    asked = parser.parse_args()
    try:
        if asked.transformer is None:
            write_figures(asked.out, _read_held_out(asked.data), asked.data, _report_step)
            return
        made = make_built_in(
            asked.data, asked.transformer, asked.out, StaticSettings(), _report_step
        )
        write_card(asked.out, made, asked.data, _report_step)
    except (UserError, ValueError) as error:
        sys.exit(str(error))


def _read_held_out(data: Path) -> HeldOutNames:
    with TemporaryDirectory() as room:
        return gather_data(data, Path(room) / "corpus.txt")[1]


def _report_step(text: str) -> None:
    sys.stderr.write(f"{text}\n")


if __name__ == "__main__":
    main()
