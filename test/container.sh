#!/usr/bin/env bash
# Builds the image, serves an example bundle with server/deploy/compose.yaml, asks for health and for a recall, and
# stops it. It needs a built checkout, docker with compose, and openssl; where docker does not run it says so, and fails
# in CI.
#
#   bash test/container.sh
set -euo pipefail

checkout=$(cd "$(dirname "$0")/.." && pwd)
vade() { node "$checkout/dist/compiler/cli/main.js" "$@"; }
if ! docker info >/dev/null 2>&1; then
  echo 'SKIPPED, no image is built and nothing is served from one here: docker does not run' >&2
  [ -z "${CI:-}" ] && exit 0
  exit 1
fi

place=$(mktemp -d)
export VADE_SITE="$place/site" VADE_PORT=8443
compose() { docker compose --project-name vade-test --file "$checkout/server/deploy/compose.yaml" "$@"; }
stop() {
  compose logs --tail 20 >&2 || true
  compose down --volumes --timeout 20 >&2 || true
  docker run --rm --volume "$place:/place" --user 0 --entrypoint rm vademecum:local -rf /place/site || true
  rm -rf "$place"
}
trap stop EXIT

# a handbook, its bundle and a key of its agent
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME='Ada Lovelace' GIT_AUTHOR_EMAIL=ada@example.com
export GIT_COMMITTER_NAME="$GIT_AUTHOR_NAME" GIT_COMMITTER_EMAIL="$GIT_AUTHOR_EMAIL"
cd "$place"
vade init --dir handbook
cd handbook
git init --quiet && git add . && git commit --quiet --message 'Start the handbook'
mkdir -p "$VADE_SITE"/{keys,tls,secrets}
cp instructions/trust/1.json "$VADE_SITE/root.json"
vade compile --trust "$VADE_SITE/root.json" --key .vade/signing-key.pem --out "$VADE_SITE/bundle"
key=$(vade key create --agent assistant --trust "$VADE_SITE/root.json" --bundle "$VADE_SITE/bundle" \
  --keys "$VADE_SITE/keys/keys.json" --format json | node -p 'JSON.parse(fs.readFileSync(0)).data.key')

# secrets and a certificate of this run
openssl rand -hex 32 > "$VADE_SITE/secrets/audit-key"
openssl rand -hex 32 > "$VADE_SITE/secrets/database-password"
vade trust keygen --out "$VADE_SITE/secrets/checkpoint.pem" > /dev/null
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=localhost -days 1 \
  -keyout "$VADE_SITE/tls/key.pem" -out "$VADE_SITE/tls/fullchain.pem" 2>/dev/null

docker build --tag vademecum:local "$checkout"
# the files belong to the user of the image, as on a real machine
docker run --rm --volume "$VADE_SITE:/site" --user 0 --entrypoint chown vademecum:local -R 1000:1000 /site
# the database reads its password by the one file that it may read
docker run --rm --volume "$VADE_SITE:/site" --user 0 --entrypoint chmod vademecum:local 0644 /site/secrets/database-password

compose up --detach --wait --wait-timeout 300
ask() { curl --silent --show-error --fail --cacert "$place/ca.pem" "$@"; }
docker run --rm --volume "$VADE_SITE:/site:ro" --entrypoint cat vademecum:local /site/tls/fullchain.pem > "$place/ca.pem"
ask "https://localhost:$VADE_PORT/healthz"
ask "https://localhost:$VADE_PORT/readyz"
answer=$(ask "https://localhost:$VADE_PORT/v1/agents/assistant/recall-instruction" \
  --header "authorization: Bearer $key" --header 'content-type: application/json' \
  --data '{"intent": "I am done for now and want to stop"}')
node -e 'process.exit(JSON.parse(process.argv[1]).chunks.some(({ name }) => name === "wrap-up") ? 0 : 1)' "$answer"

# SIGTERM reaches node: it ends by itself, and is not killed
compose stop --timeout 20 vade-1 vade-2
for instance in vade-1 vade-2; do
  code=$(docker inspect --format '{{.State.ExitCode}}' "$(compose ps --all --quiet "$instance")")
  [ "$code" = 143 ] || { echo "$instance ended with $code, not 143" >&2; exit 1; }
done
echo 'container: built, healthy, recalled and stopped'
