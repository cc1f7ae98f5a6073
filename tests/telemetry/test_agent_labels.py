"""Whoever sends events chooses the names of agents: they must not fill the memory, nor break the exposition."""

from prometheus_client import generate_latest

from eval_worker.evaluation.judges.model import Usage
from eval_worker.event import Agent
from eval_worker.telemetry.agent_labels import LONGEST_NAME, MOST_AGENTS, OTHER, AgentLabels
from eval_worker.telemetry.metrics import JudgingMetrics


def test_agents_beyond_a_number_share_a_label():
    labels = AgentLabels()
    first = [labels.label(f"agent-{number}") for number in range(MOST_AGENTS)]
    assert len(set(first)) == MOST_AGENTS
    assert {labels.label(f"agent-{number}") for number in range(MOST_AGENTS, 10_000)} == {OTHER}
    assert labels.label("agent-0") == "agent-0"


def test_a_long_name_is_cut():
    assert len(AgentLabels().label("x" * 1_000_000)) == LONGEST_NAME


def test_no_name_is_no_label():
    assert AgentLabels().label(None) == AgentLabels().label("") == ""


def test_any_name_can_be_shown():
    metrics = JudgingMetrics()
    for name in ("half \ud83d", 'quote " and\nnew line', None):
        metrics.observe_cost(name and Agent.model_construct(name=name), Usage(1, 10, 1, costs={"m": 0.5}))
    shown = generate_latest(metrics.registry).decode()
    assert 'eval_cost_usd_total{agent="",model="m"} 0.5' in shown
    assert shown.count("eval_cost_usd_total{") == 3


def test_a_cost_that_is_not_known_is_not_counted_as_nothing():
    metrics = JudgingMetrics()
    metrics.observe_cost(Agent(name="a"), Usage(1, 10, 1, costs={"m": None}))
    assert "eval_cost_usd_total{" not in generate_latest(metrics.registry).decode()
