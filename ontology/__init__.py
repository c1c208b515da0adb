"""The vocabulary, the relation catalogue and the shapes: what everything above speaks in."""
