"""Ray clusters of several nodes on one machine: what evaluation on one costs, and what of it survives."""
