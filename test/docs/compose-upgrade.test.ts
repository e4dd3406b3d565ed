import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';

const project = join(import.meta.dirname, '..', '..');

/**
 * Stands for `docker`. A container has the name of its service: the folder of a bridge has a file `health` with what Docker
 * says of it, none without a container, and a file `ready` while `ready` returns 200. A command for a new container may be
 * in `new`. The folder `nginx` has the files of that container, in which commands are run.
 */
const DOCKER = `#!/bin/sh
cd "$(dirname "$0")/.."
set -u
for last; do :; done
case "$*" in
  'compose build')
    echo build >> steps
    [ ! -e faulty-build ] ;;
  'compose ps --quiet') ;;
  'compose ps --quiet '*) [ ! -e "$last/health" ] || echo "$last" ;;
  inspect*) cat "$last/health" ;;
  'compose exec -T nginx sh '*) sh -euc "$(echo "$last" | sed 's,/run/,nginx/,g; s,/etc/nginx/conf.d/,nginx/conf/,g')" ;;
  'compose exec -T nginx '*)
    shift 4
    set -- $(echo "$*" | sed 's,/run/,nginx/,g; s,/etc/nginx/conf.d/,nginx/conf/,g')
    "$@" ;;
  'compose exec -T bridge'*) [ -e "$4/ready" ] ;;
  'compose up --detach --no-deps --force-recreate --wait bridge'*)
    echo "new $last, without calls:" $(ls nginx | sed -n 's/^causeway.//; s/.down$//p') >> steps
    echo healthy > "$last/health"
    touch "$last/ready"
    if [ -e "$last/new" ]; then cd "$last"; . ./new; fi ;;
  *) echo "docker $*: not expected" >&2; exit 64 ;;
esac
`;

/** Stands for time that passes: bridges that are starting become ready. */
const SLEEP = `#!/bin/sh
cd "$(dirname "$0")/.."
for bridge in bridge1 bridge2; do
  if grep -qs starting "$bridge/health"; then echo healthy > "$bridge/health"; touch "$bridge/ready"; fi
done
`;

let folder: string;
const place = (...names: readonly string[]): string => join(folder, ...names);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-upgrade-'));
  for (const name of ['bin', 'deploy/nginx', 'nginx/conf', 'bridge1', 'bridge2'])
    mkdirSync(place(name), { recursive: true });
  cpSync(join(project, 'deploy', 'upgrade.sh'), place('deploy', 'upgrade.sh'));
  for (const copy of ['deploy/nginx/causeway.conf', 'nginx/conf/default.conf'])
    cpSync(join(project, 'deploy', 'nginx', 'causeway.conf'), place(copy));
  writeFileSync(place('bin', 'docker'), DOCKER, { mode: 0o755 });
  writeFileSync(place('bin', 'sleep'), SLEEP, { mode: 0o755 });
  for (const bridge of bridgeNames) set(bridge, 'healthy', 'ready');
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

type Bridge = 'bridge1' | 'bridge2';
const bridgeNames = ['bridge1', 'bridge2'] as const;

/** Without `health`, there is no container. */
function set(bridge: Bridge, health: string | undefined, ready: 'ready' | 'not ready'): void {
  for (const name of ['health', 'ready']) rmSync(place(bridge, name), { force: true });
  if (health !== undefined) writeFileSync(place(bridge, 'health'), health);
  if (ready === 'ready') writeFileSync(place(bridge, 'ready'), '');
}

/** What happens, in its folder, as the bridge's container is created anew. It is healthy and ready otherwise. */
const whenNew = (bridge: Bridge, commands: string): void => {
  writeFileSync(place(bridge, 'new'), commands);
};

const UNHEALTHY = 'echo unhealthy > health; rm ready; exit 1';
const NO_CONTAINER = 'rm health ready';

const keepFromCalls = (bridge: Bridge): void => {
  writeFileSync(place('nginx', `causeway.${bridge}.down`), '');
};

interface Ran {
  readonly status: number | null;
  readonly said: string;
  /** What was done to bridges, and which had no calls then. */
  readonly steps: readonly string[];
  /** The bridges to which nginx sends no calls in the end. */
  readonly left: readonly string[];
}

