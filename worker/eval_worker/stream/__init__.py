"""The event stream: how entries are read, leased, settled, reclaimed and looked at."""
