import { describe, expect, it } from '@jest/globals';
import type { Span } from '../../../src/lib/tracing/call-spans.ts';
import { givenContext } from '../../../src/lib/tracing/trace-context.ts';
import { Tracer } from '../../../src/lib/tracing/tracer.ts';
import { HandClock, START } from '../../support/clock.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const GOOD = `00-${TRACE}-${PARENT}-01`;

describe('the header traceparent', () => {
  it.each([
    [GOOD, true],
    [`00-${TRACE}-${PARENT}-00`, false],
    [`00-${TRACE}-${PARENT}-03`, true],
    [`cc-${TRACE}-${PARENT}-01-what-a-later-version-adds`, true],
  ])('is parsed: %s', (value, isSampled) => {
    expect(givenContext(['TraceParent', value])).toEqual({
      ...{ traceId: TRACE, parentId: PARENT, isSampled, state: undefined },
    });
  });

  it.each([
    '',
    'ff-' + GOOD.slice(3),
    GOOD.toUpperCase(),
    `00-${'0'.repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE}-${PARENT}`,
    `00-${TRACE}-${PARENT}-01x`,
    `00-${TRACE}-${PARENT}-01-what-only-a-later-version-may-add`,
    `00-${TRACE}-${PARENT}-01-`,
    ` ${GOOD}`,
  ])('is ignored if it is invalid: "%s"', (value) => {
    expect(givenContext(['traceparent', value])).toBeUndefined();
  });

  it('is ignored if it is longer than any version needs', () => {
    expect(givenContext(['traceparent', `cc-${GOOD.slice(3)}-${'a'.repeat(600)}`])).toBeUndefined();
  });

  it('is ignored if it occurs twice', () => {
    expect(givenContext(['traceparent', GOOD, 'traceparent', GOOD])).toBeUndefined();
  });

  it('comes with the states of other systems, unless they are too long', () => {
    const given = (...state: readonly string[]): string | undefined =>
      givenContext(['traceparent', GOOD, ...state.flatMap((one) => ['tracestate', one])])?.state;
    expect(given('a=1', 'b=2')).toBe('a=1,b=2');
    expect(given('a='.padEnd(513, 'x'))).toBeUndefined();
    expect(given('a=é')).toBeUndefined();
  });
});

describe('the tracer of calls', () => {
  const tracer = (percent: number, random = 0.3): { tracer: Tracer; spans: Span[] } => {
    const spans: Span[] = [];
    const finished = (some: readonly Span[]): void => {
      spans.push(...some);
    };
    return {
      tracer: new Tracer({ percent, clock: new HandClock(), finished, random: () => random }),
      spans,
    };
  };
  const request = (...rawHeaders: string[]): { rawHeaders: string[] } => ({ rawHeaders });

  it('traces the configured share of calls without a trace', () => {
    expect(tracer(31).tracer.of(request())).toBeDefined();
    expect(tracer(30).tracer.of(request())).toBeUndefined();
    expect(tracer(0, 0).tracer.of(request())).toBeUndefined();
    expect(tracer(100, 0.999).tracer.of(request())).toBeDefined();
  });

  it('follows the decision of a caller that traces', () => {
    expect(tracer(0).tracer.of(request('traceparent', GOOD))?.traceId).toBe(TRACE);
    expect(tracer(100).tracer.of(request('traceparent', GOOD.replace(/1$/, '0')))).toBeUndefined();
  });

  it('decides once for a request', () => {
    let asked = 0;
    const { spans } = tracer(100);
    const counting = new Tracer({
      percent: 50,
      clock: new HandClock(),
      finished: () => spans,
      random: () => (asked += 1) / 2,
    });
    const one = request();
    expect(counting.of(one)).toBeUndefined();
    expect(counting.of(one)).toBeUndefined();
    expect(asked).toBe(1);
  });

  it('hands over the spans once, open ones with the fault of the call, and adds none later', () => {
    const { tracer: one, spans } = tracer(100);
    const call = one.of(request('traceparent', GOOD));
    const open = call?.begin('wait for a permit');
    call?.end('GET client.get', {}, 'budgetExhausted');
    open?.end();
    call?.begin('late').end();
    call?.end('again', {}, undefined);
    expect(spans.map(({ name, fault }) => [name, fault])).toEqual([
      ['wait for a permit', 'budgetExhausted'],
      ['GET client.get', 'budgetExhausted'],
    ]);
    const [child, root] = spans;
    expect([child?.parentId, root?.parentId, root?.begun]).toEqual([root?.id, PARENT, START]);
  });
});
