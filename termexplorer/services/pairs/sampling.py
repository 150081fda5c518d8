"""Drawing the pairs of a study from pair sets, each pair once."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from random import Random

from termexplorer.errors import UserError
from termexplorer.services.pairs.repeats import find_repeats, fold_pair
from termexplorer.store.judging.studies import StudyPair
from termexplorer.texts import mark, tr, translated

LONGEST_TERM = 2_000  # characters; a screen shows two
_SIMILAR, _DISSIMILAR = 1.0, 0.0
_SHORT = mark(
    "{set}: {rated:,} pairs, not the {asked:,} that were asked for; all that can be judged are "
    "taken"
)
_SHORT_OF = {  # by whether similar pairs are too few, and dissimilar ones
    (True, False): mark(
        "{set}: {similar:,} similar pairs, not the {asked:,} that were asked for; all that can be "
        "judged are taken"
    ),
    (False, True): mark(
        "{set}: {dissimilar:,} dissimilar pairs, not the {asked:,} that were asked for; all that "
        "can be judged are taken"
    ),
    (True, True): mark(
        "{set}: {similar:,} similar and {dissimilar:,} dissimilar pairs, not the {asked:,} that "
        "were asked for; all that can be judged are taken"
    ),
}


@dataclass(frozen=True, slots=True)
class PairPool:
    """A pair set to draw from.

    Attributes:
        name: of the set.
        left: the p first terms.
        right: the p second ones.
        scores: p times 1 for similar or 0 for not; anything else, or None, makes all of them
            pairs that may be either.
        by_label: whether as many similar ones as not are drawn; else they are drawn as they come.
        answers: p answers of a question, where the set tells these and no scores; else empty.
    """

    name: str
    left: Sequence[str]
    right: Sequence[str]
    scores: Sequence[float | None]
    by_label: bool = True
    answers: Sequence[str] = ()

    def kinds(self) -> dict[float | None, list[int]]:
        """The places of its similar and of its dissimilar pairs, or of all, under None."""
        if not self.by_label or not set(self.scores) <= {_SIMILAR, _DISSIMILAR}:
            return {None: list(range(len(self.scores)))}
        return {
            kind: [index for index, score in enumerate(self.scores) if score == kind]
            for kind in (_SIMILAR, _DISSIMILAR)
        }

    def without(self, reasons: Sequence[str]) -> tuple["PairPool", dict[str, int]]:
        """Return the pairs that no reason is given for, and how many others there are, by reason.

        Args:
            reasons: p times why a pair is left out, or "".
        """
        if not any(reasons):
            return self, {}
        kept_indices = [index for index, reason in enumerate(reasons) if not reason]
        fewer = replace(
            self,
            left=[self.left[index] for index in kept_indices],
            right=[self.right[index] for index in kept_indices],
            scores=[self.scores[index] for index in kept_indices],
        )
        return fewer, dict(Counter(filter(None, reasons)))


@dataclass(frozen=True, slots=True)
class SetDrawn:
    """What was drawn from a set.

    Attributes:
        name: of the set.
        asked: how many of each kind.
        similar: how many there were.
        dissimilar: how many there were.
        rated: how many there were, if they are drawn whatever their label or rating.
        left_out: how many pairs of the set were left out before, by reason.
    """

    name: str
    asked: int
    similar: int
    dissimilar: int
    rated: int
    left_out: Mapping[str, int] = field(default_factory=dict)

    @property
    def short(self) -> str:
        """What was asked for and not there, for people; empty if nothing is missing."""
        few = self.similar < self.asked, self.dissimilar < self.asked
        why = _SHORT_OF.get(few, "")
        if self.rated:
            why = _SHORT if self.rated < self.asked else ""
        return translated(
            why,
            set=self.name,
            rated=self.rated,
            similar=self.similar,
            dissimilar=self.dissimilar,
            asked=self.asked,
        )


@dataclass(frozen=True, slots=True)
class SampledPairs:
    """The pairs of a study, practice first, and the sets that they came from."""

    pairs: tuple[StudyPair, ...]
    sets: tuple[SetDrawn, ...]


def draw(pools: Iterable[PairPool], per_kind: int, practice: int, seed: int) -> SampledPairs:
    """Draws pairs, none twice, whatever the sets share and in whatever order the terms stand.

    What cannot be asked about is left out of each set before and counted; see `find_repeats`.

    Args:
        pools: gone through once; their names tell them apart.
        per_kind: similar pairs, and as many dissimilar ones, of each set; where they are not told
            apart, twice as many of any.
        practice: the most pairs besides, from all sets, as many similar ones as not.
        seed: of everything random.

    Raises:
        UserError: a term that is drawn is longer than a screen can show.
    """
    taken: set[frozenset[str]] = set()
    pairs: list[StudyPair] = []
    spare: dict[bool, list[StudyPair]] = {True: [], False: []}
    sets = []
    for given in pools:
        pool, left_out = given.without(find_repeats(given.left, given.right, given.scores, taken))
        counts = {}
        for kind, places in pool.kinds().items():
            most = 2 * per_kind if kind is None else per_kind
            shuffled = _shuffle_pairs(pool, places, Random(f"{seed} {pool.name} {kind}"))  # noqa: S311
            drawn = list(islice(_drop_taken(shuffled, taken), most))
            spare[kind == _SIMILAR] += islice(_drop_taken(shuffled, set(taken)), practice)
            counts[kind] = len(drawn)
            pairs += drawn
        asked = 2 * per_kind if None in counts else per_kind
        similar, dissimilar, any_kind = (
            counts.get(kind, 0) for kind in (_SIMILAR, _DISSIMILAR, None)
        )
        sets.append(SetDrawn(pool.name, asked, similar, dissimilar, any_kind, left_out))
    return SampledPairs((*_choose_practice(spare, practice, seed, taken), *pairs), tuple(sets))


def _shuffle_pairs(pool: PairPool, places: list[int], random: Random) -> Iterator[StudyPair]:
    """The pairs at some places, shuffled as far as they are asked for."""
    for at in range(len(places)):
        other = random.randrange(at, len(places))
        places[at], places[other] = places[other], places[at]
        index = places[at]
        terms = pool.left[index], pool.right[index]
        if max(map(len, terms)) > LONGEST_TERM:
            raise UserError(
                tr(
                    "{name}: pair {number} has a term of more than {most:,} characters; "
                    "take it out",
                    name=pool.name,
                    number=index + 1,
                    most=LONGEST_TERM,
                )
            )
        pair = StudyPair.of(terms)
        score = pool.scores[index]
        yield replace(pair, set_name=pool.name, score=None if score is None else float(score))


def _drop_taken(pairs: Iterable[StudyPair], taken: set[frozenset[str]]) -> Iterator[StudyPair]:
    """Pairs of which none was taken yet; takes them."""
    for pair in pairs:
        terms = fold_pair(pair.subject, pair.object)
        if terms not in taken:
            taken.add(terms)
            yield pair


def _choose_practice(
    spare: dict[bool, list[StudyPair]], most: int, seed: int, taken: set[frozenset[str]]
) -> list[StudyPair]:
    random = Random(f"{seed} practice")  # noqa: S311
    for pairs in spare.values():
        random.shuffle(pairs)
    similar = list(islice(_drop_taken(spare[True], taken), most))
    dissimilar = list(islice(_drop_taken(spare[False], taken), most))
    first = max(most - most // 2, most - len(dissimilar))
    chosen = similar[:first] + dissimilar[: most - len(similar[:first])]
    return [replace(pair, practice=True) for pair in chosen]
