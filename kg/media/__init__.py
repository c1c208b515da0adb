"""Media items of the graph: their files read within bounds, described as RDF, kept, and shown small."""
