"""Evaluation on the nodes of a Ray cluster: the same results as on this machine, from sandboxes on other ones.

Importing this package does not import Ray. `connection` finds the cluster, `order` says what a node is sent and checks
that it can serve it, `actor` and `node` run there, `pool` is the driver's side.
"""

from .connection import checked_cluster_workers, connect
from .pool import ClusterPool

__all__ = ["ClusterPool", "checked_cluster_workers", "connect"]
