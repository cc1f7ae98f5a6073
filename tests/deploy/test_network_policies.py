"""Who reaches the pods and whom they reach in Kubernetes, whatever answers names there and whichever IP it speaks."""

import pytest
import yaml
from tests.deploy.network_policy import OWN_NAMESPACE, Confined, Peer
from tests.processes import ROOT

POLICIES = tuple(
    yaml.safe_load_all((ROOT / "deploy/kubernetes/base/network-policies.yaml").read_text(encoding="utf-8"))
)
PROMETHEUS = Peer("monitoring", {"app.kubernetes.io/name": "prometheus"})
CLIENT = {"eval-api-client": "true"}
NAME_SERVERS = {
    "CoreDNS": (Peer("kube-system", {"k8s-app": "kube-dns"}), 53),
    "NodeLocal DNSCache": (Peer(address="169.254.20.10"), 53),
    "IPv6": (Peer(address="fd00:10:96::a"), 53),
    "OpenShift": (Peer("openshift-dns", {"dns.operator.openshift.io/daemonset-dns": "default"}), 5353),
}
METADATA_SERVICES = ("169.254.169.254", "169.254.170.23", "fd00:ec2::254", "fd00:ec2::23", "fe80::a9fe:a9fe")

worker, api = Confined(POLICIES, "eval-worker"), Confined(POLICIES, "eval-api")
each = pytest.mark.parametrize("pods", [worker, api], ids=lambda pods: pods.name)


@pytest.mark.parametrize("namespace", [OWN_NAMESPACE, "agents", "ingress-nginx"])
def test_labelled_pods_of_every_namespace_reach_the_api_and_others_do_not(namespace: str):
    assert api.takes(Peer(namespace, CLIENT), "http")
    assert not api.takes(Peer(namespace, {"app": "agent"}), "http")
    assert not worker.takes(Peer(namespace, CLIENT), "metrics")


def test_prometheus_reaches_the_figures_of_both():
    assert api.takes(PROMETHEUS, "http")
    assert worker.takes(PROMETHEUS, "metrics")


@each
@pytest.mark.parametrize(("server", "port"), NAME_SERVERS.values(), ids=NAME_SERVERS)
@pytest.mark.parametrize("protocol", ["UDP", "TCP"])
def test_names_are_answered_wherever_the_cluster_answers_them(pods: Confined, server: Peer, port: int, protocol: str):
    assert pods.reaches(server, port, protocol)


@each
@pytest.mark.parametrize("address", ["3.80.0.1", "2600:1f18::1"])
def test_the_models_provider_is_reached_over_tls_alone(pods: Confined, address: str):
    assert pods.reaches(Peer(address=address), 443)
    assert not pods.reaches(Peer(address=address), 80)


@each
@pytest.mark.parametrize("address", METADATA_SERVICES)
def test_the_nodes_own_credentials_are_not_reached(pods: Confined, address: str):
    assert not any(pods.reaches(Peer(address=address), port) for port in (80, 443))


@each
@pytest.mark.parametrize("redis", [Peer("data", {"app": "redis"}), Peer(address="10.0.0.7")], ids=["inside", "outside"])
def test_redis_is_reached_inside_and_outside_of_the_cluster(pods: Confined, redis: Peer):
    assert pods.reaches(redis, 6379)
