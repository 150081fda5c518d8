"""The pair sets that a study is drawn from: folders of them, and single files."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.services.study_sampling import PairPool

_OF_A_FOLDER = ("left", "right", "label")


def read_pools(paths: Sequence[Path]) -> Iterator[PairPool]:
    """Reads pair sets, one after the other: the `.tsv` files of folders by name, or other files.

    Raises:
        UserError: a file that cannot be read, a folder without pair sets, or two sets of a name.
    """
    from trainer.pairs import read_pairs  # the window shows before NumPy is there

    names = set()
    for path, columns in _files(paths):
        try:
            sets = read_pairs(path, columns)
        except ValueError as error:
            raise UserError(str(error)) from error
        for each in sets:
            if each.name in names:
                raise UserError(f"{path}: another set is called {each.name} too; rename the file")
            names.add(each.name)
            yield PairPool(each.name, each.left, each.right, each.scores.tolist())


def _files(paths: Sequence[Path]) -> Iterator[tuple[Path, Sequence[str] | None]]:
    for path in paths:
        if not path.is_dir():
            yield path, None
            continue
        found = sorted(path.glob("*.tsv"))
        if not found:
            raise UserError(f"{path} holds no pair sets; name a folder with a .tsv file for each")
        yield from ((file, _OF_A_FOLDER) for file in found)
