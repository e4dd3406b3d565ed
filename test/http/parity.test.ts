import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { tokensOf } from '../../src/app/wiring/features/status.ts';
import { eventually } from '../support/clock.ts';
import { Sender, type Answered } from '../support/http.ts';
import { Visitor } from './console-setting.ts';
import { ParityStage } from '../support/parity-stage.ts';

const ADMIN = 'cwt_parity-admin-token-of-this-test-alone-000001';
const names = ['Northgate <Legal>', 'Harbour Lane', 'Still Legacy'] as const;
const client = (n: number) => ({ number: 1000 + n, name: `Confidential ${n}`, email: `c${n}@example.com` });

let stage: ParityStage;
let sender: Sender;
let reader: string;
let operator: string;
const ids = new Map<string, string>();

interface Difference {
  readonly key: string;
  readonly mark: string;
  readonly path: string;
  readonly example: string;
  readonly void: boolean;
  readonly accepted: { readonly name: string; readonly everywhere: boolean } | null;
}
interface Parity {
  readonly mode: string;
  readonly verdict: string;
  readonly words: string;
  readonly comparison: { readonly compared: number; readonly alike: number } | null;
  readonly causes: readonly { readonly cause: string; readonly differences: readonly Difference[] }[];
  readonly trend: readonly { readonly alike: number; readonly compared: number }[];
}

