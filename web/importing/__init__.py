"""Import by upload: files to disk, a dry run in a process of its own, the report, and only then the graph."""
