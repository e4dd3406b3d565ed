import { describe, expect, it } from '@jest/globals';
import type { RecordRow, RecordTable } from '../../src/mapping/compile/model.ts';
import { RememberedPairs } from '../../src/mapping/crosswalk/remembered-pairs.ts';
import { idKey, type Crosswalk } from '../../src/mapping/crosswalk/identifier.ts';
import { smallAnswer } from '../../src/proxy/forward/answer.ts';
import { plainForm } from '../../src/proxy/forward/plain-form.ts';
import { listParts } from '../../src/proxy/forward/list-answer.ts';
import { RecordWriter } from '../../src/proxy/forward/reply.ts';
import { ListScan, type ListPart } from '../../src/proxy/forward/list-scan.ts';
import { ReplyScanner } from '../../src/proxy/forward/scanner.ts';
import { Failure } from '../../src/lib/failure.ts';
import { Identifiers } from '../../src/proxy/identifiers.ts';
import { deliveredMapping } from '../support/mapping.ts';
import { fc } from '../support/random.ts';
import { uuid } from './world.ts';

const ONES = deliveredMapping().methods.flatMap(({ id, reply, creates }) =>
  reply.form === 'one' && !creates ? [{ id, reply }] : [],
);
const LISTS = deliveredMapping().methods.flatMap(({ id, reply, creates }) =>
  reply.form === 'list' && !creates ? [{ id, reply }] : [],
);
const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\r\n<Response api-method="Get"><Status>OK</Status>';
const KNOWN = uuid('c1', 7);
const link = (url: string): string => `linked:${url}`;

/** The crosswalk holds the number 7 for every kind; of whatever else is asked, nobody knows a number. */
function identifiers(): Identifiers {
  const remembered = new RememberedPairs();
  for (const kind of kinds()) remembered.remember('account', { kind, number: 7, uuid: KNOWN });
  const crosswalk = {
    remembered,
    numbers: async () => new Map(Array.from(kinds(), (kind) => [idKey(kind, KNOWN), 7])),
  };
  return new Identifiers(crosswalk as unknown as Crosswalk, new Map(), 'account');
}

function kinds(): ReadonlySet<string> {
  const found = new Set<string>();
  const seen = new Set<RecordTable>();
  const visit = ({ rows }: RecordTable): void => {
    for (const row of rows)
      if (row.holds === 'value') found.add(row.kind ?? '');
      else if (row.holds !== 'many' && !seen.has(row.of)) {
        seen.add(row.of);
        visit(row.of);
      }
  };
  for (const { reply } of [...ONES, ...LISTS]) visit(reply.of);
  return found;
}

/** What the strict reader and the writer make of it; undefined: they do not take it for one record. */
async function strictly(
  document: string,
  element: string,
  table: RecordTable,
  ids: Identifiers,
): Promise<string | undefined> {
  const answer = { status: 200, contentType: '', headers: {}, body: nothing(), millis: 0 };
  const whole = Buffer.from(document);
  const parts = smallAnswer(
    { ...answer, whole },
    { write: false, container: () => false, streams: () => false },
  );
  const records = parts?.flatMap((part) => (part.part === 'record' ? [part.element] : []));
  if (records?.length !== 1 || records[0]?.name !== element) return undefined;
  const texts = await new RecordWriter(element, table).texts(records, { ids, link });
  return `${HEAD}${texts.join('')}</Response>`;
}

async function* nothing(): AsyncGenerator<Buffer> {
  // What is whole is not read as a stream.
}

const text = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('Harbour Lane', 'a &amp; b', '&lt;x&gt;', '12.5000', '780', '42', ''),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(KNOWN, KNOWN.toUpperCase(), ` ${KNOWN} `, uuid('c1', 8), ' ', '0'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'a > b',
      '&#65;',
      '<![CDATA[x]]>',
      '<!-- x -->x',
      'a\nb',
      'a\rb',
      ']]>',
      '&',
      '<b>',
      'a <b>c</b> d',
      '<p>a</p>',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
);

/** How an element may stand there; nearly always plainly. */
const form = fc.oneof(
  { weight: 12, arbitrary: fc.constant((name: string, inner: string) => `<${name}>${inner}</${name}>`) },
  { weight: 1, arbitrary: fc.constant((name: string) => `<${name} />`) },
  { weight: 1, arbitrary: fc.constant((name: string) => `<${name}/>`) },
  {
    weight: 1,
    arbitrary: fc.constant((name: string, inner: string) => `<${name} a="b">${inner}</${name} >`),
  },
  { weight: 1, arbitrary: fc.constant((name: string, inner: string) => ` <${name}>${inner}</${name}>\n`) },
  {
    weight: 1,
    arbitrary: fc.constant((name: string, inner: string) => `<Foreign>${inner}</Foreign><${name}/>`),
  },
  { weight: 1, arbitrary: fc.constant((name: string, inner: string) => `<${name}>${inner}`) },
);

