#!/usr/bin/env bash
# From the packed file to a recall on a machine without compilers: what npm would publish is installed where cc, c++,
# make and python cannot be run, then a handbook is checked, compiled for development and asked. It needs bubblewrap,
# the network (or npm's cache) and a built checkout; `npm run build` makes one.
#
#   bash test/install-without-compilers.sh
set -euo pipefail

checkout=$(cd "$(dirname "$0")/.." && pwd)
[ -f "$checkout/dist/compiler/cli/main.js" ] || { echo 'the checkout is not built: run npm run build' >&2; exit 2; }
command -v bwrap >/dev/null || { echo 'bwrap is missing: bash test/support/bubblewrap.sh installs it' >&2; exit 2; }
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

(cd "$checkout" && npm pack --ignore-scripts --silent --pack-destination "$place" >/dev/null)

# a program that is a device cannot be run, whatever its name
hidden=()
for name in cc c++ gcc g++ clang clang++ make gmake ninja python python3; do
  while read -r file; do hidden+=(--ro-bind /dev/null "$(realpath "$file")"); done < <(type -ap "$name")
done

cat > "$place/walk.sh" <<'WALK'
set -euo pipefail
for name in cc c++ make python3; do
  if "$name" --version >/dev/null 2>&1; then echo "$name can be run" >&2; exit 3; fi
done
npm install --global --prefix "$PLACE/global" --no-audit --no-fund "$PLACE"/vademecum-*.tgz
export PATH="$PLACE/global/bin:$PATH"
mkdir "$PLACE/handbook" && cd "$PLACE/handbook"
vade init
git init --quiet && git add . && git commit --quiet --message 'Start the handbook'
vade lint
vade compile --dev
vade recall --dev --agent assistant --intent 'I am done for now'
WALK

bwrap --dev-bind / / "${hidden[@]}" --die-with-parent \
  --setenv PLACE "$place" --setenv GIT_CONFIG_GLOBAL /dev/null \
  --setenv GIT_AUTHOR_NAME Ada --setenv GIT_AUTHOR_EMAIL ada@example.com \
  --setenv GIT_COMMITTER_NAME Ada --setenv GIT_COMMITTER_EMAIL ada@example.com \
  bash "$place/walk.sh"
