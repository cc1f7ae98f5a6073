"""What the fakes of all providers have in common: HTTP on 127.0.0.1, rules for what becomes of calls, and counters."""
