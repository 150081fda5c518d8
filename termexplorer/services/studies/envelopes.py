"""The files that go to annotators and come back: JSON that tells what it is, with its own hash.

Whoever has a key signs the hash, which shows that the file is as they wrote it, and that the next
one is theirs too.

One text, not an archive: nothing can be unpacked to a wrong place or to more than it seems, and
nothing in it is ever run.
"""

import json
import re
import stat
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from termexplorer.errors import UserError
from termexplorer.files import atomic_write
from termexplorer.services.files.json_fields import Fields
from termexplorer.services.signing.private_keys import SigningKey
from termexplorer.services.signing.signatures import Signature, SignatureState, check_signature
from termexplorer.store.judging.verdicts import json_hash
from termexplorer.system_reasons import tell_reason
from termexplorer.texts import mark, tr, translated
from termexplorer.trainer.text.gzip_files import read_at_most

PACK, ANSWERS = "study pack", "study answers"
LARGEST = 64 << 20  # bytes; 1,200 pairs take a sixth of one MB
_MOST_BRACKETS, _MOST_QUOTES = 2_000_000, 10_000_000  # no file of `LARGEST` bytes needs more
_OTHER = {
    PACK: mark("it is a study pack, not an annotator's answers; name that file"),
    ANSWERS: mark("it is an annotator's answers, not a study pack; name that file"),
}
_ANOTHER = {
    PACK: mark("it is another file of termexplorer, not a study pack; name that file"),
    ANSWERS: mark("it is another file of termexplorer, not an annotator's answers; name that file"),
}
_NONE = {
    PACK: mark("it is not a study pack of termexplorer"),
    ANSWERS: mark("it is not an annotator's answers of termexplorer"),
}
FIRST_VERSION, RIGHT_ANSWERS, SIGNED = 1, 2, 3  # versions of files, by what they brought
_VERSION = SIGNED
_ARCHIVES = (b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b", b"7z\xbc\xaf", b"Rar!", b"BZh", b"\xfd7zXZ")


@dataclass(frozen=True, slots=True)
class Envelope:
    """A file that was read, and is what its hash says.

    Attributes:
        content: its fields.
        hash: of the content.
        signature: below it; None where there is none.
        state: what is known of the signature.
    """

    content: Fields
    hash: str
    signature: Signature | None
    state: SignatureState

    @property
    def key(self) -> str:
        """Return the public key that soundly signed it; "" for none."""
        valid = self.signature is not None and self.state is SignatureState.VALID
        return self.signature.key if self.signature is not None and valid else ""


def write_envelope(
    path: Path,
    kind: str,
    content: Mapping[str, Any],
    version: int = FIRST_VERSION,
    signer: SigningKey | Signature | None = None,
) -> None:
    """Writes a file whole, or not at all.

    Args:
        path: the file.
        kind: `PACK` or `ANSWERS`.
        content: of it; JSON.
        version: the first that knows all of the content, so that older programs can say so.
        signer: signs it, or did so before; None leaves it unsigned.

    Raises:
        UserError: the place cannot be written to.
    """
    content_hash = json_hash(content)
    whole: dict[str, Any] = {"termexplorer": kind, "version": version, "hash": content_hash}
    if isinstance(signer, SigningKey):
        signer = signer.sign(_signed_message(kind, content_hash))
    if signer is not None:
        whole["version"] = SIGNED
        whole["signature"] = asdict(signer)
    whole["content"] = content
    text = json.dumps(whole, ensure_ascii=False, indent=1) + "\n"
    with atomic_write(path) as fresh:
        fresh.write_text(text, "utf-8")


def read_envelope(path: Path, kind: str) -> Envelope:
    """Reads what is in a file, and who signed it.

    Raises:
        UserError: not there, no such file, a damaged one, or one of a newer termexplorer.
    """
    try:
        fields = Fields(_parse_file(path), tr("the file"))
        if not fields.has("termexplorer"):
            raise ValueError(translated(_NONE[kind]))
        envelope_kind, version = fields.text("termexplorer", 100), fields.whole("version")
        if envelope_kind != kind:
            raise ValueError(translated(_OTHER.get(envelope_kind, _ANOTHER[kind])))
        if version > _VERSION:
            raise ValueError(tr("it was written by a newer termexplorer; update this program"))
        named, content = fields.hash("hash"), fields.raw("content")
        signature = _read_signature(fields)
        fields.end()
        if json_hash(content) != named:
            raise ValueError(tr("it was changed after it was written; ask for the file again"))
        state = check_signature(signature, _signed_message(kind, named))
        return Envelope(Fields(content), named, signature, state)
    except ValueError as error:
        raise UserError(f"{path}: {error}") from error
    except RecursionError:
        raise UserError(
            tr("{path}: it holds lists in lists, as no file of a study does", path=path)
        ) from None


def _signed_message(kind: str, content_hash: str) -> bytes:
    """Return what is signed: a pack's signature is none of answers."""
    return f"termexplorer {kind} {content_hash}".encode("ascii")


def _read_signature(fields: Fields) -> Signature | None:
    if not fields.has("signature"):
        return None
    parts = Fields(fields.raw("signature"), "signature")
    signature = Signature(parts.hash("key"), parts.text("value", 128, 128))
    if not re.fullmatch("[0-9a-f]{128}", signature.value):
        raise ValueError(tr("its signature is none; ask for the file again"))
    parts.end()
    return signature


def check_parts(text: str) -> None:
    """Refuse a text that would take far more room when it is read than it takes in a file.

    Raises:
        ValueError: it has more parts than a file of a study has.
    """
    brackets = text.count("[") + text.count("{")
    if brackets > _MOST_BRACKETS or text.count('"') > _MOST_QUOTES:
        raise ValueError(tr("it has more parts than a file of a study has"))


def _parse_file(path: Path) -> Any:
    try:
        if not stat.S_ISREG(path.stat().st_mode) and not path.is_dir():
            raise ValueError(tr("it is no file, but a pipe or a device; name a file"))
        with path.open("rb") as file:
            raw = read_at_most(file, LARGEST + 1)
    except OSError as error:
        raise UserError(
            tr("{path}: cannot be read ({error})", path=path, error=tell_reason(error))
        ) from error
    if len(raw) > LARGEST:
        raise ValueError(
            tr("it has more than {most} MB, as no file of a study has", most=LARGEST >> 20)
        )
    if raw.startswith(_ARCHIVES):
        raise ValueError(tr("it is an archive; unpack it, and name the file that was in it"))
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(tr("it is no text in UTF-8, so no file of a study")) from None
    check_parts(text)
    try:
        return json.loads(
            text, object_pairs_hook=_refuse_repeated_fields, parse_constant=_no_number
        )
    except json.JSONDecodeError as error:
        raise ValueError(
            tr(
                "line {line}: it is cut off, damaged, or no file of a study; ask for the file "
                "again",
                line=error.lineno,
            )
        ) from None


def _refuse_repeated_fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError(tr("it has a field twice; ask for the file again"))
    return fields


def _no_number(name: str) -> None:
    raise ValueError(tr("{name} is no number", name=name))
