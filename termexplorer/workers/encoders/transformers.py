"""What is said where a transformer is needed."""

from termexplorer.errors import UserError
from termexplorer.store.encoders.infos import EncoderInfo
from termexplorer.texts import tr


def no_transformer(info: EncoderInfo) -> UserError:
    """The error that an encoder is none whose names or layers can be read and trained."""
    return UserError(
        tr("{label} is no transformer; choose one that was opened itself", label=info.label)
    )
