import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { retryAfterMs } from '../../src/upstream/transport/outcome.ts';

const NOW = Date.UTC(2026, 10, 26, 12);

describe('the header Retry-After', () => {
  it.each([
    ['7', 7_000],
    [' 7 ', 7_000],
    ['1.5', 2_000],
    ['30.5', 31_000],
    ['3600.5', 3_601_000],
    ['0', 0],
    ['0.2', 1_000],
    ['-1', undefined],
    ['5, 5', undefined],
    ['1234567890', undefined],
    ['2026-11-26', undefined],
    ['soon', undefined],
    ['', undefined],
    ['Thu, 26 Nov 2026 12:00:09 GMT', 9_000],
    ['Thursday, 26-Nov-26 12:00:09 GMT', 9_000],
    ['Thu, 26 Nov 2026 11:59:00 GMT', 0],
  ])('of %j asks for %p milliseconds', (value, millis) => {
    expect(retryAfterMs({ headers: { 'retry-after': value } }, NOW)).toBe(millis);
  });

  it('as a date without a zone is GMT, wherever the bridge runs', async () => {
    const { href } = new URL('../../src/upstream/transport/outcome.ts', import.meta.url);
    const given = "{ headers: { 'retry-after': 'Sun Nov  1 12:00:09 2026' } }";
    const script = `import('${href}').then((it) => console.log(it.retryAfterMs(${given}, ${Date.UTC(2026, 10, 1, 12)})))`;
    const env = { ...process.env, TZ: 'Pacific/Auckland' };
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { env });
    expect(stdout).toBe('9000\n');
  });

  it.each(['0', 'Thu, 26 Nov 2026 11:59:00 GMT'])('of %j with 429 is ignored', (value) => {
    expect(retryAfterMs({ status: 429, headers: { 'retry-after': value } }, NOW)).toBeUndefined();
    expect(retryAfterMs({ status: 503, headers: { 'retry-after': value } }, NOW)).toBe(0);
  });
});
