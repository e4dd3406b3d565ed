import { afterEach, describe, expect, it } from '@jest/globals';
import type { Pair } from '../../src/mapping/crosswalk/identifier.ts';
import { wholeList, type Pages } from '../../src/proxy/forward/pages.ts';
import type { ListPart } from '../../src/proxy/forward/list-scan.ts';
import type { UpstreamRequest } from '../../src/upstream/model.ts';
import {
  ask,
  callOf,
  closeWorlds,
  ok,
  pair,
  refusal,
  uuid,
  world,
  type Played,
  type World,
} from './world.ts';

afterEach(closeWorlds);

const record = (number: number): string =>
  `<Client><UUID>${uuid('c1', number)}</UUID><Name>n${number}</Name></Client>`;
const records = (from: number, to: number): string =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => record(from + index)).join('');
const pairsTo = (count: number): Pair[] =>
  Array.from({ length: count }, (_, index) => pair('client', index + 1, uuid('c1', index + 1)));

const asked = (request: UpstreamRequest, name: string): number =>
  Number(request.query.find(([given]) => given === name)?.[1]);

interface Habits {
  readonly total: number;
  /** The most the service gives per page. */
  readonly most?: number;
  readonly counts: 'before' | 'after' | 'none' | 'empty';
  readonly tellsSize?: boolean;
}

/** A V3 that pages, in one of its ways. */
function paging({ total, most = Infinity, counts, tellsSize = true }: Habits) {
  return (request: UpstreamRequest): Played => {
    const size = Math.min(asked(request, 'pagesize'), most);
    const page = asked(request, 'page');
    const list = `<Clients>${records((page - 1) * size + 1, Math.min(page * size, total))}</Clients>`;
    const count =
      `<TotalRecords>${counts === 'empty' ? '' : total}</TotalRecords><Page>${page}</Page>` +
      (tellsSize ? `<PageSize>${size}</PageSize>` : '');
    if (counts === 'none') return ok(list);
    return ok(counts === 'before' || counts === 'empty' ? count + list : list + count);
  };
}

const idsIn = (text: string): number[] => [...text.matchAll(/<ID>(\d+)<\/ID>/g)].map(([, id]) => Number(id));
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

async function list(habits: Habits, pageSize: number): Promise<{ to: World; text: string }> {
  const to = await world({ pairs: pairsTo(habits.total), pageSize, v3: paging(habits) });
  return { to, text: await ask(to, 'GET client.api/list?detailed=true') };
}

describe('a paged list is returned completely', () => {
  const cases = (['before', 'after', 'none', 'empty'] as const).flatMap((counts) =>
    [0, 1, 2, 3, 4, 5, 7].map((total) => ({ counts, total })),
  );

  it.each(cases)('with $total records, two per page, TotalRecords $counts', async ({ counts, total }) => {
    const { to, text } = await list({ counts, total }, 2);
    expect(idsIn(text)).toEqual(upTo(total));
    expect(text).not.toMatch(/TotalRecords|PageSize|<Page>/);
    expect(text.match(/<Clients/g)?.length).toBe(1);
    expect(text.endsWith(total === 0 ? '<Clients /></Response>' : '</Clients></Response>')).toBe(true);
    expect(to.v3.requests.map((request) => asked(request, 'page'))).toEqual(upTo(to.v3.requests.length));
    for (const request of to.v3.requests) {
      expect(request.query.slice(0, 1)).toEqual([['detailed', 'true']]);
      expect(asked(request, 'pagesize')).toBe(2);
    }
    const pages = Math.max(1, Math.ceil(total / 2));
    const counted = counts === 'before' || counts === 'after';
    expect(to.v3.requests.length).toBe(counted || total % 2 === 1 ? pages : total === 0 ? 1 : pages + 1);
  });

  it('with one request for exactly one full page, if counted', async () => {
    const { to, text } = await list({ counts: 'before', total: 3 }, 3);
    expect(idsIn(text)).toEqual([1, 2, 3]);
    expect(to.v3.requests.length).toBe(1);
  });

  it.each([
    { counts: 'before', tellsSize: true },
    { counts: 'before', tellsSize: false },
    { counts: 'after', tellsSize: false },
  ] as const)('if the service returns less per page than requested: $counts $tellsSize', async (habits) => {
    const { text } = await list({ ...habits, total: 11, most: 3 }, 500);
    expect(idsIn(text)).toEqual(upTo(11));
  });

  it('with longer waits allowed for later pages', async () => {
    const { to } = await list({ counts: 'before', total: 5 }, 2);
    expect(to.v3.patience).toEqual(['first-byte', 'continued', 'continued']);
  });
});

