#!/bin/sh
# Replaces the bridges of compose.yaml one after the other while calls are served: after a change of the program, of .env
# or of a secret. It can be run again after any failure. docs/deploy/compose.md, "Upgrade", says more.
#
#   deploy/upgrade.sh
set -eu
cd "$(dirname "$0")/.."

# `live`, which Docker asks, says only that the process runs.
READY='const url = `http://127.0.0.1:${process.env.CAUSEWAY_PORT || 8080}/_causeway/health/ready`;
fetch(url, { signal: AbortSignal.timeout(3000) }).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))'
NEW_NGINX='docker compose up --detach --no-deps --force-recreate nginx (calls fail for a second)'
NEITHER='No bridge is healthy. If none serves calls: docker compose up --detach --build'
waiting='bridge1 bridge2' # to be replaced
out='' other=''           # the bridge that gets no calls, and the one that gets them all

say() { echo "$1" >&2 || :; }
fail() { say "$1"; exit 1; }
in_nginx() { docker compose exec -T nginx "$@" < /dev/null; }
down() { echo "/run/causeway.$1.down"; }

health() {
  container=$(docker compose ps --quiet "$1") && [ -n "$container" ] &&
    docker inspect --format '{{.State.Health.Status}}' "$container"
}

# A bridge that runs has a minute to become ready. Docker calls it `starting` for ten seconds even if it is.
serves() {
  tries=30
  until docker compose exec -T "$1" /usr/bin/node -e "$READY" < /dev/null 2> /dev/null; do
    case $(health "$1") in starting | healthy) ;; *) return 1 ;; esac
    tries=$((tries - 1))
    [ "$tries" -gt 0 ] || return 1
    sleep 2
  done
}

# put_back BRIDGE OTHER. If neither serves, the first that does is to get the calls.
put_back() {
  if serves "$1"; then now="$1 is healthy and gets calls again."
  elif serves "$2"; then
    say "$1 is not healthy and gets no calls; $2 serves them all. See: docker compose logs $1"
    return
  else now=$NEITHER
  fi
  in_nginx rm -f "$(down "$1")" || now="$1 gets no calls while nginx has $(down "$1"), which could not be removed."
  say "$now"
}

# ended STATUS: whatever ends the script.
ended() {
  # The end of the terminal, or of a program that reads what this script says, must not end this.
  trap '' HUP PIPE
  trap - EXIT
  trap 'exit 130' INT TERM
  if [ -n "$out" ]; then
    say "Waiting until $out is ready, as it gets no calls. If you stop this, run deploy/upgrade.sh again."
    put_back "$out" "$other"
  fi
  [ -z "$waiting" ] || say "Not replaced: $waiting. Mend the cause, if there is one, and run deploy/upgrade.sh again."
  exit "$1"
}

# replace BRIDGE OTHER
replace() {
  serves "$2" || fail "$2 is not healthy, so $1 is not replaced. See: docker compose logs $2"
  out=$1 other=$2
  in_nginx sh -euc "rm -f $(down "$2"); touch $(down "$1")"
  docker compose up --detach --no-deps --force-recreate --wait "$1"
  serves "$1" || fail "$1 runs, but is not ready."
  in_nginx rm -f "$(down "$1")"
  out=''
}

# Two runs at a time could each stop a bridge. The lock ends with the process.
exec 9< deploy
! command -v flock > /dev/null || flock --nonblock 9 || fail 'deploy/upgrade.sh is already running.'

trap 'ended $?' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 141' PIPE
trap 'exit 143' TERM

grep -q causeway_down deploy/nginx/causeway.conf ||
  fail "deploy/nginx/causeway.conf is that of an earlier release: take the new one, with your server_name. Then: $NEW_NGINX"
docker compose ps --quiet > /dev/null
in_nginx true || fail 'nginx does not run: docker compose up --detach --build'
in_nginx grep -q causeway_down /etc/nginx/conf.d/default.conf || fail "nginx has another causeway.conf: $NEW_NGINX"

# What an interrupted run left.
for bridge in bridge1 bridge2; do
  case $bridge in bridge1) second=bridge2 ;; *) second=bridge1 ;; esac
  ! in_nginx test -e "$(down "$bridge")" || put_back "$bridge" "$second"
done

docker compose build
# A bridge that serves nothing is replaced first.
if serves bridge2; then first=bridge1 second=bridge2
elif serves bridge1; then first=bridge2 second=bridge1
else fail "$NEITHER"
fi
replace "$first" "$second"
waiting=$second
replace "$second" "$first"
waiting=''
