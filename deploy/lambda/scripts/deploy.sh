#!/usr/bin/env bash
# Builds the image, makes or updates the stack, and prints the address: deploy.sh agentic us-east-1
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

# A first attempt that failed leaves a stack that can't be updated.
if [[ $(stack_status) == ROLLBACK_COMPLETE ]]; then
  aws cloudformation delete-stack --stack-name "$stack"
  aws cloudformation wait stack-delete-complete --stack-name "$stack"
fi
push_image
deploy_stack
show_stack
