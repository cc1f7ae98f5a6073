"""What NetworkPolicies let through, by the rules of their specification; as no cluster is here to ask."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network
from typing import Any, Literal

Policy = Mapping[str, Any]
Labels = Mapping[str, str]
OWN_NAMESPACE = "eval-worker"
PEERS = {"ingress": "from", "egress": "to"}


@dataclass(frozen=True, slots=True)
class Peer:
    """The other end: a pod in a namespace, or an address that is none of a pod."""

    namespace: str = ""
    labels: Labels = field(default_factory=dict)
    address: str = ""


@dataclass(frozen=True, slots=True)
class Confined:
    """The pods of this name, under these policies of their namespace."""

    policies: Sequence[Policy]
    name: str

    def takes(self, peer: Peer, port: str) -> bool:
        return self._lets("ingress", peer, port)

    def reaches(self, peer: Peer, port: int, protocol: str = "TCP") -> bool:
        return self._lets("egress", peer, port, protocol)

    def _lets(
        self, direction: Literal["ingress", "egress"], peer: Peer, port: str | int, protocol: str = "TCP"
    ) -> bool:
        asked = {"port": port, "protocol": protocol}
        return any(
            asked in [{"protocol": "TCP", **allowed} for allowed in rule["ports"]]
            and (PEERS[direction] not in rule or any(_is(peer, each) for each in rule[PEERS[direction]]))
            for rule in self._rules(direction)
        )

    def _rules(self, direction: Literal["ingress", "egress"]) -> Iterator[Any]:
        labels = {"app.kubernetes.io/name": self.name}
        selecting = [policy["spec"] for policy in self.policies if _selects(policy["spec"]["podSelector"], labels)]
        # A direction that no policy is about is open.
        assert any(direction.capitalize() in spec["policyTypes"] for spec in selecting)
        for spec in selecting:
            yield from spec.get(direction, ())


def _is(peer: Peer, described: Mapping[str, Any]) -> bool:
    """A podSelector alone means pods of the policy's own namespace; beside a namespaceSelector both have to fit."""
    if "ipBlock" in described:
        return bool(peer.address) and _is_in(peer.address, described["ipBlock"])
    in_namespace = (
        _selects(described["namespaceSelector"], {"kubernetes.io/metadata.name": peer.namespace})
        if "namespaceSelector" in described
        else peer.namespace == OWN_NAMESPACE
    )
    return not peer.address and in_namespace and _selects(described.get("podSelector", {}), peer.labels)


def _is_in(address: str, block: Mapping[str, Any]) -> bool:
    found = ip_address(address)
    return found in ip_network(block["cidr"]) and not any(found in ip_network(cidr) for cidr in block.get("except", ()))


def _selects(selector: Mapping[str, Any], labels: Labels) -> bool:
    assert selector.keys() <= {"matchLabels"}, f"can't tell yet what {selector} selects"
    return selector.get("matchLabels", {}).items() <= labels.items()
