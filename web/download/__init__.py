"""The download page: the graph, a source or a class as a file, with its description, licence and citation."""
