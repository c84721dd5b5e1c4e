"""The search that mixes proposals: edits of good programs beside points of the latent space, chosen in races."""

from .loop import PortfolioSearch

__all__ = ["PortfolioSearch"]
