#!/usr/bin/env bash
# Installs Chromium where it is missing (Debian; Ubuntu runners come with Chrome): the one without windows, with which
# the tests take half of the time. It starts nothing: the tests start and end browsers of their own
# (test/support/chromium.ts).
set -euo pipefail

for name in chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable; do
  if command -v "$name" >/dev/null; then exit 0; fi
done

as_root() {
  if [[ $EUID -eq 0 ]]; then "$@"; else sudo -n "$@"; fi
}

install() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$1" </dev/null
}

echo 'installing Chromium …' >&2
{
  as_root apt-get update
  install chromium-headless-shell || install chromium
} >&2
