"""The doors: each decodes, calls the core and encodes, and does nothing else."""
