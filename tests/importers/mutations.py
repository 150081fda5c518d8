"""Shared by the importer tests: a valid file damaged, which must be read or refused in one line."""

from hypothesis import strategies as st
from importing import read, write

from termexplorer.errors import UserError


@st.composite
def mutations(draw, data):
    """Bytes with one to three parts cut off, flipped, swapped, repeated or put in."""
    for _ in range(draw(st.integers(1, 3))):
        start, end = sorted(draw(st.tuples(*[st.integers(0, len(data))] * 2)))
        part = data[start:end]
        data = draw(
            st.sampled_from(
                [
                    data[:end],
                    data[:start] + data[end:],
                    data[:start] + bytes(byte ^ 1 for byte in part[:3]) + data[start + 3 :],
                    data[:start] + part * 2 + data[end:],
                    data[end:] + part + data[:start],
                    data[:start] + draw(st.binary(max_size=4)) + data[start:],
                ]
            )
        )
    return data


def refused_or_read(format_name, folder, data):
    try:
        read(format_name, write(folder, "any.txt", data))
    except UserError as error:
        assert "\n" not in str(error)  # noqa: PT017
