import { describe, expect, it } from '@jest/globals';
import { element, writeElement } from '../../../src/lib/xml/document.ts';
import type { ReplyPart, XmlElement } from '../../../src/lib/xml/element.ts';
import { readDocument } from '../../../src/lib/xml/read.ts';
import { splitReply, type SplitOptions } from '../../../src/lib/xml/bytes/split.ts';
import { fc } from '../../support/random.ts';
import { faultOfAsync } from './fault.ts';

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\r\n';

/** The text in chunks of so many bytes. */
async function* chunked(text: string | Buffer, size = Infinity): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function partsOf(source: AsyncIterable<Buffer>, options?: SplitOptions): Promise<readonly ReplyPart[]> {
  const parts: ReplyPart[] = [];
  for await (const some of splitReply(source, options)) parts.push(...some);
  return parts;
}

const known =
  (...lists: readonly string[]): SplitOptions['container'] & {} =>
  (name) =>
    lists.includes(name) ? true : undefined;

const scalar = (name: string, text: string): ReplyPart => ({ part: 'scalar', element: element(name, text) });
const client = (id: string, name: string): XmlElement =>
  element('Client', [element('ID', id), element('Name', name)]);

describe('splitReply', () => {
  it('returns the records of a list one by one', async () => {
    const text =
      `${HEAD}<Response api-method="List"><Status>OK</Status><Clients>` +
      '<Client><ID>1</ID><Name>One</Name></Client><Client><ID>2</ID><Name>Zoë 😀</Name></Client></Clients>' +
      '<TotalRecords>2</TotalRecords></Response>';
    for (const options of [{}, { container: known('Clients') }]) {
      expect(await partsOf(chunked(text), options)).toEqual([
        scalar('Status', 'OK'),
        { part: 'open', name: 'Clients' },
        { part: 'record', container: 'Clients', element: client('1', 'One') },
        { part: 'record', container: 'Clients', element: client('2', 'Zoë 😀') },
        { part: 'close', name: 'Clients' },
        scalar('TotalRecords', '2'),
      ]);
    }
  });

  it('returns a single record complete, with the lists inside it', async () => {
    const record = element('Client', [
      element('ID', '1'),
      element('Contacts', [element('Contact', [element('ID', '2')])]),
      element('Notes', []),
    ]);
    const text = `<Response><Status>OK</Status>${writeElement(record)}</Response>`;
    for (const options of [{}, { container: (name: string) => name === 'Clients' }]) {
      expect(await partsOf(chunked(text), options)).toEqual([
        scalar('Status', 'OK'),
        { part: 'record', container: undefined, element: record },
      ]);
    }
  });

  it('follows the caller if that knows more than it would guess', async () => {
    const list = '<Response><Options><Option>a</Option><Option>b</Option></Options></Response>';
    expect(await partsOf(chunked(list), { container: known('Options') })).toEqual([
      { part: 'open', name: 'Options' },
      { part: 'record', container: 'Options', element: element('Option', 'a') },
      { part: 'record', container: 'Options', element: element('Option', 'b') },
      { part: 'close', name: 'Options' },
    ]);
    const record = element('Time', [element('Job', [element('ID', 'J1')]), element('Minutes', '5')]);
    const text = `<Response>${writeElement(record)}</Response>`;
    expect(await partsOf(chunked(text), { container: () => false })).toEqual([
      { part: 'record', container: undefined, element: record },
    ]);
  });

  it.each([
    '<Clients />',
    '<Clients></Clients>',
    '<Clients>\n</Clients>',
    '<Clients><!-- none --></Clients>',
  ])('returns an empty list that the caller declares: %j', async (empty) => {
    const text = `<Response><Status>OK</Status>${empty}</Response>`;
    expect(await partsOf(chunked(text), { container: known('Clients') })).toEqual([
      scalar('Status', 'OK'),
      { part: 'open', name: 'Clients' },
      { part: 'close', name: 'Clients' },
    ]);
  });

  it('returns an unknown empty element as a scalar, with its form', async () => {
    const parts = await partsOf(chunked('<Response><Clients /><Jobs></Jobs></Response>'));
    expect(parts).toEqual([
      { part: 'scalar', element: element('Clients', []) },
      { part: 'scalar', element: element('Jobs') },
    ]);
  });

  it('returns attributes and text of records as the reader of whole documents does', async () => {
    const text = '<Response><A><B c="1">x &lt;<![CDATA[ y]]></B></A></Response>';
    expect(await partsOf(chunked(text), { container: known('A') })).toEqual([
      { part: 'open', name: 'A' },
      { part: 'record', container: 'A', element: element('B', 'x < y', [['c', '1']]) },
      { part: 'close', name: 'A' },
    ]);
  });

  it('reads indented replies, comments, a byte-order mark and a wrong declaration', async () => {
    const text =
      '\uFEFF<?xml version="1.0" encoding="utf-16"?>\n<!-- c -->\n<Response>\n  <Status>OK</Status>\n  <Clients>\n' +
      '    <Client>\n      <ID>1</ID>\n      <Name>One</Name>\n    </Client>\n  </Clients>\n</Response>\n';
    expect(await partsOf(chunked(text))).toEqual([
      scalar('Status', 'OK'),
      { part: 'open', name: 'Clients' },
      {
        part: 'record',
        container: 'Clients',
        element: { ...client('1', 'One'), blanks: ['\n      ', '\n      ', '\n    '] },
      },
      { part: 'close', name: 'Clients' },
    ]);
  });

  it('returns nothing for an empty response', async () => {
    expect(await partsOf(chunked('<Response/>'))).toEqual([]);
  });

  it('returns the same parts wherever the chunks end, even inside characters', async () => {
    const text =
      '\uFEFF<?xml version="1.0" encoding="UTF-8"?>\r\n<!-- é --><Response api-method="Li&amp;st"><Status>OK</Status>' +
      '<Clients><Client a="ü&#10;"><ID>1</ID><Name>Zoë 😀 &#x1F600;&amp;</Name><Address>a\r\nb\rc</Address></Client>' +
      '<Client><N><![CDATA[]]]]><![CDATA[> é]]></N><X /><?p é?></Client></Clients><Page>1</Page></Response>\r\n';
    const whole = await partsOf(chunked(text));
    expect(whole).toHaveLength(6);
    const length = Buffer.byteLength(text);
    for (let size = 1; size <= length; size += 1) expect(await partsOf(chunked(text, size))).toEqual(whole);
    for (let cut = 1; cut < length; cut += 1) {
      const bytes = Buffer.from(text);
      const source = (async function* (): AsyncGenerator<Buffer> {
        yield bytes.subarray(0, cut);
        yield Buffer.alloc(0);
        yield bytes.subarray(cut);
      })();
      expect(await partsOf(source)).toEqual(whole);
    }
  });

  it.each([
    ['in a text', 'a\r\nb\rc\n', 'a\r\nb\rc\n'],
    ['as references', 'a&#13;&#10;b&#xD;c', 'a\r\nb\rc'],
    ['in CDATA', '<![CDATA[a\r\n<b>\r]] \r]]>\r\n', 'a\r\n<b>\r]] \r\r\n'],
    ['beside comments and instructions', '<!-- x\r\n> -->\r\n<?p\r\n>?>a\r\n', '\r\na\r\n'],
    ['behind apostrophes', 'O\'Brien\r\n"x"', 'O\'Brien\r\n"x"'],
  ])('keeps carriage returns %s, wherever the chunks end', async (_where, written, text) => {
    const reply = `${HEAD}<!-- \r\n -->\r\n<Response\r\n a="x>\r\ny"\r\n>\r\n<Client\r\n><ID>1</ID>\r\n<Name b='>'\r\n>${written}</Name\r\n></Client></Response>\r\n<!-- \r\n -->\r\n`;
    for (let size = 1; size <= reply.length; size += 1) {
      const [part] = await partsOf(chunked(reply, size), { container: () => false });
      expect(part?.part === 'record' && part.element.children[1]?.text).toBe(text);
    }
  });

  it('differs from the reader of whole documents only in carriage returns, for any content', async () => {
    const pieces = [
      '<a>',
      '</a>',
      '<b c="',
      "<b c='",
      '"',
      "'",
      '>',
      '/>',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
    ];
    const others = [
      '<?p ',
      '?>',
      '\r',
      '\r\n',
      '\n',
      'x',
      ' ',
      '&#65;',
      '<',
      '&',
      '-',
      ']',
      '!',
      '<Response>',
    ];
    const inside = fc
      .array(fc.constantFrom(...pieces, ...others), { maxLength: 14 })
      .map((some) => some.join(''));
    const normal = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value).replace(/(?:\\r\\n|\\r)/g, String.raw`\n`));
    let whole = 0;
    await fc.assert(
      fc.asyncProperty(inside, fc.integer({ min: 1, max: 20 }), async (text, size) => {
        const reply = `<Response><R><N>${text}</N></R></Response>`;
        let read: unknown;
        try {
          read = readDocument(reply).children;
          whole += 1;
        } catch {
          read = 'refused';
        }
        const split = await partsOf(chunked(reply, size), { container: () => false }).then(
          (parts) => parts.map((part) => 'element' in part && part.element),
          () => 'refused',
        );
        expect(normal(split)).toEqual(normal(read));
      }),
      { numRuns: 5_000 },
    );
    expect(whole).toBeGreaterThan(100);
  });

  it('returns what was written, for any replies', async () => {
    const text = fc
      .string({ unit: 'binary', maxLength: 8 })
      .map((value) => value.replace(/[^\t\n -\uD7FF]/g, 'é'));
    const field = fc
      .tuple(fc.constantFrom('ID', 'Name', 'Note'), text)
      .map(([name, value]) => element(name, value));
    const record = fc.array(field, { minLength: 1, maxLength: 4 }).map((fields) => element('Client', fields));
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { maxLength: 6 }),
        fc.integer({ min: 1, max: 64 }),
        async (records, size) => {
          const reply = writeElement(
            element('Response', [element('Status', 'OK'), element('Clients', records)]),
          );
          const parts = await partsOf(chunked(reply, size), { container: known('Clients') });
          expect(parts).toEqual([
            scalar('Status', 'OK'),
            { part: 'open', name: 'Clients' },
            ...records.map((each) => ({ part: 'record', container: 'Clients', element: each })),
            { part: 'close', name: 'Clients' },
          ]);
        },
      ),
    );
  });
});

