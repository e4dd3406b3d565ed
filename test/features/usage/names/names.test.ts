import { describe, expect, it } from '@jest/globals';
import {
  addCall,
  addUse,
  noUse,
  OTHER,
  packedUse,
  unpackedUse,
  type CallNames,
} from '../../../../src/features/usage/names/account-use.ts';
import {
  elementNames,
  MOST_READ,
  parameterName,
} from '../../../../src/features/usage/names/element-names.ts';
import { Programs } from '../../../../src/features/usage/names/program.ts';
import { DAY } from '../../../../src/lib/time/clock.ts';
import { NOW } from '../../../db/records.ts';

const read = async (text: string | Uint8Array, isReply = true): Promise<object> =>
  Object.fromEntries(await elementNames(typeof text === 'string' ? Buffer.from(text) : text, isReply));

const call = (changes: Partial<CallNames> = {}): CallNames => ({
  at: NOW,
  program: { key: 'p1', agent: 'Import' },
  method: 'client.get',
  source: 'v1',
  failed: false,
  parameters: [],
  sent: undefined,
  received: undefined,
  ...changes,
});

describe('the elements of a message', () => {
  it('are those with a value, counted by their path below the root of a reply', async () => {
    const reply = `<?xml version="1.0"?><Response api-method="List"><Status>OK</Status><Clients>
      <Client><ID>1</ID><Name>A</Name><Fax/><Phone> </Phone><Notes><Note><Title>x</Title></Note></Notes></Client>
      <Client><ID>2</ID><Name><![CDATA[B]]></Name></Client></Clients></Response>`;
    expect(await read(reply)).toEqual({
      'Clients/Client/ID': 2,
      'Clients/Client/Name': 2,
      'Clients/Client/Notes/Note/Title': 1,
    });
    expect(await read('<Client><ID>1</ID></Client>', false)).toEqual({ 'Client/ID': 1 });
  });

  it('are read in UTF-16 too, and under a byte order mark', async () => {
    const text = '\ufeff<Client><Name>Zoë</Name></Client>';
    expect(await read(Buffer.from(text, 'utf16le'), false)).toEqual({ 'Client/Name': 1 });
    expect(await read(text, false)).toEqual({ 'Client/Name': 1 });
  });

  it('are those before the fault if a message is cut, malformed or not XML', async () => {
    expect(await read('<Response><Client><ID>1</ID><Name>Zo')).toEqual({ 'Client/ID': 1 });
    expect(await read('<Response><Client><ID>1</ID></Wrong><Name>A</Name>')).toEqual({ 'Client/ID': 1 });
    expect(await read('{"ID":1}')).toEqual({});
    expect(await read('<!DOCTYPE r [<!ENTITY a "b">]><r><ID>1</ID></r>')).toEqual({});
    const long = `<Response>${'<ID>1</ID>'.repeat(MOST_READ / 5)}</Response>`;
    const { ID: count } = (await read(long)) as { readonly ID: number };
    expect(count).toBeLessThanOrEqual(MOST_READ / 10);
    expect(count).toBeGreaterThan(MOST_READ / 11);
  });

  it('are limited in number, length, depth and alphabet, whatever a program sends', async () => {
    const many = Array.from({ length: 2_000 }, (_, at) => `<N${at}>1</N${at}>`).join('');
    const counted = (await read(`<Response>${many}</Response>`)) as Record<string, number>;
    expect(Object.keys(counted)).toHaveLength(301);
    expect(counted[OTHER]).toBe(1_700);
    expect(await read(`<Response><${'x'.repeat(65)}>1</${'x'.repeat(65)}></Response>`)).toEqual({
      [OTHER]: 1,
    });
    expect(await read('<Response><Zoë>1</Zoë></Response>')).toEqual({ [OTHER]: 1 });
    expect(await read(`<Response>${'<a>'.repeat(100_000)}`)).toEqual({});
    expect(await read('<Response><__proto__>1</__proto__></Response>')).toEqual(
      Object.fromEntries([['__proto__', 1]]),
    );
    expect(parameterName('ana@example.com')).toBe(OTHER);
    expect(parameterName('modifiedSince')).toBe('modifiedsince');
  });
});

