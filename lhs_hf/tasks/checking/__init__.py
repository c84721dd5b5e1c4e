"""The stages of `lhs-hf check-task`, run in a process of their own (see `lhs_hf.tasks.check`)."""
