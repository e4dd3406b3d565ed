import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort, RunningBridge } from '../support/bridge.ts';
import { clockFrom } from '../support/clock.ts';
import { RunningSandbox } from '../support/sandbox.ts';
import { API_KEY } from './lanes.ts';
import { tradeSeed } from './tradeSeed.ts';

/**
 * The tables of numbers and UUIDs: V1 exports them until an account has moved, the bridge afterwards. A program that
 * reads them, another bridge among them, finds the same rows.
 */
const OUTSIDE = ['Job', 'Invoice', 'Quote', 'PurchaseOrder']; // numbers that are text: the same on every surface

let sandbox: RunningSandbox;
let bridge: RunningBridge;
const running = clockFrom('2026-11-20T09:30:00Z');
let ahead = 0;
const clock = { now: () => running.now() + ahead };
const keys = `apiKey=${API_KEY}&accountKey=${tradeSeed.accountKey}`;

interface IdMap {
  readonly type: string;
  readonly date: string;
  readonly file: string;
  readonly expiry: string;
}

const form =
  /<Map><Type>([^<]*)<\/Type><Date>([^<]*)<\/Date><File>([^<]*)<\/File><Expiry>([^<]*)<\/Expiry><\/Map>/g;

const mapsIn = (text: string): readonly IdMap[] =>
  [...text.matchAll(form)].map(([, type = '', date = '', file = '', expiry = '']) => {
    return { type, date, file, expiry };
  });

async function maps(root: string): Promise<{ readonly source: string | null; readonly text: string }> {
  const answer = await fetch(`${root}/uuid.api/maps?${keys}`);
  expect(answer.status).toBe(200);
  return { source: answer.headers.get('x-causeway-source'), text: await answer.text() };
}

async function tables(text: string): Promise<ReadonlyMap<string, string>> {
  const rows = mapsIn(text).map(async ({ type, file }): Promise<[string, string]> => {
    const answer = await fetch(file);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    return [type, await answer.text()];
  });
  return new Map(await Promise.all(rows));
}

beforeAll(async () => {
  const port = await freePort();
  const redirectUris = [`http://127.0.0.1:${String(port)}/_causeway/callback`];
  const protocol = { limits: { perMinute: null } };
  sandbox = await RunningSandbox.start({ clock, protocol, redirectUris });
  await sandbox.seed([tradeSeed]);
  bridge = await RunningBridge.start({ port, sandbox: sandbox.url, clock });
  const { name, accountKey } = tradeSeed;
  await bridge.add({ name, accountKey, apiKey: API_KEY, product: 'standard' });
});

afterAll(async () => {
  await bridge.stop();
  await sandbox.close();
});

describe('the tables of numbers and UUIDs', () => {
  it('come from V1 before the move, and from the bridge after it', async () => {
    const before = await maps(bridge.url);
    expect(before.source).toBe('v1');
    const exported = await tables(before.text);

    await bridge.migrate(tradeSeed.name, tradeSeed.users[0]?.name ?? '');
    const after = await maps(bridge.url);
    expect(after.source).toBe('bridge');
    const own = await tables(after.text);

    expect([...own.keys()].sort()).toEqual(
      [...exported.keys()].filter((type) => !OUTSIDE.includes(type)).sort(),
    );
    for (const [type, table] of own) expect([type, table]).toEqual([type, exported.get(type)]);
    expect(own.get('Cost')?.split('\r\n')).toHaveLength(1 + tradeSeed.costs.length + 1);
    expect(own.get('Client')).toMatch(/^ID,UUID\r\n1000000,[\da-f-]{36}\r\n/);
  });

  it('have the same envelope as on V1', async () => {
    const { text } = await maps(bridge.url);
    expect(text).toMatch(
      /^<\?xml version="1\.0" encoding="UTF-8"\?>\r\n<Response api-method="Maps"><Status>OK<\/Status><Maps><Map><Type>/,
    );
    expect(text.endsWith('</Map></Maps></Response>')).toBe(true);
    for (const { date, expiry, file } of mapsIn(text)) {
      expect(date).toMatch(/^2026-11-20T09:3\d:\d\d$/);
      expect(Date.parse(`${expiry}Z`) - Date.parse(`${date}Z`)).toBe(3_600_000);
      expect(file.startsWith(`${bridge.url}/_causeway/documents/`)).toBe(true);
    }
  });

  it('include records made since the move', async () => {
    const body = '<Group><Name>Since</Name></Group>';
    const made = await (
      await fetch(`${bridge.url}/clientgroup.api/add?${keys}`, { method: 'POST', body })
    ).text();
    const number = /<Group><ID>(\d+)<\/ID>/.exec(made)?.[1] ?? '';
    const own = await tables((await maps(bridge.url)).text);
    expect(own.get('Group')).toMatch(new RegExp(`\r\n${number},[\\da-f-]{36}\r\n$`));
  });

  it('are behind links that name the file and work for an hour', async () => {
    const { file = '' } = mapsIn((await maps(bridge.url)).text).find(({ type }) => type === 'Staff') ?? {};
    const answer = await fetch(file);
    expect(await answer.text()).toMatch(/^ID,UUID\r\n7,/);
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="staff.csv"');
    expect(answer.headers.get('x-causeway-source')).toBe('bridge');
    ahead = 3_600_000;
    expect((await fetch(file)).status).toBe(404);
  });

  it('are read by GET', async () => {
    const answer = await fetch(`${bridge.url}/uuid.api/maps?${keys}`, { method: 'POST' });
    expect(answer.status).toBe(405);
  });
});
