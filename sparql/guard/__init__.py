"""Guarded execution: SPARQL and RDF documents of strangers, in processes that can be killed and reach no network."""
