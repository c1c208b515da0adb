"""The documentation of the vocabulary: its pages, made by pyLODE, and its data in the formats that tools read."""
