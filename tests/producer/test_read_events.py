import io

import pytest

from eval_producer.read_events import CHUNK_BYTES, read_events


def lines_of(content: bytes) -> list[tuple[int, bytes]]:
    return [(line.number, line.payload) for batch in read_events(io.BytesIO(content)) for line in batch.lines]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", []),
        (b"\n \n\r\n", []),
        (b"a", [(1, b"a")]),
        (b"a\n", [(1, b"a")]),
        (b"a\r\n\nb", [(1, b"a"), (3, b"b")]),
        (b"\xef\xbb\xbfa\n\xef\xbb\xbfb", [(1, b"a"), (2, b"\xef\xbb\xbfb")]),
        (b" a \n", [(1, b" a ")]),
    ],
)
def test_each_line_that_is_not_blank_is_an_event_with_its_number(content: bytes, expected: list[tuple[int, bytes]]):
    assert lines_of(content) == expected


@pytest.mark.parametrize("length", [CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 3 * CHUNK_BYTES])
def test_lines_are_whole_wherever_a_read_ends(length: int):
    content = b"x" * length + b"\n" + b"y\n" + b"z" * length
    assert lines_of(content) == [(1, b"x" * length), (2, b"y"), (3, b"z" * length)]


def test_every_byte_that_is_read_is_counted_for_the_progress():
    content = b"abc\n" * 100_000
    assert sum(batch.read_bytes for batch in read_events(io.BytesIO(content))) == len(content)
