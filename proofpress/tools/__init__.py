"""What benchmark tools write about every request, read as campaigns: for the importers, and for the checks that hold rows against it."""
