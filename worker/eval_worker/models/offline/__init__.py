"""The offline model: deterministic, without a network, named as such in every result."""

from eval_worker.models.offline.model import OfflineModel

__all__ = ["OfflineModel"]
