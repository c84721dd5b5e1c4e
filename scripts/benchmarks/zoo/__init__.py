"""Decoders that are trained on tasks of the zoo, and what they write of tasks that they have not seen."""
