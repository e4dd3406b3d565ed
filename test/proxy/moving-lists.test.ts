import { afterEach, describe, expect, it } from '@jest/globals';
import type { Pair } from '../../src/mapping/crosswalk/identifier.ts';
import { PageDeduplication } from '../../src/proxy/forward/page-deduplication.ts';
import { ask, closeWorlds, json, ok, pair, refusal, uuid, world, type Played, type World } from './world.ts';

afterEach(closeWorlds);

const MOST = 20;
const pairs: Pair[] = Array.from({ length: MOST }, (_, index) => index + 1).flatMap((number) =>
  ['template', 'client'].map((kind) => pair(kind, number, uuid('7e', number))),
);
const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);
const numbersIn = (text: string): number[] =>
  [...text.matchAll(/<Name>n(\d+)<\/Name>/g)].map(([, number]) => Number(number));

/** What happens to the list once that many pages of it were asked for. */
type Events = Readonly<Record<number, (records: number[]) => void>>;

/** A service whose list changes while it is walked, in pages of two. */
function moving(records: readonly number[], events: Events) {
  const list = [...records];
  let asked = 0;
  return (page: number): { readonly rows: readonly number[]; readonly total: number } => {
    asked += 1;
    const answer = { rows: list.slice((page - 1) * 2, page * 2), total: list.length };
    events[asked]?.(list);
    return answer;
  };
}

type Form = (page: number, answer: ReturnType<ReturnType<typeof moving>>) => Played;

const row = (number: number): object => ({ uuid: uuid('7e', number), name: `n${number}` });
const element = (number: number): string =>
  `<Client><UUID>${uuid('7e', number)}</UUID><Name>n${number}</Name></Client>`;
const pagesOf = (total: number): number => Math.max(1, Math.ceil(total / 2));

const v2Forms: Readonly<Record<string, Form>> = {
  'V2 that counts records': (page, { rows, total }) =>
    json(rows.map(row), { page, per_page: 2, total_pages: pagesOf(total), total_items: total }),
  'V2 that counts pages': (page, { rows, total }) =>
    json(rows.map(row), { page, per_page: 2, total_pages: pagesOf(total) }),
  'V2 with a bare total': (_, { rows, total }) => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ data: rows.map(row), total }),
  }),
};

const list = ({ rows }: { readonly rows: readonly number[] }): string =>
  `<Clients>${rows.map(element).join('')}</Clients>`;

const v3Forms: Readonly<Record<string, Form>> = {
  'V3 that counts before': (_, answer) => ok(`<TotalRecords>${answer.total}</TotalRecords>${list(answer)}`),
  'V3 that counts behind': (_, answer) => ok(`${list(answer)}<TotalRecords>${answer.total}</TotalRecords>`),
};

const pageIn = (query: readonly (readonly [string, string])[]): number =>
  Number(query.find(([name]) => name === 'page')?.[1] ?? 1);

function worldWith(form: string, records: readonly number[], events: Events): Promise<World> {
  const service = moving(records, events);
  const written = { ...v2Forms, ...v3Forms }[form];
  if (written === undefined) throw new Error(`no form ${form}`);
  const answer = ({ query }: { readonly query: readonly (readonly [string, string])[] }): Played =>
    written(pageIn(query), service(pageIn(query)));
  return world({ pairs, ...(form in v2Forms ? { v2: answer } : { v3: answer }) });
}

const remove =
  (...gone: readonly number[]) =>
  (records: number[]): void => {
    for (const number of gone) records.splice(records.indexOf(number), 1);
  };
const insert =
  (...more: readonly number[]) =>
  (records: number[]): void => {
    records.unshift(...more);
  };

const forms = [...Object.keys(v2Forms), ...Object.keys(v3Forms)];
const counting = forms.filter((form) => form !== 'V2 that counts pages');
/** Not every list of V2 is walked once, nor has every list of V3 pages. */
const callOn = (form: string): string => (form in v2Forms ? 'GET template.api/list' : 'GET client.api/list');

