"""The five judges of an answer: for each its rules, its features and what they are found by."""
