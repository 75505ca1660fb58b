#!/usr/bin/env python3
"""Builds the site, or runs one of the other commands: reads arguments, calls the package, sets the exit status."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 -- whoever runs an older Python must be told in words that it understands
    sys.exit("Proofpress needs Python 3.11 or newer; this is " + sys.version.split()[0])

try:
    from proofpress.command import main

    if __name__ == "__main__":
        sys.exit(main(sys.argv[1:]))
except ModuleNotFoundError as error:
    if (error.name or "").partition(".")[0] == "proofpress":
        raise
    print(
        f"'{error.name}' is not installed. This line installs what is needed:\n\n  {sys.executable} -m pip install .\n"
    )
    sys.exit(2)
