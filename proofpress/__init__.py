"""Proofpress prints a website of LLM inference measurements in which no number is typed on a page."""

__version__ = "0.1.0"
