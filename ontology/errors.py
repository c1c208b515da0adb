"""What can go wrong with a vocabulary.

OntologyError
├── NotRdf          a file is something else than RDF in a syntax that can be read
├── BadSyntax       a file claims to be RDF and breaks its own grammar
├── UnknownRelation a relation that has neither an IRI nor a label to go by
└── LoadedOtherwise the reasoner's reader saw other things than were handed to it
"""


class OntologyError(Exception):
    """Base of every error of this package; its text is one line that says what to do."""


class NotRdf(OntologyError):
    """A file is something else than RDF in a syntax that can be read; ``found`` names what it is."""

    def __init__(self, name: str, found: str, advice: str) -> None:
        super().__init__(f"{name} is {found}: {advice}")
        self.name = name
        self.found = found


class BadSyntax(OntologyError):
    """A file breaks the grammar of its own syntax; ``line`` is None where the parser did not say."""

    def __init__(self, name: str, reason: str, line: int | None) -> None:
        where = f"{name}, line {line}" if line is not None else name
        super().__init__(f"{where}: {reason}")
        self.name = name
        self.line = line


class UnknownRelation(OntologyError):
    """A relation that has neither an IRI nor a label to go by."""


class LoadedOtherwise(OntologyError):
    """The reasoner's reader saw other classes or individuals than were handed to it."""
