import { describe, expect, it } from '@jest/globals';
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseEnv } from 'node:util';
import { StatefulSet } from 'kubernetes-models/apps/v1/StatefulSet';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { Service } from 'kubernetes-models/v1/Service';
import { parse } from 'yaml';
import { readSettings } from '../../src/app/settings/settings.ts';

const project = join(import.meta.dirname, '..', '..');
const read = (name: string): string => readFileSync(join(project, name), 'utf8');

/** The names in use where a file of `deploy/` leaves a value to the operator. */
const chosen = {
  CAUSEWAY_CLIENT_ID: 'client',
  CAUSEWAY_MAIL_FROM: 'Example Ltd <causeway@example.com>',
  CAUSEWAY_BRAND_NAME: 'Example Ltd',
  CAUSEWAY_SERVICE_NAME: 'Example Practice Manager',
  CAUSEWAY_SUPPORT_ADDRESS: 'support@example.com',
};

/** A folder of secrets, as deploy/make-secrets.sh makes them. */
function withSecrets<Result>(work: (folder: string) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-secrets-'));
  try {
    makeSecrets(folder);
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const makeSecrets = (folder: string): string =>
  execFileSync('sh', [join(project, 'deploy', 'make-secrets.sh'), folder], {
    encoding: 'utf8',
    // What it refuses is in the error, and not among the results of the tests.
    stdio: 'pipe',
    env: { ...process.env, CAUSEWAY_CLIENT_SECRET: 'secret of the application' },
  });

/** The same settings with their files in `folder`; those for which the script makes none are left out. */
function pointedTo(settings: Readonly<Record<string, string>>, folder: string): Record<string, string> {
  const made = readdirSync(folder);
  const entries = Object.entries(settings).map(([name, value]): [string, string] =>
    name.endsWith('_FILE') ? [name, join(folder, basename(value))] : [name, value],
  );
  return Object.fromEntries(
    entries.filter(([name, value]) => !name.endsWith('_FILE') || made.includes(basename(value))),
  );
}

describe('the script that creates secrets', () => {
  it('says what is missing where nobody can type the client secret', () => {
    const folder = mkdtempSync(join(tmpdir(), 'causeway-secrets-'));
    const env = { ...process.env, CAUSEWAY_CLIENT_SECRET: '' };
    const script = join(project, 'deploy', 'make-secrets.sh');
    const { status, stderr } = spawnSync('sh', [script, folder], { encoding: 'utf8', input: '', env });
    rmSync(folder, { recursive: true });
    expect({ status, said: stderr.trim().split('\n').at(-1) }).toEqual({
      status: 1,
      said: 'no client secret was given: type it here, or set CAUSEWAY_CLIENT_SECRET',
    });
  });

  it('creates each once, in a folder that only its owner can enter', () => {
    withSecrets((folder) => {
      expect(statSync(folder).mode & 0o777).toBe(0o700);
      const names = readdirSync(folder);
      expect(names).toContain('encryption-keys');
      const before = names.map((name) => readFileSync(join(folder, name), 'utf8'));
      expect(makeSecrets(folder)).toContain('encryption-keys is kept');
      expect(readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual(before);
    });
  });

  it('creates files that their owner can replace, and no certificate for the key of another', () => {
    withSecrets((folder) => {
      for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o644);
      const key = readFileSync(join(folder, 'key.pem'), 'utf8');
      rmSync(join(folder, 'certificate.pem'));
      expect(() => makeSecrets(folder)).toThrow('key.pem is there without its certificate.pem');
      expect(readFileSync(join(folder, 'key.pem'), 'utf8')).toBe(key);
      expect(readdirSync(folder)).not.toContain('certificate.pem');
    });
  });

  it('creates every secret that compose.yaml mounts', () => {
    const { secrets } = parse(read('compose.yaml')) as Compose;
    withSecrets((folder) => {
      const made = readdirSync(folder);
      const wanted = Object.values(secrets).map(({ file }) => basename(file));
      expect(wanted.filter((name) => !made.includes(name))).toEqual([]);
    });
  });
});

interface ComposeService {
  readonly environment?: Readonly<Record<string, string>>;
  readonly image?: string;
  readonly command?: readonly string[];
  readonly logging?: object;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly secrets?: readonly (string | { readonly source: string })[];
  readonly volumes?: readonly string[];
}

interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

const compose = (): Compose => parse(read('compose.yaml'), { merge: true }) as Compose;

/** `${NAME:?why}`, `${NAME:-default}` and `${NAME-default}`, as Compose fills them in. */
const filledIn = (text: string, values: Readonly<Record<string, string | undefined>>): string =>
  text.replaceAll(/\$\{(\w+)(?::?([-?])([^}]*))?\}/g, (_all, name: string, sign?: string, other = '') => {
    const value = values[name];
    if (value !== undefined && value !== '') return value;
    if (sign === '?') throw new Error(`compose.yaml wants ${name}: ${String(other)}`);
    return String(other);
  });

describe('compose.yaml', () => {
  it('starts two bridges with settings that a bridge accepts, once .env is filled in', () => {
    const values = { ...parseEnv(read('deploy/compose.env')), ...chosen };
    withSecrets((folder) => {
      for (const name of ['bridge1', 'bridge2']) {
        const given = compose().services[name]?.environment ?? {};
        const env = Object.fromEntries(
          Object.entries(given).map(([key, value]) => [key, filledIn(value, values)]),
        );
        const { publicUrl, notices } = readSettings({ env: pointedTo(env, folder) });
        expect([String(publicUrl), notices]).toEqual(['https://bridge.example.com', []]);
      }
    });
  });

  it('names a missing setting', () => {
    expect(() => filledIn('${CAUSEWAY_PUBLIC_URL:?copy deploy/compose.env}', {})).toThrow(
      'CAUSEWAY_PUBLIC_URL',
    );
  });

  it('gives each bridge its own volume, a read-only root and no capabilities', () => {
    const { services, volumes } = compose();
    const bridges = Object.entries(services).filter(([, { image }]) => image === 'causeway');
    expect(bridges).toHaveLength(2);
    for (const [name, service] of bridges) {
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], volumes: [`${name}:/data`] });
      expect(Object.keys(volumes)).toContain(name);
    }
  });

  it('limits the log of every service, and leads the files of nginx to it', () => {
    const { services } = compose();
    for (const service of Object.values(services))
      expect(service.logging).toMatchObject({ options: { 'max-size': expect.any(String) } });
    const files = read('deploy/nginx/causeway.conf').matchAll(/_log +(\/var\S+)/g);
    const start = services.nginx?.command?.at(-1) ?? '';
    expect(Array.from(files, ([, file = '']) => start.includes(` ${file} `))).toEqual([true, true]);
  });

  it('declares every secret that a service uses', () => {
    const { services, secrets } = compose();
    const asked = Object.values(services)
      .flatMap((service) => service.secrets ?? [])
      .map((secret) => (typeof secret === 'string' ? secret : secret.source));
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter((name) => secrets[name] === undefined)).toEqual([]);
  });
});