function element(row: RecordRow, depth: number): fc.Arbitrary<string> {
  const inner = (): fc.Arbitrary<string> => {
    if (row.holds === 'one') return record(row.of, depth + 1);
    if (row.holds !== 'list') return text;
    return fc
      .array(fc.tuple(form, record(row.of, depth + 1)), { maxLength: 2 })
      .map((entries) => entries.map(([write, entry]) => write(row.child, entry)).join(''));
  };
  return fc.tuple(form, depth > 3 ? text : inner()).map(([write, within]) => write(row.v3, within));
}

/** Rows as V3 nearly always has them: in order, the UUID right behind a number. */
function ordered(rows: readonly RecordRow[]): readonly RecordRow[] {
  const own = rows.find(({ v3 }) => v3 === 'UUID');
  const [first, ...rest] = rows;
  if (own === undefined || first?.v3 !== 'ID') return rows;
  return [first, own, ...rest.filter(({ v3 }) => v3 !== 'UUID')];
}

const record = (table: RecordTable, depth: number): fc.Arbitrary<string> => {
  const all = [...table.rows];
  const maxLength = Math.min(depth === 0 ? 12 : 4, all.length);
  return fc
    .oneof(
      { weight: 2, arbitrary: fc.constant(depth < 2 ? all : []) },
      { weight: 3, arbitrary: fc.subarray(all, { maxLength }) },
      { weight: 1, arbitrary: fc.shuffledSubarray(all, { maxLength }) },
    )
    .chain((rows) => fc.tuple(fc.boolean(), ...ordered(rows).map((row) => element(row, depth))))
    .map(([isExtended, ...elements]) => elements.join('') + (isExtended ? '<New>since today</New>' : ''));
};

describe('the scanner of small replies', () => {
  it.each(ONES)(
    'writes what the strict reader writes, or leaves the reply of $id to it',
    async ({ reply }) => {
      const scanner = new ReplyScanner(reply.element, reply.of);
      const ids = identifiers();
      await fc.assert(
        fc.asyncProperty(record(reply.of, 0), async (body) => {
          const document = `${HEAD}<${reply.element}>${body}</${reply.element}></Response>`;
          const scanned = scanner.scan(Buffer.from(document), ids, HEAD);
          if (scanned !== undefined)
            expect(scanned).toBe(await strictly(document, reply.element, reply.of, ids));
        }),
        { numRuns: 150 },
      );
    },
  );

  it.each(ONES)('accepts a plain reply of $id', async ({ reply }) => {
    const scanner = new ReplyScanner(reply.element, reply.of);
    const ids = identifiers();
    const body = reply.of.rows.flatMap((row) => {
      if (row.holds !== 'value' || row.also.length > 0 || row.format === 'documentLink') return [];
      return [`<${row.v3}>${row.kind === undefined ? '12.5000' : KNOWN}</${row.v3}>`];
    });
    const document = `${HEAD}<${reply.element}>${body.join('')}</${reply.element}></Response>`;
    const scanned = scanner.scan(Buffer.from(document), ids, HEAD);
    expect(scanned).toBe(await strictly(document, reply.element, reply.of, ids));
    expect(scanned).toBeDefined();
  });

  it.each([
    ['job.get', `<ID>J1</ID><UUID>${KNOWN}</UUID><Name>a</Name><Client><UUID>${KNOWN}</UUID></Client>`],
    ['invoice.get', `<ID>I1</ID><UUID>${uuid('c1', 8)}</UUID><Type>a</Type>`],
    ['quote.get', `<ID>Q1</ID><UUID>${uuid('c1', 8)}</UUID><Name>a</Name><LeadUUID>b</LeadUUID>`],
  ])('accepts a reply of %s with the UUID after the number', async (wanted, body) => {
    const reply = ONES.find(({ id }) => id === wanted)?.reply;
    if (reply === undefined) throw new Error(`${wanted} does not answer one record`);
    const document = `${HEAD}<${reply.element}>${body}</${reply.element}></Response>`;
    const scanned = new ReplyScanner(reply.element, reply.of).scan(
      Buffer.from(document),
      identifiers(),
      HEAD,
    );
    expect(scanned).toBeDefined();
    expect(scanned).toBe(await strictly(document, reply.element, reply.of, identifiers()));
  });

  it.each(ONES)('omits the nested records of $id that contain only blanks', async ({ reply }) => {
    const blanks = ({ rows }: RecordTable, depth: number): string =>
      rows
        .map((row) => {
          if (row.holds === 'value') return depth === 0 ? '' : `<${row.v3}> </${row.v3}>`;
          return row.holds === 'one' && depth < 3
            ? `<${row.v3}>${blanks(row.of, depth + 1)}</${row.v3}>`
            : '';
        })
        .join('');
    const first = `<${reply.of.rows[0]?.v3 ?? ''}/>`;
    const document = `${HEAD}<${reply.element}>${first}${blanks(reply.of, 0)}</${reply.element}></Response>`;
    const [scanner, ids] = [new ReplyScanner(reply.element, reply.of), identifiers()];
    const scanned = scanner.scan(Buffer.from(document), ids, HEAD);
    expect(scanned).toBe(await strictly(document, reply.element, reply.of, ids));
  });

  it.each([
    ['a comment', '<Client><!-- x --><Name>x</Name></Client>'],
    ['an element it does not know', '<Client><Foreign>x</Foreign><Name>x</Name></Client>'],
    ['white space between elements', '<Client>\n<Name>x</Name></Client>'],
    ['a second record', '<Client><Name>x</Name></Client><Client><Name>x</Name></Client>'],
    ['an identifier that is not in memory', `<Client><UUID>${uuid('c1', 8)}</UUID></Client>`],
    ['a record that does not end', '<Client><Name>x</Name>'],
    ['nothing', ''],
  ])('leaves %s to the strict reader', (_, body) => {
    const [client] = ONES.filter(({ id }) => id === 'client.get');
    const scanner = client && new ReplyScanner(client.reply.element, client.reply.of);
    expect(scanner?.scan(Buffer.from(`${HEAD}${body}</Response>`), identifiers(), HEAD)).toBeUndefined();
  });
});

