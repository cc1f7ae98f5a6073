"""The HTTP API: `eval-worker api`."""
