"""pass@k and pass^k: estimators, intervals, and means across tasks. n trials, c of them successes, k attempts."""
