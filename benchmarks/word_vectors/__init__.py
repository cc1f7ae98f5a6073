"""Makes the offline model's word vectors from published ones."""
