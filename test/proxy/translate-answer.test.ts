import { describe, expect, it } from '@jest/globals';
import {
  isLastPage,
  pagingOf,
  readAnswer,
  type AskedV2,
  type Paging,
} from '../../src/proxy/translate/answer.ts';
import { Failure } from '../../src/lib/failure.ts';
import type { UpstreamAnswer } from '../../src/upstream/model.ts';

type Content = string | Buffer | AsyncIterable<Buffer>;

async function* once(content: string | Buffer): AsyncGenerator<Buffer> {
  yield Buffer.from(content);
}

const answer = (
  status: number,
  content: Content,
  headers: Readonly<Record<string, string>> = {},
): UpstreamAnswer => ({
  status,
  contentType: headers['content-type'] ?? 'application/json',
  headers,
  body: typeof content === 'string' || Buffer.isBuffer(content) ? once(content) : content,
  millis: 1,
});

const missing = (): Failure => new Failure('refused', { text: 'Client not found' });
const question: AskedV2 = { write: false, missing };
const write: AskedV2 = { write: true, missing };

const read = (content: Content, asked = question): ReturnType<typeof readAnswer> =>
  readAnswer(answer(200, content), asked);

const failure = (got: UpstreamAnswer, asked = question): Promise<unknown> =>
  readAnswer(got, asked).then(
    (payload) => ({ resolved: payload }),
    (error: unknown) =>
      error instanceof Failure ? { code: error.code, text: error.text, source: error.source } : error,
  );

const refused = (text: string) => ({ code: 'refused', text, source: 'v2' });

describe('a successful reply of V2', () => {
  it.each([
    ['as a record in its envelope', '{"data":{"uuid":"u"},"meta":{"request_id":"r"}}', { uuid: 'u' }],
    ['as a bare record', '{"uuid":"u","name":"n"}', { uuid: 'u', name: 'n' }],
    ['as a deletion in its envelope', '{"data":{"message":"gone"},"meta":{}}', { message: 'gone' }],
    ['as a bare deletion', '{"message":"gone"}', { message: 'gone' }],
    ['as a list without anything around it', '[{"uuid":"u"}]', [{ uuid: 'u' }]],
    ['with nothing in its envelope', '{"data":null}', null],
    ['behind a mark of the byte order', '\ufeff{"data":[]}', []],
  ])('%s is accepted', async (_, text, data) => {
    expect((await read(text)).data).toEqual(data);
  });

  it('states its pages in the envelope', async () => {
    const pagination = { page: 2, per_page: 100, total_pages: 3, total_items: 250 };
    const { data, body } = await read(JSON.stringify({ data: [], meta: { pagination } }));
    expect(data).toEqual([]);
    expect(pagingOf(body ?? {})).toEqual({ page: 2, perPage: 100, totalPages: 3, total: 250 });
  });

  it('states its total in the bare form', async () => {
    const { data, body } = await read('{"data":[1],"total":7}');
    expect(data).toEqual([1]);
    expect(pagingOf(body ?? {})).toEqual({ total: 7 });
  });

  it('is not trusted if its counts are nonsense', async () => {
    const pagination = { page: -1, per_page: 1.5, total_pages: 'many', total_items: '12' };
    const { body = {} } = await read(JSON.stringify({ data: [], meta: { pagination } }));
    expect(pagingOf(body)).toEqual({ total: 12 });
  });

  it('of a record with a total of its own has no pages', async () => {
    const { body = {} } = await read('{"data":{"total":5},"total":5}');
    expect(pagingOf(body)).toBeUndefined();
  });

  it('is recognised by its content, whatever its media type', async () => {
    const named = answer(201, '{"data":1}', { 'content-type': 'text/html' });
    expect((await readAnswer(named, question)).data).toBe(1);
  });

  it('can arrive in any pieces', async () => {
    const bytes = Buffer.from('{"data":"é𝒳"}');
    async function* pieces(): AsyncGenerator<Buffer> {
      for (const byte of bytes) yield Buffer.from([byte]);
    }
    expect((await read(pieces())).data).toBe('é𝒳');
  });

  it('without a body is sufficient for a write, not for a read', async () => {
    expect(await readAnswer(answer(204, ''), write)).toEqual({ data: undefined, body: undefined });
    expect(await failure(answer(200, ' '))).toMatchObject({ code: 'upstreamAnswer' });
  });
});

