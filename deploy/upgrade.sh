#!/bin/sh
# Replaces the bridges of compose.yaml one after the other while calls are served: after a change of the program, of .env
# or of a secret. After a failure, mend the cause and run it again. docs/deploy/compose.md, "Upgrade", says more.
#
#   deploy/upgrade.sh
set -eu
cd "$(dirname "$0")/.."

fail() { echo "$1" >&2; exit 1; }

healthy() {
  container=$(docker compose ps --quiet "$1")
  [ -n "$container" ] && [ "$(docker inspect --format '{{.State.Health.Status}}' "$container")" = healthy ]
}

# replace BRIDGE OTHER
replace() {
  healthy "$2" || fail "Neither bridge is healthy, so there is no call to lose: docker compose up --detach --build"
  file=/run/causeway.$1.down
  docker compose exec -T nginx sh -euc "grep -q $file /etc/nginx/conf.d/default.conf; touch $file" ||
    fail "nginx has another causeway.conf: docker compose up --detach --no-deps --force-recreate nginx"
  docker compose up --detach --no-deps --force-recreate --wait "$1" ||
    fail "$1 is not healthy and gets no calls; $2 serves them all. See: docker compose logs $1"
  docker compose exec -T nginx rm "$file"
}

docker compose build
# A bridge that serves nothing is replaced first.
if healthy bridge2; then first=bridge1 second=bridge2; else first=bridge2 second=bridge1; fi
replace "$first" "$second"
replace "$second" "$first"
