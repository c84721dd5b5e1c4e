"""Latent Heuristic Search for the Hugging Face ecosystem."""

__version__ = "0.1.0"
