"""Tool correctness: the calls that an agent made against those that were expected of it. Nobody is asked."""
