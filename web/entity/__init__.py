"""The page and the data of every IRI, its media files, and the graph around it."""
