import { beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newKeyLine } from '../../src/tokens/sealing/keyring.ts';
import { bridgeSettings, freePort } from '../support/bridge.ts';
import { eventually } from '../support/clock.ts';
import { RunningProcess } from '../support/process.ts';
import { RunningSandbox } from '../support/sandbox.ts';

const file = join(import.meta.dirname, '..', '..', 'docs', 'reference', 'log.schema.json');

describe('a line of the log', () => {
  let validate: ValidateFunction;
  let lines: readonly string[] = [];

  beforeAll(async () => {
    validate = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(
      JSON.parse(readFileSync(file, 'utf8')) as object,
    );
    lines = await linesOfABridge();
  });

  it('matches the schema for a bridge that starts, serves, refuses and stops', () => {
    const wrong = lines.filter((line) => !validate(JSON.parse(line)));
    expect(wrong).toEqual([]);
    const events = new Set(lines.map((line) => (JSON.parse(line) as { readonly event: string }).event));
    expect(events.has('call')).toBe(true);
    expect(events.size).toBeGreaterThan(2);
  });

  it.each<readonly [string, object]>([
    ['has no time', { time: undefined }],
    ['has an unknown event', { event: 'made.up' }],
    ['has a field inside a field', { more: { of: 1 } }],
    ['has a status that is no number', { status: '200' }],
    ['has a level at which its event is not written', { level: 'error' }],
  ])('is refused by the schema if it %s', (_, change) => {
    const good = lines
      .map((line) => JSON.parse(line) as object)
      .find((line) => 'event' in line && line.event === 'call');
    expect(validate(good)).toBe(true);
    expect(validate(JSON.parse(JSON.stringify({ ...good, ...change })))).toBe(false);
  });
});

/** Calls without keys, with keys nobody knows, of no method. */
const paths = [
  'client.api/list',
  'client.api/list?apiKey=a&accountKey=b',
  'nothing.api/else?apiKey=a&accountKey=b',
];

async function linesOfABridge(): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-log-'));
  const port = await freePort();
  const sandbox = await RunningSandbox.start({ redirectUris: [] });
  const bridge = new RunningProcess('src/main.ts', [], {
    ...bridgeSettings(port, sandbox.url),
    CAUSEWAY_DATABASE_URL: `sqlite:${join(folder, 'causeway.db')}`,
    CAUSEWAY_ENCRYPTION_KEYS: newKeyLine(),
  });
  try {
    const url = `http://127.0.0.1:${port}`;
    await eventually('the bridge is ready', async () =>
      (await fetch(`${url}/_causeway/health/ready`).catch(() => undefined))?.ok === true ? true : undefined,
    );
    for (const path of paths) await (await fetch(`${url}/${path}`)).text();
    bridge.signal('SIGTERM');
    await bridge.endsWithin(120);
    return bridge.output.trimEnd().split('\n');
  } finally {
    await bridge.kill();
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
