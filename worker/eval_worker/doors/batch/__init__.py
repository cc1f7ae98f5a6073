"""The batch door: a file of events in, a file of results out, each line with its place in one of two files."""
