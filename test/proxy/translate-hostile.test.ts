import { afterEach, describe, expect, it } from '@jest/globals';
import { Trace } from '../../src/proxy/call/call.ts';
import { lossesOf } from '../../src/mapping/compile/loss.ts';
import type { RecordRow, RecordTable } from '../../src/mapping/compile/model.ts';
import { Failure } from '../../src/lib/failure.ts';
import type { UpstreamRequest } from '../../src/upstream/model.ts';
import { pathOf, rootOf } from '../../src/upstream/address.ts';
import { deliveredMapping } from '../support/mapping.ts';
import { readGolden, requestLine, statusOf, type Exchange, type GoldenMethod } from '../golden/exchange.ts';
import {
  ask,
  callOf,
  closeWorlds,
  json,
  pair,
  pieces,
  refusal,
  uuid,
  world,
  type Played,
  type V2Service,
  type World,
} from './world.ts';

afterEach(closeWorlds);

const { methods } = deliveredMapping();
const translated = methods.flatMap(({ id, v2 }) => (v2?.way === 'steps' ? [id] : []));

const isWrite = ({ request }: Exchange): boolean => requestLine(request).verb !== 'GET';

const targetOf = ({ segments, query }: UpstreamRequest): string => {
  const text = query.map((pairs) => pairs.map(encodeURIComponent).join('=')).join('&');
  return `/v2/${segments.map(encodeURIComponent).join('/')}${text === '' ? '' : `?${text}`}`;
};

/** The service of the golden files, but for one answer. */
function spoiled(
  golden: GoldenMethod,
  at: number,
  answer: Played,
): { readonly service: V2Service; asked: boolean } {
  const left = golden.translate.map((exchange, index) => ({ exchange, index }));
  const state = {
    asked: false,
    service: (request: UpstreamRequest): Played => {
      const fitting = left.findIndex(({ exchange }) => {
        const { verb, target } = requestLine(exchange.request);
        return verb === request.verb && target === targetOf(request);
      });
      const [found] = left.splice(Math.max(0, fitting), 1);
      if (found === undefined) return { status: 500 };
      if (found.index === at) state.asked = true;
      const { answer: right } = found.exchange;
      return found.index === at
        ? answer
        : { status: statusOf(right), headers: right.headers, body: right.body };
    },
  };
  return state;
}

function calling(
  golden: GoldenMethod,
  to: World,
  body: Buffer = golden.call.body,
  trace: Trace = new Trace(),
): Promise<string> {
  const { verb, target } = requestLine(golden.call);
  const [path = '', query = ''] = target.slice(1).split('?');
  const [family = '', ...rest] = path.replace(/\/+$/, '').split('/'); // as the door hands it on
  const kept = [...new URLSearchParams(query)].filter(([name]) => !/^(api|account)key$/i.test(name));
  const text = new URLSearchParams(kept).toString();
  return ask(to, `${verb} ${[family.toLowerCase(), ...rest].join('/')}${text === '' ? '' : `?${text}`}`, {
    body,
    trace,
  });
}

type Outcome = { readonly text: string } | { readonly failure: Failure };

/** Anything but a reply or a `Failure` is a fault of ours. */
async function outcomeOf(work: Promise<string>): Promise<Outcome> {
  try {
    return { text: await work };
  } catch (error) {
    if (error instanceof Failure) return { failure: error };
    throw error;
  }
}

/** What nobody can take for an answer, to a question as to a write. */
const unusable: readonly (readonly [string, () => Played])[] = [
  ['HTML with 200', () => ({ headers: { 'content-type': 'text/html' }, body: '<html>Sign in</html>' })],
  ['JSON that is cut', () => ({ body: '{"data":[{"uuid":"c1' })],
  ['a text', () => ({ body: '"ok"' })],
  ['depth without end', () => ({ body: '['.repeat(10_000) + ']'.repeat(10_000) })],
  ['a redirect', () => ({ status: 302, headers: { location: 'http://127.0.0.1:1/' } })],
  ['a gateway that failed', () => ({ status: 502, body: '<html>' })],
  ['a budget that is spent', () => ({ status: 429, headers: { 'retry-after': '30' } })],
  ['no access any more', () => ({ status: 401, body: '{}' })],
  ['bytes that break off', () => ({ body: pieces('{"data":[{"uuid":"', new Failure('upstreamAnswer')) })],
];

