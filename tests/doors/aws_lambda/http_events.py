"""Events as API Gateway and function URLs make them of a request."""

import base64
import json
from typing import Any


def payload_v2(
    document: Any, *, path: str = "/run", method: str = "POST", stage: str = "$default", encoded: bool = False
) -> dict[str, Any]:
    """An HTTP API of API Gateway, or a function URL."""
    return {
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": path,
        "rawQueryString": "",
        "headers": {"content-type": "application/json"},
        "requestContext": {"stage": stage, "http": {"method": method, "path": path, "protocol": "HTTP/1.1"}},
        **_body(document, encoded=encoded),
    }


def payload_v1(
    document: Any, *, path: str = "/run", method: str = "POST", stage: str = "prod", encoded: bool = False
) -> dict[str, Any]:
    """A REST API of API Gateway."""
    return {
        "resource": "/{proxy+}",
        "path": path,
        "httpMethod": method,
        "headers": {"Content-Type": "application/json"},
        "multiValueHeaders": {"Content-Type": ["application/json"]},
        "queryStringParameters": None,
        "requestContext": {"stage": stage, "path": f"/{stage}{path}", "httpMethod": method},
        **_body(document, encoded=encoded),
    }


def _body(document: Any, *, encoded: bool) -> dict[str, Any]:
    text = None if document is None else document if isinstance(document, str) else json.dumps(document)
    if encoded and text is not None:
        return {"body": base64.b64encode(text.encode()).decode(), "isBase64Encoded": True}
    return {"body": text, "isBase64Encoded": False}
