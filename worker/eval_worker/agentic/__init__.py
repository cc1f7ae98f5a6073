"""Whole conversations: which are correct, how reliably, and whether the right tools were called."""
