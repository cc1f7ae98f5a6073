"""What is measured and fitted around the project; not installed with it."""
