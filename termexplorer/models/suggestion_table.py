"""Suggestions with what was said of them, filtered and sorted."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QObject, Qt

from termexplorer.mapping_terms import NO_TERM
from termexplorer.models.columns import NO_INDEX, ColumnsModel, Index
from termexplorer.services.curate.answers.list_outcomes import (
    AGREED,
    ANSWERED,
    DECIDED,
    DIFFER,
    find_outcome,
)
from termexplorer.services.curate.review import ListReview, Verdicts
from termexplorer.services.curate.suggestion_filter import SuggestionFields, fits_fields
from termexplorer.services.curate.suggestion_lists import Suggestion
from termexplorer.services.curate.suggestion_words import name_column, word_cell
from termexplorer.services.verdicts.log import ALSO, CHANGED, LATER, Judge, LoggedVerdict
from termexplorer.services.verdicts.mapping_answers import (
    PREDICATE_WORDS,
    find_chosen,
    is_denied,
    turn_denied,
)
from termexplorer.store.indexes.folding import fold_text
from termexplorer.texts import mark, number, tr, translated

MINE, OTHERS = 0, 1
WORDS = {
    "correct": mark("✓ correct"),
    ALSO: mark("+ also"),
    CHANGED: mark("→ changed"),
    "wrong": mark("✗ wrong"),
    "unsure": mark("? unsure"),
    LATER: mark("↷ later"),
}
_TOP = 100
OPEN = "open"  # the filter for what the judge has not judged
REJECTED = "rejected"  # the filter for what was rejected before it was suggested
_REJECTED_WORD = mark("✗ rejected before")


@dataclass(frozen=True, slots=True)
class SuggestionWish:
    """Which suggestions are shown.

    Attributes:
        answer: what the judge answered; `OPEN`: nothing yet; `REJECTED`; empty: anything.
        text: what is in any cell or in a note; empty: anything.
        fields: by what they are.
    """

    answer: str = ""
    text: str = ""
    fields: SuggestionFields = field(default_factory=SuggestionFields)


class SuggestionTableModel(ColumnsModel):
    """Shows the suggestions of a `ListReview` as rows.

    Attributes:
        rows: what is shown, in that order.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.tips = {MINE: tr("Your verdict"), OTHERS: tr("Verdicts of other judges")}
        self.rows: list[Suggestion] = []
        self._review: ListReview | None = None
        self._verdicts: Verdicts = {}
        self._judge: Judge | None = None
        self._columns: Sequence[str] = ()  # of the list, as they are kept
        self._folded: dict[int, str] = {}  # cells of suggestions, by their ids
        self._wish = SuggestionWish()
        self._fitting: set[int] | None = None  # ids of suggestions; None: all fit the fields
        self._column, self._descending = -1, False

    def show_review(self, review: ListReview | None, wish: SuggestionWish | None = None) -> None:
        """Shows another list, as it is filtered and sorted now."""
        self._review = review
        self._wish = wish or self._wish
        self._find_fitting()
        self._verdicts = review.verdicts if review else {}
        cells = review.suggestion_list.head.header if review else ()
        self.header = (tr("Verdict"), tr("Others"), *map(name_column, cells))
        self._columns = cells
        self._folded = {}
        first = review.suggestions[0].cells if review and review.suggestions else ()
        self.figures = {n + 2 for n, cell in enumerate(first) if isinstance(cell, int | float)}
        self._arrange()

    def show_verdicts(self, verdicts: Verdicts, judge: Judge | None) -> None:
        """Shows what counts now, and whose verdicts are `MINE`."""
        self._verdicts, self._judge = verdicts, judge
        self._arrange()

    def show_wanted(self, wish: SuggestionWish) -> None:
        """Shows some suggestions."""
        fields = self._wish.fields
        self._wish = wish
        if wish.fields != fields:
            self._find_fitting()
        self._arrange()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sorts by a column; by none, as they were found."""
        self._column, self._descending = column, order == Qt.SortOrder.DescendingOrder
        self._arrange()

    def longest(self, column: int) -> str:
        """The longest text at the top of a column."""
        top = self._review.suggestions[:_TOP] if self._review else ()
        return max((self._texts(suggestion)[column] for suggestion in top), key=len, default="")

    @property
    def hides_others(self) -> bool:
        """Whether others' verdicts are hidden from the judge, who answers blind."""
        return self._review is not None and self._review.hides_others(self._judge)

    def mine(self, suggestion: Suggestion) -> LoggedVerdict | None:
        """What the judge said of a suggestion."""
        verdicts = self._verdicts.get(suggestion.about, ())
        return next((verdict for verdict in verdicts if verdict.judge == self._judge), None)

    def rejection(self, suggestion: Suggestion) -> LoggedVerdict | None:
        """Who rejected a suggestion before it was made, unless the judge answered it since."""
        if self._review is None or is_denied(suggestion.slots):  # who rejected it, said the same
            return None
        rejection = self._review.rejections.get(suggestion.about)
        if rejection and self.hides_others and rejection.judge != self._judge:
            return None
        mine = self.mine(suggestion)
        if rejection and mine and mine.answer.answered_at > rejection.answer.answered_at:
            return None
        return rejection

    def count_rejected(self) -> int:
        """How many suggestions of the list were rejected before, and not answered since."""
        if self._review is None or not self._review.rejections:
            return 0
        return sum(self.rejection(row) is not None for row in self._review.suggestions)

    def others(self, suggestion: Suggestion) -> Sequence[LoggedVerdict]:
        """What the others said; nothing while it is hidden from the judge."""
        verdicts = self._find_visible(suggestion)
        return [verdict for verdict in verdicts if verdict.judge != self._judge]

    def tell_opinions(self, suggestion: Suggestion) -> str:
        """Tell a line for each of those who answered what was given to several, but the judge."""
        if self._review is None or suggestion.about not in self._review.assigned:
            return ""
        return self._tip(suggestion, OTHERS)

    def count_differing(self) -> int:
        """How many suggestions people answered otherwise than each other, and nobody decided."""
        if self._review is None or not self._review.assigned or self.hides_others:
            return 0
        return sum(self._state_of(row) == DIFFER for row in self._review.suggestions)

    def row_of(self, suggestion: Suggestion | None) -> int:
        """Where a suggestion stands; -1 if it does not."""
        return next((n for n, row in enumerate(self.rows) if row is suggestion), -1)

    def parts(self) -> dict[str, list[int]]:
        """Return the numbers of the suggestions that are shown, judged by anybody, and there.

        What others judged does not count while it is hidden from the judge.
        """
        if self._review is None:
            return {}
        suggestions = self._review.suggestions
        numbers = {id(suggestion): number for number, suggestion in enumerate(suggestions)}
        judged = [
            n
            for n, suggestion in enumerate(suggestions)
            if any(map(_is_judged, self._find_visible(suggestion)))
        ]
        shown = [numbers[id(suggestion)] for suggestion in self.rows]
        parts = {"shown": shown, "judged": judged, "all": list(range(len(suggestions)))}
        if self._review.assigned and not self.hides_others:
            settled = (AGREED, ANSWERED, DECIDED)
            outcomes = [n for n, row in enumerate(suggestions) if self._state_of(row) in settled]
            parts["outcome"] = outcomes
        return parts

    def next_open(self, row: int) -> Suggestion | None:
        """The first after a row that is not judged yet, or before it; put off ones are last."""
        order = [*self.rows[row + 1 :], *self.rows[:row]]
        order = [suggestion for suggestion in order if self.rejection(suggestion) is None]
        fresh = (suggestion for suggestion in order if self.mine(suggestion) is None)
        put_off = (
            suggestion
            for suggestion in order
            if (mine := self.mine(suggestion)) and not _is_judged(mine)
        )
        return next(fresh, None) or next(put_off, None)

    def rowCount(self, parent: Index = NO_INDEX) -> int:  # noqa: N802
        """How many are shown."""
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """A cell's text, whole in the tooltip too."""
        suggestion, column = self.rows[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._texts(suggestion)[column]
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(suggestion, column)
        return self.side(column) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def _texts(self, suggestion: Suggestion) -> tuple[str, ...]:
        return (*self._answer_texts(suggestion), *self._cell_texts(suggestion))

    def _cell_texts(self, suggestion: Suggestion) -> Iterable[str]:
        return map(_cell_text, map(word_cell, self._columns, suggestion.cells))

    def _answer_texts(self, suggestion: Suggestion) -> tuple[str, str]:
        mine = self.mine(suggestion)
        answer_words = (_answer_word(other, suggestion) for other in self.others(suggestion))
        own_answer = _answer_word(mine, suggestion) if mine else ""
        if self.rejection(suggestion):
            own_answer = translated(_REJECTED_WORD)
        return own_answer, ", ".join(answer_words)

    def _tip(self, suggestion: Suggestion, column: int) -> str:
        if column == MINE:
            verdict = self.rejection(suggestion) or self.mine(suggestion)
            return self._told(verdict, suggestion) if verdict else tr("Not judged yet")
        if column == OTHERS:
            return "\n".join(self._told(other, suggestion) for other in self.others(suggestion))
        return self._texts(suggestion)[column]

    def _told(self, judged: LoggedVerdict, suggestion: Suggestion) -> str:
        answer = judged.answer
        source = self._review.sources.get(answer.release_hash, "") if self._review else ""
        chosen = find_chosen(judged.subject, answer) if answer.answer == CHANGED else None
        parts = [
            judged.judge.name,
            translated(turn_denied(suggestion.slots, answer.answer)),
            _answer_word(judged, suggestion) if chosen else "",
            chosen.object if chosen else "",
            answer.note,
            answer.answered_at[:10],
            source,
        ]
        return " · ".join(filter(None, parts))

    def _arrange(self) -> None:
        self.beginResetModel()
        shown = (
            [suggestion for suggestion in self._review.suggestions if self._wanted(suggestion)]
            if self._review
            else []
        )
        if 0 <= self._column < len(self.header):
            shown.sort(key=self._key, reverse=self._descending)
        self.rows = shown
        self.endResetModel()

    def _wanted(self, suggestion: Suggestion) -> bool:
        if not self._has_answer(suggestion):
            return False
        if self._fitting is not None and id(suggestion) not in self._fitting:
            return False
        text = fold_text(self._wish.text.strip())
        if not text:
            return True
        if text in self._fold_cells(suggestion):
            return True
        notes = [verdict.answer.note for verdict in self._find_visible(suggestion)]
        return text in fold_text("\n".join((*self._answer_texts(suggestion), *notes)))

    def _fold_cells(self, suggestion: Suggestion) -> str:
        """Fold what is searched with each letter of a filter once."""
        folded = self._folded.get(id(suggestion))
        if folded is None:
            folded = fold_text("\n".join(self._cell_texts(suggestion)))
            self._folded[id(suggestion)] = folded
        return folded

    def _find_fitting(self) -> None:
        """Find what fits the fields once, and not again with each verdict."""
        wanted, self._fitting = self._wish.fields, None
        if self._review is not None and wanted != SuggestionFields():
            header = self._review.suggestion_list.head.header
            rows = self._review.suggestions
            self._fitting = {id(row) for row in rows if fits_fields(wanted, row, header)}

    def _has_answer(self, suggestion: Suggestion) -> bool:
        wanted, mine = self._wish.answer, self.mine(suggestion)
        if wanted == DIFFER:
            return self._state_of(suggestion) == DIFFER
        if wanted in (OPEN, REJECTED):
            was_rejected = self.rejection(suggestion) is not None
            is_open = not was_rejected and not (mine and _is_judged(mine))
            return was_rejected if wanted == REJECTED else is_open
        answer = turn_denied(suggestion.slots, mine.answer.answer) if mine else ""
        return not wanted or answer == wanted

    def _find_visible(self, suggestion: Suggestion) -> Sequence[LoggedVerdict]:
        """Find the verdicts that the judge may see."""
        verdicts = self._verdicts.get(suggestion.about, ())
        if not self.hides_others:
            return verdicts
        return [verdict for verdict in verdicts if verdict.judge == self._judge]

    def _state_of(self, suggestion: Suggestion) -> str:
        """What came of a suggestion that was given to several; "" of others."""
        people = self._review.assigned.get(suggestion.about) if self._review else None
        if not people:
            return ""
        return find_outcome(people, self._find_visible(suggestion)).state

    def _key(self, suggestion: Suggestion) -> tuple[bool, float, str]:
        """Figures by size, before texts; none after all others."""
        if self._column > OTHERS:
            cell = suggestion.cells[self._column - 2]
            if isinstance(cell, int | float):
                return (False, cell, "")
        text = self._texts(suggestion)[self._column]
        return (not text, 0.0, text.casefold())


def _is_judged(verdict: LoggedVerdict) -> bool:
    """Whether somebody has judged, not put it off."""
    return verdict.answer.answer != LATER


def _answer_word(judged: LoggedVerdict, suggestion: Suggestion) -> str:
    answer = turn_denied(suggestion.slots, judged.answer.answer)
    if answer == CHANGED and (chosen := find_chosen(judged.subject, judged.answer)):
        none = chosen.object == NO_TERM
        words = PREDICATE_WORDS.get(NO_TERM if none else chosen.predicate)
        word = f"→ {translated(words) if words else chosen.predicate}"
        if none or chosen.object == suggestion.about.object:
            return word
        return f"{word}: {chosen.object_label or chosen.object}"
    return translated(WORDS.get(answer, answer))


def _cell_text(cell: object) -> str:
    if cell is None:
        return ""
    return number(cell, ".3f") if isinstance(cell, float) else str(cell)
