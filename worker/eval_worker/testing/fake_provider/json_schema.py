"""Makes up a document that fits a JSON schema."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

Schema = Mapping[str, Any]

_JUDGEMENT = {
    "type": "object",
    "properties": {"rationale": {"type": "string"}, "level": {"type": "integer"}},
}


def schema_in_words(judges: Sequence[str]) -> Schema:
    """Return the schema of the JSON that a request asks for in words: of several judges, or of the only one."""
    return {"type": "object", "properties": dict.fromkeys(judges, _JUDGEMENT)} if judges else _JUDGEMENT


class SchemaFiller:
    """Fills every text with `text`, and every number with the value nearest to `level` that the schema allows."""

    def __init__(self, schema: Schema, level: float, text: str) -> None:
        self._root = schema
        self._level = level
        self._text = text

    def fill(self) -> Any:
        return self._value(self._root)

    def _value(self, schema: Schema) -> Any:
        schema = self._resolved(schema)
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return self._choice(schema["enum"])
        makers: dict[str, Callable[[Schema], Any]] = {
            "object": self._object,
            "array": self._array,
            "integer": lambda part: int(self._within(part)),
            "number": self._within,
            "boolean": lambda _: True,
            "null": lambda _: None,
        }
        return makers.get(self._type(schema), self._string)(schema)

    def _object(self, schema: Schema) -> dict[str, Any]:
        return {name: self._value(part) for name, part in schema.get("properties", {}).items()}

    def _array(self, schema: Schema) -> list[Any]:
        return [self._value(schema.get("items", {})) for _ in range(schema.get("minItems", 1))]

    def _string(self, schema: Schema) -> str:
        return self._text[: schema.get("maxLength")].ljust(schema.get("minLength", 0), ".")

    def _resolved(self, schema: Schema) -> Schema:
        if reference := schema.get("$ref"):
            target: Any = self._root
            for part in str(reference).removeprefix("#/").split("/"):
                target = target[part]
            return self._resolved(target)
        for union in ("anyOf", "oneOf", "allOf"):
            if schema.get(union):
                return self._resolved(schema[union][0])
        return schema

    @staticmethod
    def _type(schema: Schema) -> str:
        declared = schema.get("type", "object" if "properties" in schema else "string")
        return declared if isinstance(declared, str) else declared[0]

    def _choice(self, values: list[Any]) -> Any:
        numbers = [value for value in values if isinstance(value, int | float) and not isinstance(value, bool)]
        return min(numbers, key=lambda value: abs(value - self._level)) if numbers else values[0]

    def _within(self, schema: Schema) -> float:
        at_most = min(self._level, schema.get("maximum", self._level))
        return max(at_most, schema.get("minimum", at_most))
