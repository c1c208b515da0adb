"""The built-in policy: every role of the walk played without an LLM, from the words of the graph and the question."""
