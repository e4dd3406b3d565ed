import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { STEP } from '../../src/lib/time/turn.ts';
import { isRenamedMentioned } from '../../src/proxy/sparing/replica/mentions.ts';
import type { ListedRecord } from '../../src/proxy/sparing/replica/records.ts';
import type { UpstreamRequest } from '../../src/upstream/model.ts';
import { eventually } from '../support/clock.ts';
import { turnsDuring } from '../support/turns.ts';
import {
  anyRecord,
  callOf,
  closeWorlds,
  ok,
  pair,
  textOf,
  uuid,
  world,
  type Played,
  type World,
} from './world.ts';

const PAGE = 2;
const LASTS = 3_600_000;
const DAY = 86_400_000;
const START = Date.UTC(2026, 10, 20, 9);

interface Client {
  readonly number: number;
  name: string;
  billing?: number;
  modified: number;
}

const id = (number: number): string => uuid('c1', number);

/** A service with a list of clients in an order of its own, and a clock with the precision of a second. */
class Clients {
  readonly list: Client[];
  readonly asked: string[] = [];
  now = START;
  /** What a new or changed record does to the order. */
  order: (list: Client[]) => void = () => undefined;
  date: string | undefined = 'given';

  readonly pageSize: number;

  constructor(count: number, pageSize = PAGE) {
    this.pageSize = pageSize;
    this.list = Array.from({ length: count }, (_, at) => ({
      number: at + 1,
      name: `n${at + 1}`,
      modified: START - DAY,
    }));
  }

  add(number: number, name = `n${number}`): void {
    this.list.push({ number, name, modified: this.now });
    this.order(this.list);
  }

  change(number: number, name: string): void {
    const client = this.list.find((one) => one.number === number);
    if (client !== undefined) Object.assign(client, { name, modified: this.now });
    this.order(this.list);
  }

  remove(number: number): void {
    this.list.splice(
      this.list.findIndex((one) => one.number === number),
      1,
    );
  }

  readonly answer = ({ verb, segments, query }: UpstreamRequest): Played => {
    if (verb !== 'GET') {
      if (segments[1] === 'delete') this.remove(2);
      return anyRecord();
    }
    const given = new Map(query);
    this.asked.push(`${given.get('modifiedsince') === undefined ? 'page' : 'changes'} ${given.get('page')}`);
    const since = Date.parse(`${given.get('modifiedsince') ?? '1970-01-01T00:00:00'}Z`);
    const found = this.list.filter(({ modified }) => Math.floor(modified / 1_000) * 1_000 >= since);
    const from = (Number(given.get('page')) - 1) * this.pageSize;
    const rows = found.slice(from, from + this.pageSize).map((one) => this.#record(one));
    const list = rows.length === 0 ? '<Clients />' : `<Clients>${rows.join('')}</Clients>`;
    const headers = this.date === undefined ? {} : { date: new Date(this.now).toUTCString() };
    return { ...ok(`<TotalRecords>${found.length}</TotalRecords>${list}`), headers };
  };

  #record({ number, name, billing }: Client): string {
    const payer = billing === undefined ? undefined : this.list.find((one) => one.number === billing);
    const other = payer
      ? `<BillingClient><UUID>${id(payer.number)}</UUID><Name>${payer.name}</Name></BillingClient>`
      : '';
    return `<Client><UUID>${id(number)}</UUID><Name>${name}</Name>${other}</Client>`;
  }
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-replicas-'));
});
afterEach(async () => {
  await closeWorlds();
  rmSync(folder, { recursive: true });
});

const KNOWN = 40;

const worldOf = (service: Clients, isKept = true): Promise<World> =>
  world({
    ...(isKept && { url: `sqlite:${join(folder, 'store.db')}`, sparing: { replicaLasts: LASTS } }),
    ledger: true,
    pageSize: service.pageSize,
    pairs: Array.from({ length: Math.max(KNOWN, service.list.length) }, (_, at) =>
      pair('client', at + 1, id(at + 1)),
    ),
    complete: ['client'],
    v3: (request) => service.answer(request),
  });

interface Read {
  readonly text: string;
  readonly age: string | undefined;
  readonly asked: readonly string[];
}

