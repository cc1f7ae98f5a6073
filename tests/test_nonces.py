"""The texts around untrusted data."""

import os
import re

from eval_worker.nonces import fresh_nonce


def test_a_nonce_is_sixteen_hexadecimal_digits_and_never_comes_again() -> None:
    drawn = [fresh_nonce() for _ in range(3_000)]

    assert all(re.fullmatch(r"[0-9a-f]{16}", nonce) for nonce in drawn)
    assert len(set(drawn)) == len(drawn)


def test_a_process_that_forks_shares_none_with_its_child() -> None:
    fresh_nonce()
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writer, fresh_nonce().encode())
        os._exit(0)
    os.waitpid(child, 0)

    assert os.read(reader, 16).decode() not in {fresh_nonce() for _ in range(600)}
    os.close(reader)
    os.close(writer)
