"""Generated SPARQL: the query files, how terms are bound into them, and what their rows mean."""
