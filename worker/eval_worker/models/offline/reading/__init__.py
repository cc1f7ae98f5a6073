"""Texts as the offline judges read them: sentences, stems, clauses, numbers, requests."""
