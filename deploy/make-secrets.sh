#!/bin/sh
# Makes the secrets that compose.yaml and the other ways to deploy read from files, each where there is none yet:
#
#   deploy/make-secrets.sh [FOLDER]       FOLDER: deploy/secrets
#
# The client secret of the OAuth application is asked for (or taken from CAUSEWAY_CLIENT_SECRET). The certificate is one
# to try with: put the real one, and its key, in its place.
set -eu
umask 077
folder=${1:-$(dirname "$0")/secrets}
mkdir -p "$folder"
chmod 700 "$folder"

# A file appears whole or not at all. The bridge reads it as another user within its container; the folder keeps
# everybody else on this machine out.
make() {
  if [ -s "$folder/$1" ]; then
    echo "$folder/$1 is kept"
    cat > /dev/null
  else
    cat > "$folder/$1.new"
    [ -s "$folder/$1.new" ] || { rm "$folder/$1.new"; echo "$folder/$1 could not be made" >&2; exit 1; }
    chmod 644 "$folder/$1.new"
    mv "$folder/$1.new" "$folder/$1"
    echo "$folder/$1 is made"
  fi
}

random() { openssl rand -hex 32 | tr -d '\n'; }

random | make postgres-password
printf 'postgres://causeway:%s@postgres/causeway' "$(cat "$folder/postgres-password")" | make database-url
printf 'k1:%s' "$(openssl rand -base64 32)" | make encryption-keys
random | make admin-token
if [ ! -s "$folder/client-secret" ]; then
  if [ -z "${CAUSEWAY_CLIENT_SECRET-}" ]; then
    printf 'Client secret of the OAuth application: ' >&2
    [ ! -t 0 ] || { trap 'stty echo' EXIT; trap 'exit 130' INT; trap 'exit 143' TERM HUP; stty -echo; }
    read -r CAUSEWAY_CLIENT_SECRET || true
    [ ! -t 0 ] || { stty echo; trap - EXIT INT TERM HUP; }
    echo >&2
    [ -n "$CAUSEWAY_CLIENT_SECRET" ] || { echo "no client secret was given: type it here, or set CAUSEWAY_CLIENT_SECRET" >&2; exit 1; }
  fi
  printf '%s' "$CAUSEWAY_CLIENT_SECRET" | make client-secret
fi
# A certificate without its own key starts no nginx.
if [ -s "$folder/certificate.pem" ] && [ ! -s "$folder/key.pem" ]; then
  echo "$folder/certificate.pem is there without its key.pem: put it beside it, or remove it" >&2
  exit 1
elif [ -s "$folder/key.pem" ] && [ ! -s "$folder/certificate.pem" ]; then
  echo "$folder/key.pem is there without its certificate.pem: put it beside it, or remove it" >&2
  exit 1
elif [ ! -s "$folder/certificate.pem" ]; then
  openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=bridge.example.com \
    -addext subjectAltName=DNS:bridge.example.com,DNS:localhost -keyout "$folder/key.new" -out "$folder/certificate.new" 2> /dev/null
  make key.pem < "$folder/key.new"
  make certificate.pem < "$folder/certificate.new"
  rm "$folder/key.new" "$folder/certificate.new"
fi
echo
echo "Keep a copy of $folder/encryption-keys elsewhere: without it no account can be served."
echo "The first token of the console is in $folder/admin-token."
