"""The small graph with pictures and sounds that comes with Scoutfly: see kg.bundled, and CREDITS.md for its media."""
