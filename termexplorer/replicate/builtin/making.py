"""Making the built-in encoder: from open ontologies, texts and a teacher to its folder."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from termexplorer.replicate.builtin.data import HeldOutNames, gather_data
from termexplorer.trainer.distillation.distil import StaticSettings, distil
from termexplorer.trainer.representations import convert, load_dense
from termexplorer.trainer.representations.static import StaticNames

Report = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class BuiltInMaking:
    """What the built-in encoder was made of.

    Attributes:
        settings: how.
        words: of its vocabulary.
        names: that it learned from.
        concepts: of these.
        seconds: that it took.
        held_out: the names that it did not learn from.
    """

    settings: StaticSettings
    words: int
    names: int
    concepts: int
    seconds: float
    held_out: HeldOutNames


def make_built_in(
    data_folder: Path,
    transformer: Path,
    folder: Path,
    settings: StaticSettings,
    report: Report = lambda text: None,
) -> BuiltInMaking:
    """Make the encoder and write it to a folder.

    Args:
        data_folder: open data, with `ontologies/` and `text/`.
        transformer: the folder of the teacher, as `save_pretrained` writes it.
        folder: where the encoder goes.
        settings: how it is made.
        report: is told of each step.

    Raises:
        UserError: a file of the data is missing.
        ValueError: the folder is no transformer.
    """
    start = monotonic()
    with TemporaryDirectory() as room:
        teacher_folder = Path(room) / "teacher"
        convert(transformer, teacher_folder)
        report("reading ontologies and texts")
        data, held_out = gather_data(data_folder, Path(room) / "corpus.txt")
        tables = distil(data, load_dense(teacher_folder), settings, report)
    StaticNames(tables).save(folder)
    return BuiltInMaking(
        settings, len(tables.words), len(data.labels.names), len(data.labels.classes),
        monotonic() - start, held_out,
    )  # fmt: skip
