"""What the context bears out, and what it contradicts."""
