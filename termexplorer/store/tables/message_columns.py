"""Columns that hold messages: see `kept_messages`."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import JSON, Dialect, String
from sqlalchemy.types import TypeDecorator

from termexplorer.store.kept_messages import (
    decode_message,
    encode_message,
    read_message,
    write_message,
)
from termexplorer.trainer.errors import Message


class MessageColumn(TypeDecorator[Message]):
    """A column of text that holds a message."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Write a message."""
        return None if value is None else write_message(value)

    def process_result_value(self, value: Any | None, dialect: Dialect) -> Message | None:
        """Read a message."""
        return None if value is None else read_message(value)


class MessagesColumn(TypeDecorator[list[Message]]):
    """A column of JSON that holds a list of messages."""

    impl = JSON
    cache_ok = True

    def process_bind_param(self, value: Iterable[str] | None, dialect: Dialect) -> Any:
        """Write messages."""
        return None if value is None else [encode_message(message) for message in value]

    def process_result_value(self, value: Any | None, dialect: Dialect) -> list[Message] | None:
        """Read messages."""
        return None if value is None else [decode_message(message) for message in value]
