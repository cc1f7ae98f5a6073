"""What is deployed, each kind of file checked by its own tool: `make check-deploy` runs this package."""
