import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { trustRegistry } from '../bare-root/debian-root.ts';
import type { Engine } from './engine.ts';

/**
 * Images with the names in `compose.yaml` and the Dockerfile, made here because no registry can be reached: Debian's
 * programs, with the behaviour of the published images that `compose.yaml` relies on. The versions are Debian's: each is
 * taken from the release of Debian whose version is nearest to that of the published image.
 */
interface StandIn {
  readonly image: string;
  readonly base: string;
  readonly debianPackage: string;
  /** Runs as root in the container, with the command of the image or of `compose.yaml` as its arguments. */
  readonly entrypoint: string;
  readonly rest: string;
}

/** Images of Debian, and the names of the releases for debootstrap. The first is that of the Dockerfile. */
export const DEBIAN = 'debian:12-slim';
const DEBIAN_13 = 'debian:13-slim';
const suites = { [DEBIAN]: 'bookworm', [DEBIAN_13]: 'trixie' } as const;

const standIns: readonly StandIn[] = [
  {
    image: 'postgres:17',
    base: DEBIAN_13,
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
    rest: 'ENV PATH=/usr/lib/postgresql/17/bin:/usr/sbin:/usr/bin:/sbin:/bin\nVOLUME /var/lib/postgresql/data\nSTOPSIGNAL SIGINT',
  },
  {
    image: 'redis:7',
    base: DEBIAN,
    debianPackage: 'redis-server',
    // Like the published image: every client that reaches the container may use it.
    entrypoint: 'exec setpriv --reuid redis --regid redis --init-groups "$@" --protected-mode no',
    rest: 'CMD ["redis-server"]',
  },
  {
    image: 'nginx:1.28',
    base: DEBIAN_13,
    debianPackage: 'nginx-light',
    // Like the published image: sites are in conf.d alone, and the command of compose.yaml is run.
    entrypoint: 'rm -f /etc/nginx/sites-enabled/*\nexec "$@"',
    rest: `STOPSIGNAL SIGQUIT\nCMD ["nginx", "-g", "daemon off;"]`,
  },
];

/** Makes the images of Debian by debootstrap, with this machine's registry for npm packages. */
export function makeDebian(engine: Engine, folder: string): void {
  for (const [image, suite] of Object.entries(suites)) bootstrap(engine, folder, image, suite);
}

function bootstrap(engine: Engine, folder: string, image: string, suite: string): void {
  const root = join(folder, 'root');
  const options = ['--variant=minbase', '--include=ca-certificates'];
  execFileSync('debootstrap', [...options, suite, root], { stdio: 'pipe', maxBuffer: 2 ** 26 });
  copyFileSync('/etc/resolv.conf', join(root, 'etc', 'resolv.conf'));
  trustRegistry(root);
  const archive = join(folder, 'debian.tar');
  execFileSync('tar', [
    ...['-cf', archive, '--numeric-owner', '--exclude=./proc/*', '--exclude=./sys/*'],
    ...['-C', root, '.'],
  ]);
  engine.docker(['import', archive, image]);
  rmSync(archive);
  rmSync(root, { recursive: true });
}

/** Builds them on the images of Debian. */
export function makeStandIns(engine: Engine, folder: string): void {
  for (const { image, base, debianPackage, entrypoint, rest } of standIns) {
    const context = join(folder, image.replace(':', '-'));
    mkdirSync(context);
    const as = 'as() { setpriv --reuid postgres --regid postgres --init-groups "$@"; }';
    writeFileSync(join(context, 'entrypoint'), `#!/bin/sh\nset -eu\n${as}\n${entrypoint}\n`);
    chmodSync(join(context, 'entrypoint'), 0o755);
    writeFileSync(
      join(context, 'Dockerfile'),
      `FROM ${base}
RUN apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends ${debianPackage}
COPY entrypoint /entrypoint
ENTRYPOINT ["/entrypoint"]
${rest}
`,
    );
    engine.docker(['build', '--network', 'host', '--tag', image, context]);
  }
}