describe.each(forms)('a list that changes while it is read (%s)', (form) => {
  it('prints no record twice that a new one has moved onto the next page', async () => {
    for (const more of [[11], [11, 12], [11, 12, 13]]) {
      const to = await worldWith(form, upTo(7), { 1: insert(...more) });
      expect(numbersIn(await ask(to, callOn(form))).filter((number) => number < 10)).toEqual(upTo(7));
    }
  });

  it('has a new record at its end', async () => {
    const to = await worldWith(form, upTo(6), { 2: (records) => records.push(9) });
    expect(numbersIn(await ask(to, callOn(form))).slice(0, 6)).toEqual(upTo(6));
  });

  it('ends if the remaining records are gone', async () => {
    // With the next page ahead, the second answer is given before the first is written.
    const to = await worldWith(form, upTo(6), { 1: remove(3, 4, 5, 6) });
    expect(numbersIn(await ask(to, callOn(form)))).toEqual([1, 2]);
  });

  it('never counts as complete if it lacks a page', async () => {
    // All that was written is gone, and with it every sign of where the rest begins.
    const to = await worldWith(form, upTo(9), { 2: remove(1, 2, 3, 4) });
    expect(await refusal(to, callOn(form))).toMatchObject({ code: 'upstreamAnswer' });
  });
});

describe.each(counting)('a list with an unchanged count (%s)', (form) => {
  it('is cut if a record has moved onto a page that was read before', async () => {
    // The record that moved is on the first of five pages and then on the last.
    const to = await worldWith(form, upTo(10), { 1: (records) => records.push(...records.splice(0, 1)) });
    expect(await refusal(to, callOn(form))).toMatchObject({ code: 'upstreamAnswer' });
  });

  it('is whole if a record has moved to one that was still to be read', async () => {
    const to = await worldWith(form, upTo(6), { 1: (records) => records.push(...records.splice(3, 1)) });
    expect(numbersIn(await ask(to, callOn(form))).toSorted()).toEqual(upTo(6));
  });
});

describe('a V2 that counts more than it gives', () => {
  it('is cut if it gives the same page again', async () => {
    const { 'V2 with a bare total': form } = v2Forms;
    const to = await world({ pairs, v2: () => form?.(1, { rows: [1, 2], total: 5 }) ?? ok('') });
    expect(await refusal(to, 'GET template.api/list')).toMatchObject({ code: 'upstreamAnswer' });
  });
});

describe.each(counting)('deletions during a list (%s)', (form) => {
  it.each([
    ['one', { 1: remove(1) }, [1]],
    ['one, later', { 2: remove(4) }, [4]],
    ['one on the page that was just read', { 3: remove(6) }, [6]],
    ['two', { 2: remove(1, 2) }, [1, 2]],
    ['one after the other', { 1: remove(1), 3: remove(3) }, [1, 3]],
    ['one on every page', { 1: remove(1), 2: remove(3), 4: remove(5) }, [1, 3, 5]],
    ['three at once', { 2: remove(1, 2, 3) }, [1, 2, 3]],
  ] as const)('lose no record: %s', async (_, events, gone) => {
    const to = await worldWith(form, upTo(9), events);
    const numbers = numbersIn(await ask(to, callOn(form)));
    expect(new Set(numbers).size).toBe(numbers.length);
    // What was there all the time is there; what was deleted may be, if it was read before.
    const left = upTo(9).filter((number) => !(gone as readonly number[]).includes(number));
    expect(numbers).toEqual(expect.arrayContaining(left));
  });

  it('cause no second read if the deleted record had not been read', async () => {
    const to = await worldWith(form, upTo(5), {});
    await ask(to, callOn(form));
    expect(to.v2.calls.length + to.v3.requests.length).toBe(3);
  });
});

describe('a V2 that counts pages', () => {
  it('shows a deletion by having one page less', async () => {
    const to = await worldWith('V2 that counts pages', upTo(7), { 2: remove(1) });
    expect(numbersIn(await ask(to, callOn('V2 that counts pages')))).toEqual(upTo(7));
  });
});

