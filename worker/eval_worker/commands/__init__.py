"""The subcommands of eval-worker, one a file. Each imports what it runs inside, so that --help stays quick."""
