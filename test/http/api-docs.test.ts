import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Secret } from '../../src/lib/secret/secret.ts';
import { HOUR, MINUTE } from '../../src/lib/time/clock.ts';
import { retryPauses } from '../../src/features/events/delivery-job.ts';
import { signature } from '../../src/features/events/event-sender.ts';
import { Office } from './api-harness.ts';

const page = (name: string): string =>
  readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'reference', name), 'utf8');
const blocks = (text: string, language: string): readonly string[] =>
  Array.from(
    text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms')),
    ([, block = '']) => block,
  );

const run = promisify(execFile);
const hasCurl = spawnSync('curl', ['--version']).status === 0;

describe('docs/reference/events.md', () => {
  it('contains the retry schedule that is used', () => {
    const [, told = ''] = /<!-- retries -->\s*(.*?)\s*<!-- \/retries -->/s.exec(page('events.md')) ?? [];
    const words = retryPauses.map((pause) => {
      const [count, unit] = pause < HOUR ? [pause / MINUTE, 'minute'] : [pause / HOUR, 'hour'];
      return `${count} ${unit}${count === 1 ? '' : 's'}`;
    });
    expect(told).toBe(words.join(', '));
  });

  it('shows how to check a signature, and the check recognises a wrong one', async () => {
    const [code = ''] = blocks(page('events.md'), 'js');
    const { isGenuine } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
      isGenuine: (body: Buffer, header: string, secret: string, now: number) => boolean;
    };
    const [secret, body, seconds] = ['a-secret-of-more-than-24-characters', '{"id":"évt"}', 1_790_000_000];
    const header = signature(new Secret(secret), seconds, body);
    const judge = (bytes: string, head: string, key: string, now: number) =>
      isGenuine(Buffer.from(bytes), head, key, now * 1_000);
    expect(judge(body, header, secret, seconds + 10)).toBe(true);
    expect(judge(`${body} `, header, secret, seconds)).toBe(false);
    expect(judge(body, header, 'another-secret-of-24-characters', seconds)).toBe(false);
    expect(judge(body, header, secret, seconds + 301)).toBe(false);
    expect(judge(body, header.replace(/t=\d+/, `t=${seconds + 1}`), secret, seconds)).toBe(false);
    for (const wrong of ['', 't=1', 'v1=00', `t=${seconds},v1=00`])
      expect(judge(body, wrong, secret, seconds)).toBe(false);
  });
});

(hasCurl ? describe : describe.skip)('docs/reference/api.md (needs curl)', () => {
  let office: Office;
  beforeAll(async () => {
    office = await Office.open();
  });
  afterAll(() => office.stop());

  it('shows calls that work, from first to last', async () => {
    const answers: Record<string, unknown>[] = [];
    for (const block of blocks(page('api.md'), 'sh')) {
      const { stdout } = await run('sh', ['-eu', '-c', block], {
        env: { PATH: process.env.PATH, BRIDGE: office.bridge.url, TOKEN: office.operate, no_proxy: '*' },
        timeout: 120_000,
      });
      answers.push(
        (stdout.startsWith('{') ? JSON.parse(stdout) : { csv: stdout }) as Record<string, unknown>,
      );
    }
    const [statusReport, stuck, events, health, added, pairs, preview, waiting, writes, audit, route] =
      answers;
    expect(pairs).toEqual({ csv: 'kind,number,uuid\r\n' });
    expect(statusReport).toMatchObject({ version: 1 });
    expect(stuck).toMatchObject({ accounts: [], page: { limit: 50 } });
    expect(events).toEqual({ events: [], next: 0 });
    expect(health).toMatchObject({ configured: { v3: true } });
    expect(added).toMatchObject({ account: { name: 'Example Ltd' } });
    expect(preview).toMatchObject({ action: 'invite', will: 1 });
    expect(waiting).toMatchObject({ consents: [] });
    expect(writes).toEqual({ writes: [], next: null });
    expect((audit?.rows as readonly unknown[])[0]).toMatchObject({
      action: 'accounts.add',
      detail: 'Example Ltd',
    });
    expect(route).toMatchObject({ method: 'client.list', from: 'v3', to: 'v2', later: 1 });
    expect(answers).toHaveLength(11);
  });
});
