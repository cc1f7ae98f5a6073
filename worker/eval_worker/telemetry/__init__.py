"""What the worker tells about itself: logs, metrics, health."""
