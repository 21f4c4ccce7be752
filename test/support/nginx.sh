#!/usr/bin/env bash
# Installs nginx where it is missing (Debian, Ubuntu), for tests of server/deploy/nginx.conf. It starts nothing.
set -euo pipefail

if [[ -x /usr/sbin/nginx ]]; then exit 0; fi

as_root() {
  if [[ $EUID -eq 0 ]]; then "$@"; else sudo -n "$@"; fi
}

echo 'installing nginx …' >&2
{
  as_root apt-get update
  # the package would start a server on port 80
  as_root env RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends nginx-light </dev/null
} >&2