type List = (typeof LISTS)[number]['reply'];

/** All of a page, whichever way it is read; what stands in `told` when it fails is the kind of its failure. */
async function pageOf(
  document: string,
  list: List,
  { isScanned, size }: { readonly isScanned: boolean; readonly size: number },
): Promise<{ readonly records: ListPart['records']; readonly beside: ListPart['beside']; told: string }> {
  const { container, element: name, of } = list;
  const [ids, writer] = [identifiers(), new RecordWriter(name, of)];
  const form = { container, record: plainForm(name, of) };
  const body = inPieces(Buffer.from(document), size);
  const parts = listParts(
    { status: 200, contentType: '', headers: {}, body, millis: 0 },
    isScanned ? new ListScan(form, ids) : undefined,
    {
      ...list,
      asked: { write: false, container: (one) => one === container, streams: () => true },
      written: (records) => writer.texts(records, { ids, link }),
    },
  );
  const all: ListPart[] = [];
  let told = 'whole';
  try {
    for await (const part of parts) all.push(part);
  } catch (error) {
    told = error instanceof Failure ? error.code : 'no failure';
  }
  const page = {
    records: all.flatMap(({ records }) => records),
    // Whether the strict reader still gives a second `Status` depends on its slices; nobody reads it.
    beside: all.flatMap((part) => part.beside.filter(([leaf]) => leaf !== 'Status')),
  };
  return { ...page, told };
}

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const beside = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      '',
      '<TotalRecords>2</TotalRecords>',
      '<TotalRecords>0</TotalRecords>',
      '<Page>1</Page>',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('<Status>ERROR</Status>', '<A/>', ' ', '<!-- x -->', '<Odd><A>x</A></Odd>'),
  },
);

const behind = fc.oneof(
  { weight: 6, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.constantFrom('\n', '<!-- x -->', 'x', '</Response>', '<Response></Response>') },
);

/** Where the records stand; nearly always in their list. */
const place = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.constant((container: string, inner: string) => `<${container}>${inner}</${container}>`),
  },
  { weight: 1, arbitrary: fc.constant((container: string) => `<${container} />`) },
  { weight: 1, arbitrary: fc.constant((container: string, inner: string) => `<${container} />${inner}`) },
  { weight: 1, arbitrary: fc.constant((_: string, inner: string) => `<Others>${inner}</Others>`) },
  { weight: 1, arbitrary: fc.constant((_: string, inner: string) => inner) },
);

const listOf = ({ container, element: name, of }: List): fc.Arbitrary<string> =>
  fc
    .tuple(beside, fc.array(fc.tuple(form, record(of, 1)), { maxLength: 4 }), place, beside, behind)
    .map(([before, records, within, after, end]) => {
      const inner = records.map(([write, one]) => write(name, one)).join('');
      return `${HEAD}${before}${within(container, inner)}${after}</Response>${end}`;
    });

