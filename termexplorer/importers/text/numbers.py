"""Numbers for words as they come."""


class Numbers(dict[bytes, int]):
    """Gives each word a number, from 0, when it is asked for first."""

    def __missing__(self, key: bytes) -> int:
        number = self[key] = len(self)
        return number

    def words(self) -> list[str]:
        """The words in the order of their numbers."""
        return [key.decode("utf-8", "replace") for key in self]
