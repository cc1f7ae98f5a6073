# The worker alone: Redis and Bedrock are elsewhere. `docker run … eval-worker status` runs any other command.
FROM python:3.13-slim AS build
WORKDIR /src
COPY requirements.lock pyproject.toml README.md LICENSE ./
COPY worker worker
COPY producer producer
RUN python -m venv /venv \
 && /venv/bin/pip install --no-cache-dir --require-hashes -r requirements.lock \
 && /venv/bin/pip install --no-cache-dir --no-build-isolation --no-deps .

FROM python:3.13-slim
COPY --from=build /venv /venv
# By number, so that Kubernetes can tell that it is not root.
USER 10001:10001
# In a container only the container's network reaches the port.
ENV PATH=/venv/bin:$PATH METRICS_HOST=0.0.0.0 LOG_FORMAT=json PYTHONUNBUFFERED=1
EXPOSE 9464
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=3s \
  CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:9464/healthz', timeout=2)"]
ENTRYPOINT ["eval-worker"]
CMD ["run"]
