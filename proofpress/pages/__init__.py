"""Pages: an edition as the files of a site, for people and for machines."""