describe('an unusable reply of V2', () => {
  async function* endless(): AsyncGenerator<Buffer> {
    yield Buffer.from('{"data":"');
    for (let piece = 0; piece < 1_000; piece += 1) yield Buffer.alloc(64 * 1024, 'x');
  }
  async function* broken(): AsyncGenerator<Buffer> {
    yield Buffer.from('{"data":[');
    throw new Failure('upstreamAnswer');
  }

  it.each<readonly [string, () => Content]>([
    ['HTML', () => '<html><body>Sign in</body></html>'],
    ['XML', () => '<Response><Status>OK</Status></Response>'],
    ['half of it', () => '{"data":[{"uuid":'],
    ['a word', () => '"ok"'],
    ['null', () => 'null'],
    ['a number', () => '12'],
    ['no UTF-8', () => Buffer.from([0x22, 0xff, 0x22])],
    ['more than 32 MiB', endless],
    ['a body that is cut', broken],
    ['depth without end', () => '['.repeat(1_000_000)],
  ])('such as %s fails a read, and leaves a write unknown', async (_, content) => {
    expect(await failure(answer(200, content()))).toMatchObject({ code: 'upstreamAnswer' });
    expect(await failure(answer(200, content()), write)).toMatchObject({ code: 'outcomeUnknown' });
  });

  it('is never quoted', async () => {
    const error = await read('{"data": CANARY-1').catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(Failure);
    expect(String((error as Failure).cause)).not.toContain('CANARY');
  });
});

const missingElement = (name: string): string =>
  `Message not in expected format. The following required element was missing - /${name}`;

