"""The team's log: one chain of rows for each workspace of a person and study.

A row is told by the hash of the row of the log where it was written first, wherever it goes. The
link of a row is the hash of the link before it and its own hash: the server computes it anew, and
so does whoever receives it.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, text

from termexplorer.store.judging.verdicts import FIRST, hash_row

ORIGIN = "origin"  # among a row's details: its hash where it was written first
_SENT = ("device", "study", "seq", "judge", "orcid", "identity", "undoes", "content", "row_hash")
_APART = ("study", "judge", "orcid", "hash")  # of a row's values, what stands in own columns
Chain = tuple[str, str]  # device and study


@dataclass(frozen=True, slots=True)
class ChainHead:
    """The end of a chain.

    Attributes:
        seq: how many rows it has.
        link: the hash of all of them.
    """

    seq: int = 0
    link: str = FIRST


@dataclass(frozen=True, slots=True)
class ChainRow:
    """A row of a chain.

    Attributes:
        device: the workspace that sent it.
        study: the key of its study; "" for curators' work.
        seq: its place in the chain, from 1.
        values: the row of the log as it stands in that workspace, with its hash.
        identity: the hash of the row where it was written first.
        undoes: the identity of the row that it takes back; "" of a verdict.
        before: the link before it.
        link: the hash of the link before it and its own hash.
        server_time: when it came to the server, ISO 8601 in UTC; "" where that is not known.
    """

    device: str
    study: str
    seq: int
    values: Mapping[str, Any]
    identity: str
    undoes: str
    before: str
    link: str
    server_time: str = ""

    def is_sound(self) -> bool:
        """Return whether the row is what was written, by its hashes."""
        values = {name: value for name, value in self.values.items() if name != "hash"}
        row_hash = hash_row(values)
        origin = dict(self.values["details"]).get(ORIGIN, row_hash)
        linked = compute_link(self.before, row_hash)
        return (row_hash, origin, linked) == (self.values["hash"], self.identity, self.link)


def compute_link(before: str, row_hash: str) -> str:
    """Return the link of a row, as the server computes it."""
    return hashlib.sha256(f"{before}{row_hash}".encode()).hexdigest()


def identify_row(values: Mapping[str, Any]) -> str:
    """Return the hash of a row of the log where it was written first."""
    return str(values["details"].get(ORIGIN, values["hash"]))


def send_rows(connection: Connection, rows: Sequence[ChainRow]) -> None:
    """Add rows to the server's log; those that it has already are left as they are.

    Args:
        connection: within a transaction.
        rows: of one or more chains, each in its order.
    """
    names = (*_SENT, "before")
    slots = ", ".join(f":{name}" for name in names)
    add = f"INSERT INTO termexplorer.verdict ({', '.join(names)}) VALUES ({slots})"
    connection.execute(text(add), [_write_row(row) for row in rows])


def _write_row(row: ChainRow) -> dict[str, Any]:
    values = row.values
    content = {name: value for name, value in values.items() if name not in _APART}
    return {
        "device": row.device,
        "study": row.study,
        "seq": row.seq,
        "judge": values["judge"],
        "orcid": values["orcid"],
        "identity": row.identity,
        "undoes": row.undoes,
        # PostgreSQL's texts hold neither NUL nor halves of a character
        "content": json.dumps(content, ensure_ascii=True),
        "row_hash": values["hash"],
        "before": row.before,
    }


def list_heads(connection: Connection) -> dict[Chain, ChainHead]:
    """Return the ends of all chains that one may read."""
    query = text("SELECT device, study, seq, link FROM termexplorer.chain")
    return {
        (device, study): ChainHead(seq, link)
        for device, study, seq, link in connection.execute(query)
    }


def fetch_rows(connection: Connection, known: Mapping[Chain, int], most: int) -> list[ChainRow]:
    """Return rows of chains after those that are known, in the order in which they came.

    Args:
        connection: to the server.
        known: how many rows of each chain are.
        most: how many at most.
    """
    query = (
        "SELECT v.device, v.study, v.seq, v.judge, v.orcid, v.content, v.row_hash, v.identity, "
        "v.undoes, v.before, v.link, v.server_time FROM termexplorer.verdict v "
        "JOIN unnest(CAST(:devices AS text[]), CAST(:studies AS text[]), CAST(:seqs AS integer[])) "
        "AS known (device, study, seq) "
        "ON v.device = known.device AND v.study = known.study AND v.seq > known.seq "
        "ORDER BY v.position LIMIT :most"
    )
    values = {
        "devices": [device for device, _ in known],
        "studies": [study for _, study in known],
        "seqs": list(known.values()),
        "most": most,
    }
    return [_read_row(row) for row in connection.execute(text(query), values)]


def _read_row(row: Any) -> ChainRow:
    values = json.loads(row.content)
    values |= {"study": row.study, "judge": row.judge, "orcid": row.orcid, "hash": row.row_hash}
    moment = row.server_time.isoformat(timespec="milliseconds")
    return ChainRow(
        row.device, row.study, row.seq, values, row.identity, row.undoes, row.before, row.link,
        moment,
    )  # fmt: skip
