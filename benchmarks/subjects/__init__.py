"""Programs of ours that a user would not start as they are."""