function ask(verb: string, path: string, body?: object, token = operator): Promise<Answered> {
  return sender.send({
    verb,
    target: `/_causeway/api${path}`,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}
const parityAt = (name: string): string => `/accounts/${ids.get(name) ?? ''}/parity`;
const json = (answer: Answered): never => JSON.parse(answer.text) as never;
const parityIn = async (name: string): Promise<Parity> => json(await ask('GET', parityAt(name)));

async function compared(name: string, alike: (one: Parity) => boolean): Promise<Parity> {
  expect((await ask('POST', `${parityAt(name)}/comparison`)).status).toBe(200);
  return eventually(`${name} is compared`, async () => {
    const one = await parityIn(name);
    return one.verdict !== 'running' && alike(one) ? one : undefined;
  });
}

beforeAll(async () => {
  stage = await ParityStage.open(names, () => ({ clients: [1, 2, 3].map(client) }), {
    CAUSEWAY_ADMIN_TOKEN: ADMIN,
  });
  sender = new Sender(stage.bridge.url);
  operator = ADMIN;
  for (const name of names) ids.set(name, (await stage.account(name)).id);
  reader = (await tokensOf(stage.bridge.services).create('rea', 'read', 'test')).secret.reveal();
  for (const name of names.slice(0, 2)) {
    for (const address of ['client.api/list', 'client.api/get/1001']) await stage.legacy(name, address);
    await stage.alter(
      name,
      { operation: 'client.get', rule: { change: 'value', element: 'Name', at: 0, to: 'Someone else' } },
      name === names[0] ? 'first' : 'second',
    );
    await stage.consent(name);
  }
});

afterAll(async () => {
  sender.close();
  await stage[Symbol.asyncDispose]();
});

it('the API lists differences by cause, with masked examples, and values only with write access', async () => {
  const one = await compared(names[0], ({ comparison }) => comparison?.compared === 2);
  expect(one).toMatchObject({
    ...{ verdict: 'different', comparison: { compared: 2, alike: 1 } },
    causes: [{ cause: 'value', differences: [{ path: 'Response/Client/Name', accepted: null }] }],
  });
  const masked = await ask('GET', parityAt(names[0]), undefined, reader);
  expect(masked.status).toBe(200);
  expect(masked.text).not.toMatch(/Someone|Confidential/);
  expect((await ask('POST', `${parityAt(names[0])}/values`, undefined, reader)).status).toBe(403);
  const { values }: { values: readonly object[] } = json(await ask('POST', `${parityAt(names[0])}/values`));
  expect(values).toEqual([
    {
      key: one.causes[0]?.differences[0]?.key,
      ...{ record: '', before: 'Confidential 1', after: 'Someone else' },
    },
  ]);
  const audit = await ask('GET', '/audit');
  expect(audit.text).toContain('parity.values');
  expect(audit.text).not.toContain('Confidential');
});

it('a value of a difference is never stored in clear, and sealed values are deleted in time', async () => {
  const { store, clock } = stage.bridge.services;
  const account = await stage.account(names[0]);
  expect(JSON.stringify([...(await store.parity.known())])).not.toMatch(/Someone|Confidential/);
  expect(JSON.stringify(await store.parity.runs(account.id))).not.toMatch(/Someone|Confidential/);
  const now = clock.now();
  expect(await store.parity.examples(account.id, now)).not.toMatch(/Someone|Confidential/);
  expect(await store.parity.examples(account.id, now + 31 * 86_400_000)).toBeUndefined();
  await store.parity.expire(now + 31 * 86_400_000, 0);
  expect(await store.parity.examples(account.id, now)).toBeUndefined();
});

it('a difference is accepted for all accounts by name; the acceptance does not cover another one', async () => {
  await compared(names[1], ({ comparison }) => comparison?.compared === 2);
  const at = `${parityAt(names[0])}/acceptances`;
  const [key = ''] = (await parityIn(names[0])).causes.flatMap(({ differences }) =>
    differences.map((one) => one.key),
  );
  const body = { differences: [key], everywhere: true, name: 'Kim', reason: 'renamed <here>' };
  expect((await ask('POST', at, body, reader)).status).toBe(403);
  expect((await ask('POST', at, { ...body, reason: ' ' })).status).toBe(422);
  expect((await ask('POST', at, { ...body, differences: ['v3 nowhere'] })).status).toBe(422);
  expect((await parityIn(names[0])).verdict).toBe('different');
  expect(json(await ask('POST', at, body))).toMatchObject({
    verdict: 'accepted',
    words: expect.stringMatching(
      /^1 of 2 reads alike; 1 named difference accepted by Kim on \d{4}-\d\d-\d\d: renamed <here>$/,
    ),
    causes: [{ differences: [{ accepted: { name: 'Kim', everywhere: true }, void: false }] }],
  });
  expect(await parityIn(names[1])).toMatchObject({ verdict: 'accepted' });
  await stage.alter(
    names[1],
    { operation: 'client.get', rule: { change: 'value', element: 'Name', at: 0, to: 'A third' } },
    'second',
  );
  const later = await compared(names[1], ({ verdict }) => verdict === 'different');
  expect(later.causes[0]?.differences[0]).toMatchObject({ accepted: null, void: true });
  expect((await parityIn(names[0])).verdict).toBe('accepted');
});

it('a difference that has changed since it was shown is not accepted, in the API or the console', async () => {
  const [before] = (await parityIn(names[1])).causes.flatMap(({ differences }) => differences);
  const browser = new Visitor(Number(new URL(stage.bridge.url).port));
  await browser.signIn(operator);
  const page = await browser.get(parityAt(names[1]));
  const seen = Array.from(page.text.matchAll(/name="seen" value="([^"]+)"/g), ([, mark = '']) => mark);
  expect(seen).toEqual([before?.mark]);
  await stage.alter(
    names[1],
    { operation: 'client.get', rule: { change: 'value', element: 'Name', at: 0, to: 'A fourth' } },
    'second',
  );
  const isOther = ({ causes: [cause] }: Parity) => cause?.differences[0]?.mark !== before?.mark;
  const changed = await compared(names[1], isOther);
  expect(changed.causes[0]?.differences[0]?.key).toBe(before?.key);
  const given = { name: 'Kim', reason: 'a dot' };
  for (const differences of [[before?.key], undefined])
    expect(
      await ask('POST', `${parityAt(names[1])}/acceptances`, { differences, seen, ...given }),
    ).toMatchObject({ status: 422, text: expect.stringContaining('has changed since it was shown') });
  const fields = [['difference', before?.key ?? ''], ...Object.entries(given)] as const;
  for (const marks of [seen, []]) {
    const hidden = marks.map((mark) => ['seen', mark] as const);
    const refused = await browser.act(`${parityAt(names[1])}/accept`, [...hidden, ...fields]);
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining('has changed since it was shown'),
    ]);
  }
  expect(await parityIn(names[1])).toMatchObject({ verdict: 'different' });
});

