"""Records: what a contributor writes, as closed and frozen records, and the words that they choose from."""
