#!/usr/bin/env bash
# Steps of a newcomer: from an empty folder to the first recalled instruction in an MCP client, and its closing. It
# begins with a built checkout; `npm run build` makes one. It fails with more than ten commands, or after five minutes.
#
#   bash test/newcomer.sh [empty folder]
set -euo pipefail
MOST_COMMANDS=10
MOST_SECONDS=300

checkout=$(cd "$(dirname "$0")/.." && pwd)
[ -f "$checkout/dist/compiler/cli/main.js" ] || { echo 'the checkout is not built: run npm run build' >&2; exit 2; }
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
folder=${1:-$place/work}
mkdir -p "$folder" && cd "$folder"
[ -z "$(ls -A)" ] || { echo "$folder is not empty" >&2; exit 2; }

# the newcomer, on a machine where a global package needs no rights
export npm_config_prefix="$place/global" PATH="$place/global/bin:$PATH"
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME='Ada Lovelace' GIT_AUTHOR_EMAIL=ada@example.com
export GIT_COMMITTER_NAME="$GIT_AUTHOR_NAME" GIT_COMMITTER_EMAIL="$GIT_AUTHOR_EMAIL"

commands=0
step() {
  commands=$((commands + 1))
  printf '%2d. %s\n' "$commands" "$*"
  "$@"
}

step npm install --global "$checkout"
step vade init --dir handbook
step cd handbook
step git init --quiet
step git add .
step git commit --quiet --message 'Start the handbook'
step vade compile --dev
# a host would be opened here; this client starts the server that .mcp.json names, as a host does
step node "$checkout/test/newcomer-client.mjs" 'I am done for now and want to stop'

echo "newcomer: $commands commands, $SECONDS s"
[ "$commands" -le "$MOST_COMMANDS" ] && [ "$SECONDS" -le "$MOST_SECONDS" ]
