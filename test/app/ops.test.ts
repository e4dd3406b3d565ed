import { describe, expect, it } from '@jest/globals';
import { PassThrough, Writable } from 'node:stream';
import { Counter, Histogram, Registry } from 'prom-client';
import { LineLog } from '../../src/lib/log/line-log.ts';
import { PlainFields, silentLog, type LogFields } from '../../src/lib/log/log.ts';
import { CallMetrics } from '../../src/app/metrics/call-metrics.ts';
import { Instruments } from '../../src/app/metrics/instruments.ts';
import { MetricsServer } from '../../src/app/metrics/metrics-server.ts';
import { Metrics } from '../../src/app/metrics/metrics.ts';
import type { CallFigures } from '../../src/http/legacy/call-figures.ts';
import { redact } from '../../src/lib/log/redact.ts';
import { eventually } from '../support/clock.ts';
import { unlessItHangs } from '../support/hang.ts';

function kept(): { readonly log: LineLog; readonly lines: () => Promise<string[]> } {
  const stream = new PassThrough();
  let text = '';
  stream.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
  const log = new LineLog({ stream, clock: { now: () => Date.UTC(2026, 10, 20) } });
  return {
    log,
    lines: () =>
      eventually('a whole line', () => (text.endsWith('\n') ? text.trimEnd().split('\n') : undefined)),
  };
}

describe('a line of the log', () => {
  it('is one JSON object with level, time, event and fields', async () => {
    const { log, lines } = kept();
    log.info('call', { request: 'r1', status: 200, ms: 1.5, account: undefined });
    log.warn('w');
    log.error('e', { error: 'x' });
    expect((await lines()).map((line) => JSON.parse(line) as unknown)).toEqual([
      { level: 'info', time: '2026-11-20T00:00:00.000Z', event: 'call', request: 'r1', status: 200, ms: 1.5 },
      { level: 'warn', time: '2026-11-20T00:00:00.000Z', event: 'w' },
      { level: 'error', time: '2026-11-20T00:00:00.000Z', event: 'e', error: 'x' },
    ]);
  });

  it('stays one line without control characters, whatever a field contains', async () => {
    const { log, lines } = kept();
    log.info('call', { dropped: 'a\nb\r\u001b[31m\u0085\u2028\u202e\u0000' });
    const [line, ...more] = await lines();
    expect(more).toEqual([]);
    expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u202e]/);
    expect(JSON.parse(line ?? '')).toMatchObject({ dropped: 'a\nb\r\u001b[31m\u0085\u2028\u202e\u0000' });
  });

  it('is cut if a field is too long to read', async () => {
    const { log, lines } = kept();
    log.error('call', { error: 'x'.repeat(10_000_000), status: 500 });
    const [line = ''] = await lines();
    expect(line.length).toBeLessThan(10_000);
    expect(JSON.parse(line)).toMatchObject({
      event: 'call',
      status: 500,
      error: expect.stringMatching(/^x+… \(10000000 characters\)$/) as unknown,
    });
  });

  it('lets no field overwrite the built-in ones', async () => {
    const { log, lines } = kept();
    log.info('call', { event: 'other', level: 'error', time: 'never' });
    const [line = ''] = await lines();
    expect(JSON.parse(line)).toMatchObject({ event: 'call', level: 'info', event_: 'other' });
  });
});

const plainFields = (fields: LogFields): PlainFields => Object.assign(new PlainFields(), fields);

