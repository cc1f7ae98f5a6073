"""Whole conversations as they are given: a dataset is one conversation, a batch one of its interactions."""

from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from eval_worker.agentic.tools.tool_correctness import check_comparable
from eval_worker.agentic.tools.tool_use import check_expected_tool_use, check_tool_use


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be empty")
    return text


Text = Annotated[str, AfterValidator(_not_blank)]
ToolUseDict = Annotated[dict[str, Any], AfterValidator(check_tool_use)]
ExpectedToolUseDict = Annotated[dict[str, Any], AfterValidator(check_expected_tool_use)]


class _Wire(BaseModel):
    """Unknown keys are ignored, so that data made for others can be read; types are taken as they are."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


class Batch(_Wire):
    """One interaction: what was asked, what the agent answered, and what would have been right.

    `agentic` is `{"tools_used": [{tool_name, parameters, result, step}], "final_answer_uses_tools"}`, what the agent
    did; `ground_truth_agentic` is `{"expected_tools": [{tool_name, parameters, step}], "tool_sequence_matters"}`,
    without which its tools are not scored.
    """

    qa_id: Text
    query: Text
    assistant: str
    ground_truth_assistant: Text
    agentic: ToolUseDict | None = None
    ground_truth_agentic: ExpectedToolUseDict | None = None

    @model_validator(mode="after")
    def _tools_can_be_compared(self) -> Self:
        if self.agentic and self.ground_truth_agentic:
            check_comparable(self.agentic, self.ground_truth_agentic)
        return self


class SessionMetadata(_Wire):
    """Which conversation a batch belongs to, and who answered in it."""

    session_id: Text
    assistant_id: Text
    language: str | None = "english"
    context: str | None = None


class Dataset(SessionMetadata):
    """One complete conversation."""

    conversation: Annotated[list[Batch], Field(min_length=1)]

    @property
    def metadata(self) -> SessionMetadata:
        """Who answered in which conversation, without the conversation itself."""
        return SessionMetadata.model_construct(**{name: getattr(self, name) for name in SessionMetadata.model_fields})


class StreamedBatch(_Wire):
    """One interaction that comes by itself; those of one session and assistant make up a conversation."""

    metadata: SessionMetadata
    batch: Batch
