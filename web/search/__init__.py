"""Search by media: what in the graph looks or sounds like a file."""
