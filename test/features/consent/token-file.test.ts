import { describe, expect, it } from '@jest/globals';
import { MOST_TOKENS, readTokenFile } from '../../../src/features/consent/grants/import-file.ts';

const read = async (text: string) =>
  (await readTokenFile(text)).map(({ line, account, token, organisation, fault }) => ({
    line,
    account,
    token: token?.reveal(),
    ...(organisation !== undefined && { organisation }),
    ...(fault !== undefined && { fault }),
  }));

describe('a file of refresh tokens', () => {
  it('is read as CSV with a byte order mark, CRLF, semicolons and columns in any order', async () => {
    const text = '\uFEFFRefresh Token;Organisation;Account\r\nrt-1;Mill;"Harbour; Lane"\r\n\r\n=rt-2;;b\r\n';
    expect(await read(text)).toEqual([
      { line: 2, account: 'Harbour; Lane', token: 'rt-1', organisation: 'Mill' },
      { line: 4, account: 'b', token: '=rt-2' },
    ]);
  });

  it('is read as JSON, as a list or with the list grants', async () => {
    const list = [
      { account: ' a ', refreshToken: 'rt-1', organisation: 'Mill' },
      { account: 'b', refresh_token: 'rt-2', more: 1 },
      'nonsense',
      { account: 'c', refreshToken: 7 },
    ];
    const lines = await read(JSON.stringify(list));
    expect(lines).toMatchObject([
      { line: 1, account: 'a', token: 'rt-1', organisation: 'Mill' },
      { line: 2, account: 'b', token: 'rt-2' },
      { line: 3, fault: expect.stringContaining('must have account') },
      { line: 4, fault: expect.stringContaining('must have account') },
    ]);
    expect(await read(JSON.stringify({ grants: list }))).toEqual(lines);
  });

  it('names the faulty lines, and quotes no token', async () => {
    const lines = await read(
      'account,token\na,two words\nb,\n,rt\nc,same\nd,same\ne,rt-1\ne,rt-2\nf,rt-3,more\ng,tökén\n',
    );
    expect(lines.map(({ fault }) => fault)).toEqual([
      expect.stringContaining('one word'),
      'there is no refresh token',
      'there is no account',
      'the same token appears in lines 5, 6',
      'the same token appears in lines 5, 6',
      'the same account appears in lines 7, 8',
      'the same account appears in lines 7, 8',
      'there are more cells than columns',
      expect.stringContaining('one word'),
    ]);
    expect(lines.map(({ fault }) => fault).join()).not.toMatch(/two words|rt-|tökén/);
  });

  it('may have ten thousand lines; more are refused, and so is a file without tokens', async () => {
    const lines = Array.from({ length: MOST_TOKENS }, (_, n) => `account ${n},rt-${n}`);
    expect(await read(['account,token', ...lines].join('\n'))).toHaveLength(MOST_TOKENS);
    const faults = ['', 'name,other\na,b', 'account,token', '{"a":1}', '[1,', 'account,token\na,\uFFFD'];
    for (const text of [...faults, ['account,token', ...lines, 'x,y'].join('\n')])
      await expect(readTokenFile(text)).rejects.toThrow(/file|JSON|columns/);
  });
});