describe('a list without pages', () => {
  it.each([
    ['without a count', ''],
    ['with a count', '<TotalRecords>5</TotalRecords>'],
  ])('is returned once if the service ignores paging, %s', async (_, count) => {
    for (const pageSize of [2, 5, 500]) {
      const to = await world({
        pairs: pairsTo(5),
        pageSize,
        v3: () => ok(`${count}<Clients>${records(1, 5)}</Clients>`),
      });
      expect(idsIn(await ask(to, 'GET client.api/list'))).toEqual(upTo(5));
      expect(to.v3.requests.length).toBeLessThanOrEqual(2);
    }
  });

  it.each(['before', 'after'])('is cut if the service counts more (%s)', async (place) => {
    const [count, clients] = ['<TotalRecords>9</TotalRecords>', `<Clients>${records(1, 5)}</Clients>`];
    for (const pageSize of [2, 5, 500]) {
      const v3 = () => ok(place === 'before' ? count + clients : clients + count);
      const to = await world({ pairs: pairsTo(5), pageSize, v3 });
      expect(await refusal(to, 'GET client.api/list')).toMatchObject({ code: 'upstreamAnswer' });
      expect(to.v3.requests.length).toBe(2);
    }
  });

  it.each(['before', 'after'])(
    'is cut if it is requested without pages and counted longer (%s)',
    async (place) => {
      const [count, clients] = ['<TotalRecords>4</TotalRecords>', `<Clients>${records(1, 3)}</Clients>`];
      for (const pieces of [1, 2]) {
        const text = place === 'before' ? count + clients : clients + count;
        const half = `<Response><Status>OK</Status>${text}</Response>`;
        async function* slowly(): AsyncGenerator<Buffer> {
          yield Buffer.from(half.slice(0, 200));
          yield Buffer.from(half.slice(200));
        }
        const to = await world({
          pairs: pairsTo(3),
          v3: () => (pieces === 1 ? ok(text) : { body: slowly() }),
        });
        expect(await refusal(to, 'GET client.api/search?query=n')).toMatchObject({ code: 'upstreamAnswer' });
      }
    },
  );

  it('is requested without pages', async () => {
    const to = await world({ pairs: pairsTo(3), v3: () => ok(`<Clients>${records(1, 3)}</Clients>`) });
    expect(idsIn(await ask(to, 'GET client.api/search?query=n'))).toEqual([1, 2, 3]);
    expect(to.v3.requests.map(({ query }) => query)).toEqual([[['query', 'n']]]);
  });

  it('is cut if a page is empty although the service counts more', async () => {
    const to = await world({
      pairs: pairsTo(9),
      v3: (_, count) =>
        ok(`<TotalRecords>9</TotalRecords><Clients>${count === 1 ? records(1, 2) : ''}</Clients>`),
    });
    expect(await refusal(to, 'GET client.api/list')).toMatchObject({ code: 'upstreamAnswer' });
    expect(to.v3.requests.length).toBe(2);
  });
});

describe('a page without a record', () => {
  it('is not an empty list if the service counts some', async () => {
    const to = await world({ v3: () => ok('<TotalRecords>3</TotalRecords><Clients />') });
    expect(await refusal(to, 'GET client.api/list')).toMatchObject({ code: 'upstreamAnswer' });
  });

  it.each(['<TotalRecords>0</TotalRecords>', ''])('is an empty list with the count %j', async (count) => {
    const to = await world({ v3: () => ok(`${count}<Clients />`) });
    expect(await ask(to, 'GET client.api/list')).toMatch(/<Clients \/><\/Response>$/);
  });
});

