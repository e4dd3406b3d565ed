import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type ProxyName = 'haproxy' | 'nginx';

/**
 * As in `deploy/`, for several bridges or for one; or without the lines that keep calls from failing, to show that they
 * then fail.
 */
export type Variant = 'shown' | 'one-bridge' | 'without-repeats';

const DEPLOY = join(import.meta.dirname, '..', '..', 'deploy');

/** The configurations that operators copy, from `deploy/`. */
const FILES: Readonly<Record<ProxyName, string>> = {
  haproxy: join(DEPLOY, 'haproxy', 'haproxy.cfg'),
  nginx: join(DEPLOY, 'nginx', 'causeway.conf'),
};

const ONE_BRIDGE = join(DEPLOY, 'haproxy', 'one-bridge.cfg');

const shown = (name: ProxyName): string => readFileSync(FILES[name], 'utf8');

/** Throws if the text to replace is missing, so that the tested configuration is the documented one. */
function replaced(text: string, what: RegExp, by: string): string {
  if (!what.test(text)) throw new Error(`nothing like ${String(what)} is shown`);
  return text.replace(what, by);
}

/** Replaces what is there once for each server, such as its line, by what is made of the first for the test's servers. */
function withServers(text: string, part: RegExp, make: (shown: string) => readonly string[]): string {
  const first = part.exec(text)?.[0];
  if (first === undefined) throw new Error(`no server is shown: nothing like ${String(part)}`);
  const [head = '', ...rest] = text.split(first);
  return head + make(first).join('') + rest.join(first).replaceAll(new RegExp(part, 'gm'), '');
}

/** Keeps HAProxy from sending an undelivered call to another instance, which these lines otherwise cause. */
const WITHOUT_REPEATS = [
  [/^ {2}retries \d+$/m, '  retries 0'],
  [/^ {2}retry-on .*$/m, '  retry-on none'],
  [/^ {2}option redispatch .*\n/m, ''],
] as const;

/** Where the log goes is the operator's choice; here to the file that receives the program's output. */
const LOGGED = [[/^defaults$/m, 'global\n  log stdout format raw daemon\n\ndefaults\n  log global']] as const;

/** Certificate and key for a proxy that ends TLS. */
export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

/**
 * The documented configuration, except for its address, its certificate (none: plain HTTP), its logs and its servers.
 */
export function haproxyConfiguration(
  port: number,
  servers: readonly number[],
  { variant = 'shown', pem }: { readonly variant?: Variant; readonly pem?: string | undefined } = {},
): string {
  const lines = servers.map((one, place) => `  server bridge${place + 1} 127.0.0.1:${one}\n`);
  const changes = variant === 'without-repeats' ? WITHOUT_REPEATS : [];
  const text = variant === 'one-bridge' ? readFileSync(ONE_BRIDGE, 'utf8') : shown('haproxy');
  const proxy = [...LOGGED, ...changes].reduce((done, [what, by]) => replaced(done, what, by), text);
  return withServers(
    replaced(
      proxy,
      /bind :443 ssl crt \S+/,
      `bind 127.0.0.1:${port}${pem === undefined ? '' : ` ssl crt ${pem}`}`,
    ),
    /^ {2}server .*\n/m,
    () => lines,
  );
}

export function nginxConfiguration(
  port: number,
  servers: readonly number[],
  folder: string,
  tls?: Certificate,
): string {
  const site = [
    [/listen 443 ssl;/, `listen 127.0.0.1:${port}${tls === undefined ? '' : ' ssl'};`],
    [/ssl_certificate {5}\S+;/, tls === undefined ? '' : `ssl_certificate ${tls.certificate};`],
    [/ssl_certificate_key \S+;/, tls === undefined ? '' : `ssl_certificate_key ${tls.key};`],
    [/access_log \S+ causeway;/, `access_log ${join(folder, ACCESS_LOG)} causeway;`],
    [/error_log {2}\S+ crit;/, `error_log ${join(folder, 'site.log')} crit;`],
  ] as const;
  const text = site.reduce(
    (done, [what, by]) => replaced(done, what, by),
    withNginxServers(shown('nginx').replaceAll('/run/causeway.', `${folder}/`), servers),
  );
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  return `daemon off;
pid ${join(folder, 'pid')};
error_log ${join(folder, 'error.log')} error;
worker_processes 1;
events {}
http {
${places.join('\n')}
${text}}
`;
}

