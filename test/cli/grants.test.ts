import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { application, Playground } from '../sandbox/playground.ts';
import { CommandLine } from './harness.ts';

const root = join(import.meta.dirname, '..', '..');
const PAGE = join(root, 'docs', 'campaign', 'grants.md');

let at: Playground;
beforeAll(async () => {
  at = await Playground.open();
});
afterAll(() => at.close());

/** A bridge without V1, whose accounts expect the organisations of the sandbox. */
async function bridge(): Promise<CommandLine> {
  const commandLine = new CommandLine({
    CAUSEWAY_V3_BASE_URL: `${at.url}/3.0`,
    CAUSEWAY_AUTH_URL: at.url,
    CAUSEWAY_CONNECTIONS_URL: `${at.url}/connections`,
    CAUSEWAY_CLIENT_ID: application.id,
    CAUSEWAY_CLIENT_SECRET: 's3cret:+/ü',
    CAUSEWAY_PUBLIC_URL: 'http://127.0.0.1:9',
  });
  for (const [name, { id }] of [
    ['Harbour', at.one],
    ['Rivers', at.two],
  ] as const) {
    const keys = ['--account-key', `K-${name}`, '--api-key', 'A1'];
    await commandLine.causeway(['accounts', 'add', name, ...keys, '--organisation-id', id]);
  }
  return commandLine;
}

const rows = ({ out }: { readonly out: string }) =>
  JSON.parse(out) as readonly Readonly<Record<string, unknown>>[];

describe('causeway grants', () => {
  it("imports a script's token, and exports the grant, sealed, with the commands of the day", async () => {
    using commandLine = await bridge();
    const { refresh: token } = await at.connect([at.one.id]);
    const file = commandLine.file('tokens.csv', `account,refresh token\nHarbour,${token}\nNobody,x\n`);
    chmodSync(file, 0o644);
    const json = ['--format', 'json'];

    const preview = await commandLine.causeway(['grants', 'import', file, '--dry-run', ...json]);
    expect(preview.code).toBe(1);
    expect(rows(preview).map(({ result }) => result)).toEqual(['will', 'faulty']);
    expect(preview.err).toContain('chmod 600');
    const asked = await commandLine.causeway(['grants', 'import', file, ...json]);
    expect(asked.err).toMatch(/ends the script's own.*nothing was presented/s);
    expect(rows(await commandLine.causeway(['grants', 'imports', ...json]))).toEqual([]);

    const done = await commandLine.causeway(
      ['grants', 'import', '-', '--yes', ...json],
      readFileSync(file, 'utf8'),
    );
    expect(rows(done).map(({ result }) => result)).toEqual(['granted', 'faulty']);
    expect(rows(await commandLine.causeway(['grants', 'list', ...json]))).toMatchObject([
      { accounts: 'Harbour', state: 'held', source: 'imported' },
    ]);
    expect((await commandLine.causeway(['grants', 'list'])).out).toMatch(/Harbour .* in order +imported/);
    const everything = [preview, asked, done, await commandLine.causeway(['accounts', 'show', 'Harbour'])];
    expect(JSON.stringify(everything)).not.toContain(token);

    const { publicKey, privateKey } = generateKeyPairSync('x25519');
    const open = commandLine.file('key.pub', publicKey.export({ format: 'pem', type: 'spki' }).toString());
    const secret = commandLine.file(
      'key.pem',
      privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    );
    const output = join(commandLine.folder, 'grants.jwe');
    const wanted = ['grants', 'export', '--all', '--to', open, ...json];
    const shown = await commandLine.causeway(wanted);
    expect([shown.code, rows(shown)]).toMatchObject([1, [{ account: 'Harbour', result: 'exported' }]]);
    expect((await commandLine.causeway([...wanted, '--yes'])).code).toBe(2);
    const exported = await commandLine.causeway([...wanted, '--output', output, '--yes']);
    expect(exported.code).toBe(0);
    expect(statSync(output).mode & 0o077).toBe(0);
    expect(existsSync(`${output}.part`)).toBe(false);
    const twice = await commandLine.causeway([...wanted, '--output', output, '--yes']);
    expect([twice.code, twice.err]).toEqual([1, expect.stringContaining('exists already')]);

    const opened = await commandLine.causeway(['grants', 'open', output, '--key', secret]);
    const { grants } = JSON.parse(opened.out) as {
      readonly grants: readonly { readonly refreshToken: string }[];
    };
    expect(grants).toHaveLength(1);
    const saved = commandLine.file('tokens.json', 'of another export');
    const into = ['grants', 'open', output, '--key', secret, '--output', saved];
    expect((await commandLine.causeway(into)).err).toContain('already exists; --force replaces it');
    expect((await commandLine.causeway([...into, '--force'])).code).toBe(0);
    expect(readFileSync(saved, 'utf8')).toBe(opened.out);
    // The recipient's first refresh: the token is alive.
    expect((await at.refresh(grants[0]?.refreshToken ?? '')).status).toBe(200);
    const [script = ''] = /(?<=```js\n)[^`]*/.exec(readFileSync(PAGE, 'utf8')) ?? [];
    const read = spawnSync(process.execPath, ['--input-type=module', '-', output, secret], {
      input: script,
      cwd: root,
      encoding: 'utf8',
    });
    expect(JSON.parse(read.stdout)).toEqual(JSON.parse(opened.out));

    expect(rows(await commandLine.causeway(['grants', 'list', ...json]))).toMatchObject([
      { state: 'exported' },
    ]);
    const refreshed = await commandLine.causeway(['grants', 'refresh', 'Harbour']);
    expect(refreshed.err).toMatch(/was exported|no grant/);
    const audit = await commandLine.causeway(['accounts', 'show', 'Harbour']);
    expect(audit.out).toContain('Exported');
  });
});
