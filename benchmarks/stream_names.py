"""The keys and the field that everything here uses: the worker's defaults. Without imports, for programs that start."""

EVENTS = "eval-events"
RESULTS = "eval-results"
DEAD_LETTERS = "eval-dead-letters"
GROUP = "eval-group"
PAYLOAD_FIELD = "payload"
