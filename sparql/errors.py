"""What can go wrong with a generated query.

QueryError
└── TemplateError   a query file and the parameters given for it do not fit
"""


class QueryError(Exception):
    """Base of every error of this package; its text is one line that says what to do."""


class TemplateError(QueryError):
    """A query file and the parameters given for it do not fit."""
