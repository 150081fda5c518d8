"""Who judges which pairs of a study, in which order, and which term stands at the left."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random

from termexplorer.store.judging.studies import StudyPair, Turn


def hand_out(
    pairs: Sequence[StudyPair],
    annotators: Sequence[str],
    overlap: int,
    repeat: float,
    seed: int,
    shared: float = 1.0,
) -> dict[str, list[Turn]]:
    """Gives each annotator their pairs: all the practice first, then theirs, shuffled.

    Checks, whose answer is known, are mixed in for all of them. A repeated pair comes back after at
    least half of the annotator's other pairs.

    Args:
        pairs: of the study; those of a set stand together.
        annotators: their names.
        overlap: how many judge each pair; of each set each annotator gets as many, give or take
            one.
        repeat: the share of an annotator's pairs that is shown twice, at most a half.
        seed: of everything random.
        shared: the share of the pairs that so many judge, as large in each set and of each label;
            the others are judged by one each.
    """
    practice = [pair for pair in pairs if pair.practice]
    judged = [pair for pair in pairs if pair.counts]
    checks = [pair for pair in pairs if not pair.practice and not pair.counts]
    if shared < 1:
        shares = _share_some(judged, annotators, overlap, shared, seed)
    else:
        shares = _share_out(judged, annotators, overlap, seed)
    return {
        annotator: order_turns(annotator, practice, [*share, *checks], repeat, seed)
        for annotator, share in shares.items()
    }


def order_turns(
    annotator: str,
    practice: Sequence[StudyPair],
    pairs: Sequence[StudyPair],
    repeat: float,
    seed: int,
) -> list[Turn]:
    """Gives an annotator all the practice first, then some pairs, shuffled; see `hand_out`."""
    return _make_turns(practice, pairs, repeat, Random(f"{seed} order of {annotator}"))  # noqa: S311


def _share_out(
    pairs: Sequence[StudyPair], annotators: Sequence[str], overlap: int, seed: int
) -> Mapping[str, Sequence[StudyPair]]:
    if overlap == len(annotators):
        return dict.fromkeys(annotators, pairs)
    random = Random(f"{seed} who")  # noqa: S311
    shares: dict[str, list[StudyPair]] = {annotator: [] for annotator in annotators}
    _deal_pairs(pairs, shares, overlap, random)
    return shares


def _share_some(
    pairs: Sequence[StudyPair], annotators: Sequence[str], overlap: int, shared: float, seed: int
) -> Mapping[str, Sequence[StudyPair]]:
    """Some pairs to several annotators each, all others to one each."""
    random = Random(f"{seed} who shares")  # noqa: S311
    common = set(_spread_out(pairs, shared, random))
    shares: dict[str, list[StudyPair]] = {annotator: [] for annotator in annotators}
    _deal_pairs([pair for pair in pairs if pair in common], shares, overlap, random)
    for of_set in _by_set(pair for pair in pairs if pair not in common):
        new_shares: dict[str, list[StudyPair]] = {annotator: [] for annotator in annotators}
        for pair in of_set:
            least = min(
                annotators,
                key=lambda annotator: (
                    len(new_shares[annotator]),
                    len(shares[annotator]),
                    random.random(),
                ),
            )
            new_shares[least].append(pair)
            shares[least].append(pair)
    return shares


def _by_set(pairs: Iterable[StudyPair]) -> list[list[StudyPair]]:
    """The pairs of each set."""
    pairs_by_set: dict[str, list[StudyPair]] = {}
    for pair in pairs:
        pairs_by_set.setdefault(pair.set_name, []).append(pair)
    return list(pairs_by_set.values())


def _spread_out(pairs: Sequence[StudyPair], share: float, random: Random) -> Iterator[StudyPair]:
    """A share of the pairs, at random, as large in each set and of each label, give or take one."""
    groups: dict[tuple[str, float | None], list[StudyPair]] = {}
    for pair in pairs:
        groups.setdefault((pair.set_name, pair.score), []).append(pair)
    before = taken = 0
    for group in groups.values():
        before += len(group)
        wanted = min(round(share * before) - taken, len(group))
        taken += wanted
        yield from random.sample(group, wanted)


def _deal_pairs(
    pairs: Sequence[StudyPair], shares: Mapping[str, list[StudyPair]], per_pair: int, random: Random
) -> None:
    """Gives each pair to some annotators."""
    for pair in pairs:
        # those who have the fewest, at random among equals: the loads differ by one at most
        by_load = sorted(shares, key=lambda name: (len(shares[name]), random.random()))
        for annotator in by_load[:per_pair]:
            shares[annotator].append(pair)


def _make_turns(
    practice: Sequence[StudyPair], pairs: Sequence[StudyPair], repeat: float, random: Random
) -> list[Turn]:
    first = random.sample(practice, len(practice))
    order = random.sample(pairs, len(pairs))
    half = len(order) / 2
    keyed = [(float(index), 1, pair) for index, pair in enumerate(order)]
    again = random.sample(range(int(half)), min(round(repeat * len(order)), int(half)))
    keyed += [(random.uniform(index + half, len(order)), 2, order[index]) for index in again]
    keyed.sort(key=lambda entry: entry[:2])
    shown = [(1, pair) for pair in first] + [(showing, pair) for _, showing, pair in keyed]
    return [_make_turn(index, *entry, random) for index, entry in enumerate(shown)]


def _make_turn(position: int, showing: int, pair: StudyPair, random: Random) -> Turn:
    left, right = random.sample((pair.subject, pair.object), 2)
    return Turn(position, left, right, showing, pair.practice, pair.known if pair.practice else "")