it('the status report shows score and trend in JSON, CSV, HTML and by filter', async () => {
  const board: {
    readonly accounts: readonly { readonly name: string; readonly parity: Parity | null }[];
  } = json(await ask('GET', '/board'));
  const of = (name: string) => board.accounts.find((one) => one.name === name)?.parity;
  expect(of(names[0])).toMatchObject({ verdict: 'accepted', compared: 2, alike: 1, open: 0 });
  expect(of(names[1])).toMatchObject({ verdict: 'different', open: 1 });
  expect(of(names[1])?.trend.length).toBeGreaterThan(1);
  expect(of(names[2])).toBeNull();
  const different: typeof board = json(await ask('GET', '/board?parity=different'));
  expect(different.accounts.map(({ name }) => name)).toEqual([names[1]]);
  const none: typeof board = json(await ask('GET', '/board?parity=none'));
  expect(none.accounts.map(({ name }) => name)).toEqual([names[2]]);
  const csv = await ask('GET', '/accounts.csv');
  expect(csv.text).toMatch(
    /parity,parity_at,parity_compared,parity_alike,parity_open,parity_words,parity_trend/,
  );
  expect(csv.text).toMatch(/[\d-]{10} 1\/2; [\d-]{10} 1\/2/);
  expect(csv.text).toMatch(/accepted,[\dTZ:.-]+,2,1,0,"?1 of 2 reads alike/);
});

it('the printable report is a page without values, in which names are text', async () => {
  const page = await ask('GET', `${parityAt(names[0])}/report`, undefined, reader);
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(page.headers['content-disposition']).toContain('attachment');
  expect(page.text).toContain('Northgate &lt;Legal&gt;');
  expect(page.text).toContain('renamed &lt;here&gt;');
  expect(page.text).not.toMatch(/Someone|Confidential/);
});

it('a comparison before the consent is refused, with the reason', async () => {
  const answer = await ask('POST', `${parityAt(names[2])}/comparison`);
  expect([answer.status, answer.text]).toEqual([409, expect.stringContaining('nobody has consented')]);
  expect(await parityIn(names[2])).toMatchObject({
    ...{ verdict: 'none', words: 'nothing has been compared yet', comparison: null, causes: [] },
  });
});

it('differences since a move are listed by the API, and dismissed there with a reason', async () => {
  const { store, clock } = stage.bridge.services;
  const [id, now] = [ids.get(names[2]) ?? '', clock.now()];
  const at = `/accounts/${id}/watch`;
  expect(json(await ask('GET', at))).toEqual({ watch: null });
  const begun = { until: now + 60_000, before: '', calls: { calls: 0, errors: 0 } };
  await store.watches.begin({ accountId: id, movedAt: now }, begun);
  await store.watches.found(id, [{ key: 'errors', words: '8 of 12 calls failed' }], now);
  expect(json(await ask('GET', at, undefined, reader))).toMatchObject({
    watch: { words: '8 of 12 calls failed', findings: [{ dismissed: false }], dismissed: null },
  });
  expect((await ask('POST', `${at}/dismissal`, { reason: 'x' }, reader)).status).toBe(403);
  expect((await ask('POST', `${at}/dismissal`, { reason: '' })).status).toBe(422);
  expect(json(await ask('POST', `${at}/dismissal`, { reason: 'a test run' }))).toMatchObject({
    watch: { words: null, flaggedAt: null, dismissed: { reason: 'a test run' } },
  });
  expect((await ask('POST', `${at}/dismissal`, { reason: 'again' })).status).toBe(409);
});

it('the console overrides the failed checks that it has shown, and only for the accounts that failed them', async () => {
  const browser = new Visitor(Number(new URL(stage.bridge.url).port));
  await browser.signIn(operator);
  const [passing, failing] = [ids.get(names[0]) ?? '', ids.get(names[1]) ?? ''];
  const chosen = [passing, failing].map((id) => ['account', id] as const);
  const { text } = await browser.act('/preview', [['action', 'cutover'], ...chosen]);
  const button = 'Check again despite these failures: Same answers';
  const form = text.split('<form').find((one) => one.includes(button)) ?? '';
  expect(form).toMatch(/Harbour Lane<\/bdi>: Same answers, .*1 difference to be accepted/);
  const hidden = Array.from(
    form.matchAll(/name="([^"]+)" value="([^"]*)"/g),
    ([, name = '', value = '']) => [name, value] as const,
  );
  const fields = hidden.filter(([name]) => name !== 'csrf' && name !== 'back');
  expect(fields).toEqual([
    ['action', 'cutover'],
    ['despite', 'parity'],
    ['account', failing],
  ]);
  const again = await browser.act('/preview', fields);
  expect(again.text).toContain('would move to V3, despite parity');
  expect(again.text).toMatch(/There is no way back to V1; parity: .*1 difference to be accepted/);
  expect(again.text).toMatch(/action="[^"]+\/perform"[^]*name="despite" value="parity"/);
  expect(again.text).not.toContain(button);
  const wrong = await browser.act('/preview', [['action', 'cutover'], ['despite', 'token'], ...chosen]);
  expect(wrong.status).toBe(400);
});

it("an unaccepted difference blocks an automatic move under report, but not an operator's", async () => {
  const stageOf = async (): Promise<string> => (await stage.account(names[1])).life.stage;
  expect(await parityIn(names[1])).toMatchObject({ mode: 'report', verdict: 'different' });
  expect(await stageOf()).toBe('consented');
  const page = await ask('GET', `/accounts/${ids.get(names[1]) ?? ''}`);
  expect(page.text).toContain('1 difference to be accepted or resolved');
  const accounts = [ids.get(names[1])];
  const move = async (override: object) =>
    json(await ask('POST', '/actions/cutover', { accounts, ...override }));
  expect(await move({ acceptUnlearned: true })).toMatchObject({
    accounts: [{ reason: 'checks', words: expect.stringContaining('1 difference to be accepted') }],
  });
  expect(await stageOf()).toBe('consented');
  expect(await move({ despite: ['parity'] })).toMatchObject({ done: 1 });
  expect(await stageOf()).toBe('migrated');
});
