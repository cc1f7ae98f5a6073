"""`python -m tests.deploy.checks [NAME…]`, or `make check-deploy`."""

from tests.deploy.checks.command import main

main()
