# The bridge on the few system files it needs: Node (pinned by package-lock.json), the libraries Node is linked with,
# certificates and time zones. See docs/deploy/install.md.
ARG DEBIAN=docker.io/library/debian:12-slim

FROM ${DEBIAN} AS build
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates npm tzdata
# Debian's npm 9 cannot read an override that names another package; Debian's Node 18 runs npm 10.
RUN npm install --prefix /tools npm@10.9.4
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN /tools/node_modules/.bin/npm ci --omit=dev --ignore-scripts
COPY scripts/pack.ts scripts/
COPY src src
COPY mappings mappings
COPY docs docs
COPY README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md ./
RUN node_modules/node-linux-*/bin/node --disable-warning=ExperimentalWarning scripts/pack.ts
# npm brings Node of the right architecture; it moves to where programs are.
RUN set -eu; \
  mkdir -p /image/usr/bin /image/app /image/data /image/tmp /image/etc/ssl/certs /image/usr/share; \
  mv node_modules/node-linux-*/bin/node /image/usr/bin/node; \
  rm -rf node_modules/node-linux-* node_modules/.bin node_modules/.cache; \
  for library in $(ldd /image/usr/bin/node | grep -o '/lib[^ ]*') /lib/*-linux-gnu/libresolv.so.2; do \
    cp --parents --dereference "$library" /image; \
  done; \
  cp -r dist node_modules package.json /image/app/; \
  cp /etc/ssl/certs/ca-certificates.crt /image/etc/ssl/certs/; \
  cp -r /usr/share/zoneinfo /image/usr/share/; \
  printf 'causeway:x:10001:10001::/data:/sbin/nologin\n' > /image/etc/passwd; \
  printf 'causeway:x:10001:\n' > /image/etc/group; \
  printf 'hosts: files dns\n' > /image/etc/nsswitch.conf; \
  chown -R 10001:10001 /image/data; chmod 1777 /image/tmp
# Where the image runs nothing can be kept for the next start (src/launch.js), so it contains what a first start keeps:
# the compiled modules of the command line and of the bridge. Node looks for them under its version, the features of
# the processor and the user; where one differs, the bridge compiles them at each start.
RUN set -eu; \
  kept=/image/app/dist/node_modules/.cache/causeway; \
  install -d -o 10001 -g 10001 "$kept"; \
  causeway() { \
    exec env -i PATH="$PATH" CAUSEWAY_HOST=127.0.0.1 CAUSEWAY_PORT=0 CAUSEWAY_METRICS_PORT=0 CAUSEWAY_LAME_DUCK_SECONDS=0 \
      CAUSEWAY_DATABASE_URL=sqlite::memory: CAUSEWAY_ENCRYPTION_KEYS="build:$(head -c 32 /dev/urandom | base64)" \
      chroot --userspec=10001:10001 /image /usr/bin/node /app/dist/src/cli/bin.js "$@"; \
  }; \
  (causeway start --help > /dev/null); \
  causeway start > start.log & bridge=$!; \
  until grep -q '"event":"ready"' start.log; do kill -0 "$bridge" || wait "$bridge"; sleep 0.1; done; \
  kill "$bridge"; wait "$bridge"; \
  chown -R root:root "$kept"; chmod -R u=rwX,go=rX "$kept"

FROM scratch
COPY --from=build /image /
USER 10001:10001
WORKDIR /data
VOLUME /data
ENV NODE_ENV=production CAUSEWAY_HOST=0.0.0.0
EXPOSE 8080 9464
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s CMD ["/usr/bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.CAUSEWAY_PORT || 8080}/_causeway/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/usr/bin/node", "/app/dist/src/cli/bin.js"]
CMD ["start"]
