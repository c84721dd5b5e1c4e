"""The tables of a run database, and what is looked up in them."""

from __future__ import annotations

from ..store import Table

TABLES = {
    "run": Table({"key": "TEXT PRIMARY KEY", "value": "TEXT NOT NULL"}),
    "candidates": Table(
        {
            "id": "INTEGER PRIMARY KEY",
            "round": "INTEGER NOT NULL",
            "role": "TEXT NOT NULL",
            "parent": "INTEGER REFERENCES candidates (id)",
            "other_parent": "INTEGER REFERENCES candidates (id)",
            "program": "TEXT NOT NULL",
            "program_hash": "TEXT",
            "tokens": "INTEGER NOT NULL DEFAULT 0",
            "log_probability": "REAL",
            "before": "BLOB",
            "after": "BLOB",
            "predicted_before": "REAL",
            "predicted_after": "REAL",
            "distance": "REAL",
            "status": "TEXT NOT NULL",
            "objective": "REAL",
            "score": "REAL",
            "objectives": "TEXT",
            "runtime_s": "REAL",
            "isolation": "TEXT",
            "message": "TEXT NOT NULL DEFAULT ''",
            "duplicate_of": "INTEGER REFERENCES candidates (id)",
            "point": "INTEGER NOT NULL DEFAULT 0",
            "predicted_program": "REAL",
            "program_distance": "REAL",
            "operator": "TEXT NOT NULL DEFAULT ''",
            "family": "TEXT NOT NULL DEFAULT ''",
            "changes": "TEXT NOT NULL DEFAULT ''",
            "outcome": "TEXT NOT NULL DEFAULT ''",
            "gain": "REAL",
            "gain_error": "REAL",
            "instances": "INTEGER NOT NULL DEFAULT 0",
            "runs": "INTEGER NOT NULL DEFAULT 0",
            "decisions": "TEXT",
        }
    ),
    # Instance runs of races, in the order in which they were measured.
    "measurements": Table(
        {
            "id": "INTEGER PRIMARY KEY",
            "program": "TEXT NOT NULL",
            "block": "TEXT NOT NULL",
            "status": "TEXT NOT NULL",
            "objectives": "TEXT NOT NULL",
            "runs": "INTEGER NOT NULL",
            "seconds": "REAL NOT NULL",
            "message": "TEXT NOT NULL",
        }
    ),
}

# Columns that databases made before them lack. They are added one by one, so the table has them in this order.
LATER_COLUMNS = (
    *("point", "predicted_program", "program_distance"),
    *("operator", "family", "changes", "outcome", "gain", "gain_error", "instances", "runs"),
    "decisions",
)

# What a search asks for in every round, so that it costs the same however many candidates there are.
INDEXES = {
    "candidates_by_round": "candidates (round)",
    "candidates_by_program": "candidates (program_hash) WHERE duplicate_of IS NULL AND status <> 'screened'",
    "candidates_by_decisions": "candidates (decisions) WHERE decisions IS NOT NULL",
    "candidates_by_score": "candidates (score DESC) WHERE status = 'ok' AND duplicate_of IS NULL",
    "candidates_waiting": "candidates (id) WHERE status = 'pending'",
    "candidates_leading": "candidates (id) WHERE outcome = 'incumbent'",
    "candidates_level": "candidates (id) WHERE outcome = 'same' AND duplicate_of IS NULL",
    "measurements_by_program": "measurements (program)",
}

# Such databases hold one candidate a point.
NUMBER_POINTS = """
UPDATE candidates SET point = (
    SELECT COUNT(*) FROM candidates AS other WHERE other.round = candidates.round AND other.id < candidates.id
)
"""

# What sums over all candidates are made of.
SUMMED = (
    *("round", "point", "role", "status", "outcome", "changes", "parent", "duplicate_of"),
    *("score", "objective", "predicted_after", "runtime_s", "tokens", "runs"),
)
