"""Typst, which sets pages of PDF and PNG without system packages."""

import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Literal
from zlib import crc32

_DOTS_PER_INCH = 300.0  # of PNG
_METRES_PER_INCH = 0.0254
_PNG_HEADER = 8 + 25  # bytes: the signature, and the first chunk


def typeset(
    template: Path, values: Mapping[str, str], form: Literal["pdf", "png"] = "pdf"
) -> bytes:
    """Return a template set in pages.

    The values are data: nothing in them is read as markup, and no file or address that they name is
    opened.

    Args:
        template: a `.typ` file that reads the values from `sys.inputs`.
        values: text by name.
        form: "pdf", or "png" of one page at 300 dpi.
    """
    import typst

    content: bytes = typst.compile(
        str(template), format=form, ppi=_DOTS_PER_INCH, sys_inputs=dict(values)
    )
    return _state_resolution(content) if form == "png" else content


def _state_resolution(png: bytes) -> bytes:
    """Return a picture that says its resolution, in a chunk behind the header."""
    dots_per_metre = round(_DOTS_PER_INCH / _METRES_PER_INCH)
    chunk = b"pHYs" + struct.pack(">IIB", dots_per_metre, dots_per_metre, 1)
    chunk_bytes = struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", crc32(chunk))
    return png[:_PNG_HEADER] + chunk_bytes + png[_PNG_HEADER:]
