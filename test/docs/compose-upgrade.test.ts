import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';

const project = join(import.meta.dirname, '..', '..');

/**
 * Stands for `docker`: writes down its commands. A container has the name of its service; a file with that name says
 * that it is not healthy.
 */
const DOCKER = `#!/bin/sh
cd "$(dirname "$0")"
echo "$*" >> commands
for last; do :; done
case "$*" in
  'compose ps '*) echo "$last" ;;
  inspect*) if [ -e "$last" ]; then echo unhealthy; else echo healthy; fi ;;
  'compose exec -T nginx sh '*) [ ! -e nginx ] ;;
  'compose up '*) [ ! -e "$last" ] ;;
esac
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-upgrade-'));
  writeFileSync(join(folder, 'docker'), DOCKER, { mode: 0o755 });
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

interface Ran {
  readonly status: number | null;
  readonly said: string;
  /** What was done to containers, in short. */
  readonly steps: readonly string[];
}

/** `faulty`: services that do not become healthy. */
function upgrade(...faulty: readonly string[]): Ran {
  for (const name of faulty) writeFileSync(join(folder, name), '');
  const { status, stderr } = spawnSync(join(project, 'deploy', 'upgrade.sh'), {
    encoding: 'utf8',
    env: { ...process.env, PATH: `${folder}:${process.env.PATH ?? ''}` },
  });
  const commands = join(folder, 'commands');
  const done = existsSync(commands) ? readFileSync(commands, 'utf8') : '';
  const steps = Array.from(done.matchAll(/compose build|touch \S+|rm \S+|up .*/g), ([step]) => step);
  return { status, said: stderr.trim(), steps };
}

const NEW = 'up --detach --no-deps --force-recreate --wait';

const replaced = (bridge: string): readonly string[] => [
  `touch /run/causeway.${bridge}.down`,
  `${NEW} ${bridge}`,
  `rm /run/causeway.${bridge}.down`,
];

describe('the script that upgrades an installation with Compose', () => {
  it('replaces each bridge while nginx sends it no calls', () => {
    const steps = ['compose build', ...replaced('bridge1'), ...replaced('bridge2')];
    expect(upgrade()).toEqual({ status: 0, said: '', steps });
  });

  it('leaves the calls with the other bridge if the new one does not become healthy', () => {
    const { status, said, steps } = upgrade('bridge1');
    expect(status).toBe(1);
    expect(said).toContain('bridge1 is not healthy and gets no calls; bridge2 serves them all');
    expect(steps).toEqual(['compose build', ...replaced('bridge1').slice(0, 2)]);
  });

  it('first replaces the bridge that does not serve', () => {
    expect(upgrade('bridge2').steps).toEqual(['compose build', ...replaced('bridge2').slice(0, 2)]);
  });

  it('touches nothing if neither bridge serves', () => {
    const { status, said, steps } = upgrade('bridge1', 'bridge2');
    expect({ status, steps }).toEqual({ status: 1, steps: ['compose build'] });
    expect(said).toContain('docker compose up --detach --build');
  });

  it('replaces no bridge behind an nginx that would not notice', () => {
    const { status, said, steps } = upgrade('nginx');
    expect(status).toBe(1);
    expect(said).toContain('docker compose up --detach --no-deps --force-recreate nginx');
    expect(steps.filter((step) => step.startsWith('up '))).toEqual([]);
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
