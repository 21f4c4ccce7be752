#!/usr/bin/env bash
# Installs bubblewrap where it is missing (Debian, Ubuntu), and lets it make user namespaces where AppArmor forbids
# them.
set -euo pipefail

as_root() {
  if [[ $EUID -eq 0 ]]; then "$@"; else sudo -n "$@"; fi
}

if ! command -v bwrap >/dev/null; then
  echo 'installing bubblewrap …' >&2
  {
    as_root apt-get update
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends bubblewrap </dev/null
  } >&2
fi

RULE=kernel.apparmor_restrict_unprivileged_userns
if ! bwrap --unshare-user --ro-bind / / true 2>/dev/null && [[ -e /proc/sys/${RULE//.//} ]]; then
  as_root sysctl -w "$RULE=0" >&2
fi