describe('the programs of an account', () => {
  const programs = new Programs();
  const keyOf = (...headers: readonly string[]): string => programs.of(headers).key;

  it('are distinguished by product name and headers, not by version, body, connection or proxy', () => {
    const usual = keyOf('Host', 'h', 'User-Agent', 'Acme Sync/3.1', 'Accept', '*/*');
    expect(keyOf('Host', 'h', 'User-Agent', 'Acme Sync/3.2 (Ana)', 'Accept', 'text/xml')).toBe(usual);
    expect(
      keyOf(
        'host',
        'h',
        'User-Agent',
        'Acme Sync 4',
        'Content-Length',
        '3',
        'Accept',
        '*/*',
        'X-Forwarded-For',
        'a',
      ),
    ).toBe(usual);
    expect(keyOf('User-Agent', 'Acme Sync/3.1', 'Host', 'h', 'Accept', '*/*')).not.toBe(usual);
    expect(keyOf('Host', 'h', 'User-Agent', 'Other/3.1', 'Accept', '*/*')).not.toBe(usual);
  });

  it('have a product name without version, comment, address or control character, or none', () => {
    const agentOf = (agent: string): string => programs.of(['User-Agent', agent]).agent;
    expect(agentOf('Mozilla/4.0 (compatible; MSIE 6.0; MS Web Services Client Protocol 4.0)')).toBe(
      'Mozilla',
    );
    expect(agentOf('Acme Sync v3 for ana')).toBe('Acme Sync');
    expect(agentOf('ana@example.com')).toBe('');
    expect(agentOf('a\u001b[2Jb')).toBe('a\ufffd[2Jb');
    expect(agentOf('x'.repeat(500))).toHaveLength(60);
    expect(programs.of([]).agent).toBe('');
  });
});

describe('the usage of an account', () => {
  it('is unchanged by packing, and can be added up', async () => {
    const use = noUse();
    const received = new Map([['Client/ID', 2]]);
    addCall(use, call({ parameters: ['detailed'], received }));
    addCall(use, call({ at: NOW + DAY, failed: true, source: 'v3', sent: new Map([['Client/ID', 1]]) }));
    const unpacked = await unpackedUse(await packedUse(use));
    expect(unpacked).toEqual(use);
    addUse(unpacked, use);
    const got = unpacked.programs.get('p1')?.methods.get('client.get');
    const day = Math.floor(NOW / DAY);
    expect(got).toMatchObject({ calls: 4, failed: 2, requests: 2, replies: 2, first: NOW, last: NOW + DAY });
    expect(got?.received.get('Client/ID')).toEqual({ count: 4, first: day, last: day });
    expect(got?.sent.get('Client/ID')).toEqual({ count: 2, first: day + 1, last: day + 1 });
    expect([...(got?.days ?? [])]).toEqual([
      [day, 2],
      [day + 1, 2],
    ]);
    expect(unpacked.names).toBe(use.names);
  });

  it('has a fixed number of names and programs, and counts all others together', () => {
    const use = noUse();
    for (let turn = 0; turn < 500; turn += 1) {
      const received = new Map(Array.from({ length: 10 }, (_, at) => [`N${turn * 10 + at}`, 1]));
      addCall(use, call({ received, program: { key: `p${turn % 40}`, agent: 'A' } }));
    }
    expect(use.programs.size).toBe(21);
    expect(use.programs.get(OTHER)?.methods.get('client.get')?.calls).toBe(240);
    expect(use.names).toBeLessThanOrEqual(2_021);
    const all = [...use.programs.values()].flatMap(({ methods }) =>
      [...methods.values()].flatMap(({ received }) => [...received.values()].map(({ count }) => count)),
    );
    expect(all.reduce((sum, count) => sum + count, 0)).toBe(5_000);
  });
});