/** Reads the list through a bridge that keeps it and one that does not: both must give the same bytes. */
class Pair {
  readonly service: Clients;
  readonly kept: World;
  readonly plain: World;

  constructor(service: Clients, kept: World, plain: World) {
    this.service = service;
    this.kept = kept;
    this.plain = plain;
  }

  async replica(path = 'client.api/list', of = this.kept): Promise<Read> {
    const expected = await textOf(await this.plain.bridge.serve(callOf(`GET ${path}`)));
    this.service.asked.length = 0;
    const reply = await of.bridge.serve(callOf(`GET ${path}`));
    const text = await textOf(reply);
    expect(text).toBe(expected);
    return { text, age: reply.headers?.['X-Causeway-Age'], asked: [...this.service.asked] };
  }
}

async function opened(count = 5): Promise<Pair> {
  const service = new Clients(count);
  return new Pair(service, await worldOf(service), await worldOf(service, false));
}

/** Later than what is asked for again to be safe. */
const LATER = 600_000;
function later(of: Pair): void {
  of.service.now += LATER;
  of.kept.clock.time += LATER;
}

/** So that only the order of the service is left: what is new goes to the end, what has changed stays. */
async function taught(of: Pair): Promise<void> {
  later(of);
  of.service.change(1, 'taught');
  await of.replica();
  later(of);
  of.service.add(30, 'a name before all others');
  await of.replica();
  later(of);
}

/** It was not read whole, however many changes there were to ask for. */
const isSpared = ({ asked }: Read): boolean => asked.every((request) => request.startsWith('changes'));
const WHOLE = ['page 1', 'page 2', 'page 3'];
const CHANGES = ['changes 1'];

