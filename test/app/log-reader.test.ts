import { afterEach, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aloneSettings } from '../support/bridge.ts';
import { RunningProcess } from '../support/process.ts';

const folder = mkdtempSync(join(tmpdir(), 'causeway-log-reader-'));
let bridge: RunningProcess | undefined;
afterEach(async () => {
  await bridge?.kill();
  rmSync(folder, { recursive: true });
});

it('a bridge whose log is no longer read continues without it, and says so once', async () => {
  bridge = new RunningProcess('src/main.ts', [], {
    ...aloneSettings(folder),
    CAUSEWAY_V1_BASE_URL: 'http://127.0.0.1:9',
  });
  await bridge.says(/"event":"ready".*\n/);
  const [, port = ''] = /"port":(\d+)/.exec(bridge.output) ?? [];
  bridge.stopReading();
  const call = (): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}/client.api/list?apiKey=a&accountKey=b`);
  expect((await call()).status).toBe(503);
  await bridge.says(/continues without a log/);
  expect((await call()).status).toBe(503);
  bridge.signal('SIGTERM');
  expect(await bridge.ended).toEqual({ code: 0, signal: null });
  expect(bridge.output.match(/continues without a log/g)).toHaveLength(1);
});
