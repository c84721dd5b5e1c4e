"""Moves through the latent space, compared in pairs; what the surrogates predict."""