describe('splitReply refuses invalid input', () => {
  const good = '<Response><Status>OK</Status><Clients><Client><ID>1</ID></Client></Clients></Response>';

  it.each([
    ['nothing', '', 'malformed'],
    ['JSON', '{"Title":"Unauthorized"}', 'malformed'],
    ['text', 'Bad gateway', 'malformed'],
    ['an HTML page', '<html><body><p>503</body></html>', 'malformed'],
    ['an HTML page with document type', '<!DOCTYPE html><html></html>', 'doctype'],
    ['an HTML page with document type in lower case', '<!doctype html><html></html>', 'malformed'],
    ['a document type', '<?xml version="1.0"?><!DOCTYPE Response [<!ENTITY a "b">]><Response/>', 'doctype'],
    ['another root', '<Result><Status>OK</Status></Result>', 'malformed'],
    ['a root in another case', '<response><Status>OK</Status></response>', 'malformed'],
    ['a root with a prefix', '<x:Response/>', 'malformed'],
    ['two roots', '<Response/><Response/>', 'malformed'],
    ['text behind the root', '<Response/>{}', 'malformed'],
    ['crossed elements', '<Response><a></Response></a>', 'malformed'],
    ['two byte-order marks', '\uFEFF\uFEFF<Response/>', 'malformed'],
  ])('%s', async (_case, text, reason) => {
    for (const size of [1, 7, Infinity]) {
      const fault = await faultOfAsync(() => partsOf(chunked(text, size)));
      expect(fault.reason).toBe(reason);
      expect(fault.message).toMatch(/^XML refused: [a-z]+( at \d+:\d+)?$/);
    }
  });

  it('such as a reply cut at any point', async () => {
    for (let cut = 0; cut < good.length; cut += 1) {
      expect((await faultOfAsync(() => partsOf(chunked(good.slice(0, cut))))).reason).toBe('malformed');
    }
  });

  it.each([
    ['bytes that are not UTF-8', Buffer.from('<Response><a>\xe9</a></Response>', 'latin1')],
    ['a reply cut inside a character', Buffer.from('<Response><a>é').subarray(0, -1)],
    ['UTF-16', Buffer.from('\uFEFF<Response/>', 'utf16le')],
  ])('%s', async (_case, bytes) => {
    expect((await faultOfAsync(() => partsOf(chunked(bytes)))).reason).toBe('encoding');
  });

  it('such as text that is not XML, at its first bytes, without reading on', async () => {
    let asked = 0;
    const source = (async function* (): AsyncGenerator<Buffer> {
      for (;;) {
        asked += 1;
        yield Buffer.from(asked === 1 ? '{"Status":401' : ' ');
      }
    })();
    expect((await faultOfAsync(() => partsOf(source))).reason).toBe('malformed');
    expect(asked).toBe(1);
  });

  it('after it has returned what was complete before the fault', async () => {
    const parts: ReplyPart[] = [];
    const fault = await faultOfAsync(async () => {
      for await (const some of splitReply(chunked('<Response><Status>OK</Status><a></b>', 30)))
        parts.push(...some);
    });
    expect(fault.reason).toBe('malformed');
    expect(parts).toEqual([scalar('Status', 'OK')]);
  });
});

