"""Opening what others made: models, runs, adapters, corpora. Sizes bounded, types checked, nothing executed."""
