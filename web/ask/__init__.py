"""Asking: the form, the walk as it happens, the runs and their pages."""
