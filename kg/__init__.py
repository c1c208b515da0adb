"""The graph: its store, what is imported into it and exported from it."""
