"""The first page, search, the entities by class and facet, the relations and their conditions."""
