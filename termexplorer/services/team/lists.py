"""Lists of suggestions that a team reviews together: shared by an author, received by all.

A list is of releases, which stay on each machine: who has not the release waits for the list, and
is told what to import. A list in parts comes with them: who answers what, and who is blind to whom.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from termexplorer.errors import UserError
from termexplorer.services.curate.answers.list_parts import (
    PART_OF,
    TEAM_LIST,
    find_part_lists,
    find_whole,
)
from termexplorer.services.curate.suggestion_lists import (
    KeptList,
    find_list,
    kept_lists,
    read_list,
)
from termexplorer.services.team.joining import check_author
from termexplorer.store.judging.suggestions import ListHead, Suggestion, forget, keep_in_batches
from termexplorer.store.judging.verdicts import VerdictSubject, json_hash
from termexplorer.store.kept_messages import plain_message
from termexplorer.store.releases.ontologies import Ontology, ontologies
from termexplorer.store.team.membership import keep_known_list, list_known_lists
from termexplorer.store.team.server import TeamServer
from termexplorer.store.team.shared import (
    SharedList,
    SharedRelease,
    list_shared_lists,
    read_shared_list,
)
from termexplorer.store.team.shared import (
    share_list as add_shared_list,
)
from termexplorer.texts import tr
from termexplorer.workspace import Workspace

_RELEASES = ("release_id", "object_release_id")
_TEXTS = ("kind", "title", "made_at")


def share_list(workspace: Workspace, server: TeamServer, list_id: int) -> SharedList:
    """Share a list of suggestions with its parts, without the verdicts on it, which are the log's.

    Args:
        workspace: that has the list.
        server: to which an author is connected.
        list_id: of it, or of a part of it.

    Returns:
        The whole list.

    Raises:
        UserError: no such list, the member is no author, or what the server refuses.
    """
    check_author(server)
    whole = find_whole(workspace, list_id)
    shared = _share_one(workspace, server, find_list(workspace, whole), "")
    for part in find_part_lists(workspace, whole):
        _share_one(workspace, server, part, shared.key)
    return shared


def _share_one(
    workspace: Workspace, server: TeamServer, kept_list: KeptList, whole: str
) -> SharedList:
    """Share a list; ``whole`` is the key of the one that it is a part of, if it is."""
    head = kept_list.head
    with workspace.store.reading() as connection:
        releases = {ontology.id: ontology for ontology in ontologies(connection)}
    used = [releases[release] for release in (head.release_id, head.object_release_id) if release]
    local = (PART_OF, TEAM_LIST)  # what is of this workspace alone
    parameters = {name: value for name, value in head.parameters.items() if name not in local}
    content = {
        "head": {name: getattr(head, name) for name in _TEXTS}
        | {"parameters": parameters, "header": list(head.header)}
        | {"head": dict(head.head), "facts": [str(fact) for fact in head.facts]},
        "releases": {
            name: releases[release].content_hash if (release := getattr(head, name)) else ""
            for name in _RELEASES
        },
        "rows": [_write_suggestion(row) for row in read_list(workspace, kept_list.id)],
    } | ({"whole": whole} if whole else {})
    shared = SharedList(
        json_hash(content), head.title, tuple(dict.fromkeys(map(_describe_release, used)))
    )
    with server.transaction() as connection:
        add_shared_list(connection, shared, json.dumps(content).encode())
    with workspace.store.writing() as connection:
        keep_known_list(connection, shared.key)
    return shared


def _describe_release(release: Ontology) -> SharedRelease:
    """Return what members need to know of a release, without where it lay on this machine."""
    file = release.source.replace("\\", "/").rstrip("/").rpartition("/")[2]
    return SharedRelease(release.content_hash, release.terminology, release.label, file)


def receive_lists(workspace: Workspace, server: TeamServer) -> int:
    """Keep the lists that are new, as far as their releases are here; return how many.

    A list that was removed here does not come again.
    """
    with server.transaction() as connection:
        shared_lists = list_shared_lists(connection)
    with workspace.store.reading() as connection:
        known = list_known_lists(connection)
    new = 0
    for shared in shared_lists:
        if shared.key not in known:
            with server.transaction() as connection:
                content = read_shared_list(connection, shared.key)
            new += _keep_list(workspace, shared, content)
    return new


def _keep_list(workspace: Workspace, shared: SharedList, file: bytes) -> bool:
    """Keep a list; return False where a release of it is not here.

    Raises:
        UserError: it is not what was shared.
    """
    try:
        content = json.loads(file)
        if json_hash(content) != shared.key:
            raise ValueError(shared.key)
        with workspace.store.reading() as connection:
            ids = {ontology.content_hash: ontology.id for ontology in ontologies(connection)}
        hashes = [content["releases"][name] for name in _RELEASES]
        if any(release and release not in ids for release in hashes):
            return False
        releases = [ids[release] if release else None for release in hashes]
        head = _read_head(content["head"], *releases)
        suggestions = [_read_suggestion(row) for row in content["rows"]]
        whole = str(content.get("whole", ""))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise UserError(
            tr(
                "{title}: the team's list of suggestions is not what was shared; ask its author",
                title=shared.title,
            )
        ) from error
    added: dict[str, Any] = {TEAM_LIST: shared.key}
    whole_id = _find_whole_of(workspace, head, whole) if whole else 0
    is_wanted = whole_id is not None
    if is_wanted:
        added |= {PART_OF: whole_id} if whole else {}
        placed = replace(head, parameters={**head.parameters, **added})
        keep_in_batches(workspace.store, placed, suggestions)
    with workspace.store.writing() as connection:
        keep_known_list(connection, shared.key)
    return is_wanted


def _find_whole_of(workspace: Workspace, head: ListHead, whole: str) -> int | None:
    """Return the list that a part is of, without the parts that were dealt out before it.

    Returns:
        None where the whole list was removed here, or was dealt out anew already.
    """
    wholes = [x.id for x in kept_lists(workspace) if x.head.parameters.get(TEAM_LIST) == whole]
    if not wholes:
        return None
    parts = find_part_lists(workspace, wholes[0])
    if any(part.head.made_at > head.made_at for part in parts):
        return None
    with workspace.store.writing() as connection:
        for part in parts:
            if part.head.made_at < head.made_at:
                forget(connection, part.id)
    return wholes[0]


def _read_head(
    head: Mapping[str, Any], release_id: int | None, object_release_id: int | None
) -> ListHead:
    facts = [plain_message(fact) for fact in head["facts"]]
    return ListHead(
        head["kind"], head["title"], release_id, object_release_id, [], head["parameters"],
        head["header"], facts, head["head"], head["made_at"],
    )  # fmt: skip


def _write_suggestion(row: Suggestion) -> list[Any]:
    about = row.about
    return [
        [about.question, about.subject, about.object, about.term],
        list(row.cells),
        dict(row.slots),
    ]


def _read_suggestion(row: list[Any]) -> Suggestion:
    about, cells, slots = row
    question, subject, matched, term = map(str, about)
    return Suggestion(VerdictSubject(question, subject, matched, term), cells, slots)
