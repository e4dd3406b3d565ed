import { afterEach, describe, expect, it } from '@jest/globals';
import { Failure, type FailureCode } from '../../src/lib/failure.ts';
import { Trace } from '../../src/proxy/call/call.ts';
import {
  ask,
  callOf,
  closeWorlds,
  ok,
  pair,
  pieces,
  refusal,
  uuid,
  world,
  type Played,
  type World,
} from './world.ts';

afterEach(closeWorlds);

const pairs = [pair('client', 1, uuid('c1', 1))];

const GET = 'GET client.api/get/1';
const LIST = 'GET client.api/list';
const PUT = 'PUT client.api/archive';
const GENERIC_GET = 'GET other.api/list';
const GENERIC_POST = 'POST other.api/enable';

const bodyOf = (line: string): string => {
  if (line === PUT) return '<Client><ID>1</ID></Client>';
  return line === GENERIC_POST ? '<Staff><Name>n</Name></Staff>' : '';
};

const isWrite = (line: string): boolean => !line.startsWith('GET');

const fails = async (line: string, answer: Played): ReturnType<typeof refusal> =>
  refusal(await world({ pairs, v3: () => answer }), line, { body: bodyOf(line) });

const xmlError = (text: string): string =>
  `<?xml version="1.0"?>\n<Response><Status>ERROR</Status><ErrorDescription>${text}</ErrorDescription></Response>`;

/** What a gateway says, and what the service may say with the same status. */
const bodies: readonly string[] = [
  '{"Type":null,"Title":"Nope","Status":500,"Detail":"token 0123 expired"}',
  '<!DOCTYPE html><html><body><p>nginx</body></html>',
  '<html><head><title>502</title></head></html>',
  '',
  '<Response><Status>ERR',
];

const everywhere = [GET, LIST, PUT, GENERIC_GET, GENERIC_POST];

interface Row {
  readonly status: number;
  readonly read: FailureCode;
  readonly write: FailureCode;
  readonly headers?: Readonly<Record<string, string>>;
  readonly retryAfter?: number;
}

const statuses: readonly Row[] = [
  { status: 301, read: 'upstreamAnswer', write: 'outcomeUnknown' },
  { status: 400, read: 'refused', write: 'refused' },
  { status: 401, read: 'consentNeeded', write: 'consentNeeded' },
  { status: 403, read: 'notPermitted', write: 'notPermitted' },
  { status: 404, read: 'refused', write: 'refused' },
  { status: 405, read: 'wrongVerb', write: 'wrongVerb' },
  { status: 409, read: 'refused', write: 'refused' },
  { status: 422, read: 'refused', write: 'refused' },
  { status: 429, read: 'budgetExhausted', write: 'budgetExhausted', retryAfter: 60 },
  {
    status: 429,
    headers: { 'retry-after': '17' },
    read: 'budgetExhausted',
    write: 'budgetExhausted',
    retryAfter: 17,
  },
  { status: 500, read: 'upstreamAnswer', write: 'outcomeUnknown' },
  { status: 502, read: 'upstreamAnswer', write: 'outcomeUnknown' },
  { status: 503, read: 'upstreamUnavailable', write: 'outcomeUnknown' },
  {
    status: 503,
    headers: { 'retry-after': '3' },
    read: 'upstreamUnavailable',
    write: 'outcomeUnknown',
    retryAfter: 3,
  },
  { status: 504, read: 'upstreamTimeout', write: 'outcomeUnknown' },
];

