"""Load: files below a folder, read strictly, with the place of every value."""
