"""What is loaded when: the core stays pure, commands start quickly."""

import subprocess
import sys

import pytest

OUTSIDE = {"redis", "boto3", "botocore", "http.client", "prometheus_client", "structlog", "eval_worker.settings"}
HEAVY = {"redis", "boto3", "pydantic", "prometheus_client", "structlog", "rich", "yaml", "tenacity"} | {
    "fastapi", "uvicorn", "mcp", "starlette", "scipy", "numpy", "matplotlib", "jinja2", "pyarrow", "langchain_core",
}  # fmt: skip

BUILT = """eval_worker
from eval_worker.settings import load_settings
from eval_worker.models.offline import OfflineModel
from eval_worker.wiring.judging import read_judges
from eval_worker.wiring.worker import build_worker
settings = load_settings(judge_model="offline")
build_worker(settings, read_judges(settings), OfflineModel())
"""


def loaded_by(module: str) -> set[str]:
    program = f"import sys, {module}\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "module",
    [
        "eval_worker.evaluation.pipeline",
        "eval_worker.evaluation.judges.definition",
        "eval_worker.event",
        "eval_worker.agentic.pipeline",
        "eval_worker.conversation_event",
        "eval_worker.dashboard.figures",
    ],
)
def test_the_evaluation_core_loads_nothing_that_reaches_outside(module: str):
    assert loaded_by(module) & OUTSIDE == set()


@pytest.mark.parametrize("module", ["eval_worker.cli", "eval_producer.cli"])
def test_a_command_line_loads_nothing_heavy_before_it_knows_what_to_do(module: str):
    assert loaded_by(module) & HEAVY == set()


def test_the_offline_model_needs_no_cloud_library():
    assert loaded_by("eval_worker.models.offline") & {"boto3", "botocore", "redis"} == set()


def test_who_judges_without_a_redis_loads_none():
    assert loaded_by("eval_worker.wiring.judging") & {"redis", "prometheus_client", "boto3", "fastapi"} == set()


def test_the_library_of_conversations_loads_nothing_heavy_until_it_is_used():
    assert loaded_by("eval_worker.agentic") & HEAVY == set()


def test_the_library_loads_no_provider_before_one_is_named():
    done = loaded_by("eval_worker.doors.library")
    assert done & {"boto3", "botocore", "redis", "langchain_core", "numpy", "scipy"} == set()


def test_no_span_can_be_made_or_sent_unless_tracing_is_on():
    doors = "eval_worker.models.bedrock.model, eval_producer.delivery, eval_worker.doors.http_api.server"
    loaded = loaded_by(f"eval_worker.daemon, {doors}, {BUILT}")
    assert "eval_worker.wiring.tracing" in loaded
    spans = ("eval_worker.telemetry.tracing", "opentelemetry.sdk.trace", "opentelemetry.exporter")  # redis loads others
    assert not [module for module in loaded if module.startswith(spans)]
