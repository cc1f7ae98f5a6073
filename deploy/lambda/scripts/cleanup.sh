#!/usr/bin/env bash
# Removes all that deploy.sh has made, images and logs included: cleanup.sh agentic us-east-1 [--yes]
set -euo pipefail

here=$(dirname "${BASH_SOURCE[0]}")
# shellcheck source-path=SCRIPTDIR source=target.sh
source "$here/target.sh"

sure=no
names=()
for argument in "$@"; do
  case $argument in
    --yes | -y) sure=yes ;;
    *) names+=("$argument") ;;
  esac
done
read_target ${names[@]+"${names[@]}"}
need_account

if [[ $sure == no ]]; then
  read -r -p "Remove the stack, the images and the logs of $stack in $region? [y/N] " answer || answer=""
  [[ $answer == [yY] || $answer == [yY]es ]] || fail 1 "nothing was removed"
fi

if [[ -n $(stack_status) ]]; then
  aws cloudformation delete-stack --stack-name "$stack"
  aws cloudformation wait stack-delete-complete --stack-name "$stack"
fi
if aws ecr describe-repositories --repository-names "$repository" > /dev/null 2>&1; then
  aws ecr delete-repository --repository-name "$repository" --force > /dev/null
fi
echo "$stack is gone from $region" >&2