/** For a single server, no group is without it. */
function withNginxServers(text: string, servers: readonly number[]): string {
  const lines = servers.map((one) => `  server 127.0.0.1:${one} max_fails=1 fail_timeout=10s;\n`);
  const each = (shownPart: string): readonly string[] =>
    servers.length === 1 ? [] : lines.map((_, place) => shownPart.replaceAll('bridge1', nameOf(place)));
  const [other = '', absent = ''] = text.match(/^ {2}server bridge\d:8080 (?:max_fails=0|backup);\n/gm) ?? [];
  const inGroup = (place: number): string =>
    servers
      .map((one, at) => (at === place ? absent : other).replace(/bridge\d:8080/, `127.0.0.1:${one}`))
      .join('');
  const conditions = withServers(text, /^ {2}if \(-f .*\n/m, each);
  const chosen = withServers(conditions, /^ {2}bridge\d causeway_without_.*\n/m, each);
  const groups = withServers(chosen, /^upstream causeway_without_\w+ \{\n(?: .*\n)*\}\n/m, (group) =>
    each(group).map((one, place) => replaced(one, /(?: {2}server .*\n)+/, inGroup(place))),
  );
  return withServers(groups, /^ {2}server bridge.*\n/m, () => lines);
}

const nameOf = (place: number): string => `bridge${place + 1}`;

/** HAProxy needs both in one file. */
function pemIn(folder: string, { certificate, key }: Certificate): string {
  const file = join(folder, 'bridge.pem');
  writeFileSync(file, readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'));
  return file;
}

const ACCESS_LOG = 'access.log';

/** A proxy on loopback, with the configuration of `deploy/`; ended by its process ID. */
export class FrontProxy {
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #servers: readonly number[];

  private constructor(url: string, child: ChildProcess, folder: string, servers: readonly number[]) {
    this.url = url;
    this.#child = child;
    this.#folder = folder;
    this.#servers = servers;
  }

  /** Throws with the program's own words if it rejects the configuration. */
  static start(
    name: ProxyName,
    program: string,
    port: number,
    servers: readonly number[],
    { variant = 'shown', tls }: { readonly variant?: Variant; readonly tls?: Certificate } = {},
  ): FrontProxy {
    const folder = mkdtempSync(join(tmpdir(), `causeway-${name}-`));
    // Its workers run as another user if root starts it.
    chmodSync(folder, 0o755);
    const file = join(folder, 'configuration');
    writeFileSync(
      file,
      name === 'haproxy'
        ? haproxyConfiguration(port, servers, { variant, pem: tls && pemIn(folder, tls) })
        : nginxConfiguration(port, servers, folder, tls),
    );
    const [check, run] =
      name === 'haproxy'
        ? [
            ['-c', '-f', file],
            ['-db', '-f', file],
          ]
        : [
            ['-t', '-c', file],
            ['-c', file],
          ];
    const checked = spawnSync(program, check, { encoding: 'utf8' });
    if (checked.status !== 0) {
      rmSync(folder, { recursive: true, force: true });
      throw new Error(`${name} does not take the configuration: ${checked.stderr}${checked.stdout}`);
    }
    const output = openSync(join(folder, name === 'haproxy' ? ACCESS_LOG : 'output.log'), 'w');
    const child = spawn(program, run, { stdio: ['ignore', output, output] });
    closeSync(output);
    return new FrontProxy(`http${tls === undefined ? '' : 's'}://127.0.0.1:${port}`, child, folder, servers);
  }

  /** Does the work while nginx sends no calls to the server, because the file is there that says so. */
  async without(server: number, work: () => Promise<void>): Promise<void> {
    const file = join(this.#folder, `${nameOf(this.#servers.indexOf(server))}.down`);
    writeFileSync(file, '');
    await work();
    rmSync(file);
  }

  accessLog(): string {
    return readFileSync(join(this.#folder, ACCESS_LOG), 'utf8');
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const ended = once(this.#child, 'exit');
      this.#child.kill('SIGTERM');
      await ended;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
