"""The scripts around the Lambda function, against programs that record what they are called with."""

import json
import re
from pathlib import Path

import pytest
from tests.deploy.recorded_programs import RecordedPrograms

TARGET = ("agentic", "us-east-1")
REGISTRY = "000000000000.dkr.ecr.us-east-1.amazonaws.com"
KEY = 'sk-"quoted"\\and=more'
URL = "https://abc.lambda-url.us-east-1.on.aws/"


@pytest.fixture
def programs(tmp_path: Path) -> RecordedPrograms:
    recorded = RecordedPrograms(tmp_path)
    recorded.answers = {
        "aws sts get-caller-identity": ("000000000000", 0),
        "aws ecr describe-repositories": ("", 254),
        "aws cloudformation describe-stacks --stack-name eval-worker-agentic --query Stacks[0].StackStatus": ("", 254),
        "aws cloudformation describe-stacks --stack-name eval-worker-agentic --query Stacks[0].Outputs": (URL, 0),
        "aws ecr get-login-password": ("a-password", 0),
    }
    return recorded


def exists(programs: RecordedPrograms, status: str = "UPDATE_COMPLETE") -> None:
    programs.answers["aws ecr describe-repositories"] = ("", 0)
    query = "aws cloudformation describe-stacks --stack-name eval-worker-agentic --query Stacks[0].StackStatus"
    programs.answers[query] = (status, 0)


def overrides(programs: RecordedPrograms) -> dict[str, str]:
    (deployed,) = programs.calls("aws cloudformation deploy")
    return dict(pair.split("=", 1) for pair in json.loads(deployed.files[0]))


def test_deploy_builds_pushes_and_deploys_and_prints_the_address_alone(programs: RecordedPrograms):
    done = programs.run("deploy.sh", *TARGET)

    assert (done.returncode, done.stdout) == (0, f"{URL}run\n"), done.stderr
    assert 'aws logs tail "/aws/lambda/eval-worker-agentic" --follow --region us-east-1' in done.stderr
    (built,), (pushed,) = programs.calls("docker build"), programs.calls("docker push")
    image = pushed.arguments[-1]
    assert re.fullmatch(re.escape(REGISTRY) + r"/eval-worker-agentic:\d{14}", image)
    assert f"--tag {image}" in built.line
    assert Path(built.arguments[built.arguments.index("--file") + 1]).is_file()
    assert (Path(built.arguments[-1]) / "pyproject.toml").is_file()
    assert [call.arguments[:2] for call in programs.calls("aws ecr create-repository")] == [
        ["ecr", "create-repository"]
    ]
    assert overrides(programs) == {"FunctionName": "eval-worker-agentic", "ImageUri": image}


def test_what_is_there_already_is_not_made_again(programs: RecordedPrograms):
    exists(programs)

    assert programs.run("deploy.sh", *TARGET).returncode == 0
    assert programs.calls("aws ecr create-repository") == []
    assert programs.calls("aws cloudformation delete-stack") == []


def test_a_first_attempt_that_failed_is_cleared_away(programs: RecordedPrograms):
    exists(programs, "ROLLBACK_COMPLETE")

    assert programs.run("deploy.sh", *TARGET).returncode == 0
    lines = [call.line for call in programs.calls("aws cloudformation")]
    assert "delete-stack" in lines[1]
    assert "wait stack-delete-complete" in lines[2]


def test_with_a_key_of_ours_callers_must_sign_and_the_key_stands_in_no_command_line(programs: RecordedPrograms):
    done = programs.run("deploy.sh", *TARGET, LLM_API_KEY=KEY)

    assert (overrides(programs)["LlmApiKey"], overrides(programs)["Auth"]) == (KEY, "AWS_IAM")
    assert all(KEY not in call.line for call in programs.calls())
    assert KEY not in done.stdout + done.stderr
    (deployed,) = programs.calls("aws cloudformation deploy")
    assert not Path(deployed.arguments[-1].removeprefix("file://")).exists()


def test_what_the_environment_sets_reaches_the_stack_and_the_image(programs: RecordedPrograms):
    set_here = {"BEDROCK_ACCESS": "true", "ARCHITECTURE": "arm64", "PROVIDERS": "langchain-groq langchain-openai"}

    programs.run("deploy.sh", *TARGET, **set_here)

    assert (overrides(programs)["BedrockAccess"], overrides(programs)["Architecture"]) == ("true", "arm64")
    assert overrides(programs)["Auth"] == "AWS_IAM"
    (built,) = programs.calls("docker build")
    assert "linux/arm64" in built.arguments
    assert "PROVIDERS=langchain-groq langchain-openai" in built.arguments


def test_update_wants_a_stack(programs: RecordedPrograms):
    missing = programs.run("update.sh", *TARGET)
    assert (missing.returncode, programs.calls("docker")) == (1, [])
    assert missing.stderr == "update.sh: there is no stack eval-worker-agentic in us-east-1: run deploy.sh first\n"

    exists(programs)
    assert programs.run("update.sh", *TARGET).returncode == 0
    assert list(overrides(programs)) == ["FunctionName", "ImageUri"]


def test_cleanup_removes_the_stack_and_the_images_once_it_is_told_to(programs: RecordedPrograms):
    exists(programs)

    refused = programs.run("cleanup.sh", *TARGET, says="n\n")
    assert (refused.returncode, programs.calls("aws cloudformation delete")) == (1, [])

    assert programs.run("cleanup.sh", *TARGET, says="y\n").returncode == 0
    assert programs.run("cleanup.sh", "--yes", *TARGET).returncode == 0
    assert len(programs.calls("aws cloudformation delete-stack --stack-name eval-worker-agentic")) == 2
    assert len(programs.calls("aws ecr delete-repository --repository-name eval-worker-agentic --force")) == 2


def test_cleanup_of_what_is_gone_is_no_error(programs: RecordedPrograms):
    done = programs.run("cleanup.sh", *TARGET, "--yes")

    assert (done.returncode, done.stderr) == (0, "eval-worker-agentic is gone from us-east-1\n")
    assert programs.calls("aws cloudformation delete-stack") == []


@pytest.mark.parametrize("script", ["deploy.sh", "update.sh", "cleanup.sh"])
@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ((), "give a name and a region"),
        (("agentic",), "give a name and a region"),
        (("Agentic; rm", "us-east-1"), "the name must be"),
        (("agentic", "moon"), "the region must be one such as us-east-1, not moon"),
    ],
)
def test_wrong_arguments_end_with_2_before_anything_is_called(
    programs: RecordedPrograms, script: str, arguments: tuple[str, ...], problem: str
):
    done = programs.run(script, *arguments)

    assert (done.returncode, programs.calls()) == (2, [])
    assert done.stderr.startswith(f"{script}: {problem}")


def test_a_program_that_is_missing_is_named(programs: RecordedPrograms):
    programs.missing = ("docker",)
    assert (
        programs.run("deploy.sh", *TARGET).stderr
        == "deploy.sh: docker is needed, to build the image: install it first\n"
    )


def test_without_credentials_it_says_so(programs: RecordedPrograms):
    programs.answers["aws sts get-caller-identity"] = ("", 253)

    done = programs.run("update.sh", *TARGET)

    assert done.returncode == 1
    assert "AWS does not know who you are" in done.stderr


def test_a_build_that_fails_deploys_nothing(programs: RecordedPrograms):
    programs.answers["docker build"] = ("", 17)

    done = programs.run("deploy.sh", *TARGET)

    assert (done.returncode, programs.calls("aws cloudformation deploy")) == (17, [])
