#!/usr/bin/env bash
# Installs what the test bed needs and this machine lacks (Debian, Ubuntu). It starts nothing.
set -euo pipefail
support=$(cd "$(dirname "$0")/../support" && pwd)

bash "$support/postgres.sh"
bash "$support/nginx.sh"
missing=0
for program in ip faketime openssl curl; do command -v "$program" >/dev/null || missing=1; done
if ((!missing)); then exit 0; fi

as_root() {
  if [[ $EUID -eq 0 ]]; then "$@"; else sudo -n "$@"; fi
}

as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
  iproute2 faketime openssl curl </dev/null >&2
