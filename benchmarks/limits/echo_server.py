"""`python -m benchmarks.limits.echo_server`: FastAPI on uvicorn, on PORT, that parses the body and sends it back."""

import json
import os
from typing import Any

import uvicorn
from fastapi import FastAPI, Request

app = FastAPI()


@app.post("/api/v1/evaluate")
async def echo(request: Request) -> dict[str, Any]:
    return json.loads(await request.body())


if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=int(os.environ["PORT"]), log_level="error", access_log=False)
