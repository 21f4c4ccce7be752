#!/usr/bin/env bash
# Installs promtool of Prometheus where it is missing (Debian, Ubuntu), for a test of server/deploy/alerts.yaml. It
# starts nothing.
set -euo pipefail

if [[ -x /usr/bin/promtool ]]; then exit 0; fi

as_root() {
  if [[ $EUID -eq 0 ]]; then "$@"; else sudo -n "$@"; fi
}

echo 'installing promtool …' >&2
{
  as_root apt-get update
  # RUNLEVEL=1: the package does not start its server
  as_root env RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends prometheus </dev/null
} >&2