describe('every status of the service gives its failure', () => {
  const cases = statuses.flatMap((row) => everywhere.map((line) => ({ ...row, line })));

  it.each(cases)(
    'for $status $headers and $line',
    async ({ line, status, headers, read, write, retryAfter }) => {
      let answer: Played = {};
      const to = await world({ pairs, v3: () => answer });
      for (const body of [...bodies, xmlError('words of the service')]) {
        answer = { status, ...(headers && { headers }), body };
        const failure = await refusal(to, line, { body: bodyOf(line) });
        expect({ body, code: failure.code }).toEqual({ body, code: isWrite(line) ? write : read });
        expect(failure.retryAfter).toBe(failure.code === 'outcomeUnknown' ? undefined : retryAfter);
        expect(failure.text).not.toMatch(/nginx|token|Nope|html/i);
      }
    },
  );

  it.each([400, 404, 409, 422])(
    'with the words of the service, if any, in legacy names: %d',
    async (status) => {
      expect(
        await fails(GET, { status, body: xmlError('The element /Lead/ClientUUID is missing') }),
      ).toMatchObject({
        code: 'refused',
        text: 'The element /Lead/ClientID is missing',
      });
      const { text } = await fails(GET, { status, body: '{"Detail":"x"}' });
      expect(text).toMatch(/^The service /);
    },
  );

  it('such as an unknown method for a method V3 does not know', async () => {
    expect(await fails(GENERIC_GET, { status: 404, body: xmlError('Unknown method') })).toMatchObject({
      code: 'unknownMethod',
    });
  });

  it.each([
    [{ date: 'Fri, 20 Nov 2026 00:00:00 GMT' }, 9],
    [{ date: 'Fri, 20 Nov 2026 01:00:00 GMT' }, 60],
    [{}, 60],
  ])(
    "with a date in Retry-After converted to seconds by the reply's own clock: %j",
    async (sent, seconds) => {
      const headers = { ...sent, 'retry-after': 'Fri, 20 Nov 2026 00:00:09 GMT' };
      const failure = await fails(GET, { status: 429, headers });
      expect(failure).toMatchObject({ code: 'budgetExhausted', retryAfter: seconds });
    },
  );
});

describe('a refusal inside a reply with status 200', () => {
  it.each(everywhere)('is passed on in legacy words: %s', async (line) => {
    const words =
      'Message not in expected format. The following required element was missing - /Lead/ClientUUID';
    for (const status of ['ERROR', 'Error', 'error']) {
      const body = xmlError(words).replace('ERROR', status);
      expect(await fails(line, { body })).toMatchObject({
        code: 'refused',
        text: words.replace('ClientUUID', 'ClientID'),
        retryAfter: undefined,
      });
    }
  });

  it('has a text of its own if the service gives none', async () => {
    const body = '<Response><Status>ERROR</Status></Response>';
    expect(await fails(GET, { body })).toMatchObject({
      code: 'refused',
      text: 'The service refused the request',
    });
  });

  it('is found even if Status and description are far apart', async () => {
    const body = pieces(
      '<Response><Status>ERROR</Status>',
      '<ErrorDescription>late words</ErrorDescription></Response>',
    );
    expect(await fails(GET, { body })).toMatchObject({ code: 'refused', text: 'late words' });
  });
});

describe('an unusable reply is a failure', () => {
  const unusable = [
    ...bodies,
    '<Response></Response>',
    '<Response><Client></Client></Response>',
    '<Other><Status>OK</Status></Other>',
    '<!DOCTYPE Response [<!ENTITY a "b">]><Response><Status>OK</Status></Response>',
    '<Response><Status>OK</Status>',
    'OK',
    '\u0000',
  ];
  const cases = everywhere.flatMap((line) => unusable.map((body) => ({ line, body })));

  it.each(cases)('for $line: $body', async ({ line, body }) => {
    expect((await fails(line, { body })).code).toBe(isWrite(line) ? 'outcomeUnknown' : 'upstreamAnswer');
  });

  it('if its bytes are not UTF-8', async () => {
    const body = Buffer.concat([
      Buffer.from('<Response><Status>OK</Status><Client><Name>'),
      Buffer.from([0xff, 0xfe]),
    ]);
    expect((await fails(GET, { body })).code).toBe('upstreamAnswer');
  });

  it.each(everywhere)('and its connection is released: %s', async (line) => {
    for (const text of [
      '{"json":true}',
      '<Response><TotalRecords>1</TotalRecords><Page>1</Page>',
      xmlError('no'),
    ]) {
      let released = false;
      async function* watched(): AsyncGenerator<Buffer> {
        try {
          yield Buffer.from(text);
          yield Buffer.from(' '.repeat(10));
        } finally {
          released = true;
        }
      }
      await fails(line, { body: watched() });
      expect({ text, released }).toEqual({ text, released: true });
    }
  });
});

