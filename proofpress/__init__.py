"""Proofpress prints a website of LLM inference measurements in which no number is typed on a page."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("proofpress")
except PackageNotFoundError:  # run from a checkout whose dependencies were installed by other means
    __version__ = "0+checkout"
