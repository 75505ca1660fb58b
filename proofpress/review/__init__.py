"""Review: what contributors and reviewers run: explain, diff and new."""
