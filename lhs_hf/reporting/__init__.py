"""Reports of finished runs and of models, and the tables that they, the cards and the README share."""
