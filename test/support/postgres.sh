#!/usr/bin/env bash
# Installs PostgreSQL's programs where they are missing (Debian, Ubuntu). It starts nothing: the tests make, start and
# stop clusters of their own (test/support/postgres.ts).
set -euo pipefail

shopt -s nullglob
for initdb in /usr/lib/postgresql/*/bin/initdb "$(command -v initdb || true)"; do
  if [[ -x $initdb ]]; then exit 0; fi
done

as_root() {
  if [[ $EUID -eq 0 ]]; then "$@"; else sudo -n "$@"; fi
}
install() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@" </dev/null
}

echo 'installing PostgreSQL …' >&2
{
  as_root apt-get update
  install postgresql-common
  # or the package would make and start a cluster on port 5432
  as_root sed -i 's/^#\?create_main_cluster .*$/create_main_cluster = false/' /etc/postgresql-common/createcluster.conf
  install postgresql
} >&2
