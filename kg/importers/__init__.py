"""The importers, each for one kind of source, in the order in which they are asked whether they recognise it."""

from kg.importer import Importer
from kg.importers.subgraphs import SubgraphFolder
from kg.importers.triples import TripleFolder, TripleTable
from kg.importers.workbook import WorkbookFolder

IMPORTERS: tuple[Importer, ...] = (SubgraphFolder(), WorkbookFolder(), TripleFolder(), TripleTable())