describe('a malformed value in a V2 reply', () => {
  it.each(translated)('is never accepted in any place of %s', async (id) => {
    const golden = readGolden(id);
    let now: V2Service = () => ({ status: 500 });
    const to = await world({
      v2: (request, count) => now(request, count),
      pairs: golden.pairs.map(({ kind, number, uuid: key }) => pair(kind, number, key)),
    });
    for (const [index] of golden.translate.entries())
      for (const [what, answer] of unusable) {
        to.clock.time += 3_600_000; // no list of the call before is held any more
        const service = spoiled(golden, index, answer());
        now = service.service;
        const outcome = await outcomeOf(calling(golden, to));
        const place = `${id}, answer ${String(index + 1)}: ${what}`;
        expect([place, service.asked]).toEqual([place, true]);
        expect([place, 'failure' in outcome]).toEqual([place, true]);
        const wrote = golden.translate.slice(0, index).some(isWrite);
        if ('failure' in outcome && wrote)
          expect([place, outcome.failure.text]).toEqual([
            place,
            expect.stringMatching(/Done: |Only a part was done: /),
          ]);
      }
  });
});

/** Texts that have the form; of everything else a word will do. */
const samples: Readonly<Record<string, string>> = {
  money: '1.10',
  decimal: '1.5',
  integer: '3',
  minutes: '30',
  yesNo: 'Yes',
  trueFalse: 'true',
  date: '20260201',
  plainDate: '20260201',
  compactDate: '20260201',
  utcDateTime: '2026-02-01T10:00:00',
  timeOfDay: '10:00',
};

const sampleOf = (row: RecordRow): string =>
  row.holds !== 'value' ? '' : row.kind === undefined ? (samples[row.format] ?? 'x') : '7';

/** The row of an element by its way below the root. */
function rowOf([first = '', ...rest]: readonly string[], table: RecordTable): RecordRow | undefined {
  const row = table.byLegacyName.get(first.toLowerCase());
  if (row === undefined || row.holds === 'value') return rest.length === 0 ? row : undefined;
  const isEntry = row.holds === 'list' && rest[0]?.toLowerCase() === row.child.toLowerCase();
  const within = isEntry ? rest.slice(1) : rest;
  return within.length === 0 ? row : rowOf(within, row.of);
}

/** Without the names of the entries of lists, as the loss report has it. */
const inReport = (name: string, reported: ReadonlySet<string>): boolean => {
  const parts = name.split('/');
  return reported.has(name) || parts.some((_, at) => reported.has(parts.toSpliced(at, 1).join('/')));
};

