"""Where other libraries meet this package: transformers, sentence-transformers, peft and evaluate."""
