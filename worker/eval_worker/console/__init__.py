"""What people see: tables and lines on a terminal, JSON lines in a pipe, one plain line for an error."""
