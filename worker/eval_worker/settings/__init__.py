"""Every setting, read once from the environment and `.env`; flags override. docs/configuration.md is made of it."""

from eval_worker.settings.load import load_settings
from eval_worker.settings.model import DEFAULT_MODEL_ID, LANGCHAIN_PREFIX
from eval_worker.settings.settings import Settings

__all__ = ["DEFAULT_MODEL_ID", "LANGCHAIN_PREFIX", "Settings", "load_settings"]
