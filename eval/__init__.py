"""Measurements: question lists read, walked and scored against annotated routes."""
