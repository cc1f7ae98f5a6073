"""Makes a chat model from the path of its class, for whoever may name any: settings, flags, a program.

A request's class path goes through `class_paths` first.
"""

import importlib
from collections.abc import Mapping
from difflib import get_close_matches
from functools import partial
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from eval_worker.errors import MissingExtraError, SettingsError
from eval_worker.models.provider_failures import one_line
from eval_worker.redaction import secret_values, without_secrets

if TYPE_CHECKING:
    from types import ModuleType

try:
    from langchain_core.language_models.chat_models import BaseChatModel
    from langchain_core.load.serializable import Serializable
except ModuleNotFoundError as error:
    if (error.name or "").partition(".")[0] != "langchain_core":
        raise
    raise MissingExtraError("langchain", "a chat model of LangChain") from error

from eval_worker.models.langchain.own_copy import RETRIES
from eval_worker.models.langchain.parameters import ChatModelClass, field_named, parameter_names

_VALIDATES = "validate_model_on_init"  # by which ChatOllama asks its server for the model
_EXAMPLE = "langchain_openai.chat_models.ChatOpenAI"


def open_chat_model(class_path: str, params: Mapping[str, Any]) -> BaseChatModel:
    """Import the class and make it with these parameters, its own retries off. No call is made.

    Args:
        class_path: module and class, such as `langchain_openai.chat_models.ChatOpenAI`.
        params: what the constructor takes, by name.

    Raises:
        MissingExtraError: langchain-core is not installed.
        SettingsError: there is no such class, it is no chat model, or it refuses a parameter; in words that show no
            parameter's value.
    """
    cls = load_chat_model_class(class_path)
    _check_names(cls, params)
    try:
        return cls(**_without_own_calls(cls, params))
    except Exception as error:  # noqa: BLE001, constructors look for keys, files and packages, and raise what they like
        raise _refused(cls, params, error) from None  # whose message may hold every value


def load_chat_model_class(class_path: str) -> ChatModelClass:
    """Import the class.

    Raises:
        SettingsError: there is none by that path, or it is no chat model.
    """
    module_name, dot, name = class_path.rpartition(".")
    if not dot or not all(part.isidentifier() for part in class_path.split(".")):
        raise SettingsError(f"langchain:{class_path} must name module and class, such as langchain:{_EXAMPLE}")
    cls: object = getattr(_import(class_path, module_name), name, None)
    if not (isinstance(cls, type) and issubclass(cls, BaseChatModel)):
        raise SettingsError(
            f"langchain:{class_path} is not a chat model of LangChain (no subclass of BaseChatModel): "
            f"name one such as langchain:{_EXAMPLE}"
        )
    return cls


def _import(class_path: str, module_name: str) -> "ModuleType":
    try:
        return importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        missing = error.name or ""
        package = missing.partition(".")[0]
        # Only of these is the package's name known; another may be anybody's.
        remedy = f": pip install {package.replace('_', '-')}" if package.startswith("langchain") else ""
        if missing == package:
            raise SettingsError(
                f"langchain:{class_path} needs the package {package}, which is not installed{remedy}"
            ) from error
        raise SettingsError(f"langchain:{class_path} can't be imported: there is no module {missing}") from error
    except Exception as error:
        raise SettingsError(
            f"langchain:{class_path} can't be imported: {one_line(f'{type(error).__name__}: {error}')}"
        ) from error


def _check_names(cls: ChatModelClass, params: Mapping[str, Any]) -> None:
    """Refuse what is no parameter: some classes would send it along with every call, others leave it out."""
    takes_any = cls.model_config.get("extra") == "allow" or cls.__init__ is not Serializable.__init__
    known = parameter_names(cls)
    for name in params if not takes_any else ():
        if name not in known:
            close = get_close_matches(name, known, n=1)
            hint = f": did you mean {close[0]}?" if close else ""
            raise SettingsError(f"{cls.__name__} has no parameter {name[:100]!r}{hint}")


def _without_own_calls(cls: ChatModelClass, params: Mapping[str, Any]) -> dict[str, Any]:
    """Let the class neither call again by itself nor, while it is made, at all: that has no deadline of ours."""
    given = dict(params)
    for name, value in ((RETRIES, 0), (_VALIDATES, False)):
        field = field_named(cls, name)
        if field is not None:
            given = _with_parameter(cls, given, field, value)
    return given


def _with_parameter(cls: ChatModelClass, params: Mapping[str, Any], field: str, value: object) -> dict[str, Any]:
    alias = cls.model_fields[field].alias
    by_name = bool(cls.model_config.get("populate_by_name")) or alias is None
    others = {name: given for name, given in params.items() if name not in {field, alias}}
    return {**others, (field if by_name else alias or field): value}


def _refused(cls: ChatModelClass, params: Mapping[str, Any], error: Exception) -> SettingsError:
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        problem = first["msg"].removeprefix("Value error, ")
        told = f"the parameter {first['loc'][0]}: {problem}" if first["loc"] else f"its parameters: {problem}"
    else:
        told = f"its parameters: {type(error).__name__}: {error}"
    return SettingsError(
        f"{cls.__name__} refuses {one_line(told, partial(without_secrets, known=secret_values(params)))}"
    )
