"""What a stranger's query, update or document may use."""

import os
from dataclasses import dataclass, fields

_MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """
    Sizes are in bytes and times in seconds. ``memory`` counts on top of the graph, which all workers share; at worst
    the workers use ``(workers + long_running) * (graph + memory)`` together.

    A query that computes longer than ``quick_s`` gets the lowest priority and one of the ``long_running`` places, and
    its worker's place is free for others; where all are taken it ends as Busy. Who finds no worker waits ``wait_s``.
    """

    query_bytes: int = 256 * 1024
    nesting: int = 1_000
    seconds: float = 10.0
    memory_bytes: int = 512 * _MIB
    answer_bytes: int = 64 * _MIB
    upload_bytes: int = 64 * _MIB
    workers: int = max(4, min(8, 2 * (os.cpu_count() or 2)))
    long_running: int = 4
    quick_s: float = 0.05
    wait_s: float = 2.0
    update_bytes: int = 64 * _MIB
    update_seconds: float = 60.0
    update_memory_bytes: int = 2048 * _MIB
    load_seconds: float = 600.0
    """How long a generation may take to load."""
    refresh_s: float = 1.0
    """How long a query waits for a generation that another process has just published before it asks the old one."""

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if value < 0 or (value == 0 and field.name not in ("wait_s", "refresh_s", "quick_s", "long_running")):
                raise ValueError(f"the limit {field.name} must be more than 0, not {value}")