describe('a reply that is cut off', () => {
  const record = (number: number): string =>
    `<Client><UUID>${uuid('c1', number)}</UUID><Name>n</Name></Client>`;
  const cut = (): AsyncGenerator<Buffer> =>
    pieces(`<Response><Status>OK</Status><Clients>${record(1)}`, record(2), new Error('ECONNRESET'));

  async function partly(to: World, line: string): Promise<{ text: string; error: unknown }> {
    const reply = await to.bridge.serve(callOf(line));
    const got = { text: '', error: undefined as unknown };
    try {
      for await (const chunk of reply.body as AsyncIterable<string>) got.text += chunk;
    } catch (error) {
      got.error = error;
    }
    return got;
  }

  it('cuts a list after what was sent, and never closes it', async () => {
    const { text, error } = await partly(await world({ pairs, v3: () => ({ body: cut() }) }), LIST);
    expect(text).toContain('<Client><ID>1</ID>');
    expect(text).not.toContain('</Clients>');
    expect(error).toBeInstanceOf(Failure);
    expect(error).toMatchObject({ code: 'upstreamAnswer' });
  });

  it('cuts a list even if it ends early without an error', async () => {
    const body = pieces(`<Response><Status>OK</Status><Clients>${record(1)}`);
    const { text, error } = await partly(await world({ pairs, v3: () => ({ body }) }), LIST);
    expect(text).not.toContain('</Clients>');
    expect(error).toMatchObject({ code: 'upstreamAnswer' });
  });

  it('cuts a list if it is a page after the first', async () => {
    const first = ok(`<TotalRecords>4</TotalRecords><Clients>${record(1)}${record(2)}</Clients>`);
    const to = await world({ pairs, v3: (_request, count) => (count === 1 ? first : { status: 500 }) });
    const { text, error } = await partly(to, LIST);
    expect(text).not.toContain('</Clients>');
    expect(error).toMatchObject({ code: 'upstreamAnswer' });
  });

  it('cuts a reply of the generic rule, too', async () => {
    const body = pieces(
      '<Response><Status>OK</Status><StaffList><Staff><Name>a</Name></Staff>',
      '<Staff><Name>b</Name></Staff>',
      new Error('cut'),
    );
    const { text, error } = await partly(await world({ v3: () => ({ body }) }), GENERIC_GET);
    expect(text).toContain('<Name>a</Name>');
    expect(text).not.toContain('</StaffList>');
    expect(error).toMatchObject({ code: 'upstreamAnswer' });
  });

  it.each([PUT, GENERIC_POST])(
    'leaves a write unknown, and nothing was sent to the caller: %s',
    async (line) => {
      for (const body of [
        pieces('<Response><Status>OK</Status><Client>', new Error('ECONNRESET')),
        pieces('<Response><Status>OK</Status>', new Error('ECONNRESET')),
        pieces('<Response><Status>O', new Error('ECONNRESET')),
        pieces('<Response><Status>OK</Status>'),
        pieces(new Error('ECONNRESET')),
        pieces('<Response><Status>OK</Status>', new Failure('upstreamTimeout')),
      ]) {
        const to = await world({ pairs, v3: () => ({ body }) });
        await expect(to.bridge.serve(callOf(line, { body: bodyOf(line) }))).rejects.toMatchObject({
          code: 'outcomeUnknown',
        });
        expect(to.v3.requests.length).toBe(1);
      }
    },
  );
});

