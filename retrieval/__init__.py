"""Similarity between a question and what the graph says: encoders and word statistics."""
