"""Puts the parts together: the only place that knows them all. Who does not talk to Redis need not load it."""
