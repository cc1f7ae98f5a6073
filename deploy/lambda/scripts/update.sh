#!/usr/bin/env bash
# Builds the image anew and updates the stack that deploy.sh has made: update.sh agentic us-east-1
set -euo pipefail

here=$(dirname "${BASH_SOURCE[0]}")
# shellcheck source-path=SCRIPTDIR source=target.sh
source "$here/target.sh"
# shellcheck source-path=SCRIPTDIR source=image.sh
source "$here/image.sh"
# shellcheck source-path=SCRIPTDIR source=stack.sh
source "$here/stack.sh"

read_target "$@"
need_account
need docker "build the image"

[[ -n $(stack_status) ]] || fail 1 "there is no stack $stack in $region: run deploy.sh first"
push_image
deploy_stack
show_stack
