"""What the prechecks and the offline model know of language: words, sentences, numbers, what a question asks for."""
