"""Charts: a figure as a record, and its two drawings."""
