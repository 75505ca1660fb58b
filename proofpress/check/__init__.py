"""Check: everything that a schema cannot say, one rule for each mistake, and the library of what passed."""
