"""The ports that tests give to servers which are started later."""

from tests.servers.ports import free_port


def test_a_port_is_not_given_twice_before_anybody_listens_on_it():
    ports = [free_port() for _ in range(100)]

    assert len(set(ports)) == len(ports)