describe('a replica of a list', () => {
  it('is read completely once, and then costs one request, with the same bytes and its age', async () => {
    const of = await opened();
    expect(await of.replica()).toMatchObject({ asked: WHOLE, age: undefined });
    of.kept.clock.time += 61_000;
    expect(await of.replica()).toMatchObject({ asked: CHANGES, age: '61' });
    expect(of.kept.spared).toEqual(['replica']);
  });

  it('costs one request instead of twenty with ten thousand clients, and is exact when read completely', async () => {
    const service = new Clients(10_000, 500);
    const of = new Pair(service, await worldOf(service), await worldOf(service, false));
    const [requests, first] = [(read: Read): number => read.asked.length, await of.replica()];
    expect(requests(first)).toBe(20);
    expect(first.text.match(/<Client>/g)).toHaveLength(10_000);
    expect(requests(await of.replica())).toBe(1);
    service.remove(5_000);
    of.kept.clock.time += LASTS;
    const last = await of.replica();
    expect(last.asked.filter((request) => request.startsWith('page'))).toHaveLength(20);
    expect(last.text).not.toContain('<Name>n5000</Name>');
    expect(requests(await of.replica())).toBe(1);
  });

  it('has later changes and additions, in the order of the service', async () => {
    const of = await opened();
    await of.replica();
    await taught(of);
    of.service.change(3, 'changed');
    of.service.add(31);
    expect(isSpared(await of.replica())).toBe(true);
    later(of);
    of.service.change(31, 'changed again');
    expect(isSpared(await of.replica())).toBe(true);
  });

  it('is read completely if the place of a change is uncertain, and learns from that', async () => {
    const of = await opened();
    await of.replica();
    later(of);
    of.service.change(3, 'changed');
    expect((await of.replica()).asked).toEqual([...CHANGES, ...WHOLE]);
    later(of);
    of.service.change(4, 'changed');
    expect((await of.replica()).asked).toEqual(CHANGES);
  });

  it('follows a service that sorts its list by name', async () => {
    const of = await opened();
    of.service.order = (list) => list.sort((one, other) => (one.name < other.name ? -1 : 1));
    await of.replica();
    for (const [number, name] of [
      [31, 'n2a'],
      [32, 'a'],
      [33, 'n4b'],
      [34, 'n1x'],
    ] as const) {
      later(of);
      of.service.add(number, name);
      await of.replica();
    }
    later(of);
    of.service.change(5, 'n0');
    of.service.add(35, 'n3a');
    expect(isSpared(await of.replica())).toBe(true);
  });

  it.each([
    ['newest', (one: Client, other: Client): number => other.modified - one.modified],
    ['oldest', (one: Client, other: Client): number => one.modified - other.modified],
  ] as const)(
    'follows a service that lists the %s change first, also that of a record saved as it was',
    async (_, byChange) => {
      const of = await opened();
      of.service.order = (list) => list.sort(byChange);
      await of.replica();
      for (const number of [3, 5]) {
        later(of);
        of.service.change(number, `changed ${number}`);
        await of.replica();
      }
      later(of);
      of.service.change(2, 'n2');
      const asked = await of.replica();
      expect(asked.text.match(/<Name>(.*?)<\/Name>/g)).toContain('<Name>n2</Name>');
      expect(isSpared(asked)).toBe(true);
      // What the margin repeats is not a change.
      expect((await of.replica()).asked).toEqual(CHANGES);
    },
  );

  it('has changes made in the second of the last reading', async () => {
    const of = await opened();
    await of.replica();
    await taught(of);
    await of.replica();
    of.service.change(2, 'in the same second');
    expect((await of.replica()).asked).toEqual(CHANGES);
  });

  it('is read completely after the configured time, which shows deletions elsewhere', async () => {
    const of = await opened();
    await of.replica();
    of.kept.clock.time += LASTS - 1;
    expect((await of.replica()).asked).toEqual(CHANGES);
    of.kept.clock.time += 1;
    of.service.remove(3);
    expect((await of.replica()).asked).toEqual(['page 1', 'page 2']);
    expect((await of.replica()).asked).toEqual(CHANGES);
  });

  it('is read completely after the bridge deleted a record', async () => {
    const of = await opened();
    await of.replica();
    const body = '<Client><ID>2</ID></Client>';
    const reply = await of.kept.bridge.serve(callOf('POST client.api/delete', { body, requestId: 'w' }));
    expect((await of.replica()).asked).toEqual(['page 1', 'page 2']);
    reply.delivered?.(true);
    await eventually('its outcome is known', async () =>
      (await of.kept.store.writeMarks.look('account-1')).open.size === 0 ? true : undefined,
    );
    await of.replica();
    expect((await of.replica()).asked).toEqual(CHANGES);
  });

  it.each([
    [
      'adds a contact',
      'POST client.api/contact',
      `<Contact><Client><ID>2</ID></Client><Name>New</Name></Contact>`,
    ],
    [
      'adds a relationship',
      'POST client.api/addrelationship',
      '<Relationship><ClientID>2</ClientID><RelatedClientID>3</RelatedClientID><Type>Partner</Type></Relationship>',
    ],
  ])(
    'is read completely after the bridge %s, which may mark no client as modified',
    async (_, line, body) => {
      const of = await opened();
      await of.replica();
      const reply = await of.kept.bridge.serve(callOf(line, { body, requestId: 'w' }));
      reply.delivered?.(true);
      await eventually('its outcome is known', async () =>
        (await of.kept.store.writeMarks.look('account-1')).open.size === 0 ? true : undefined,
      );
      expect((await of.replica()).asked).toEqual(WHOLE);
      expect((await of.replica()).asked).toEqual(CHANGES);
    },
  );

  it('is read completely if a name changes that other records mention', async () => {
    const of = await opened();
    const [client] = of.service.list;
    Object.assign(client ?? {}, { billing: 4 });
    await of.replica();
    await taught(of);
    of.service.change(4, 'renamed');
    expect((await of.replica()).asked).toEqual([...CHANGES, ...WHOLE]);
  });

  it('is separate for other parameters, and does not exist for parameters that select records', async () => {
    const of = await opened();
    await of.replica();
    expect((await of.replica('client.api/list?detailed=true')).asked).toEqual(WHOLE);
    expect((await of.replica('client.api/list?detailed=true')).asked).toEqual(CHANGES);
    await of.replica('client.api/list?modifiedsince=2026-11-20T09:00:00');
    expect(of.kept.spared).toEqual(['replica']);
  });

  it('is shared by instances, and each change builds on the newest', async () => {
    const of = await opened();
    await of.replica();
    await taught(of);
    const other = await worldOf(of.service);
    other.clock.time = of.kept.clock.time;
    of.service.change(2, 'seen by one');
    expect(isSpared(await of.replica())).toBe(true);
    of.service.change(3, 'seen by the other');
    expect(isSpared(await of.replica('client.api/list', other))).toBe(true);
    of.service.change(4, 'seen by both');
    await Promise.all(
      [other, of.kept].map(async ({ bridge }) => textOf(await bridge.serve(callOf('GET client.api/list')))),
    );
    expect(isSpared(await of.replica())).toBe(true);
  });

  it('does not exist if the service does not state its time', async () => {
    const of = await opened();
    of.service.date = undefined;
    expect((await of.replica()).asked).toEqual(WHOLE);
    expect((await of.replica()).asked).toEqual(WHOLE);
  });

  it('does not exist if records moved while it was read', async () => {
    const of = await opened();
    const { answer } = of.service;
    let pages = 0;
    Object.assign(of.service, {
      answer: (request: UpstreamRequest) => {
        if ((pages += 1) === 2) of.service.remove(1);
        return answer(request);
      },
    });
    await textOf(await of.kept.bridge.serve(callOf('GET client.api/list')));
    expect((await of.replica()).asked).toEqual(['page 1', 'page 2']);
  });

  it('is read completely if a record leaves the list of changes between two of its pages', async () => {
    const of = await opened(8);
    await of.replica();
    await taught(of);
    for (const number of [2, 3, 4, 5, 6]) of.service.change(number, `changed ${number}`);
    const { answer } = of.service;
    let pages = 0;
    const interrupted = (request: UpstreamRequest): Played => {
      if ((pages += 1) === 2) of.service.remove(2);
      return answer(request);
    };
    Object.assign(of.service, { answer: interrupted });
    const text = await textOf(await of.kept.bridge.serve(callOf('GET client.api/list')));
    for (const number of [3, 4, 5, 6]) expect(text).toContain(`<Name>changed ${number}</Name>`);
  });

  it('can be empty', async () => {
    const of = await opened(0);
    expect((await of.replica()).asked).toEqual(['page 1']);
    expect((await of.replica()).asked).toEqual(CHANGES);
  });

  it('is sealed in the database, and erased with the other data of the account', async () => {
    const of = await opened();
    of.service.change(1, 'Canary Limited');
    await of.replica();
    const files = ['store.db', 'store.db-wal'].map((name) =>
      readFileSync(join(folder, name)).toString('latin1'),
    );
    expect(files.join('')).not.toContain('Canary');
    expect(await of.kept.store.replicas.erase('account-1')).toBe(1);
    expect((await of.replica()).asked).toEqual(WHOLE);
  });

  it('is ignored while the database is down', async () => {
    const of = await opened();
    await of.replica();
    of.kept.outage.away = true;
    expect((await of.replica()).asked).toEqual(WHOLE);
  });
});

