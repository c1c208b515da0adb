"""The folders and workbooks of the published MH-MMKG layout, as rows by role; no graph is made here.

``mmkg/<Topic>/Node.xlsx`` has the columns name, image file or folder, video, action description, additional
information; ``Relations.xlsx`` (or ``Relation.xlsx``) has head, relation, information, condition, tail. Columns go by
position, the first row is a header, and media stand under ``Knowledge_Images/`` and ``Knowledge_Videos/`` in the
topic's folder. A data set is the folder ``mmkg``, the folder that holds it, or one topic's folder.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from kg.errors import ImportFailed
from kg.importers.cells import Row, column_name, read_sheet
from kg.iri import clean
from kg.report import ImportReport

NODE_COLUMNS = ("name", "image", "video", "action description", "additional information")
RELATION_COLUMNS = ("head", "relation", "information", "condition", "tail")
IMAGES = "Knowledge_Images"
VIDEOS = "Knowledge_Videos"

_NODES = ("node.xlsx", "nodes.xlsx")
_RELATIONS = ("relations.xlsx", "relation.xlsx")


@dataclass(frozen=True, slots=True)
class TopicFolder:
    """One topic's folder; ``nodes`` or ``relations`` is None where the workbook is not there."""

    name: str
    path: Path
    nodes: Path | None
    relations: Path | None

    @property
    def workbooks(self) -> list[Path]:
        return [path for path in (self.nodes, self.relations) if path is not None]


@dataclass(frozen=True, slots=True)
class NodeRow:
    """One row of Node.xlsx; texts are "" where the cell is empty."""

    number: int
    name: str
    image: str
    video: str
    description: str
    information: str

    @classmethod
    def of(cls, row: Row) -> "NodeRow":
        return cls(row.number, *row.cells)


@dataclass(frozen=True, slots=True)
class RelationRow:
    """One row of Relations.xlsx; texts are "" where the cell is empty."""

    number: int
    head: str
    relation: str
    information: str
    condition: str
    tail: str

    @classmethod
    def of(cls, row: Row) -> "RelationRow":
        return cls(row.number, *row.cells)


def topic_folders(path: Path) -> list[TopicFolder]:
    """The topics of a data set, by name; empty where ``path`` is none. Folders without workbooks are passed over."""
    if not path.is_dir():
        return []
    own = _topic_folder(path)
    if own is not None:
        return [own]
    inside = path / "mmkg"
    folders = sorted((inside if inside.is_dir() else path).iterdir(), key=lambda folder: folder.name)
    return [topic for folder in folders if (topic := _topic_folder(folder)) is not None]


@dataclass(frozen=True, slots=True)
class SubGraph:
    """What stands in one topic's workbooks; ``topic`` is the topic's slug."""

    topic: str
    folder: TopicFolder
    nodes: tuple[NodeRow, ...]
    relations: tuple[RelationRow, ...]
    node_sheet: str
    relation_sheet: str

    @property
    def node_file(self) -> str:
        """The name of Node.xlsx in messages."""
        return _file_name(self.folder, self.folder.nodes)

    @property
    def relation_file(self) -> str:
        """The name of Relations.xlsx in messages."""
        return _file_name(self.folder, self.folder.relations)


def read_sub_graph(
    topic: str, folder: TopicFolder, *, root: Path, report: ImportReport, is_relation: Callable[[str], bool]
) -> SubGraph:
    """The rows of a topic's workbooks without their headers; what cannot be read is rejected in ``report``.

    A first row is no header where it holds data: a relation that ``is_relation`` knows, a name that an edge uses.
    """
    relation_sheet, relation_rows = _sheet(folder, folder.relations, RELATION_COLUMNS, root=root, report=report)
    node_sheet, node_rows = _sheet(folder, folder.nodes, NODE_COLUMNS, root=root, report=report)
    relations = [RelationRow.of(row) for row in relation_rows]
    if relations and relations[0].number == 1 and not is_relation(relations[0].relation):
        del relations[0]
    known = {folder.name, *(end for row in relations for end in (row.head, row.tail))}
    nodes = [NodeRow.of(row) for row in node_rows]
    if nodes and nodes[0].number == 1 and clean(nodes[0].name).casefold() not in {clean(n).casefold() for n in known}:
        del nodes[0]
    report.rows_read += len(nodes) + len(relations)
    return SubGraph(topic, folder, tuple(nodes), tuple(relations), node_sheet, relation_sheet)


def media_places(folder: TopicFolder, root: Path, kind: str) -> Iterator[Path]:
    """Where a media cell may point from: the topic's own media folder, or one beside the topics' folders."""
    yield folder.path / kind
    yield folder.path
    for base in (folder.path.parent, folder.path.parent.parent):
        if base.is_relative_to(root):
            yield base / kind / folder.name
            yield base / kind


def _topic_folder(path: Path) -> TopicFolder | None:
    if path.name.startswith((".", "~")) or not path.is_dir():
        return None
    # Lock files of spreadsheet programs are called ~$Node.xlsx, and so have other names.
    files = {file.name.casefold(): file for file in sorted(path.iterdir(), reverse=True) if file.is_file()}
    nodes = next((files[name] for name in _NODES if name in files), None)
    relations = next((files[name] for name in _RELATIONS if name in files), None)
    if nodes is None and relations is None:
        return None
    return TopicFolder(path.name, path, nodes, relations)


def _sheet(
    folder: TopicFolder, path: Path | None, columns: Sequence[str], *, root: Path, report: ImportReport
) -> tuple[str, list[Row]]:
    """The name of a workbook's sheet, and its rows that hold no spreadsheet error."""
    file = _file_name(folder, path)
    if path is None:
        report.reject(file, f"the workbook with the columns {', '.join(columns)} is missing")
        return "", []
    if not path.resolve().is_relative_to(root):
        report.reject(file, "a link that leads out of the folder of the source")
        return "", []
    try:
        sheet = read_sheet(path, len(columns))
    except ImportFailed as error:
        report.reject(file, str(error))
        return "", []
    if sheet.others:
        report.note(f"{file}: only the first sheet was read, not {', '.join(sheet.others)}")
    for row in sheet.rows:
        for index in row.errors:
            column, reason = column_name(index, columns[index]), f"the cell shows the error {row.cells[index]}"
            report.reject(file, reason, sheet=sheet.name, row=row.number, column=column)
    return sheet.name, [row for row in sheet.rows if not row.errors]


def _file_name(folder: TopicFolder, path: Path | None) -> str:
    return f"{folder.name}/{path.name}" if path is not None else folder.name