describe('a V2 that lists archived clients apart', () => {
  it('gives a client that is archived between the two lists once', async () => {
    const to = await world({
      pairs,
      v2: ({ segments, query }) => {
        if (segments[0] !== 'clients') return json([]);
        const isArchived = query.some(([name, value]) => name === 'status' && value === 'archived');
        return json((isArchived ? [2, 3] : [1, 2]).map(row), { page: 1, per_page: 2, total_pages: 1 });
      },
    });
    expect(numbersIn(await ask(to, 'GET client.api/list'))).toEqual([1, 2, 3]);
  });

  const whole = { page: 1, per_page: 9, total_pages: 1 };

  it.each(['client.api/list', 'client.api/search?query=Client'])(
    'gives a client that is taken out of the archive between the two lists: %s',
    async (call) => {
      let isOut = false;
      const to = await world({
        pairs,
        v2: ({ segments, query }) => {
          if (segments[0] !== 'clients') return json([]);
          if (new Map(query).get('status') === 'active') return json((isOut ? [1, 3] : [3]).map(row), whole);
          isOut = true;
          return json([row(2)], whole);
        },
      });
      expect(numbersIn(await ask(to, `GET ${call}`)).toSorted()).toEqual([1, 2, 3]);
    },
  );

  it.each(['', '?modifiedsince=2020-01-01T00:00:00'])(
    'reads only those again that changed since the day before (list%s)',
    async (query) => {
      const to = await world({ pairs, v2: () => json([], whole) });
      to.clock.time = Date.parse('2026-11-28T01:00:00Z');
      await ask(to, `GET client.api/list${query}`);
      const asked = to.v2.requests.map((one) => new Map(one.query));
      expect(asked.map((one) => one.get('status'))).toEqual(['active', 'archived', 'active']);
      const first = query === '' ? undefined : '2020-01-01';
      expect(asked.map((one) => one.get('updatedSince'))).toEqual([first, first, '2026-11-27']);
      const names = to.v2.requests.at(-1)?.query.map(([name]) => name) ?? [];
      expect(new Set(names).size).toBe(names.length);
    },
  );
});

describe('the memory of the last pages of a list', () => {
  const deduplication = (): PageDeduplication<string> =>
    new PageDeduplication((text) => (text === '' ? undefined : text));

  it('covers two pages', () => {
    const pages = deduplication();
    expect(pages.fresh(['a', 'b'])).toEqual(['a', 'b']);
    pages.turn();
    expect(pages.fresh(['b', 'c'])).toEqual(['c']);
    pages.turn();
    expect(pages.fresh(['a', 'd'])).toEqual(['d']);
    pages.turn();
    pages.fresh(['e']);
    pages.turn();
    expect(pages.fresh(['b', 'd'])).toEqual(['b']);
  });

  it('ignores records without an identity, and repeated ones on a page', () => {
    const pages = deduplication();
    expect(pages.fresh(['', 'a', 'a'])).toEqual(['', 'a', 'a']);
    pages.turn();
    expect(pages.fresh(['', 'a', 'b', 'b'])).toEqual(['', 'b', 'b']);
  });

  it('shows what has moved onto a page that was read before', () => {
    const pages = deduplication();
    expect(pages.remembers).toBe(false);
    pages.fresh(['a', 'b']);
    pages.turn();
    expect(pages.remembers).toBe(true);
    expect(pages.fresh(['c', 'd'])).toEqual(['c', 'd']);
    expect(pages.behind(['b', 'x', 'c'])).toEqual(['x', 'c']);
    expect(pages.behind(['a', 'b'])).toEqual([]);
    expect(pages.behind(['x', 'c'])).toBeUndefined();
    expect(pages.moved(['x', 'c'])).toEqual(['x']);
    pages.turn();
    expect(pages.fresh(['x', 'e'])).toEqual(['e']);
  });

  it('does not cover a list in one piece', () => {
    const pages = deduplication();
    const all = Array.from({ length: 20_000 }, (_, index) => String(index));
    pages.fresh(all);
    pages.turn();
    expect(pages.fresh(all).length).toBeGreaterThan(10_000);
  });
});