describe('a refusal of V2', () => {
  const fields = [{ field: 'startDate', message: 'startDate is required' }];

  it.each([
    [
      'of values, field by field',
      422,
      { error: { code: 'validation_failed', message: 'The request has field errors.', details: fields } },
      missingElement('StartDate'),
    ],
    ['of values, in the short form', 422, { message: 'all', errors: fields }, missingElement('StartDate')],
    ['of values, as bare words', 422, { errors: ['Name is required'] }, missingElement('Name')],
    [
      "of values, in a checker's words",
      422,
      {
        errors: [
          { field: 'costs[0].unitCost', message: 'Invalid input: expected number, received string' },
          { field: 'date', message: 'Invalid ISO date' },
        ],
      },
      'Invalid value for UnitCost',
    ],
    [
      "of an identifier, in a checker's words",
      422,
      { errors: [{ field: 'clientUUID', message: 'Invalid UUID' }] },
      'Invalid value for ClientID',
    ],
    [
      "of values, in a checker's words about all of them",
      422,
      { message: 'Invalid input: expected object, received array' },
      'The service refused the values given',
    ],
    ['of values, without fields', 422, { message: 'Wrong' }, 'Wrong'],
    [
      'for a conflict',
      409,
      { error: { message: 'The number is in use.', details: fields }, message: 'other' },
      'The number is in use.',
    ],
    ['as malformed', 400, { message: 'Bad page' }, 'Bad page'],
    ['by a list of errors alone', 400, { errors: fields }, missingElement('StartDate')],
    ['by a gateway', 400, { Title: 'Bad Request', Detail: 'No such header' }, 'No such header'],
    ['by a title alone', 400, { title: 'Bad Request' }, 'Bad Request'],
    ['in one word', 400, { error: 'nonsense' }, 'nonsense'],
    ['in the words of V1', 422, { errors: [{ message: 'clientUUID is unknown' }] }, 'clientID is unknown'],
    ['without words', 409, {}, 'The service reports a conflict with existing data'],
    ['with empty words', 400, { message: ' ', error: {} }, 'The service refused the request as malformed'],
    ['as too large', 413, { message: 'Too large' }, 'Too large'],
  ])('%s is passed on to the caller', async (_, status, body, words) => {
    expect(await failure(answer(status, JSON.stringify(body)))).toEqual(refused(words));
    expect(await failure(answer(status, JSON.stringify(body)), write)).toEqual(refused(words));
  });

  it('in HTML is judged by its status', async () => {
    expect(await failure(answer(422, '<html>no</html>'), write)).toEqual(
      refused('The service refused the values given'),
    );
  });

  it('as not found has the meaning that the caller of the read gives', async () => {
    const told = { code: 'refused', text: 'Client not found', source: 'bridge' };
    expect(await failure(answer(404, '{"message":"There is no such record."}'))).toEqual(told);
    expect(await failure(answer(404, ''), write)).toEqual(told);
  });

  it.each([
    [401, {}, 'consentNeeded', 'consentNeeded'],
    [403, {}, 'notPermitted', 'notPermitted'],
    [405, {}, 'upstreamAnswer', 'upstreamAnswer'],
    [429, {}, 'budgetExhausted', 'budgetExhausted'],
    [302, {}, 'upstreamAnswer', 'outcomeUnknown'],
    [500, {}, 'upstreamAnswer', 'outcomeUnknown'],
    [502, {}, 'upstreamAnswer', 'outcomeUnknown'],
    [503, { 'retry-after': '3' }, 'upstreamUnavailable', 'outcomeUnknown'],
    [503, {}, 'upstreamUnavailable', 'outcomeUnknown'],
    [504, {}, 'upstreamTimeout', 'outcomeUnknown'],
  ])('with %i %j fails a read as %s, a write as %s', async (status, headers, asQuestion, asWrite) => {
    const got = (): UpstreamAnswer => answer(status, '{"message":"inner words"}', headers);
    expect(await failure(got())).toMatchObject({ code: asQuestion });
    expect(await failure(got(), write)).toMatchObject({ code: asWrite });
  });

  it('passes on how long the service asks to wait', async () => {
    const got = answer(429, '', { 'retry-after': '17' });
    await expect(readAnswer(got, question)).rejects.toMatchObject({ retryAfter: 17 });
  });
});

describe('the last page of a list', () => {
  /** How a service gives a list of that many to the page, asked for `asked` rows each and giving `given` at most. */
  function walk(records: number, asked: number, given: number, paging: (page: number) => Paging | undefined) {
    let [taken, page] = [0, 0];
    for (let last = false; !last && page < 100;) {
      page += 1;
      const rows = Math.max(0, Math.min(given, records - (page - 1) * given));
      taken += rows;
      last = isLastPage({ paging: paging(page) }, { page, size: asked, rows, before: taken - rows });
    }
    return { taken, pages: page };
  }

  it.each([0, 1, 99, 100, 101, 200, 250])('of %i records is found by the envelope', (records) => {
    const totalPages = Math.max(1, Math.ceil(records / 100));
    for (const asked of [100, 500])
      expect(walk(records, asked, 100, (page) => ({ page, perPage: 100, totalPages }))).toEqual({
        taken: records,
        pages: totalPages,
      });
  });

  it.each([0, 1, 99, 100, 101, 200, 250])('of %i records is found by a bare total', (records) => {
    const pages = Math.max(1, Math.ceil(records / 100));
    expect(walk(records, 100, 100, () => ({ total: records }))).toEqual({ taken: records, pages });
  });

  it.each([101, 200, 250, 1_000])(
    'of %i records is found if the service returns fewer per page than requested',
    (records) => {
      for (const asked of [101, 150, 500])
        expect(walk(records, asked, 100, () => ({ total: records })).taken).toBe(records);
    },
  );

  it.each([0, 1, 99, 100, 101, 200, 250])(
    'of %i records is found if the service states nothing',
    (records) => {
      expect(walk(records, 100, 100, () => undefined)).toEqual({
        taken: records,
        pages: Math.floor(records / 100) + 1,
      });
    },
  );
});
