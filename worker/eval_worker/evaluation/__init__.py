"""How an answer is judged. Pure: no Redis, HTTP, AWS or environment in here; clocks and models are passed in."""
