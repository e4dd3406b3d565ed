import { describe, expect, it } from '@jest/globals';
import type { Router } from 'express';
import { madeLater, newRouter } from '../../src/http/server/routes.ts';
import { openSetting } from './connect-setting.ts';
import { openTestServer } from './harness.ts';

const browser = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

describe('the root of the bridge', () => {
  it('is a page for a browser, which says what this is and has links', async () => {
    const setting = await openSetting({
      publicUrl: 'https://causeway.example.com',
      brand: { support: 'help@example.com' },
    });
    const { status, text, headers } = await setting.send('GET', '/', undefined, undefined, browser);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-causeway-source': 'bridge',
      'x-frame-options': 'DENY',
      vary: 'Accept, Accept-Language',
    });
    for (const words of [
      'Paper Trail',
      'Were you asked to approve a connection?',
      'href="/_causeway/console"',
      'href="/_causeway/docs"',
      'https://causeway.example.com/client.api/list?',
      'mailto:help@example.com',
    ])
      expect(text).toContain(words);
    expect(text).not.toMatch(/\{\w+\}|undefined|<script/);
    expect((await setting.send('HEAD', '/', undefined, undefined, browser)).text).toBe('');
  });

  it.each([
    ['a program that takes anything', 'GET', '/', { Accept: '*/*' }],
    ['a program that takes XML', 'GET', '/', { Accept: 'text/xml' }],
    ['whoever sends something', 'POST', '/', browser],
    ['a browser that asks for a method', 'GET', '/client.api/list', browser],
    ['a browser that adds a query', 'GET', '/?a=b', browser],
  ])('stays XML for %s', async (_who, verb, target, headers) => {
    const setting = await openSetting();
    const answer = await setting.send(verb, target, undefined, undefined, headers);
    expect(answer.headers['content-type']).toBe('text/xml; charset=utf-8');
    expect(answer.text).toContain('<Response');
  });

  it('follows the language of the browser', async () => {
    const setting = await openSetting();
    const { text } = await setting.send('GET', '/', undefined, undefined, {
      ...browser,
      'Accept-Language': 'nl',
    });
    expect(text).toContain('<html lang="nl">');
    expect(text).toContain('Een brug tussen programma’s');
  });
});

it("the operators' application is created at its first request; failures are logged once a minute", async () => {
  let tried = 0;
  let monotonic = 0;
  const make = async (): Promise<{ api: Router; console: Router }> => {
    tried += 1;
    if (tried <= 3) throw new Error('no such file');
    const api = newRouter().get('/health', (_request, response) => response.send('made'));
    return Promise.resolve({ api, console: newRouter() });
  };
  const { port, log } = await openTestServer({
    make: (parts) => {
      const later = madeLater(make, { log: parts.log, monotonic: () => monotonic });
      return { api: later('api'), console: later('console') };
    },
  });
  const asked = async (path: string): Promise<readonly [number, string]> => {
    const answer = await fetch(`http://127.0.0.1:${String(port)}/_causeway/${path}`);
    return [answer.status, await answer.text()];
  };
  const [status, json] = await asked('api/health');
  expect([status, JSON.parse(json)]).toEqual([
    500,
    { error: { code: 'internal', message: 'an internal error occurred; see the log', details: [] } },
  ]);
  expect(await asked('console')).toEqual([500, expect.stringContaining('Something went wrong')]);
  expect(log.lines).toMatchObject([{ event: 'page.failed', fields: { error: 'no such file' } }]);
  monotonic = 60_000;
  await asked('console');
  expect(log.lines).toHaveLength(2);
  expect([await asked('api/health'), await asked('api/health'), tried]).toEqual([
    [200, 'made'],
    [200, 'made'],
    4,
  ]);
});