describe('the log writer', () => {
  const TIME = '"time":"2026-11-20T00:00:00.000Z"';

  function written(): { readonly log: LineLog; readonly pieces: string[] } {
    const pieces: string[] = [];
    const stream = new Writable({
      write(piece: Buffer, _encoding, done) {
        pieces.push(piece.toString('utf8'));
        done();
      },
    });
    const log = new LineLog({ stream, clock: { now: () => Date.UTC(2026, 10, 20) } });
    return { log, pieces };
  }

  /** Lines, without what they are written in. */
  const eventsIn = (pieces: readonly string[]): readonly (readonly string[])[] =>
    pieces.map((piece) => Array.from(piece.matchAll(/"event":"(\w+)"/g), ([, event = '']) => event));

  it('writes many lines at once, and loses none when it is flushed', () => {
    const { log, pieces } = written();
    for (let call = 0; call < 500; call += 1) log.info('call', plainFields({ status: call }));
    expect(pieces).toEqual([]);
    log.flush();
    expect(pieces).toHaveLength(1);
    const lines = (pieces[0] ?? '').trimEnd().split('\n');
    expect(lines).toHaveLength(500);
    expect(lines[499]).toBe(`{"level":"info",${TIME},"event":"call","status":499}`);
    log.flush();
    expect(pieces).toHaveLength(1);
  });

  it('writes an error at once, after the lines before it; later lines follow separately', async () => {
    const { log, pieces } = written();
    log.info('one');
    log.info('two');
    log.error('failed');
    log.info('three');
    expect(eventsIn(pieces)).toEqual([['one', 'two'], ['failed']]);
    await eventually('the line after it', () => (pieces.length === 3 ? true : undefined));
    expect(eventsIn(pieces)[2]).toEqual(['three']);
  });

  it('keeps no more than one batch in memory', () => {
    const { log, pieces } = written();
    const [fields, lines] = [plainFields({ method: 'm'.repeat(1_000) }), 200];
    for (let call = 0; call < lines; call += 1) log.info('call', fields);
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces.every(({ length }) => length < 70_000)).toBe(true);
    log.flush();
    expect(eventsIn(pieces).flat()).toHaveLength(lines);
  });

  it('drops lines while what reads them hangs, and says how many once it reads again', () => {
    const taken: string[] = [];
    const held: (() => void)[] = [];
    let isHung = true;
    const stream = new Writable({
      decodeStrings: false,
      write(piece: string, _encoding, done) {
        taken.push(piece);
        if (isHung) held.push(done);
        else done();
      },
    });
    const dropped: number[] = [];
    const log = new LineLog({ stream, onDropped: (lines) => dropped.push(lines) });
    const [fields, lines] = [{ words: 'x'.repeat(4_000) }, 10_000];
    for (let line = 0; line < lines; line += 1) log.error('failed', fields);
    log.info('gathered');
    log.info('gathered');
    log.flush();
    expect(stream.writableLength).toBeLessThan(20 * 1024 * 1024);
    expect(dropped).toEqual([]);
    isHung = false;
    for (const done of held) done();
    log.info('again');
    log.flush();
    const written = taken.join('').trimEnd().split('\n');
    expect(written.at(-1)).toContain('"event":"again"');
    expect(written.length).toBeGreaterThan(1_000);
    expect(dropped).toEqual([lines + 3 - written.length]);
  });

  it('searches a line for secrets only if it has free text', () => {
    const { log, pieces } = written();
    const original = Object.getOwnPropertyDescriptor(String.prototype, 'replace') ?? {};
    let searched = 0;
    Object.defineProperty(String.prototype, 'replace', {
      ...original,
      value(this: string, ...given: readonly never[]): string {
        searched += 1;
        return Reflect.apply(original.value as () => string, this, given) as string;
      },
    });
    try {
      log.info('call', plainFields({ method: 'client.get', status: 200, account: undefined }));
      expect(searched).toBe(0);
      log.info('call', { dropped: 'accountKey=CANARY7' });
      expect(searched).toBeGreaterThan(0);
    } finally {
      Object.defineProperty(String.prototype, 'replace', original);
    }
    log.flush();
    expect(pieces.join('')).toBe(
      `{"level":"info",${TIME},"event":"call","method":"client.get","status":200}\n` +
        `{"level":"info",${TIME},"event":"call","dropped":"accountKey=***"}\n`,
    );
  });
});

