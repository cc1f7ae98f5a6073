"""How fast the provider may be called: what was set, what it shows by throttling, and each call's turn."""
