"""Kernel: rows and records in numbers: one formula for each metric, one comparison for each output, one plan for each campaign."""
