"""Pure: what the live page and `top` show, made of results. No Redis, HTTP, clock or environment."""
