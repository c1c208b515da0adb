"""Grounding: how far what a triplet speaks of is seen or heard in a query's media."""
