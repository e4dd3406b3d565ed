import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SpanExporter, type SpanOutcome } from '../../../src/app/tracing/span-exporter.ts';
import type { Timer } from '../../../src/lib/time/timer.ts';
import { CallSpans, type Span } from '../../../src/lib/tracing/call-spans.ts';
import { newContext } from '../../../src/lib/tracing/trace-context.ts';
import { eventually, START } from '../../support/clock.ts';
import { OtlpReceiver } from '../../support/otlp-receiver.ts';

/** The spans of calls that ended at once. */
function calls(count: number): readonly Span[] {
  const all: Span[] = [];
  const keep = (spans: readonly Span[]): void => {
    all.push(...spans);
  };
  for (let n = 0; n < count; n += 1)
    new CallSpans(newContext(), START, keep).end('GET client.get', { n, share: 0.5 }, undefined);
  return all;
}

describe('the exporter of spans', () => {
  let receiver: OtlpReceiver;
  let exporter: SpanExporter;
  let due: (() => void) | undefined;
  let pauses: number[];
  let events: string[];
  let said: unknown[];
  let counts: Record<SpanOutcome, number>;

  const timer: Timer = (millis, callback) => {
    pauses.push(millis);
    due = callback;
    return () => {
      due = undefined;
    };
  };

  beforeEach(async () => {
    receiver = await OtlpReceiver.open();
    [due, pauses, events, said, counts] = [undefined, [], [], [], { delivered: 0, dropped: 0 }];
    const note = (event: string, details?: object): void => {
      events.push(event);
      said.push(details);
    };
    exporter = new SpanExporter({
      url: `${receiver.url}/v1/traces`,
      headers: {},
      sender: { version: '1.0.0', instance: 'one', host: 'here' },
      timer,
      log: { info: note, warn: note, error: note },
      counted: (outcome, spans) => {
        counts[outcome] += spans;
      },
    });
  });

  afterEach(async () => {
    receiver.status = undefined;
    await exporter.close();
    await receiver.close();
  });

  const elapse = (): void => {
    const callback = due;
    due = undefined;
    callback?.();
  };
  const asked = (times: number): Promise<true> =>
    eventually(`${times} requests have arrived`, () =>
      receiver.requests.length >= times ? true : undefined,
    );
  const waits = (): Promise<true> => eventually('it waits', () => (due === undefined ? undefined : true));

  it('collects spans and sends them together', async () => {
    exporter.add(calls(2));
    exporter.add(calls(1));
    expect(receiver.requests).toEqual([]);
    elapse();
    await asked(1);
    await eventually('they are counted', () => (counts.delivered === 3 ? true : undefined));
    expect([receiver.spans.length, receiver.requests.length, receiver.faults]).toEqual([3, 1, []]);
  });

  it('sends at most 512 spans in one request', async () => {
    exporter.add(calls(1_100));
    await eventually('all have arrived', () => (receiver.spans.length === 1_100 ? true : undefined));
    expect(receiver.requests).toHaveLength(3);
  });

  it.each([429, 503])('sends again after a reply of %i, with longer and longer pauses', async (status) => {
    receiver.status = status;
    exporter.add(calls(1));
    for (let times = 1; times <= 6; times += 1) {
      elapse();
      await asked(times);
      await waits();
    }
    expect(pauses).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000, 60_000]);
    expect(events).toEqual(['traces.undelivered']);
    receiver.status = undefined;
    elapse();
    await eventually('it has arrived', () => (counts.delivered === 1 ? true : undefined));
    expect(events).toEqual(['traces.undelivered', 'traces.delivered-again']);
    expect(counts.dropped).toBe(0);
  });

  it('drops spans that are refused', async () => {
    receiver.status = 401;
    exporter.add(calls(2));
    elapse();
    await eventually('it is dropped', () => (counts.dropped === 2 ? true : undefined));
    expect(events).toEqual(['traces.undelivered']);
  });

  it('keeps 4,096 spans while the receiver is down, and counts the others', async () => {
    receiver.status = 503;
    exporter.add(calls(1));
    elapse();
    await waits();
    exporter.add(calls(5_000));
    expect(counts.dropped).toBe(5_001 - 4_096);
    receiver.status = undefined;
    elapse();
    await eventually('the others have arrived', () => (counts.delivered === 4_096 ? true : undefined));
    expect(receiver.spans).toHaveLength(4_096);
  });

  it('sends the rest when it closes, and accepts nothing afterwards', async () => {
    exporter.add(calls(600));
    await exporter.close();
    expect(counts).toEqual({ delivered: 600, dropped: 0 });
    exporter.add(calls(1));
    expect(counts.dropped).toBe(1);
  });

  it('closes even if the receiver is down', async () => {
    await receiver.close();
    exporter.add(calls(3));
    await exporter.close();
    expect(counts).toEqual({ delivered: 0, dropped: 3 });
    receiver = await OtlpReceiver.open();
  });

  it('counts the spans that the receiver rejects from a request it accepts, and does not repeat them', async () => {
    receiver.answer = { partialSuccess: { rejectedSpans: '2', errorMessage: 'span is too old' } };
    exporter.add(calls(3));
    elapse();
    await eventually('all are counted', () => (counts.delivered + counts.dropped === 3 ? true : undefined));
    expect(counts).toEqual({ delivered: 1, dropped: 2 });
    expect([events, said]).toEqual([['traces.undelivered'], [{ reason: '2 rejected: span is too old' }]]);
    expect(receiver.requests).toHaveLength(1);
  });

  /** Resolves once all spans added so far are counted. */
  const counted = (spans: number) =>
    eventually('all are counted', () => (counts.delivered + counts.dropped === spans ? true : undefined));

  it('sends full requests at once although the receiver rejects a span of each', async () => {
    receiver.answer = { partialSuccess: { rejectedSpans: '1', errorMessage: 'too long' } };
    exporter.add(calls(1));
    elapse();
    await counted(1);
    for (let nth = 1; nth <= 10; nth += 1) {
      exporter.add(calls(512));
      await counted(1 + nth * 512);
    }
    expect(counts).toEqual({ delivered: 5_110, dropped: 11 });
  });

  it('tells once that the receiver rejects spans now and then, and once that it does no longer', async () => {
    const rejecting = { partialSuccess: { rejectedSpans: '1', errorMessage: 'too long' } };
    for (let nth = 1; nth <= 66; nth += 1) {
      receiver.answer = nth < 6 && nth % 2 === 1 ? rejecting : {};
      exporter.add(calls(1));
      elapse();
      await counted(nth);
      if (nth === 64) expect(events).toEqual(['traces.undelivered']);
    }
    expect(events).toEqual(['traces.undelivered', 'traces.delivered-again']);
  });

  it.each([{}, { partialSuccess: {} }, { partialSuccess: { errorMessage: 'use gRPC' } }, { other: true }])(
    'counts all spans as delivered after a reply of %j',
    async (answer) => {
      receiver.answer = answer;
      exporter.add(calls(2));
      elapse();
      await eventually('they are counted', () => (counts.delivered === 2 ? true : undefined));
      expect([events, counts.dropped]).toEqual([[], 0]);
    },
  );

  it.each([
    [429, '30', 30_000],
    [503, '300', 300_000],
    [503, '0', 5_000],
    [503, '900000', 3_600_000],
    [503, 'soon', 10_000],
  ])('waits after a reply of %i with Retry-After: %s for %i ms', async (status, retryAfter, millis) => {
    [receiver.status, receiver.retryAfter] = [status, retryAfter];
    exporter.add(calls(1));
    elapse();
    await asked(1);
    await waits();
    expect(pauses).toEqual([5_000, millis]);
  });

  it('closes after two seconds if the receiver hangs, and says how many spans it did not confirm', async () => {
    receiver.hangs = true;
    exporter.add(calls(600));
    await asked(1);
    const closed = exporter.close();
    expect(pauses.at(-1)).toBe(2_000);
    elapse();
    await closed;
    expect(counts).toEqual({ delivered: 0, dropped: 600 });
    expect([events.at(-1), said.at(-1)]).toEqual(['traces.dropped', { spans: 600 }]);
    expect(receiver.requests).toHaveLength(1);
  });
});
