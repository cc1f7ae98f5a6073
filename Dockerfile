# The worker, and every other command: `docker run … eval-worker status`, `… api`, `… mcp --http`. Redis and the model are
# elsewhere. docs/deploy.md says how the image is run, and how a digest is put behind the tag:
#   docker build --build-arg PYTHON_IMAGE=python:3.13.16-slim-trixie@sha256:… --tag eval-worker .
ARG PYTHON_IMAGE=python:3.13.16-slim-trixie

FROM ${PYTHON_IMAGE} AS build
WORKDIR /src
COPY deploy/locks/build.lock deploy/locks/image.lock deploy/locks/
# The environment that is shipped has no pip: the builder's installs into it from outside.
RUN python3 -m venv /build \
 && /build/bin/pip install --no-cache-dir --require-hashes -r deploy/locks/build.lock \
 && python3 -m venv --without-pip /venv \
 && /build/bin/pip --python /venv/bin/python install --no-cache-dir --only-binary :all: --require-hashes \
      -r deploy/locks/image.lock
# Further packages, in their newest version that fits the lock: "langchain-openai" for JUDGE_MODEL=langchain:…
ARG PACKAGES=""
RUN sed -e '/--hash/d' -e 's/ *\\$//' deploy/locks/image.lock >constraints.txt \
 && for package in ${PACKAGES}; do \
      /build/bin/pip --python /venv/bin/python install --no-cache-dir --constraint constraints.txt "$package" || exit 1; \
    done
COPY pyproject.toml README.md LICENSE ./
COPY worker worker
COPY producer producer
RUN /build/bin/pip wheel --no-cache-dir --no-build-isolation --no-deps --wheel-dir dist . \
 && /build/bin/pip --python /venv/bin/python install --no-cache-dir --no-deps dist/*.whl \
 # Of AWS's services, the model's and those that give credentials.
 && find /venv/lib/python3*/site-packages/botocore/data -mindepth 1 -maxdepth 1 -type d \
      ! -name 'bedrock*' ! -name signin ! -name sso ! -name sso-oidc ! -name sts -exec rm -r {} +

FROM ${PYTHON_IMAGE}
LABEL org.opencontainers.image.title="eval-worker" org.opencontainers.image.licenses="MIT"
RUN rm -rf /usr/local/bin/pip* /usr/local/lib/python3*/site-packages/pip* \
      "$(python3 -c 'import ensurepip; print(*ensurepip.__path__)')"
COPY --from=build /venv /venv
# In a container only the container's network reaches the port. Nothing is written: the root may be read-only.
ENV PATH=/venv/bin:$PATH METRICS_HOST=0.0.0.0 METRICS_PORT=9464 LOG_FORMAT=json \
    PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
EXPOSE 9464
# By number, so that Kubernetes can tell that it is not root.
USER 10001:10001
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s \
  CMD ["python", "-I", "-c", "import os, urllib.request as r; r.urlopen('http://127.0.0.1:' + os.environ['METRICS_PORT'] + '/healthz', timeout=4)"]
ENTRYPOINT ["eval-worker"]
CMD ["run"]