describe('a mention of renamed records', () => {
  const record = (number: number, name: string, also = ''): ListedRecord => ({
    id: id(number),
    name,
    xml: `<Client><UUID>${id(number)}</UUID><Name>${name}</Name>${also}</Client>`,
  });

  it('is the identifier of another one, in any case, as the whole text of an element', async () => {
    const payer = `<BillingClient><UUID> ${id(2).toUpperCase()} </UUID></BillingClient>`;
    const renamed = [record(2, 'new')];
    expect(await isRenamedMentioned([record(1, 'n1', payer), record(2, 'n2')], renamed)).toBe(true);
    expect(await isRenamedMentioned([record(1, 'n1'), record(2, 'n2', payer)], renamed)).toBe(false);
    expect(await isRenamedMentioned([record(1, `not ${id(2)}`), record(2, 'n2')], renamed)).toBe(false);
    expect(await isRenamedMentioned([record(1, 'n1', payer), record(2, 'new')], renamed)).toBe(false);
  });

  it('is sought in a long list without stopping other calls', async () => {
    const note = `<Note>${'x'.repeat(4_000)}</Note>`;
    const list = Array.from({ length: 500 }, (_, at) => record(at, `n${at}`, note));
    const renamed = list.map(({ id: key, xml }) => ({ id: key, name: 'new', xml }));
    const { value, turns } = await turnsDuring(() => isRenamedMentioned(list, renamed));
    expect(value).toBe(false);
    expect(turns).toBeGreaterThan((0.9 * 500 * 4_000) / STEP);
  });
});