function upgrade(program: readonly string[] = []): Ran {
  writeFileSync(place('steps'), '');
  const [command, ...args] = [...program, place('deploy', 'upgrade.sh')];
  const { status, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    env: { ...process.env, PATH: `${place('bin')}:${process.env.PATH ?? ''}` },
  });
  const steps = readFileSync(place('steps'), 'utf8').split('\n').slice(0, -1);
  const left = readdirSync(place('nginx')).flatMap((file) => /causeway\.(.*)\.down/.exec(file)?.[1] ?? []);
  return { status, said: stderr.trim(), steps, left };
}

const replaced = (bridge: Bridge): string => `new ${bridge}, without calls: ${bridge}`;
const BOTH = ['build', replaced('bridge1'), replaced('bridge2')];
const DONE = { status: 0, said: '', steps: BOTH, left: [] };

describe('the script that upgrades an installation with Compose', () => {
  it('replaces each bridge while nginx sends it no calls', () => {
    expect(upgrade()).toEqual(DONE);
  });

  it('leaves the calls with the other bridge if the new one does not become healthy', () => {
    whenNew('bridge1', UNHEALTHY);
    const { status, said, steps, left } = upgrade();
    expect({ status, steps, left }).toEqual({ status: 1, steps: BOTH.slice(0, 2), left: ['bridge1'] });
    expect(said).toContain('bridge1 is not healthy and gets no calls; bridge2 serves them all');
    expect(said).toContain('Not replaced: bridge1 bridge2.');
  });

  it('first replaces the bridge that does not serve', () => {
    set('bridge2', 'unhealthy', 'not ready');
    expect(upgrade()).toEqual({ ...DONE, steps: ['build', replaced('bridge2'), replaced('bridge1')] });
  });

  it('touches nothing if neither bridge serves', () => {
    for (const bridge of bridgeNames) set(bridge, 'unhealthy', 'not ready');
    const { status, said, steps } = upgrade();
    expect({ status, steps }).toEqual({ status: 1, steps: ['build'] });
    expect(said).toContain('docker compose up --detach --build');
  });

  it.each(bridgeNames)('takes no other bridge from calls after a run that left %s without them', (bridge) => {
    whenNew(bridge, UNHEALTHY);
    expect(upgrade().left).toEqual([bridge]);
    set(bridge, 'healthy', 'ready');
    rmSync(place(bridge, 'new'));
    expect(upgrade()).toMatchObject({ status: 0, steps: BOTH, left: [] });
  });

  it('first replaces a bridge that a former run left without calls and that is still not healthy', () => {
    keepFromCalls('bridge2');
    set('bridge2', 'unhealthy', 'not ready');
    const steps = ['build', replaced('bridge2'), replaced('bridge1')];
    expect(upgrade()).toMatchObject({ status: 0, steps, left: [] });
  });

  it('gives calls to healthy bridges that a former run left without them, before anything can fail', () => {
    for (const bridge of bridgeNames) keepFromCalls(bridge);
    writeFileSync(place('faulty-build'), '');
    const { status, said, left } = upgrade();
    expect({ status, left }).toEqual({ status: 1, left: [] });
    expect(said).toContain('bridge2 is healthy and gets calls again.');
  });

  it.each(['HUP', 'INT', 'TERM'])('gives the new bridge its calls if SIG%s ends the script', (signal) => {
    whenNew('bridge1', `echo starting > health; rm ready; kill -${signal} $PPID`);
    const { status, said, steps, left } = upgrade();
    expect({ steps, left }).toEqual({ steps: BOTH.slice(0, 2), left: [] });
    expect(status).toBeGreaterThan(128);
    expect(said).toContain('bridge1 is healthy and gets calls again.');
    expect(said).toContain('Not replaced: bridge1 bridge2.');
  });

  it('says which bridge has no calls if a signal ends it while there is no container', () => {
    whenNew('bridge2', `${NO_CONTAINER}; kill -INT $PPID`);
    const { said, left } = upgrade();
    expect(left).toEqual(['bridge2']);
    expect(said).toContain('bridge2 is not healthy and gets no calls; bridge1 serves them all');
    expect(said).toContain('Not replaced: bridge2.');
    rmSync(place('bridge2', 'new'));
    expect(upgrade()).toMatchObject({ status: 0, steps: ['build', ...BOTH.slice(1).reverse()], left: [] });
  });

  it('keeps no bridge from calls if the other one has failed meanwhile', () => {
    whenNew('bridge1', `rm ../bridge2/ready; echo unhealthy > ../bridge2/health; ${UNHEALTHY}`);
    const { status, said, left } = upgrade();
    expect({ status, left }).toEqual({ status: 1, left: [] });
    expect(said).toContain('No bridge is healthy');
  });

  it('does not replace the second bridge if the first fails after it was ready', () => {
    whenNew('bridge1', 'touch ../fails-later');
    const fails = '/bin/rm -f bridge1/ready; echo unhealthy > bridge1/health';
    const rm = `#!/bin/sh\n/bin/rm "$@"\nif [ -e fails-later ]; then ${fails}; fi\n`;
    writeFileSync(place('bin', 'rm'), rm, { mode: 0o755 });
    const { status, said, steps, left } = upgrade();
    expect({ status, steps, left }).toEqual({ status: 1, steps: BOTH.slice(0, 2), left: [] });
    expect(said).toContain('bridge1 is not healthy, so bridge2 is not replaced');
  });

  it('counts a bridge that is ready as one that serves, though Docker still calls it starting', () => {
    for (const bridge of bridgeNames) set(bridge, 'starting', 'ready');
    expect(upgrade()).toEqual(DONE);
  });

  it('waits for bridges that have just been started', () => {
    for (const bridge of bridgeNames) set(bridge, 'starting', 'not ready');
    expect(upgrade()).toEqual(DONE);
  });

  it('gives calls to a bridge that becomes ready after Compose has stopped to wait', () => {
    whenNew('bridge1', 'echo starting > health; rm ready; exit 1');
    const { status, steps, left } = upgrade();
    expect({ status, steps, left }).toEqual({ status: 1, steps: BOTH.slice(0, 2), left: [] });
  });

  it('gives no calls to a bridge that is healthy but not ready', () => {
    whenNew('bridge1', 'rm ready');
    const { status, said, steps, left } = upgrade();
    expect({ status, steps, left }).toEqual({ status: 1, steps: BOTH.slice(0, 2), left: ['bridge1'] });
    expect(said).toContain('bridge1 runs, but is not ready');
  });

  it('goes on if nginx was created anew meanwhile, without the file', () => {
    whenNew('bridge1', 'rm ../nginx/causeway.bridge1.down');
    expect(upgrade()).toEqual(DONE);
  });

  it('does nothing while another run is in progress', () => {
    const { status, said, steps } = upgrade(['flock', place('deploy')]);
    expect({ status, steps }).toEqual({ status: 1, steps: [] });
    expect(said).toBe('deploy/upgrade.sh is already running.');
  });

  it('replaces no bridge behind an nginx that would not notice', () => {
    writeFileSync(place('nginx', 'conf', 'default.conf'), 'server {}');
    const { status, said, steps } = upgrade();
    expect({ status, steps }).toEqual({ status: 1, steps: [] });
    expect(said).toContain('docker compose up --detach --no-deps --force-recreate nginx');
    expect(said).not.toContain('earlier release');
  });

  it('asks for the new causeway.conf if the file in the folder is an earlier one', () => {
    writeFileSync(place('deploy', 'nginx', 'causeway.conf'), 'server {}');
    const { status, said, steps } = upgrade();
    expect({ status, steps }).toEqual({ status: 1, steps: [] });
    expect(said).toContain('take the new one, with your server_name');
  });
});

interface Service {
  readonly image?: string;
  readonly build?: unknown;
  readonly extra_hosts?: readonly string[];
  readonly networks?: { readonly default?: { readonly ipv4_address?: string } };
}

const { services } = parse(readFileSync(join(project, 'compose.yaml'), 'utf8'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
};
const bridges = Object.entries(services).filter(([, { image }]) => image === 'causeway');

describe('compose.yaml', () => {
  it('lets nginx find a bridge that is not running, without which it would not start', () => {
    const addresses = bridges.map(
      ([name, { networks }]) => `${name}:${networks?.default?.ipv4_address ?? ''}`,
    );
    expect(services.nginx?.extra_hosts).toEqual(addresses);
  });

  it('builds the image once, so that no bridge has another one than its tag names', () => {
    expect(bridges.filter(([, { build }]) => build !== undefined)).toHaveLength(1);
  });
});
