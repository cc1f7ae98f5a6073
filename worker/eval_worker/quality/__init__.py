"""How good judging is, measured on answers that people labelled, beside what needs no judge at all."""
