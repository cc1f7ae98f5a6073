"""Programs that do next to nothing, next to which ours are measured: what the machine and the libraries allow."""