describe('the scanner of lists', () => {
  it.each(LISTS)('returns the records that the strict reader returns, of $id', async ({ reply }) => {
    await fc.assert(
      fc.asyncProperty(listOf(reply), fc.constantFrom(7, 100, 65_536), async (document, size) => {
        const strict = await pageOf(document, reply, { isScanned: false, size: 65_536 });
        const scanned = await pageOf(document, reply, { isScanned: true, size });
        expect(scanned.told).toBe(strict.told);
        if (strict.told === 'whole') expect(scanned).toEqual(strict);
      }),
      { numRuns: 40 },
    );
  });

  const [clients] = LISTS.filter(({ id }) => id === 'client.list');
  const scanOf = (document: string): { readonly part: ListPart; readonly scan: ListScan } => {
    if (clients === undefined) throw new Error('there is no client.list');
    const { container, element: name, of } = clients.reply;
    const scan = new ListScan({ container, record: plainForm(name, of) }, identifiers());
    return { part: scan.take(Buffer.from(document), true), scan };
  };
  const one = `<Client><UUID>${KNOWN}</UUID><Name>Café</Name></Client>`;

  it('reads a plain page without the strict reader, and what is beside the list', () => {
    const count = '<TotalRecords>2</TotalRecords>';
    const { part, scan } = scanOf(`${HEAD}${count}<Clients>${one}${one}</Clients></Response>`);
    expect(scan.isUnusual).toBe(false);
    expect(part.beside).toEqual([['TotalRecords', '2']]);
    expect(part.records.map(({ identity }) => identity)).toEqual([KNOWN, KNOWN]);
  });

  it('reads a plain page without the strict reader when it arrives in pieces', () => {
    const pieces = [
      `${HEAD}<Clients>${one}<Client><UU`,
      `ID>${KNOWN}</UUID></Client>${one}</Clients></Resp`,
      'onse>',
    ];
    const [again] = LISTS.filter(({ id }) => id === 'client.list');
    if (again === undefined) throw new Error('there is no client.list');
    const { container, element: name, of } = again.reply;
    const whole = new ListScan({ container, record: plainForm(name, of) }, identifiers());
    const found = pieces.flatMap((piece, at) => whole.take(Buffer.from(piece), at === 2).records);
    expect([whole.isUnusual, found.length]).toEqual([false, 3]);
  });

  it('leaves a value with markup to the strict reader, which keeps it', async () => {
    if (clients === undefined) throw new Error('there is no client.list');
    const odd = `<Client><UUID>${KNOWN}</UUID><Name>a <b>c</b> d</Name></Client>`;
    const document = `${HEAD}<Clients>${one}${odd}${one}</Clients></Response>`;
    for (const isScanned of [false, true]) {
      const { records } = await pageOf(document, clients.reply, { isScanned, size: 65_536 });
      expect(records.map(({ text: record }) => /<Name>.*<\/Name>/.exec(record)?.[0])).toEqual([
        '<Name>Café</Name>',
        '<Name>a <b>c</b> d</Name>',
        '<Name>Café</Name>',
      ]);
    }
  });

  it.each(['<Clients></Clients>', '<Clients />'])('reads a page without records: %s', (list) => {
    const { part, scan } = scanOf(`${HEAD}${list}</Response>`);
    expect([scan.isUnusual, part.records]).toEqual([false, []]);
  });

  it.each([
    ['a record with a comment', '<Client><!-- x --><Name>x</Name></Client>', '<Client><!-- x -->'],
    [
      'an identifier that is not in memory',
      `<Client><UUID>${uuid('c1', 8)}</UUID></Client>`,
      '<Client><UUID>',
    ],
    ['white space between records', `\n${one}`, `\n${one}`],
    ['another element between records', `<Foreign/>${one}`, `<Foreign/>${one}`],
    ['a record that does not end', '<Client><Name>x</Name>', '<Client><Name>x</Name>'],
  ])('leaves the rest of the list to the strict reader from %s on', (_, odd, left) => {
    const { part, scan } = scanOf(`${HEAD}<Clients>${one}${odd}</Clients></Response>`);
    expect(part.records).toHaveLength(1);
    expect(scan.isUnusual).toBe(true);
    expect(scan.left.toString()).toContain(`<Response><Status>OK</Status><Clients>${left}`);
  });

  it.each([
    ['a page cut behind a record', `${HEAD}<Clients>${one}`],
    ['no list', `${HEAD}</Response>`],
    ['a refusal', '<Response><Status>ERROR</Status></Response>'],
    ['nothing', ''],
  ])('leaves %s to the strict reader', (_, document) => {
    expect(scanOf(document).scan.isUnusual).toBe(true);
  });
});
