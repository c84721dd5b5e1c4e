"""Many searches together: what of their programs is new, and what a surrogate for a new task costs."""
