"""What can go wrong in retrieval.

RetrievalError
├── EncoderUnavailable   an encoder's weights cannot be loaded
├── UnknownEncoder       no encoder has that name, or none for that kind of media
├── BadItem              a medium that no encoder could look at
├── BadVectors           vectors that cannot be indexed or searched for: of another width, not finite, of no length
├── NoSharedSpace        words are looked for where no encoder puts them into a space with media
├── IndexMissing         there is no index of a modality
└── IndexDamaged         an index is not what its manifest says, or does not fit the encoder that asks it
"""


class RetrievalError(Exception):
    """Base of every error of this package; its text is one line that says what to do."""


class EncoderUnavailable(RetrievalError):
    """An encoder's weights cannot be loaded."""


class UnknownEncoder(RetrievalError):
    """No encoder has that name, or none for that kind of media."""


class BadItem(RetrievalError):
    """A medium that no encoder could look at: without a pixel, a frame or a sample."""


class BadVectors(RetrievalError):
    """Vectors that cannot be indexed or searched for: of another width, not finite, of no length."""


class NoSharedSpace(RetrievalError):
    """Words are looked for where no encoder puts them into a space with media."""


class IndexMissing(RetrievalError):
    """There is no index of a modality."""


class IndexDamaged(RetrievalError):
    """An index is not what its manifest says, or does not fit the encoder that asks it."""
