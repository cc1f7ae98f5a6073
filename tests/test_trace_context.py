"""What counts as a trace's context, in a header or in a field of an entry."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.trace import get_current_span
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from eval_worker.trace_context import TraceContext, read_trace_context

TRACEPARENT = b"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


def test_a_context_goes_on_as_it_came():
    context = read_trace_context([TRACEPARENT], [b"vendor=1,other=2"])
    assert context is not None
    assert context.stream_fields == ("traceparent", TRACEPARENT.decode(), "tracestate", "vendor=1,other=2")


def test_a_state_in_several_headers_is_one():
    context = read_trace_context([TRACEPARENT], [b"vendor=1", b"other=2"])
    assert context is not None
    assert context.tracestate == "vendor=1,other=2"


@pytest.mark.parametrize(
    "traceparent",
    [
        TRACEPARENT,
        TRACEPARENT[:-2] + b"00",
        b"cc" + TRACEPARENT[2:],
        b"cc" + TRACEPARENT[2:] + b"-what-a-later-version-adds",
    ],
)
def test_contexts_of_this_and_later_versions_are_read(traceparent: bytes):
    context = read_trace_context([traceparent], [])
    assert context is not None
    assert understood(context)


_DIGITS = st.text("0123456789abcdefAF ", min_size=0, max_size=34)
_LIKE_ONE = st.tuples(st.sampled_from(["00", "01", "ff", "zz"]), _DIGITS, _DIGITS, _DIGITS).map("-".join)


@given(
    st.lists(st.one_of(st.binary(max_size=80), _LIKE_ONE.map(str.encode), st.just(TRACEPARENT)), max_size=2),
    st.lists(st.binary(max_size=40), max_size=2),
)
def test_whatever_comes_in_is_left_out_or_understood_by_opentelemetry(parents: list[bytes], states: list[bytes]):
    context = read_trace_context(parents, states)
    assert context is None or understood(context)


def understood(context: TraceContext) -> bool:
    carrier = {"traceparent": context.traceparent, "tracestate": context.tracestate}
    return get_current_span(TraceContextTextMapPropagator().extract(carrier)).get_span_context().is_valid


@pytest.mark.parametrize(
    "traceparent",
    [
        b"",
        b"00",
        b"00-nonsense",
        TRACEPARENT.upper(),
        TRACEPARENT + b"-more",
        TRACEPARENT + b"\n",
        b" " + TRACEPARENT,
        b"ff" + TRACEPARENT[2:],
        b"00-" + b"0" * 32 + TRACEPARENT[35:],
        TRACEPARENT[:36] + b"0" * 16 + b"-01",
        b"\xff\x00" + TRACEPARENT[2:],
        "00-４bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01".encode(),
        b"cc" + TRACEPARENT[2:] + b"-" + b"x" * 300,
    ],
)
def test_what_is_malformed_counts_as_not_there(traceparent: bytes):
    assert read_trace_context([traceparent], []) is None


def test_two_contexts_are_none():
    assert read_trace_context([TRACEPARENT, TRACEPARENT], []) is None
    assert read_trace_context([], [b"vendor=1"]) is None


@pytest.mark.parametrize("state", [b"a=" + b"x" * 600, b"\xff", b"a=1\r\nb=2"])
def test_a_state_that_is_too_long_or_no_text_is_left_out(state: bytes):
    context = read_trace_context([TRACEPARENT], [state])
    assert context is not None
    assert context.stream_fields == ("traceparent", TRACEPARENT.decode())
