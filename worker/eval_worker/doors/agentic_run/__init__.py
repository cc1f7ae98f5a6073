"""A run: conversations and a connector in one request, the figures in its reply. Lambda and `POST /run` share it."""
