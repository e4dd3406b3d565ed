import { spawn, type ChildProcess } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';

let child: ChildProcess | undefined;

afterEach(() => {
  if (child?.exitCode === null) child.kill('SIGKILL');
});

interface Started {
  readonly url: string;
  readonly ended: Promise<number | null>;
}

function start(
  environment: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<Started & { readonly errors: () => string }> {
  const path = new URL('../../src/sandbox/main.ts', import.meta.url).pathname;
  const node = new URL('../../node_modules/.bin/node', import.meta.url).pathname;
  const process_ = spawn(node, [path, ...args], {
    // What Node has compiled serves every start.
    env: { PATH: '/usr/bin:/bin', NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...environment },
  });
  child = process_;
  let errors = '';
  process_.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  // Not `exit`: what it said last may still be on its way then.
  const ended = new Promise<number | null>((resolve) => process_.once('close', resolve));
  return new Promise((resolve) => {
    let output = '';
    const told = (): void => {
      resolve({ url: /http:\S+/.exec(output)?.[0] ?? '', ended, errors: () => errors });
    };
    process_.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.endsWith('\n')) told();
    });
    process_.once('close', told);
  });
}

describe('npm run sandbox', () => {
  it('prints its address, serves, and stops on SIGTERM', async () => {
    const { url, ended } = await start({ SANDBOX_PORT: '0', SANDBOX_SEED: '3' });
    const { data } = (await (await fetch(`${url}/_sandbox/organisations`)).json()) as {
      data: { accountKey: string }[];
    };
    const list = await fetch(`${url}/v1/client.api/list?apiKey=any&accountKey=${data[0]?.accountKey ?? ''}`);
    expect((await list.text()).match(/<Client>/g)).toHaveLength(3);
    child?.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  it('lists its settings with --help, and accepts no other option', async () => {
    expect(await (await start({ SANDBOX_PORT: '0' }, ['--help'])).ended).toBe(0);
    const refused = await start({ SANDBOX_PORT: '0' }, ['--port', '1']);
    expect(await refused.ended).toBe(2);
    expect(refused.errors()).toMatch(/^--port is no option\n\nUsage: npm run sandbox\n[^]*SANDBOX_PORT/);
  });

  it('names every faulty setting and ends with code 2', async () => {
    const started = await start({
      SANDBOX_PORT: 'eighty',
      SANDBOX_SEED: '-1',
      SANDBOX_PUBLIC_URL: 'nowhere',
    });
    expect(await started.ended).toBe(2);
    for (const name of ['SANDBOX_PORT', 'SANDBOX_SEED', 'SANDBOX_PUBLIC_URL'])
      expect(started.errors()).toContain(name);
  });

  it('says so if its port is taken', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = taken.address() as AddressInfo;
      const started = await start({ SANDBOX_PORT: String(port) });
      expect(await started.ended).toBe(1);
      expect(started.errors()).toMatch(/^the sandbox cannot start: .*EADDRINUSE/);
    } finally {
      taken.close();
    }
  });

  it('refuses an application whose redirect address is not HTTPS, without printing its secret', async () => {
    const clients = [{ id: 'a', secrets: ['canary-secret'], redirectUris: ['http://far.example/cb'] }];
    const started = await start({ SANDBOX_PORT: '0', SANDBOX_CLIENTS: JSON.stringify(clients) });
    expect(await started.ended).toBe(2);
    expect(started.errors()).toContain('SANDBOX_CLIENTS[0].redirectUris[0]');
    expect(started.errors()).not.toContain('canary-secret');
  });
});
