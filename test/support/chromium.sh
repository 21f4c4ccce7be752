#!/usr/bin/env bash
# Installs Chromium where it is missing (Debian; Ubuntu runners come with Chrome). It starts nothing: the tests start and
# end browsers of their own (test/support/chromium.ts).
set -euo pipefail

for name in chromium chromium-browser google-chrome google-chrome-stable; do
  if command -v "$name" >/dev/null; then exit 0; fi
done

as_root() {
  if [[ $EUID -eq 0 ]]; then "$@"; else sudo -n "$@"; fi
}

echo 'installing Chromium …' >&2
{
  as_root apt-get update
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium </dev/null
} >&2