describe('an element that a write leaves out', () => {
  const writes = methods.flatMap(({ id, v2, body }) =>
    v2?.way === 'steps' && body !== undefined ? [id] : [],
  );

  it.each(writes)('of %s is dropped visibly, and is in the loss report', async (id) => {
    const golden = readGolden(id);
    const method = methods.find((one) => one.id === id);
    if (method?.v2?.way !== 'steps' || method.body === undefined) throw new Error(`${id} writes nothing`);
    const { v2, body } = method;
    const reported = new Set(
      lossesOf(method).flatMap((loss) => {
        if (loss.loss === 'toV3') return loss.element ?? [];
        return loss.loss === 'element' && loss.of === 'request' ? loss.element : [];
      }),
    );
    const sent = golden.call.body.toString('utf8');
    const homeless = body.of.rows.filter(
      (row) =>
        row.holds === 'value' &&
        !row.isAttribute &&
        (row.v2?.paths ?? []).length === 0 &&
        !v2.uses.has(row.element.toLowerCase()),
    );
    const added = homeless.filter(({ element }) => !new RegExp(`<${element}\\b`, 'i').test(sent));
    const at = sent.lastIndexOf('</');
    const more = added.map((row) => `<${row.element}>${sampleOf(row)}</${row.element}>`).join('');
    const to = await world({
      v2: (request, count) => service.service(request, count),
      pairs: [
        ...golden.pairs.map(({ kind, number, uuid: key }) => pair(kind, number, key)),
        ...added.flatMap((row) =>
          row.holds === 'value' && row.kind !== undefined ? [pair(row.kind, 7, uuid('f7', 7))] : [],
        ),
      ],
    });
    const service = spoiled(golden, -1, {});
    const trace = new Trace();
    await calling(golden, to, Buffer.from(sent.slice(0, at) + more + sent.slice(at)), trace);
    const dropped = [...trace.dropped];
    for (const { element } of homeless)
      if (added.some((row) => row.element === element)) expect(dropped).toContain(`${body.root}/${element}`);
    const unexplained = dropped.filter((name) => {
      const row = rowOf(name.split('/').slice(1), body.of);
      // What the record does not know V3 does not get either; a masked number says nothing.
      const says = row !== undefined && !(row.holds === 'value' && row.format === 'maskedTail');
      return says && !inReport(name, reported);
    });
    expect(unexplained).toEqual([]);
  });
});

/** A list in pages, each as `answer` gives it. */
const pageOf = (query: UpstreamRequest['query']): number =>
  Number(query.find(([name]) => name === 'page')?.[1] ?? 1);
const template = (number: number): object => ({
  uuid: uuid('fa', number),
  name: `Template ${String(number)}`,
});

describe('a list with wrong counts', () => {
  const two = [template(1), template(2)];
  const lies: readonly (readonly [string, (page: number) => Played])[] = [
    ['gives the same page again, of several it speaks of', () => json(two, { total_pages: 5 })],
    [
      'gives nothing where more pages are said to follow',
      (page) => json(page === 1 ? two : [], { total_pages: 3 }),
    ],
    ['gives nothing where it counts more records', (page) => json(page === 1 ? two : [], { total_items: 5 })],
    ['gives nothing at all where it counts records', () => json([], { total_items: 5 })],
    [
      'gives nothing on a page that is not its last',
      (page) => json(page === 1 ? two : page === 2 ? [] : [template(3)], { total_pages: 3 }),
    ],
    ['holds a record whose identifier is empty', () => json([template(1), { ...template(2), uuid: '' }])],
    ['holds null', () => json([null, template(1)])],
    ['holds lists', () => json([[], []])],
    ['holds texts', () => json(['a', 'b'])],
    ['holds records without identifiers', () => json([{ name: 'Nobody' }])],
    [
      'breaks off with words to wait',
      (page) =>
        page === 1 ? json(two, { total_pages: 2 }) : { status: 429, headers: { 'retry-after': '9' } },
    ],
    ['breaks off without access', (page) => (page === 1 ? json(two, { total_pages: 2 }) : { status: 401 })],
    ['holds more than memory is for', () => ({ body: `{"data":[${'{},'.repeat(2_100_000)}{}]}` })],
  ];

  it.each(lies)('that %s never counts as complete', async (_, answer) => {
    const to = await world({ v2: ({ query }) => answer(pageOf(query)) });
    expect(await outcomeOf(ask(to, 'GET template.api/list'))).toHaveProperty('failure');
  });

  it.each([
    ['none of several pages', { total_pages: 1 }],
    ['a count of none', { total_items: 0 }],
    ['no word of pages', undefined],
  ])('that is empty with %s is an empty list', async (_, paging) => {
    const to = await world({ v2: () => json([], paging) });
    expect(await ask(to, 'GET template.api/list')).toMatch(/<Templates \/><\/Response>$/);
  });

  it('that becomes shorter while it is read ends there', async () => {
    const to = await world({ v2: ({ query }) => json(pageOf(query) === 1 ? two : [], { total_pages: 2 }) });
    expect(await ask(to, 'GET template.api/list')).toContain('</Templates></Response>');
  });

  it('that grows with every page is followed no further than the caller reads', async () => {
    const to = await world({
      v2: ({ query }) => {
        const page = pageOf(query);
        return json([template(2 * page), template(2 * page + 1)], { total_pages: page + 1 });
      },
    });
    const reply = await to.bridge.serve(callOf('GET template.api/list'));
    let pieces = 0;
    for await (const piece of reply.body as AsyncIterable<string>) {
      expect(piece).not.toContain('</Response>');
      pieces += 1;
      if (pieces === 2) break;
    }
    const asked = to.v2.calls.length;
    await new Promise((resolve) => setImmediate(resolve));
    expect(to.v2.calls.length).toBe(asked);
  });

  it.each([
    ['a list', json([{ uuid: uuid('a5', 1) }])],
    ['nothing', json(null)],
    ['an error in words', { body: '{"error":"no"}' }],
    ['a text', json('x')],
  ])('has no record that is %s', async (_, answer) => {
    const to = await world({ v2: () => answer, pairs: [pair('client', 1, uuid('a5', 1))] });
    expect(await outcomeOf(ask(to, 'GET client.api/get/1'))).toHaveProperty('failure');
  });
});

