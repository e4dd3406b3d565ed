import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { trustRegistry } from '../bare-root/debian-root.ts';
import type { Engine } from './engine.ts';

/**
 * Images with the names in `compose.yaml` and the Dockerfile, made here because no registry can be reached: Debian's
 * programs, with the behaviour of the published images that `compose.yaml` relies on. The versions are Debian's.
 */
interface StandIn {
  readonly image: string;
  readonly debianPackage: string;
  /** Runs as root in the container, with the command of the image or of `compose.yaml` as its arguments. */
  readonly entrypoint: string;
  readonly rest: string;
}

const standIns: readonly StandIn[] = [
  {
    image: 'postgres:17',
    debianPackage: 'postgresql',
    // Like the published image: a database and a user from POSTGRES_*, no password within the container.
    entrypoint: `
data=/var/lib/postgresql/data
mkdir -p "$data" && chown postgres:postgres "$data" && chmod 700 "$data"
if [ ! -e "$data/PG_VERSION" ]; then
  install -o postgres -m 600 "$POSTGRES_PASSWORD_FILE" /run/password
  as initdb --username="$POSTGRES_USER" --pwfile=/run/password --auth-host=scram-sha-256 --auth-local=trust "$data"
  echo 'host all all all scram-sha-256' >> "$data/pg_hba.conf"
  as pg_ctl -D "$data" -w -o "-c listen_addresses=''" start
  as createdb --username="$POSTGRES_USER" "$POSTGRES_DB"
  as pg_ctl -D "$data" -w stop
fi
exec setpriv --reuid postgres --regid postgres --init-groups postgres -D "$data" -c listen_addresses='*'`,
    rest: 'ENV PATH=/usr/lib/postgresql/15/bin:/usr/sbin:/usr/bin:/sbin:/bin\nVOLUME /var/lib/postgresql/data\nSTOPSIGNAL SIGINT',
  },
  {
    image: 'redis:7',
    debianPackage: 'redis-server',
    // Like the published image: every client that reaches the container may use it.
    entrypoint: 'exec setpriv --reuid redis --regid redis --init-groups "$@" --protected-mode no',
    rest: 'CMD ["redis-server"]',
  },
  {
    image: 'nginx:1.28',
    debianPackage: 'nginx-light',
    entrypoint: `rm -f /etc/nginx/sites-enabled/*\nexec nginx -g 'daemon off;'`,
    rest: 'STOPSIGNAL SIGQUIT',
  },
];

export const DEBIAN = 'debian:12-slim';

/** Makes `debian:12-slim` by debootstrap, with this machine's registry for npm packages. */
export function makeDebian(engine: Engine, folder: string): void {
  const root = join(folder, 'root');
  const options = ['--variant=minbase', '--include=ca-certificates'];
  execFileSync('debootstrap', [...options, 'bookworm', root], { stdio: 'pipe', maxBuffer: 2 ** 26 });
  copyFileSync('/etc/resolv.conf', join(root, 'etc', 'resolv.conf'));
  trustRegistry(root);
  const archive = join(folder, 'debian.tar');
  execFileSync('tar', [
    ...['-cf', archive, '--numeric-owner', '--exclude=./proc/*', '--exclude=./sys/*'],
    ...['-C', root, '.'],
  ]);
  engine.docker(['import', archive, DEBIAN]);
  rmSync(archive);
  rmSync(root, { recursive: true });
}

/** Builds them on `debian:12-slim`. */
export function makeStandIns(engine: Engine, folder: string): void {
  for (const { image, debianPackage, entrypoint, rest } of standIns) {
    const context = join(folder, image.replace(':', '-'));
    mkdirSync(context);
    const as = 'as() { setpriv --reuid postgres --regid postgres --init-groups "$@"; }';
    writeFileSync(join(context, 'entrypoint'), `#!/bin/sh\nset -eu\n${as}\n${entrypoint}\n`);
    chmodSync(join(context, 'entrypoint'), 0o755);
    writeFileSync(
      join(context, 'Dockerfile'),
      `FROM ${DEBIAN}
RUN apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends ${debianPackage}
COPY entrypoint /entrypoint
ENTRYPOINT ["/entrypoint"]
${rest}
`,
    );
    engine.docker(['build', '--network', 'host', '--tag', image, context]);
  }
}