describe('the limits of splitReply', () => {
  const limits = { depth: 3, elements: 4, attributes: 1, nameLength: 8, textLength: 10 };
  const list = (record: string, count: number): string =>
    `<Response><Clients>${record.repeat(count)}</Clients></Response>`;

  it('apply per record, not to the stream', async () => {
    const record = '<Client a="1"><a>0123456789</a><b><c/></b></Client>';
    for (const options of [{ limits }, { limits, container: known('Clients') }]) {
      const parts = await partsOf(chunked(list(record, 1_000)), options);
      expect(parts).toHaveLength(1_002);
    }
  });

  it.each([
    ['depth', '<Client><a><b><c/></b></a></Client>'],
    ['elements', '<Client><a/><a/><a/><a/></Client>'],
    ['attributes', '<Client a="1" b="2"></Client>'],
    ['names', '<Client><abcdefghi/></Client>'],
    ['text', '<Client><a>0123456789A</a></Client>'],
    ['values of attributes', '<Client a="0123456789A"/>'],
  ])('refuse a record that exceeds them: %s', async (_what, record) => {
    const options = { limits, container: known('Clients') };
    expect((await faultOfAsync(() => partsOf(chunked(list(record, 1)), options))).reason).toBe('too-large');
  });

  it.each([
    ['comment', '<Response><!-- '],
    ['text', '<Response><Clients><Client><Name>'],
    ['white space between records', '<Response><Clients>'],
    ['end tag', '<Response></'],
    ['attribute', '<Response a="'],
    ['start', ''],
  ])('refuse a piece that never ends, without storing it: %s', async (_what, start) => {
    let given = 0;
    const source = (async function* (): AsyncGenerator<Buffer> {
      yield Buffer.from(start === '' ? ' ' : start);
      const filler = Buffer.alloc(1_000, start.endsWith('</') ? 'a' : ' ');
      for (;;) {
        given += filler.length;
        yield filler;
      }
    })();
    const fault = await faultOfAsync(() => partsOf(source, { limits }));
    expect(['too-large', 'malformed']).toContain(fault.reason);
    expect(given).toBeLessThan(100_000);
  });
});

