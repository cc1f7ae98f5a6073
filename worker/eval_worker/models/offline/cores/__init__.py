"""The answer without what was slipped in to please: orders, praise, filler, repetition."""
