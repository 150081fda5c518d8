"""Ids of the records of a mapping set: SSSOM's slot `record_id`, a CURIE that stands for a UUID."""

import json
import uuid
from collections import Counter
from hashlib import blake2b

from termexplorer.store.judging.suggestions import Suggestion
from termexplorer.store.judging.verdicts import Judge

__all__ = ["RECORD_ID", "RECORD_IDS", "UUID_IRI", "UUID_PREFIX", "RecordIds"]

RECORD_ID = "record_id"
RECORD_IDS = "record_ids"  # of a list's parameters: whether the file that it came from has them
UUID_PREFIX, UUID_IRI = "uuid", "urn:uuid:"
_NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "https://termexplorer.invalid/sssom/record")
_VARYING = (RECORD_ID, "mapping_date")  # the date may be written for the whole set instead


class RecordIds:
    """The ids of one set's records, which are asked for in the order of its rows.

    An id follows from the suggestion and from who judged it, not from what was said of it: it stays
    while its curator changes an answer or a note, and two curators' records have two ids.
    """

    def __init__(self) -> None:
        self._counts: Counter[int] = Counter()  # by a hash, as a set may have a million rows

    def make_id(self, suggested: Suggestion, judge: Judge | None = None) -> str:
        """Return the id of the set's next record.

        Args:
            suggested: the suggestion; an id of its own in its slots is not looked at.
            judge: who judged it; None for the record of the suggestion itself.
        """
        slots = sorted((s, t) for s, t in suggested.slots.items() if t and s not in _VARYING)
        about = suggested.about
        who = [judge.name, judge.orcid] if judge else None
        subject = [about.subject, about.question, about.object, about.term]
        content = json.dumps([subject, slots, who])
        key = int.from_bytes(blake2b(content.encode(), digest_size=8).digest())
        self._counts[key] += 1  # equal rows are told apart by their order
        return f"{UUID_PREFIX}:{uuid.uuid5(_NAMESPACE, f'{self._counts[key]} {content}')}"

    def without_made_id(self, suggested: Suggestion, judge: Judge | None) -> Suggestion:
        """Return what was read from the set's next row, without an id that `make_id` gave it."""
        generated_id = self.make_id(suggested, judge)
        if judge is not None or suggested.slots.get(RECORD_ID) != generated_id:
            return suggested
        slots = {slot: text for slot, text in suggested.slots.items() if slot != RECORD_ID}
        return Suggestion(suggested.about, suggested.cells, slots)