const kinds = { StatefulSet, Job, NetworkPolicy, PodDisruptionBudget, Service };

interface Manifest {
  readonly kind: string;
  readonly spec: {
    readonly template?: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: {
        readonly containers: readonly {
          readonly env: readonly { readonly name: string; readonly value: string }[];
        }[];
      };
    };
  };
}

const kubernetes = 'deploy/kubernetes';
const manifests = globSync(`${kubernetes}/**/*.yaml`, { cwd: project }).filter(
  (file) => basename(file) !== 'kustomization.yaml',
);
const manifest = (file: string): Manifest => parse(read(file)) as Manifest;

describe('the manifests for Kubernetes', () => {
  it.each(manifests)('include %s, which is valid against the schema of its kind', (file) => {
    const Kind = kinds[manifest(file).kind as keyof typeof kinds];
    expect(() => {
      new Kind(manifest(file) as never).validate();
    }).not.toThrow();
  });

  it('are all named by a kustomization', () => {
    const named = ['', '/migration'].flatMap((folder) =>
      (
        parse(read(`${kubernetes}${folder}/kustomization.yaml`)) as { readonly resources: string[] }
      ).resources.map((name) => `${kubernetes}${folder}/${name}`),
    );
    expect(named.toSorted()).toEqual(manifests.toSorted());
  });

  it.each(['bridge.yaml', 'migration/job.yaml'])(
    'give the container of %s settings that it accepts',
    (name) => {
      const { env } = manifest(`${kubernetes}/${name}`).spec.template?.spec.containers[0] ?? { env: [] };
      const common =
        name === 'bridge.yaml' ? { ...parseEnv(read(`${kubernetes}/causeway.env`)), ...chosen } : {};
      const mail = name === 'bridge.yaml' ? { CAUSEWAY_SMTP_URL: 'smtps://mail.example.com' } : {};
      withSecrets((folder) => {
        const files = pointedTo(Object.fromEntries(env.map((one) => [one.name, one.value])), folder);
        const settings = { ...common, ...mail, ...files, CAUSEWAY_PLAIN_HOSTS: 'postgres' } as Record<
          string,
          string
        >;
        expect(readSettings({ env: settings }).database.reveal()).toContain('postgres://');
      });
    },
  );

  it('open every port that the page on firewall rules opens', () => {
    const [, out = ''] = read('docs/secure/firewall.md').split('## Out');
    const named = Array.from(
      out.matchAll(/^\|[^|]+\|([^|]+)\|/gm),
      ([, ports = '']) => ports.match(/\d+/g) ?? [],
    );
    const policy = parse(read(`${kubernetes}/network-policy.yaml`)) as {
      readonly spec: { readonly egress: readonly { readonly ports: readonly { readonly port: number }[] }[] };
    };
    const open = policy.spec.egress.flatMap(({ ports }) => ports.map(({ port }) => port));
    expect(new Set(named.flat().map(Number))).toEqual(new Set(open));
  });

  it('route no call to the job that migrates', () => {
    const { selector } = manifest(`${kubernetes}/service.yaml`).spec as { selector?: Record<string, string> };
    const job = manifest(`${kubernetes}/migration/job.yaml`).spec.template;
    expect(selector).toEqual({ 'app.kubernetes.io/name': 'causeway' });
    expect(job?.metadata.labels).not.toEqual(selector);
  });
});

