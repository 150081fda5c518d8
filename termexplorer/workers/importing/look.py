"""The child that looks into a file before it is imported: what to choose, what comes first."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from termexplorer.texts import tr
from termexplorer.workers.importing.request import FilePreview, ImportRequest
from termexplorer.workers.importing.run import format_of, opened_importer
from termexplorer.workers.process.child import Channel

if TYPE_CHECKING:
    from termexplorer.importers.records import ConceptRecord

_NAMES = 5  # of a concept that are shown


def run_look(asked: tuple[ImportRequest, int], channel: Channel) -> FilePreview:
    """Looks into a file.

    Args:
        asked: what would be imported, and how many concepts are wanted at the most.
        channel: to who asked.

    Raises:
        UserError: the file cannot be read.
        InterruptedError: it was stopped.
    """
    from termexplorer.importers.formats import choices_of
    from termexplorer.importers.records import ConceptRecord, Header, Note

    request, most = asked
    request = replace(request, format=format_of(request))
    channel.progress(None, tr("Looking into {source}", source=request.source))
    choices = choices_of(request.format or "", Path(request.source))
    opened = opened_importer(request)

    def watch() -> None:
        if channel.stopped():
            raise InterruptedError
        channel.progress(
            opened.progress.fraction(), tr("Looking into {source}", source=request.source)
        )

    opened.progress.watch = watch
    header = Header(None, "", "", "", {})
    concepts: list[tuple[str, str, str, str]] = []
    remarks: list[str] = []
    for record in opened.records:
        if isinstance(record, Header):
            header = record
        elif isinstance(record, Note) and not concepts:
            remarks.append(record.text)
        elif isinstance(record, ConceptRecord):
            concepts.append(_concept_row(record))
            if len(concepts) == most:
                break
    return FilePreview(
        opened.format,
        header.title or header.terminology or "",
        header.version,
        header.licence,
        choices,
        tuple(concepts),
        tuple(remarks),
    )


def _concept_row(record: "ConceptRecord") -> tuple[str, str, str, str]:
    texts = [name.text for name in record.names]
    other_names = " · ".join(texts[1:_NAMES]) + (" …" if len(texts) > _NAMES else "")
    return record.code, texts[0] if texts else "", other_names, " ".join(record.parents)
