#!/usr/bin/env bash
# Steps of a team: from an empty folder to an instruction that was reviewed in a pull request, merged, published and
# recalled. The steps of the action run as a job of GitHub runs them, with the event as a file. It begins with a built
# checkout; `npm run build` makes one. It fails with more than ten commands, or after five minutes.
#
#   bash test/show.sh [empty folder]
set -euo pipefail
MOST_COMMANDS=10
MOST_SECONDS=300

checkout=$(cd "$(dirname "$0")/.." && pwd)
[ -f "$checkout/dist/compiler/cli/main.js" ] || { echo 'the checkout is not built: run npm run build' >&2; exit 2; }
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
folder=${1:-$place/handbook}
mkdir -p "$folder" && cd "$folder"
[ -z "$(ls -A)" ] || { echo "$folder is not empty" >&2; exit 2; }

mkdir "$place/bin"
printf '#!/bin/sh\nexec node "%s" "$@"\n' "$checkout/dist/compiler/cli/main.js" > "$place/bin/vade"
chmod +x "$place/bin/vade"
export PATH="$place/bin:$PATH" GIT_CONFIG_GLOBAL=/dev/null
export GIT_AUTHOR_NAME='Ada Lovelace' GIT_AUTHOR_EMAIL=ada@example.com
export GIT_COMMITTER_NAME="$GIT_AUTHOR_NAME" GIT_COMMITTER_EMAIL="$GIT_AUTHOR_EMAIL"

commands=0
step() {
  commands=$((commands + 1))
  printf '%2d. %s\n' "$commands" "$*"
  "$@"
}

# a job of GitHub: its folder, its event, and the files that a step answers in
export RUNNER_TEMP="$place" GITHUB_EVENT_PATH="$place/event.json"
export GITHUB_OUTPUT="$place/output" GITHUB_STEP_SUMMARY="$place/summary.md"
job() {
  VADE_STEP=$1 VADE_TRUST=instructions/trust/1.json node "$checkout/.github/actions/vade/run-step.mjs"
}

step vade init --dir . --deployment handbook --action "acme/vademecum@$(printf '0%.0s' {1..40})"
step git init --quiet --initial-branch main
step git add .
step git commit --quiet --message 'Start the handbook'
base=$(git rev-parse HEAD)

step git switch --quiet --create refunds
cat > instructions/agents/assistant/refunds.md <<'UNIT'
---
description: Decide on a refund, and who approves it
load_triggers:
  intents:
    - a customer wants their money back
    - a charge is disputed
  keywords: [refund, charge, money]
---

# Refunds

Refund at once below 50 euros. Above that, ask the owner of the order.
UNIT
git add .
step git commit --quiet --message 'Say how a refund is decided'

echo "{\"pull_request\":{\"base\":{\"sha\":\"$base\"},\"head\":{\"sha\":\"$(git rev-parse HEAD)\"}}}" > "$GITHUB_EVENT_PATH"
step job pull-request
cat "$GITHUB_STEP_SUMMARY"

# the button does this
step git push --quiet . refunds:main
VADE_SIGNING_KEY=$(cat .vade/signing-key.pem) step job main
bundle=$(sed -n 's/^bundle=//p' "$GITHUB_OUTPUT")
step vade recall --trust instructions/trust/1.json --bundle "$bundle" --agent assistant \
  --intent 'somebody asks for their money back' --format text

echo "show: $commands commands, $SECONDS s"
[ "$commands" -le "$MOST_COMMANDS" ] && [ "$SECONDS" -le "$MOST_SECONDS" ]