describe('a list of 10,000 records', () => {
  const TOTAL = 10_000;

  it('is sent in chunks while the service still has pages', async () => {
    const to = await world({
      pairs: pairsTo(TOTAL),
      pageSize: 500,
      v3: paging({ counts: 'before', total: TOTAL }),
    });
    const reply = await to.bridge.serve(callOf('GET client.api/list'));
    expect(to.v3.requests.length).toBe(1);
    const seen: number[] = [];
    let longest = 0;
    for await (const chunk of reply.body as AsyncIterable<string>) {
      // What has been asked for is at most one page ahead of what has been given.
      expect(to.v3.requests.length * 500 - seen.length).toBeLessThanOrEqual(1_000);
      longest = Math.max(longest, chunk.length);
      for (const id of idsIn(chunk)) seen.push(id);
    }
    expect(seen).toEqual(upTo(TOTAL));
    expect(to.v3.requests.length).toBe(20);
    // About 600 characters each: the largest chunk holds a small part of the list.
    expect(longest).toBeLessThan(1_000_000);
  });

  it('is sent in chunks while one long reply arrives', async () => {
    let given = 0;
    async function* slowly(): AsyncGenerator<Buffer> {
      yield Buffer.from('<Response><Status>OK</Status><Clients>');
      for (; given < TOTAL; given += 100) yield Buffer.from(records(given + 1, given + 100));
      yield Buffer.from('</Clients></Response>');
    }
    const to = await world({ pairs: pairsTo(TOTAL), v3: () => ({ body: slowly() }) });
    const reply = await to.bridge.serve(callOf('GET client.api/search?query=n'));
    let count = 0;
    for await (const chunk of reply.body as AsyncIterable<string>) {
      expect(given - count).toBeLessThanOrEqual(1_000);
      count += idsIn(chunk).length;
    }
    expect(count).toBe(TOTAL);
  });

  it('releases the service if the caller leaves', async () => {
    let released = false;
    async function* endless(): AsyncGenerator<Buffer> {
      try {
        yield Buffer.from('<Response><Status>OK</Status><Clients>');
        for (let at = 1; at < TOTAL; at += 100) yield Buffer.from(records(at, at + 99));
      } finally {
        released = true;
      }
    }
    const to = await world({ pairs: pairsTo(200), v3: () => ({ body: endless() }) });
    const reply = await to.bridge.serve(callOf('GET client.api/search?query=n'));
    const chunks = (reply.body as AsyncIterable<string>)[Symbol.asyncIterator]();
    await chunks.next();
    expect(released).toBe(false);
    await chunks.return?.();
    expect(released).toBe(true);
  });
});

describe('a page that has arrived completely', () => {
  const parameters = { pageParameter: 'page', sizeParameter: 'pagesize' };
  const part = (from: number, to: number, total?: number): ListPart => ({
    records: upTo(to)
      .slice(from - 1)
      .map((number) => ({ text: `<Client><ID>${number}</ID></Client>`, identity: `${number}` })),
    beside: total === undefined ? [] : [['TotalRecords', `${total}`]],
  });
  const form = { container: 'Clients', open: '<Response>', total: undefined };
  const opening =
    (...parts: readonly ListPart[]): Pages['open'] =>
    async (query) =>
      parts[Number(query[0]?.[1] ?? 1) - 1] ?? part(1, 0);
  const listed = (pageSize: number | undefined, ...parts: readonly ListPart[]) =>
    wholeList({ ...form, pageSize }, { parameters, open: opening(...parts) });

  it.each([
    ['it is all there is by the count', 2, part(1, 2, 2)],
    ['it is not full', 3, part(1, 2)],
    ['the method has no pages', undefined, part(1, 2)],
  ])('is the whole list in one text if %s', async (_, pageSize, page) => {
    const text =
      '<Response><Clients><Client><ID>1</ID></Client><Client><ID>2</ID></Client></Clients></Response>';
    expect(await listed(pageSize, page)).toBe(text);
  });

  it('is the whole list in one text if it is empty', async () => {
    expect(await listed(2, part(1, 0, 0))).toBe('<Response><Clients /></Response>');
  });

  it('is the start of a list if others follow', async () => {
    const list = await listed(2, part(1, 2, 3), part(3, 3, 3));
    if (typeof list === 'string') throw new Error('the list ended with its first page');
    let text = '';
    for await (const piece of list) text += piece;
    expect(idsIn(text)).toEqual([1, 2, 3]);
  });

  it('is not an empty list if the service counts some', async () => {
    await expect(listed(2, part(1, 0, 3))).rejects.toMatchObject({ code: 'upstreamAnswer' });
  });
});
