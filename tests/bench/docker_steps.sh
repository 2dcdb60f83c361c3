#!/usr/bin/env bash
# Replays the Dockerfile's COPY and RUN steps (but apt-get and useradd) in an empty folder, for machines without a
# container engine, starts the page and asks for its health: tests/bench/docker_steps.sh
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
app=$(mktemp -d)
trap 'kill "${page:-}" 2>/dev/null || true; rm -rf "$app"' EXIT
cd "$app"
python3 -m venv venv
PATH=$app/venv/bin:$PATH
export NUMBA_CACHE_DIR=$app/kernels PYTHONUNBUFFERED=1
grep -E '^COPY' "$root/Dockerfile" | while read -r _ words; do
    read -ra parts <<<"$words"
    target=${parts[-1]}
    unset 'parts[-1]'
    mkdir -p "$(dirname "$target")"
    (cd "$root" && tar -cf - --exclude __pycache__ "${parts[@]}") | tar -xf -
done
grep -E '^RUN (pip|python)' "$root/Dockerfile" | cut -d' ' -f2- | while read -r step; do
    echo "step: $step"
    bash -euc "$step"
done
python -m webapp --server.headless=true --server.port 8502 &
page=$!
for _ in $(seq 30); do
    sleep 1
    python -c "import urllib.request as r; print(r.urlopen('http://localhost:8502/_stcore/health').read().decode())" \
        2>/dev/null && exit 0
done
echo "the page did not come up" >&2
exit 1
