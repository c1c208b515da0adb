"""The life of a writer: shut in from the network, it carries out one update and ends.

A kill at any moment leaves the graph as before: kg.home publishes a generation whole or not at all.
"""

import socket
from collections.abc import Sequence
from pathlib import Path
from typing import cast

from kg.disk import is_full
from kg.errors import DiskFull, StoreError, StoreLocked
from kg.home import Home
from ontology import terms
from sparql.errors import Busy, Conflicting, GuardError, NoRoom
from sparql.guard.answering import refuse, said
from sparql.guard.confinement import confine, limit
from sparql.guard.frames import Gone, Reply, Request, error_reply, receive_request, send_reply
from sparql.guard.update_text import with_dataset
from sparql.guard.worker import out_of_memory

DONE = b"W"


def write_once(home: Path, connection: socket.socket, *, memory_bytes: int, nesting: int) -> None:
    """Carry out the update that comes over ``connection``; its answer is the number of the new generation."""
    limit("writer", memory_bytes=memory_bytes)
    confine("writer")
    try:
        request = receive_request(connection)
        try:
            reply = Reply(DONE, True, str(_update(Home(home), request, nesting=nesting)).encode())
        except MemoryError:
            reply = error_reply(out_of_memory(memory_bytes))
        except StoreLocked:  # its own words name a place on the disk, which is nothing to strangers
            reply = error_reply(Busy("the graph is being written to: try again in a few seconds"))
        except DiskFull:
            reply = error_reply(NoRoom("the disk is full: nothing was changed"))
        except StoreError as error:
            reply = error_reply(GuardError(str(error)))
        except GuardError as error:
            reply = error_reply(error)
        send_reply(connection, reply)
    except (Gone, BrokenPipeError):
        return


def _update(home: Home, request: Request, *, nesting: int) -> int:
    text, settings = request.body.decode(), request.settings
    refuse(text, "SERVICE", "LOAD", nesting=nesting)
    text = with_dataset(
        text,
        using=cast(Sequence[str], settings["using_graphs"]),
        using_named=cast(Sequence[str], settings["using_named_graphs"]),
    )
    with home.write() as draft:
        try:
            draft.update(text, base_iri=cast(str | None, settings["base_iri"]), prefixes=terms.PREFIXES)
        except (RuntimeError, OSError) as error:
            if is_full(error):
                raise NoRoom("the disk is full: nothing was changed") from error
            if isinstance(error, OSError):
                raise said(error, text) from error
            # CREATE of a graph that is there, CLEAR or DROP of one that is not
            raise Conflicting(" ".join(str(error).split())) from error
        except (SyntaxError, ValueError) as error:
            raise said(error, text) from error
    return home.current() or 0
