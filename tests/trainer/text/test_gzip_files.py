"""A file is read in pieces up to a limit, however large the limit is."""

import io

import pytest

from termexplorer.trainer.text.gzip_files import read_at_most


class AskedBytes(io.BytesIO):
    """Bytes that keep how many were asked for at a time."""

    largest = 0

    def read(self, size: int | None = -1, /) -> bytes:
        self.largest = max(self.largest, size or -1)
        return super().read(size)


@pytest.mark.parametrize(
    ("size", "most"), [(10, 1 << 40), (3 << 20, 1 << 40), (3 << 20, 2_000_001)]
)
def test_no_room_is_taken_for_what_is_not_there(size: int, most: int) -> None:
    file = AskedBytes(bytes(range(256)) * (size // 256))
    assert read_at_most(file, most) == file.getvalue()[:most]
    assert 0 < file.largest <= 1 << 20
