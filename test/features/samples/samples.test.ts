import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { openEngine } from '../../../src/app/migration.ts';
import { DeferredWrites } from '../../../src/db/deferred-writes.ts';
import type { Engine } from '../../../src/db/engine.ts';
import { BaselineRecorder } from '../../../src/features/samples/baseline-recorder.ts';
import { requestIn } from '../../../src/features/samples/messages.ts';
import { isPlainRow, Masking } from '../../../src/features/samples/masking.ts';
import type { KeptSample } from '../../../src/features/samples/packed.ts';
import { Samples } from '../../../src/features/samples/samples.ts';
import { StoredSamples } from '../../../src/features/samples/stored-samples.ts';
import { RecentCalls, type Message } from '../../../src/features/usage/recent-calls.ts';
import type { RecordTable } from '../../../src/mapping/compile/records.ts';
import { DAY, HOUR } from '../../../src/lib/time/clock.ts';
import { KeyRing } from '../../../src/tokens/sealing/keyring.ts';
import { Secret } from '../../../src/lib/secret/secret.ts';
import { readDocument } from '../../../src/lib/xml/read.ts';
import { describeOnBoth, type Bench } from '../../db/engines.ts';
import { callRecord } from '../../db/records.ts';
import { HandClock, START as NOW } from '../../support/clock.ts';
import { deliveredMapping } from '../../support/mapping.ts';

const OLD = `k1:${Buffer.alloc(32, 1).toString('base64')}`;
const NEW = `k2:${Buffer.alloc(32, 2).toString('base64')}`;
const ring = KeyRing.parse(new Secret(OLD));
const methods = new Map(deliveredMapping().methods.map((method) => [method.id, method]));
const engines: Engine[] = [];
/** Megabytes: room for a few samples. */
const SMALL = 0.004;

const REPLY =
  '<Response api-method="Get"><Status>OK</Status><Client><ID>1000000</ID><Name>Ann Smithers</Name><Email>ann@example.com</Email>' +
  '<DateOfBirth>1970-05-01</DateOfBirth><IsProspect>No</IsProspect><TaxNumber>123456789</TaxNumber><Strange>secret-8</Strange></Client></Response>';

/** The tables and all that are below them. */
function tablesOf(tables: readonly RecordTable[], seen = new Set<RecordTable>()): ReadonlySet<RecordTable> {
  for (const table of tables.filter((one) => !seen.has(one))) {
    seen.add(table);
    tablesOf(
      table.rows.flatMap((row) => ('of' in row ? [row.of] : [])),
      seen,
    );
  }
  return seen;
}

interface World {
  readonly samples: Samples;
  readonly clock: HandClock;
  readonly engine: Engine;
  readonly recent: RecentCalls;
  readonly baseline: BaselineRecorder;
}

async function worldOn(bench: Bench, megabytes = 10): Promise<World> {
  const engine = await openEngine(bench.url());
  engines.push(engine);
  const clock = new HandClock();
  const samples = new Samples({
    ...{ stored: new StoredSamples(engine), seal: ring, clock, lifetime: 30 * DAY, megabytes },
  });
  const baseline = new BaselineRecorder({
    ...{ samples, seal: ring, methods: () => methods, deferred: new DeferredWrites(), clock },
  });
  const recent = new RecentCalls();
  recent.tell(baseline);
  return { samples, clock, engine, recent, baseline };
}

const sampleOf = (n: number, changes: Partial<KeptSample> = {}): KeptSample => ({
  purpose: 'baseline',
  method: 'client.get',
  request: { segments: ['client.api', 'get', String(n)], query: [] },
  at: NOW + n,
  source: 'v1',
  key: 'key',
  reply: undefined,
  ...changes,
});

const asked = async ({ samples }: World, accountId: string): Promise<readonly string[]> =>
  (await samples.find(accountId, 'baseline')).map(({ request }) => request.segments.join('/'));

function serve(
  { recent }: World,
  accountId: string,
  address: string,
  given: Partial<Message> & { readonly method?: string; readonly source?: string; readonly at?: number } = {},
): void {
  const { method = 'client.get', source = 'v1', at = NOW, ...message } = given;
  recent.record(callRecord(accountId, { at, method, source: source as 'v1', failed: false }), {
    ...{
      headers: [],
      address: `${address}${address.includes('?') ? '&' : '?'}apiKey=APIKEYCANARY&accountKey=ACCOUNTCANARY`,
    },
    ...{ sent: undefined, received: [Buffer.from(REPLY)] },
    ...message,
  });
  recent.handOver();
}

afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.db.destroy();
});

describeOnBoth('samples', (bench) => {
  let account: string;

  beforeEach(async () => {
    await bench.store(); // makes the tables
    account = randomUUID();
  });

  it('of the same request replace each other, and the newest is kept', async () => {
    const world = await worldOn(bench);
    await world.samples.put(account, [sampleOf(1, { at: NOW + 9 })]);
    await world.samples.put(account, [sampleOf(1, { at: NOW + 3 }), sampleOf(2)]);
    const found = await world.samples.find(account, 'baseline');
    expect(found.map(({ at }) => at - NOW)).toEqual([9, 2]);
  });

  it('taken while the clock was ahead are replaced by the next of the same request', async () => {
    const world = await worldOn(bench);
    await world.samples.put(account, [sampleOf(1, { at: NOW + DAY })]);
    await world.samples.put(account, [sampleOf(1, { at: NOW + 3 })]);
    const found = await world.samples.find(account, 'baseline');
    expect(found.map(({ at }) => at - NOW)).toEqual([3]);
  });

  it('are left out if an earlier version lost the family of their request', async () => {
    const world = await worldOn(bench);
    const lost = { segments: ['get', '1'], query: [] };
    await world.samples.put(account, [sampleOf(1, { request: lost }), sampleOf(2)]);
    expect(await asked(world, account)).toEqual(['client.api/get/2']);
  });

  it('are limited for each method of an account: the oldest are dropped', async () => {
    const world = await worldOn(bench);
    await world.samples.put(
      account,
      Array.from({ length: 60 }, (_, n) => sampleOf(n)),
    );
    const left = await asked(world, account);
    expect(left).toHaveLength(40);
    expect(left[0]).toBe('client.api/get/59');
    expect(left.at(-1)).toBe('client.api/get/20');
  });

  it('expire, and stay within a total size: the oldest of any account are dropped first', async () => {
    const world = await worldOn(bench, SMALL);
    const other = randomUUID();
    await world.engine.db.deleteFrom('samples').execute();
    await world.samples.put(account, [sampleOf(1)]);
    await world.samples.put(
      other,
      Array.from({ length: 20 }, (_, n) => sampleOf(n + 2)),
    );
    await world.samples.expire();
    expect(await asked(world, account)).toEqual([]);
    const [counts] = await world.samples.counts(other);
    expect(counts?.samples).toBeGreaterThan(0);
    expect(counts?.bytes).toBeLessThanOrEqual(SMALL * 1024 * 1024);
    world.clock.advance(31 * DAY);
    expect(await asked(world, other)).toEqual([]);
    await world.samples.expire();
    expect(await world.samples.counts(other)).toEqual([]);
  });

  it('are not stored for an account that is switched off, nor after its samples were erased', async () => {
    const world = await worldOn(bench);
    await world.samples.put(account, [sampleOf(1)]);
    await world.samples.switch(account, false);
    expect(await world.samples.put(account, [sampleOf(2)])).toBe(false);
    expect(await asked(world, account)).toEqual(['client.api/get/1']);
    await world.samples.switch(account, true);
    world.clock.advance(20);
    expect(await world.samples.erase(account)).toBe(1);
    // Received before, written afterwards, by another process.
    expect(await world.samples.put(account, [sampleOf(3)])).toBe(true);
    expect(await asked(world, account)).toEqual([]);
    await world.samples.put(account, [sampleOf(4, { at: NOW + 21 })]);
    expect(await asked(world, account)).toEqual(['client.api/get/4']);
  });

  it('contain no personal or free text, not even sealed, and no key of the account', async () => {
    const world = await worldOn(bench);
    serve(world, account, '/client.api/get/1000000');
    await world.baseline.flush();
    const [row] = await world.engine.db
      .selectFrom('samples')
      .selectAll()
      .where('account_id', '=', account)
      .execute();
    const [sample] = await world.samples.find(account, 'baseline');
    const content = JSON.stringify([row, sample]);
    for (const secret of ['Smithers', 'ann@example', '1970-05-01', '123456789', 'secret-8', 'CANARY'])
      expect(content).not.toContain(secret);
    expect(JSON.stringify(sample)).toContain('1000000');
    expect(JSON.stringify(row)).not.toContain('1000000');
  });

  it('are taken from reads that V1 has served, once an hour for each request', async () => {
    const world = await worldOn(bench);
    serve(world, account, '/client.api/get/1');
    serve(world, account, '/client.api/get/1', {
      at: NOW + HOUR - 1,
      received: [Buffer.from(REPLY.replace('No', 'Yes'))],
    });
    serve(world, account, '/client.api/get/2', { source: 'v3' });
    serve(world, account, '/client.api/add', { method: 'client.add' });
    serve(world, account, '/client.api/get/3', { received: [Buffer.from(REPLY.replace('OK', 'ERROR'))] });
    await world.baseline.flush();
    expect(await asked(world, account)).toEqual(['client.api/get/1']);
    serve(world, account, '/client.api/get/1', { at: NOW + HOUR });
    await world.baseline.flush();
    expect((await world.samples.find(account, 'baseline')).map(({ at }) => at)).toEqual([NOW + HOUR]);
  });

  it('of a reply that was too long keep the request alone', async () => {
    const world = await worldOn(bench);
    serve(world, account, '/client.api/list?detailed=true', {
      method: 'client.list',
      received: [Buffer.from(REPLY.slice(0, 100))],
    });
    await world.baseline.flush();
    const [sample] = await world.samples.find(account, 'baseline');
    expect(sample).toMatchObject({ method: 'client.list', request: { query: [['detailed', 'true']] } });
    expect(sample?.reply).toBeUndefined();
  });
});

