import { afterEach, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aloneSettings } from '../../support/bridge.ts';
import { eventually } from '../../support/clock.ts';
import { RunningProcess } from '../../support/process.ts';

const folder = mkdtempSync(join(tmpdir(), 'causeway-stop-at-start-'));
let primary: RunningProcess | undefined;
afterEach(async () => {
  await primary?.kill();
  rmSync(folder, { recursive: true });
});

it('a signal to all processes while the workers start is a stop on request', async () => {
  primary = new RunningProcess('src/main.ts', [], {
    ...aloneSettings(folder),
    CAUSEWAY_V1_BASE_URL: 'http://127.0.0.1:9',
    CAUSEWAY_WORKERS: '2',
  });
  const { pid } = primary;
  const worker = await eventually('a worker', () => {
    const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
    return first === '' ? undefined : Number(first);
  });
  // However busy the machine is, the primary hears of its worker's end and of its own signal together.
  primary.signal('SIGSTOP');
  process.kill(worker, 'SIGTERM');
  primary.signal('SIGTERM');
  primary.signal('SIGCONT');
  expect(await primary.ended).toEqual({ code: 0, signal: null });
  expect(primary.output).not.toContain('cannot start');
});
