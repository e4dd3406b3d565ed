import { describe, expect, it } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import { CallerAddresses } from '../../src/http/server/caller-address.ts';

const callers = new CallerAddresses([
  { address: '10.0.0.0', prefix: 8 },
  { address: '2001:db8::', prefix: 32 },
]);

/** Of a request the two things that are looked at. */
const request = (remoteAddress: string | undefined, headers: IncomingMessage['headers']): IncomingMessage =>
  ({ socket: { remoteAddress }, headers }) as unknown as IncomingMessage;

const from = (remoteAddress: string | undefined, headers: IncomingMessage['headers'] = {}): string =>
  callers.of(request(remoteAddress, headers));

const forwarded = (chain: string): IncomingMessage['headers'] => ({ 'x-forwarded-for': chain });

describe("the caller's address", () => {
  it.each<readonly [string, string | undefined, string, string]>([
    ['is that of the connection', '198.51.100.7', '', '198.51.100.7'],
    ['is not what a stranger writes', '198.51.100.7', '192.0.2.1', '198.51.100.7'],
    ['is not what a stranger writes of a trusted one', '198.51.100.7', '10.0.0.1', '198.51.100.7'],
    ['is what a trusted proxy saw', '10.0.0.1', '198.51.100.7', '198.51.100.7'],
    [
      'is what the last proxy saw, not what was written before',
      '10.0.0.1',
      '1.1.1.1, 198.51.100.7',
      '198.51.100.7',
    ],
    ['is found behind several proxies', '10.0.0.1', '1.1.1.1,198.51.100.7, 10.2.3.4', '198.51.100.7'],
    ['is the first where all are trusted', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['stays where the chain cannot be read', '10.0.0.1', '198.51.100.7, unknown', '10.0.0.1'],
    ['stays where the chain is empty', '10.0.0.1', ' , ', '10.0.0.1'],
    ['is read with a port', '10.0.0.1', '198.51.100.7:4711', '198.51.100.7'],
    ['is read as IPv6', '2001:db8::1', '2a00:1::9', '2a00:1::9'],
    ['is read as IPv6 with a port', '10.0.0.1', '[2a00:1::9]:80', '2a00:1::9'],
    ['is IPv4 that came inside IPv6', '::ffff:10.0.0.1', '::ffff:198.51.100.7', '198.51.100.7'],
    ['is no text', '10.0.0.1', '198.51.100.7\u0000', '10.0.0.1'],
    ['is empty where the connection is gone', undefined, '198.51.100.7', ''],
  ])('%s', (_what, remote, chain, expected) => {
    expect(from(remote, forwarded(chain))).toBe(expected);
  });

  it('is read from no other header', () => {
    for (const name of ['x_forwarded_for', 'forwarded', 'x-real-ip', 'true-client-ip', 'x-client-ip'])
      expect(from('10.0.0.1', { [name]: 'for=198.51.100.7' })).toBe('10.0.0.1');
  });

  it('is read only from the end of a very long chain', () => {
    const made = Array.from({ length: 100_000 }, () => '10.0.0.9').join(',');
    expect(from('10.0.0.1', forwarded(`198.51.100.7,${made}`))).toBe('10.0.0.9');
  });

  it('is the connection’s if no proxy is trusted', () => {
    const nobody = new CallerAddresses([]);
    expect(nobody.of(request('10.0.0.1', forwarded('1.1.1.1')))).toBe('10.0.0.1');
  });
});
