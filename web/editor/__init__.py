"""The SPARQL editor: a page that works without JavaScript, and what its completion knows of the graph."""
