"""What can go wrong with a graph.

GraphError
├── StoreError      a store cannot be opened, read or written
│   ├── StoreLocked     another process is writing to this home
│   └── EndpointError   a SPARQL endpoint did not answer as asked
├── ImportFailed    a source cannot be read at all (single bad rows are reported, not raised)
├── ExportFailed    a graph cannot be written in the format asked for
└── BadTerm         a text that cannot become an IRI, a language tag or a literal
"""


class GraphError(Exception):
    """Base of every error of this package; its text is one line that says what to do."""


class StoreError(GraphError):
    """A store cannot be opened, read or written."""


class StoreLocked(StoreError):
    """Another process is writing to this home."""


class EndpointError(StoreError):
    """A SPARQL endpoint did not answer as asked."""


class ImportFailed(GraphError):
    """A source cannot be read at all."""


class ExportFailed(GraphError):
    """A graph cannot be written in the format asked for."""


class BadTerm(GraphError):
    """A text that cannot become an IRI, a language tag or a literal."""