describe('the systemd unit', () => {
  const lines = read('deploy/systemd/causeway.service').split('\n');
  const of = (key: string): readonly string[] =>
    lines.filter((line) => line.startsWith(`${key}=`)).map((line) => line.slice(key.length + 1));

  it('starts a bridge with settings that it accepts', () => {
    withSecrets((folder) => {
      const own = Object.fromEntries(
        of('Environment').map((line) => [
          line.slice(0, line.indexOf('=')),
          line.slice(line.indexOf('=') + 1),
        ]),
      );
      const settings = { ...parseEnv(read('deploy/systemd/causeway.env')), ...chosen, ...own };
      const env = pointedTo({ ...settings, CAUSEWAY_SMTP_URL: 'smtps://mail.example.com' }, folder);
      expect(readSettings({ env }).database.reveal()).toBe('sqlite:/var/lib/causeway/causeway.db');
    });
  });

  it('waits for the calls to end before it kills', () => {
    expect(of('TimeoutStopSec')).toEqual(['30s']);
    expect(readSettings({ env: minimal }).stop.within).toBe(30_000);
  });

  it('reads each secret from a credential that it loads', () => {
    const loaded = of('LoadCredential').map((line) => line.slice(0, line.indexOf(':')));
    const used = of('Environment').flatMap((line) => /=%d\/(.+)$/.exec(line)?.[1] ?? []);
    expect(used.length).toBeGreaterThan(0);
    expect(used.toSorted()).toEqual(loaded.toSorted());
  });
});

const minimal = { CAUSEWAY_ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}` };