describe('the redaction of a line', () => {
  const CANARY = 'CANARY7';
  it.each([
    `GET /client.api/list?apiKey=${CANARY}&accountKey=${CANARY}`,
    `?APIKEY=${CANARY}&ACCOUNTKEY=${CANARY}&x=1`,
    `callback?code=${CANARY}&state=${CANARY}`,
    `"url":"/x?accountKey=${CANARY}"`,
    `Authorization: Bearer ${CANARY}`,
    `authorization: Basic ${CANARY}`,
    `{"authorization":"Bearer ${CANARY}"}`,
    `{\\"refresh_token\\":\\"${CANARY}\\",\\"access_token\\":\\"${CANARY}\\"}`,
    `grant_type=refresh_token&refresh_token=${CANARY}`,
    `client_secret=${CANARY}`,
    `{ apiKey: '${CANARY}' }`,
    `code_verifier=${CANARY}`,
    `postgres https://user:${CANARY}@host/db`,
    `eyJhbGciOiJub25lIn0.${CANARY}xxxx.${CANARY}`,
    `x-eyJhbGciOiJub25lIn0.${CANARY}`,
    `https://a.example/eyJhbGciOiJub25lIn0.${CANARY}xxxx.${CANARY}.more`,
  ])('hides the secret in %s', (line) => {
    expect(redact(line)).not.toContain(CANARY);
    expect(redact(line)).toContain('***');
  });

  it.each([
    'A0000000000000000000000000000001',
    '0123456789abcdef0123456789abcdef',
    'evt_0123456789abcdef0123456789abcdef0',
    'k1:Zm9vYmFyYmF6:aGVsbG8gd29ybGQgaGVsbG8gd29ybGQgaGVsbG8gd29ybGQx:dGFn',
    'q7Rk2vTn0yXbLw8sPz4JdF6hGm1cQe3UaKi5VoBtNxY',
    'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln',
  ])('hides what looks like a secret: %s', (token) => {
    const told = redact(`{"error":"bad value ${token} here"}`);
    expect(told).toContain('***');
    expect(told).not.toContain(token);
  });

  it.each([
    '{"level":"info","time":"2026-11-20T00:00:00.000Z","event":"call","request":"603bdf1c-ea09-422b-bee6-af3ac486d95a"}',
    '{"event":"events.sent","event_":"evt_0123456789abcdef0123456789abcdef","type":"account.invited"}',
    '{"event":"events.sent","event_":"slack_0123456789abcdef0123456789abcdef","type":"account.invited"}',
    '{"event":"events.sent","event_":"teams_0123456789abcdef0123456789abcdef","type":"account.invited"}',
    '{"account":"95a707d3-320f-468f-b66f-a4e6767bda84","method":"client.relationship.update","statusCode":200}',
    '{"state":"held","code":"ECONNREFUSED","generation":3}',
    '{"stack":"Error: x\\n    at Server.listen (file:///srv/app/node_modules/express/lib/router/index.js:10:5)"}',
  ])('leaves what is not a secret: %s', (line) => {
    expect(redact(line)).toBe(line);
  });

  // By the square of their length, each of these takes hours.
  it.each(
    [
      ['0', 'a', 'aA1', '_', '-', '\\"', '0123456789abcdef', 'ab_token', 'token=', 'code=', 'code_verifier'],
      ['eyJ', 'eyJ-', 'eyJabcdef.', 'eyJabcdef-', 'a.', 'https://a:', 'http://', 'password   ', 'secret :'],
      ['authorization ', 'authorization: bearer ', 'bearer ', 'Basic aaaaaaa ', 'refresh_token":"'],
    ].flat(),
  )('takes linear time, however long the line is: %j', (piece) => {
    const line = piece.repeat(Math.ceil(2_000_000 / piece.length));
    expect(unlessItHangs(() => redact(line)).length).toBeLessThanOrEqual(2 * line.length);
  });
});

