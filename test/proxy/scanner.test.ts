import { describe, expect, it } from '@jest/globals';
import type { RecordRow, RecordTable } from '../../src/mapping/compile/model.ts';
import { RememberedPairs } from '../../src/mapping/crosswalk/remembered-pairs.ts';
import { idKey, type Crosswalk } from '../../src/mapping/crosswalk/identifier.ts';
import { smallAnswer } from '../../src/proxy/forward/answer.ts';
import { RecordWriter } from '../../src/proxy/forward/reply.ts';
import { ReplyScanner } from '../../src/proxy/forward/scanner.ts';
import { Identifiers } from '../../src/proxy/identifiers.ts';
import { deliveredMapping } from '../support/mapping.ts';
import { fc } from '../support/random.ts';
import { uuid } from './world.ts';

const ONES = deliveredMapping().methods.flatMap(({ id, reply, creates }) =>
  reply.form === 'one' && !creates ? [{ id, reply }] : [],
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
  for (const { reply } of ONES) visit(reply.of);
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
  return new RecordWriter(element, table).text(records, { ids, link });
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

const record = (table: RecordTable, depth: number): fc.Arbitrary<string> =>
  fc
    .shuffledSubarray([...table.rows], { maxLength: Math.min(depth === 0 ? 12 : 4, table.rows.length) })
    .chain((rows) => fc.tuple(...rows.map((row) => element(row, depth))))
    .map((elements) => elements.join(''));

describe('the scanner of small replies', () => {
  it.each(ONES)(
    'writes what the strict reader writes, or leaves the reply of $id to it',
    async ({ reply }) => {
      const scanner = new ReplyScanner(reply.element, reply.of);
      const ids = identifiers();
      await fc.assert(
        fc.asyncProperty(record(reply.of, 0), async (body) => {
          const document = `${HEAD}<${reply.element}>${body}</${reply.element}></Response>`;
          const scanned = scanner.scan(Buffer.from(document), ids);
          if (scanned !== undefined)
            expect(scanned).toBe(await strictly(document, reply.element, reply.of, ids));
        }),
        { numRuns: 150 },
      );
    },
  );

  it.each(ONES)('takes a plain reply of $id', async ({ reply }) => {
    const scanner = new ReplyScanner(reply.element, reply.of);
    const ids = identifiers();
    const body = reply.of.rows.flatMap((row) => {
      if (row.holds !== 'value' || row.also.length > 0 || row.format === 'documentLink') return [];
      return [`<${row.v3}>${row.kind === undefined ? '12.5000' : KNOWN}</${row.v3}>`];
    });
    const document = `${HEAD}<${reply.element}>${body.join('')}</${reply.element}></Response>`;
    const scanned = scanner.scan(Buffer.from(document), ids);
    expect(scanned).toBe(await strictly(document, reply.element, reply.of, ids));
    expect(scanned).toBeDefined();
  });

  it.each(ONES)('leaves out the nested records of $id that hold blanks alone', async ({ reply }) => {
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
    const scanned = scanner.scan(Buffer.from(document), ids);
    expect(scanned).toBe(await strictly(document, reply.element, reply.of, ids));
  });

  it.each([
    ['a comment', '<Client><!-- x --><Name>x</Name></Client>'],
    ['an element it does not know', '<Client><Name>x</Name><Foreign>x</Foreign></Client>'],
    ['white space between elements', '<Client>\n<Name>x</Name></Client>'],
    ['a second record', '<Client><Name>x</Name></Client><Client><Name>x</Name></Client>'],
    ['an identifier that is not in memory', `<Client><UUID>${uuid('c1', 8)}</UUID></Client>`],
    ['a record that does not end', '<Client><Name>x</Name>'],
    ['nothing', ''],
  ])('leaves %s to the strict reader', (_, body) => {
    const [client] = ONES.filter(({ id }) => id === 'client.get');
    const scanner = client && new ReplyScanner(client.reply.element, client.reply.of);
    expect(scanner?.scan(Buffer.from(`${HEAD}${body}</Response>`), identifiers())).toBeUndefined();
  });
});
