"""Fits the offline judges' weights to labelled answers. Run by `make calibrate DATA=…`; no part of the package."""