describe('the metrics', () => {
  async function page(work: (metrics: Metrics) => void): Promise<string> {
    const metrics = new Metrics();
    work(metrics);
    const server = new MetricsServer(metrics, silentLog);
    const port = await server.listen(0, '127.0.0.1');
    try {
      const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
      expect((await fetch(`http://127.0.0.1:${port}/other`)).status).toBe(404);
      expect((await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'POST' })).status).toBe(404);
      return await answer.text();
    } finally {
      await server.stop();
    }
  }

  it('count calls by method, route and class of status', async () => {
    const none = { dropped: 0, defaulted: 0, absent: 0, rounded: 0, replaced: 0 };
    const plain = { millis: 1, upstreamMillis: undefined, ...none };
    const text = await page((metrics) => {
      metrics.call({
        method: 'client.list',
        source: 'v3',
        status: 200,
        millis: 12,
        upstreamMillis: 8,
        dropped: 2,
        defaulted: 1,
        absent: 5,
        rounded: 1,
        replaced: 3,
      });
      metrics.call({
        method: 'client.list',
        source: 'v3',
        status: 207,
        millis: 12,
        upstreamMillis: 8,
        dropped: 2,
        defaulted: 0,
        absent: 0,
        rounded: 1,
        replaced: 3,
      });
      metrics.call({
        method: 'none',
        source: 'bridge',
        status: 401,
        ...plain,
      });
      metrics.call({ method: 'job.add', source: 'v2', status: 403, ...plain });
      metrics.call({ method: 'job.get', source: 'bridge', status: 403, ...plain });
      metrics.call({ method: 'job.get', source: 'bridge', status: 429, ...plain });
      metrics.call({ method: 'job.get', source: 'bridge', status: 429, ...plain, isUnknown: true });
    });
    expect(text).toContain('causeway_losses_total{method="client.list",loss="dropped"} 4');
    expect(text).toContain('causeway_losses_total{method="client.list",loss="rounded"} 2');
    expect(text).toContain('causeway_losses_total{method="client.list",loss="defaulted"} 1');
    expect(text).toContain('causeway_losses_total{method="client.list",loss="absent"} 5');
    expect(text).toContain('causeway_losses_total{method="client.list",loss="replaced"} 6');
    expect(text).toContain('causeway_calls_total{method="client.list",lane="v3",status="2xx"} 2');
    expect(text).toContain('causeway_calls_total{method="none",lane="bridge",status="4xx"} 1');
    expect(text).toContain('causeway_calls_not_permitted_total{method="job.add",lane="v2"} 1');
    expect(text).not.toContain('causeway_calls_not_permitted_total{method="job.get"');
    expect(text).toContain('causeway_calls_limited_total 1');
    expect(text).toContain('causeway_call_seconds_count{lane="v3"} 2');
    expect(text).toContain('causeway_upstream_seconds_count{lane="v3"} 2');
    expect(text).not.toContain('causeway_upstream_seconds_count{lane="bridge"}');
  });

  const noLosses = { dropped: 0, defaulted: 0, absent: 0, rounded: 0, replaced: 0 };
  const calls: readonly CallFigures[] = [
    { method: 'client.list', source: 'v3', status: 200, millis: 5, upstreamMillis: 4 },
    { method: 'client.list', source: 'v3', status: 504, millis: 70_000, upstreamMillis: 0.1 },
    { method: 'client.list', source: 'v1', status: 200, millis: 5.1, upstreamMillis: 60_000 },
    { method: 'none', source: 'bridge', status: 404, millis: 300, upstreamMillis: undefined },
    { method: 'client.list', source: 'v3', status: 207, millis: 99, upstreamMillis: 20 },
  ].map((call) => ({ ...call, ...noLosses }) as CallFigures);

  it('match the lines of a prom-client that counts every call', async () => {
    const [counted, plain] = [new Registry(), new Instruments()];
    const registers = [counted];
    const buckets = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
    const own = new CallMetrics(plain);
    const total = new Counter({
      ...{ name: 'causeway_calls_total', help: 'Legacy calls', registers },
      labelNames: ['method', 'lane', 'status'],
    });
    const whole = new Histogram({
      ...{ name: 'causeway_call_seconds', help: 'Total duration of legacy calls', registers, buckets },
      labelNames: ['lane'],
    });
    const upstream = new Histogram({
      ...{
        name: 'causeway_upstream_seconds',
        help: 'Time legacy calls spent waiting for the service',
        registers,
        buckets,
      },
      labelNames: ['lane'],
    });
    for (const call of calls) {
      const { method, source: lane, status, millis, upstreamMillis } = call;
      own.record(call);
      total.inc({ method, lane, status: `${Math.floor(status / 100)}xx` });
      whole.observe({ lane }, millis / 1_000);
      if (upstreamMillis !== undefined) upstream.observe({ lane }, upstreamMillis / 1_000);
    }
    const lines = (await plain.text()).split('\n');
    const expected = (await counted.metrics()).split('\n').filter((line) => line !== '');
    expect(lines).toEqual(expect.arrayContaining(expected));
    expect(await plain.text()).toBe(lines.join('\n')); // a second scrape counts nothing twice
  });

  it('do not call prom-client when a call that lost nothing ends', () => {
    let asked = 0;
    const value = (): number => (asked += 1);
    // Each instrument takes its own from its prototype when it is made.
    const watched = [
      [Counter.prototype, 'incWithoutExemplar'],
      [Histogram.prototype, 'observeWithoutExemplar'],
    ] as const;
    const originals = watched.map(([of, name]) => Object.getOwnPropertyDescriptor(of, name) ?? {});
    for (const [of, name] of watched) Object.defineProperty(of, name, { configurable: true, value });
    try {
      const own = new CallMetrics(new Instruments());
      for (const call of calls) own.record(call);
      expect(asked).toBe(0);
      own.record({ ...calls[0], dropped: 1 } as CallFigures);
      expect(asked).toBe(1);
    } finally {
      watched.forEach(([of, name], at) => Object.defineProperty(of, name, originals[at] ?? {}));
    }
  });

  it('count consents by outcome', async () => {
    const text = await page((metrics) => {
      metrics.consent('connected');
      metrics.consent('noPrivilege');
      metrics.consent('noPrivilege');
    });
    expect(text).toContain('causeway_consents_total{outcome="connected"} 1');
    expect(text).toContain('causeway_consents_total{outcome="noPrivilege"} 2');
  });

  const ofDefault = {
    application: 'default',
    refreshes: { renewed: 1, refused: 0, unanswered: 1 },
    ...{ isOpen: false, waiting: 0, keys: 0 },
  };

  it('count refreshes by verdict, and waits for the rate limit', async () => {
    const text = await page((metrics) => {
      metrics.watchesApplications(() => [ofDefault]);
      metrics.rateLimitWait(1_500);
    });
    expect(text).toContain('causeway_refreshes_total{verdict="renewed",application="default"} 1');
    expect(text).toContain('causeway_refreshes_total{verdict="unanswered",application="default"} 1');
    expect(text).toContain('causeway_refreshes_total{verdict="refused",application="default"} 0');
    expect(text).toContain('causeway_budget_wait_seconds_sum 1.5');
  });

  it('are separate for two bridges in one process', async () => {
    const [one, other] = [new Metrics(), new Metrics()];
    one.watchesApplications(() => [ofDefault]);
    expect(await other.text()).not.toContain('verdict="renewed"');
  });
});
