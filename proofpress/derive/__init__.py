"""Derive: verdicts, gaps, claims and captions: what the build makes of the evidence, in words and numbers."""
