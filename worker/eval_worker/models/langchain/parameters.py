"""What a chat model's class calls its parameters: fields may be given by their name or by their alias."""

from langchain_core.language_models.chat_models import BaseChatModel

ChatModelClass = type[BaseChatModel]


def field_named(cls: ChatModelClass, *names: str) -> str | None:
    """Return the field that goes by the first of the names that any field goes by."""
    for name in names:
        for field, information in cls.model_fields.items():
            if name in {field, information.alias}:
                return field
    return None


def parameter_names(cls: ChatModelClass) -> frozenset[str]:
    """Return all names under which the class takes a value."""
    aliases = {field.alias for field in cls.model_fields.values() if field.alias}
    return frozenset(cls.model_fields) | aliases
