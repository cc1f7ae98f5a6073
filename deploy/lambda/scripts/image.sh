# shellcheck shell=bash disable=SC2034,SC2154 # variables are shared with the files beside it
# Sourced by the commands beside it: builds the image and puts it where Lambda takes it from.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)

push_image() { # sets `image`
  local registry
  registry="$account.dkr.ecr.$region.amazonaws.com"
  image="$registry/$repository:$(date -u +%Y%m%d%H%M%S)"
  make_repository
  build_image
  aws ecr get-login-password | docker login --username AWS --password-stdin "$registry" > /dev/null
  docker push --quiet "$image" > /dev/null
}

make_repository() {
  aws ecr describe-repositories --repository-names "$repository" > /dev/null 2>&1 && return
  aws ecr create-repository --repository-name "$repository" \
    --image-scanning-configuration scanOnPush=true > /dev/null
}

build_image() {
  local platform=linux/amd64
  [[ ${ARCHITECTURE:-x86_64} == arm64 ]] && platform=linux/arm64
  # Lambda takes no image with attestations beside it.
  BUILDX_NO_DEFAULT_ATTESTATIONS=1 docker build --platform "$platform" \
    ${PROVIDERS:+--build-arg PROVIDERS="$PROVIDERS"} \
    --file "$root/deploy/lambda/Dockerfile" --tag "$image" "$root" >&2
}
