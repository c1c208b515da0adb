"""What can be wrong with a media file.

Not a GraphError: it is said of one file, in a report or on a page, and the rest goes on.
"""


class BadMedia(Exception):
    """A media file that must not or cannot be used; its text is the reason."""