describe('a created record without an identifier', () => {
  it.each([
    ['nothing', {}],
    ['an empty one', { uuid: '' }],
    ['another value', { uuid: { a: 1 } }],
  ])('is reported as created, so that it is not repeated: %s', async (_, answered) => {
    const to = await world({
      v2: () => ({ ...json(answered), status: 201 }),
      pairs: [pair('client', 1, uuid('a5', 1))],
    });
    const body =
      '<Document><ClientID>1</ClientID><Title>t</Title><FileName>f</FileName><Content>QUJD</Content></Document>';
    expect(await refusal(to, 'POST client.api/document', { body })).toMatchObject({
      code: 'outcomeUnknown',
      text: expect.stringMatching(/^Done: the document was stored\. /),
    });
    expect(to.v2.calls).toHaveLength(1);
  });
});

describe('a number in the path', () => {
  const root = rootOf('http://127.0.0.1:1/v2');
  const hostile = [
    '..',
    '.',
    '%2e%2e',
    'a%2Fb',
    '..%2F..%2Fconnect',
    'a%3Fb=c',
    'a%23b',
    '%00',
    'a%0d%0ab',
    'a%5Cb',
    ' ',
  ];

  const all = [...hostile, '\u202e', '__proto__', 'J'.repeat(5_000)];
  it.each(all.map((number) => ({ number, what: number.slice(0, 20) })))(
    'such as $what stays one segment, or is not sent',
    async ({ number }) => {
      const to = await world({ v2: () => json({ uuid: uuid('b0', 1), jobNumber: 'J1' }) });
      const outcome = await outcomeOf(
        ask(to, `GET job.api/get/${number.includes('%') ? number : encodeURIComponent(number)}`),
      );
      for (const { segments, query } of to.v2.requests) {
        const sent = sentTo(root, segments, query);
        if (sent === undefined) continue; // the lane refuses it
        const { origin, pathname } = new URL(sent, root.origin);
        expect([origin, pathname.split('/').length]).toEqual([root.origin, segments.length + 2]);
      }
      if ('text' in outcome) expect(to.v2.requests.length).toBeGreaterThan(0);
    },
  );

  function sentTo(...args: Parameters<typeof pathOf>): string | undefined {
    try {
      return pathOf(...args);
    } catch (error) {
      if (error instanceof Failure) return undefined;
      throw error;
    }
  }
});