describe('the stream of splitReply', () => {
  it('returns parts before it asks for more input', async () => {
    let asked = 0;
    const source = (async function* (): AsyncGenerator<Buffer> {
      asked += 1;
      yield Buffer.from('<Response><Status>OK</Status><Clients><Client><ID>1</ID></Client>');
      asked += 1;
      yield Buffer.from('</Clients></Response>');
    })();
    const first = await splitReply(source)[Symbol.asyncIterator]().next();
    expect(first.value).toEqual([
      scalar('Status', 'OK'),
      { part: 'open', name: 'Clients' },
      { part: 'record', container: 'Clients', element: element('Client', [element('ID', '1')]) },
    ]);
    expect(asked).toBe(1);
  });

  it('cuts a large chunk into slices', async () => {
    const record = `<Client><ID>1</ID><Name>${'x'.repeat(990)}</Name></Client>`;
    const reply = `<Response><Clients>${record.repeat(1_000)}</Clients></Response>`;
    let largest = 0;
    let records = 0;
    for await (const parts of splitReply(chunked(reply))) {
      largest = Math.max(largest, parts.length);
      records += parts.filter(({ part }) => part === 'record').length;
    }
    expect(records).toBe(1_000);
    expect(largest).toBeLessThan(70);
  });

  it.each(['leaves early', 'throws'])('releases the source when the consumer %s', async (how) => {
    let released = false;
    const source = (async function* (): AsyncGenerator<Buffer> {
      try {
        yield Buffer.from('<Response><Status>OK</Status>');
        yield Buffer.from('<Clients>');
      } finally {
        released = true;
      }
    })();
    const consume = async (): Promise<void> => {
      for await (const parts of splitReply(source)) {
        expect(parts).toEqual([scalar('Status', 'OK')]);
        if (how === 'throws') throw new Error('enough');
        return;
      }
    };
    await consume().catch(() => undefined);
    expect(released).toBe(true);
  });

  it('releases the source when the reply is refused', async () => {
    let released = false;
    const source = (async function* (): AsyncGenerator<Buffer> {
      try {
        yield Buffer.from('<Wrong/>');
      } finally {
        released = true;
      }
    })();
    await faultOfAsync(() => partsOf(source));
    expect(released).toBe(true);
  });

  it('passes a failure of the source on unchanged', async () => {
    const failure = new Error('connection reset');
    const source = (async function* (): AsyncGenerator<Buffer> {
      yield Buffer.from('<Response>');
      throw failure;
    })();
    await expect(partsOf(source)).rejects.toBe(failure);
  });
});
