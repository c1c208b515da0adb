"""Encoders: media of one modality in, vectors out."""
