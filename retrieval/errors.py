"""What can go wrong in retrieval.

RetrievalError
└── EncoderUnavailable   an encoder's weights cannot be loaded
"""


class RetrievalError(Exception):
    """Base of every error of this package; its text is one line that says what to do."""


class EncoderUnavailable(RetrievalError):
    """An encoder's weights cannot be loaded."""
