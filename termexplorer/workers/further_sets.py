"""Synonym sets of further releases, learned from besides those that a run is measured on."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from termexplorer.errors import UserError
from termexplorer.store.engine import Store
from termexplorer.workers.concept_data import ConceptSet, concept_names
from termexplorer.workers.run_data import RunData

if TYPE_CHECKING:
    from trainer.names import LabelledNames
    from trainer.splits import Parts


def learned_from(
    store: Store, data: RunData, release_ids: Sequence[int]
) -> "tuple[LabelledNames, Parts, dict[str, Any]]":
    """The names that a run learns from, its own first, how they are parted, and facts of them.

    Raises:
        UserError: there are further releases, but the run learns no synonym sets.
    """
    from trainer.fusing import fuse
    from trainer.name_filters import filter_names

    if not release_ids:
        return data.labels, data.parts, {}
    if not isinstance(data, ConceptSet):
        raise UserError("only recipes that learn from synonym sets learn from further ontologies")
    everything = (concept_names(store, release_id)[0] for release_id in release_ids)
    others = [filter_names(names, lambda _token: True).labels for names in everything]
    fused = fuse(data.labels, data.parts, others)
    facts = {
        "names": len(fused.labels.names) - len(data.labels.names),
        "sets joined to one of the same concept": fused.joined,
        "sets of their own": fused.added,
        "sets left out for zero-shot concepts": fused.held_out,
    }
    return fused.labels, fused.parts, {"further_sets": facts}
