"""Copies of an ontology in which some things are made wrong, to learn what finds them."""

from termexplorer.errors import UserError
from trainer.evaluation.likelihood import Trial

__all__ = ["Trial", "check_share"]


def check_share(share: float, done: str, most: float = 0.5) -> None:
    """Refuses a share of things to be made wrong in a copy.

    Args:
        share: of all that could be.
        done: what is done to them, such as `moved`.
        most: the largest share.

    Raises:
        UserError: it is not above 0, or too large.
    """
    if not 0 < share <= most:
        raise UserError(f"a share of {share:g} cannot be {done}; give one up to {most:.2g}")