it('a request of a program whose base URL ends with a slash is the same as without it', () => {
  const address = '/client.api/get/7?detailed=true';
  expect(requestIn(`//${address}`)).toEqual(requestIn(address));
});

it('a request with free text is marked and its text omitted, because it cannot be stored', () => {
  expect(requestIn('/client.api/search?query=Smithers&detailed=true')).toEqual({
    segments: ['client.api', 'search'],
    query: [
      ['query', ''],
      ['detailed', 'true'],
    ],
    isWithheld: true,
  });
});

it('the words of every method’s address are kept', () => {
  const words = [...methods.values()]
    .flatMap(({ legacy }) => legacy.flatMap(({ segments }) => segments.slice(2)))
    .flatMap((segment) => ('literal' in segment ? [segment.literal] : []));
  expect(words).toContain('customfield');
  const address = (word: string): string => `/client.api/get/7/${word}`;
  expect(words.filter((word) => requestIn(address(word))?.isWithheld === true)).toEqual([]);
});

it.each(['0215551234', '123456789', '19801231', 'ann1'])(
  'a request that searches for %s is marked too, because that may be a number of a person',
  (wanted) => {
    expect(requestIn(`/client.api/search?Query=${wanted}`)).toEqual({
      segments: ['client.api', 'search'],
      query: [['Query', '']],
      isWithheld: true,
    });
    expect(requestIn('/client.api/search?query=')).toEqual({
      segments: ['client.api', 'search'],
      query: [['query', '']],
    });
  },
);

it('an element that is personal in a reply is masked in the body of a request', () => {
  const all = [...methods.values()];
  const replies = tablesOf(all.flatMap(({ reply }) => ('of' in reply ? [reply.of] : [])));
  const bodies = tablesOf(all.flatMap(({ body }) => (body === undefined ? [] : [body.of])));
  const personal = new Set(
    [...replies].flatMap(({ rows }) => rows.filter((row) => row.isPersonal)).map(({ element }) => element),
  );
  const plain = [...bodies].flatMap(({ rows }) => rows.filter(isPlainRow)).map(({ element }) => element);
  expect(personal).toContain('DateOfBirth');
  expect(plain).toContain('ID');
  expect(plain.filter((element) => personal.has(element))).toEqual([]);
});

it('the hashes of a text match within an account, differ between accounts, and survive a new key', () => {
  const root = readDocument(REPLY);
  const both = KeyRing.parse(new Secret(`${NEW},${OLD}`));
  const before = Masking.of(ring, 'a');
  const same = Masking.of(both, 'a', before?.key);
  const method = methods.get('client.get');
  expect(same?.masked(root, method)).toEqual(before?.masked(root, method));
  expect(Masking.of(both, 'a')?.masked(root, method)).not.toEqual(before?.masked(root, method));
  expect(Masking.of(ring, 'b')?.hash('Ann')).not.toBe(before?.hash('Ann'));
  expect(Masking.of(KeyRing.parse(new Secret(NEW)), 'a', before?.key)).toBeUndefined();
});
