"""Spans, by OpenTelemetry: loaded only where TRACING is on."""