describe('a status in the reply that is neither OK nor ERROR', () => {
  const status = (word: string, rest = ''): Played => ({
    body: `<Response><Status>${word}</Status>${rest}</Response>`,
  });

  it.each(['WARNING', 'Pending', 'FAILED', 'OKAY', 'true', '0', ''])(
    'is never treated as OK if it is %j: the outcome of a write is unknown',
    async (word) => {
      for (const line of everywhere)
        expect([line, (await fails(line, status(word))).code]).toEqual([
          line,
          isWrite(line) ? 'outcomeUnknown' : 'upstreamAnswer',
        ]);
    },
  );

  it.each(['FAILED', 'error', 'Warning'])(
    'is a refusal with its message if it is %j with a message',
    async (word) => {
      const refused = status(word, '<ErrorDescription>Name is missing</ErrorDescription>');
      for (const line of everywhere)
        expect(await fails(line, refused)).toMatchObject({ code: 'refused', text: 'Name is missing' });
    },
  );
});

describe('a store that fails after a write', () => {
  it('leaves its outcome unknown: the service has executed it, but the number is not known', async () => {
    const to = await world({ pairs, v3: () => ok(`<Contact><UUID>${uuid('c0', 1)}</UUID></Contact>`) });
    to.store.crosswalk.numbers = () => Promise.reject(new Error('disk full'));
    const body = '<Contact><Client><ID>1</ID></Client><Name>n</Name></Contact>';
    expect((await refusal(to, 'POST client.api/contact', { body })).code).toBe('outcomeUnknown');
    expect((await refusal(to, 'POST other.api/contact', { body: '<Contact/>' })).code).toBe('outcomeUnknown');
  });
});

describe('a write that left and got no answer', () => {
  it('shows the time that the service had', async () => {
    const v3 = async (): Promise<Played> => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      throw new Failure('outcomeUnknown');
    };
    const trace = new Trace();
    const to = await world({ pairs, v3, ledger: true });
    expect((await refusal(to, PUT, { body: bodyOf(PUT), trace })).code).toBe('outcomeUnknown');
    expect(trace.upstreamMillis).toBeGreaterThan(0);
  });
});

describe('a failure of the upstream client reaches the caller unchanged', () => {
  const codes = [
    'budgetExhausted',
    'consentNeeded',
    'upstreamUnavailable',
    'upstreamTimeout',
    'outcomeUnknown',
  ] as const;

  it.each(codes)('as %s', async (code) => {
    for (const line of everywhere) {
      const to = await world({
        pairs,
        v3: () => {
          throw new Failure(code, { retryAfter: 9 });
        },
      });
      expect(await refusal(to, line, { body: bodyOf(line) })).toMatchObject({ code, retryAfter: 9 });
    }
  });
});

describe('a body that cannot be read is refused', () => {
  it.each([
    ['<Client><ID>1</ID>', 'malformedXml'],
    ['<!DOCTYPE Client><Client><ID>1</ID></Client>', 'malformedXml'],
    ['<Client>&nbsp;</Client>', 'malformedXml'],
    ['{"ID":1}', 'malformedXml'],
    ['<Client><a:b:c>1</a:b:c></Client>', 'malformedXml'],
    ['<Client a:b:c="1"/>', 'malformedXml'],
    ['<:Client/>', 'malformedXml'],
    ['<Client:/>', 'malformedXml'],
    [`<Client>${'<a>'.repeat(200)}${'</a>'.repeat(200)}</Client>`, 'bodyTooLarge'],
  ])('such as %s', async (body, code) => {
    const to = await world({ pairs, v3: () => ok() });
    for (const line of [PUT, GENERIC_POST]) {
      const failure = await refusal(to, line, { body });
      expect(failure.code).toBe(code);
      expect(failure.text).not.toContain('nbsp');
    }
    expect(to.v3.requests).toEqual([]);
  });

  it('but not if it is valid UTF-16', async () => {
    const to = await world({ pairs, v3: () => ok() });
    const body = Buffer.from(
      '\uFEFF<?xml version="1.0" encoding="utf-16"?><Client><ID>1</ID></Client>',
      'utf16le',
    );
    await ask(to, PUT, { body });
    expect(to.v3.sent).toContain(uuid('c1', 1));
  });
});
