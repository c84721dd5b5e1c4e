"""Pictures of solutions and of searches. Matplotlib is imported when a picture is asked for."""

from .ascent import ascent_alt_text, plot_ascent
from .convergence import convergence_alt_text, convergence_figure, plot_convergence, save
from .latent import Plane, fit_plane, latent_path_alt_text, plot_latent_path
from .maps import plot_score_maps, plot_task_maps
from .profile import plot_incumbents, plot_profile
from .solutions import alt_text, checked_solution, has_picture, plot_comparison, plot_solution
from .theme import THEMES, Look, Theme, get_theme

__all__ = [
    "THEMES",
    "Look",
    "Plane",
    "Theme",
    "alt_text",
    "ascent_alt_text",
    "checked_solution",
    "convergence_alt_text",
    "convergence_figure",
    "fit_plane",
    "get_theme",
    "has_picture",
    "latent_path_alt_text",
    "plot_ascent",
    "plot_comparison",
    "plot_convergence",
    "plot_incumbents",
    "plot_latent_path",
    "plot_profile",
    "plot_score_maps",
    "plot_solution",
    "plot_task_maps",
    "save",
]
