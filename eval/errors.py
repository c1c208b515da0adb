"""What can go wrong with a measurement.

EvaluationError
└── QuestionsUnreadable   a question list that is not in the published layout
"""


class EvaluationError(Exception):
    """Base of every error of this package; its text is one line that says what to do."""


class QuestionsUnreadable(EvaluationError):
    """A question list that is not in the published layout."""
