"""What the cards are put together from: measured files, tables, `EvalResult`s and templates."""
