"""The graph for programs: the SPARQL 1.1 protocol, the graph store protocol, and what describes them."""
