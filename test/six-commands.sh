#!/usr/bin/env bash
# From a project that has a CLAUDE.md to a section of it that is recalled, in six commands: those that `vade init`
# prints, with an intent of one's own, and with the words of a coding agent, in whose place an answer is written here.
# It begins with a built checkout; `npm run build` makes one.
#
#   bash test/six-commands.sh [empty folder]
set -euo pipefail
MOST_COMMANDS=6

checkout=$(cd "$(dirname "$0")/.." && pwd)
[ -f "$checkout/dist/compiler/cli/main.js" ] || { echo 'the checkout is not built: run npm run build' >&2; exit 2; }
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
folder=${1:-$place/shop}
mkdir -p "$folder" && cd "$folder"
[ -z "$(ls -A)" ] || { echo "$folder is not empty" >&2; exit 2; }

# the project as it is: a repository, its CLAUDE.md, and an installed vade
mkdir "$place/bin"
printf '#!/bin/sh\nexec node "%s" "$@"\n' "$checkout/dist/compiler/cli/main.js" > "$place/bin/vade"
chmod +x "$place/bin/vade"
export PATH="$place/bin:$PATH"
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME='Ada Lovelace' GIT_AUTHOR_EMAIL=ada@example.com
export GIT_COMMITTER_NAME="$GIT_AUTHOR_NAME" GIT_COMMITTER_EMAIL="$GIT_AUTHOR_EMAIL"
git init --quiet
cat > CLAUDE.md <<'MARKDOWN'
# Working on this shop

## Releases

Before a release, run the whole test suite and read the change log. Release on Tuesdays, never on Fridays.

## Refunds

A refund above 200 euros needs the approval of a second person. Write the reason into the order.

## Branch names

Name a branch after its ticket, such as SHOP-12-cart. Squash when merging.
MARKDOWN

commands=0
step() {
  commands=$((commands + 1))
  printf '%d. %s\n' "$commands" "$*"
  "$@"
}

# a coding agent with the brief does this: it says when an agent needs each unit, and copies the id
answer() {
  vade migrate --from CLAUDE.md --agent assistant --brief --part 1 > "$place/brief.json"
  id=$(node -p 'JSON.parse(fs.readFileSync(process.argv[1])).data.brief.id' "$place/brief.json")
  cat > "$place/answer.yaml" <<YAML
brief: $id
by: a stand-in for a coding agent
units:
  refunds:
    name: money-back
    description: When a customer wants money back, and who has to agree to it
    triggers: [a customer asks for the money, the order is to be paid back]
YAML
}

step vade init --deployment shop
answer
step vade migrate --from CLAUDE.md --agent assistant --answers "$place/answer.yaml" --write
written=(.claude .gitattributes .gitignore .mcp.json .vscode instructions)
step git add "${written[@]}"
step git commit --quiet --message 'Start the handbook' "${written[@]}"
step vade compile --dev
step vade recall --dev --agent assistant --intent 'a customer wants 300 euros back'

echo "six commands: $commands"
[ "$commands" -le "$MOST_COMMANDS" ]
