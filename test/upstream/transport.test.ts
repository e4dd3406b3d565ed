import { afterEach, describe, expect, it } from '@jest/globals';
import type { Dispatcher } from 'undici';
import type { ExchangeWatch, Shipment } from '../../src/upstream/transport/exchange.ts';
import { Transport } from '../../src/upstream/transport/transport.ts';
import { TransportFault } from '../../src/upstream/transport/outcome.ts';
import { answer, badServer, cut, nobody, read, reset, silence, type BadServer } from './server.ts';
import { until } from '../support/clock.ts';

const limits = { answerMs: 10_000, stallMs: 10_000 };

const shipment = (origin: string, signal = new AbortController().signal): Shipment => ({
  origin,
  path: '/',
  verb: 'POST',
  headers: {},
  body: Buffer.from('<Client/>'),
  signal,
});

/** What was told of an exchange, in order. */
function watching(): { readonly told: string[]; readonly watch: ExchangeWatch } {
  const told: string[] = [];
  return {
    told,
    watch: {
      answered: (status) => void told.push(`answered ${status}`),
      failed: ({ kind, sent }) => void told.push(`failed ${kind} ${sent ? 'sent' : 'unsent'}`),
      ended: () => void told.push('ended'),
    },
  };
}

const fault = (call: Promise<unknown>): Promise<unknown> =>
  call.catch((error: unknown) => (error instanceof TransportFault ? [error.kind, error.sent] : error));

/** A client that does with the handler of a request as it is told. */
const client = (dispatch: (handler: Dispatcher.DispatchHandler) => void): Dispatcher =>
  ({
    dispatch: (_: unknown, handler: Dispatcher.DispatchHandler) => {
      dispatch(handler);
      return true;
    },
    close: async () => undefined,
  }) as unknown as Dispatcher;

class Controller {
  aborted: Error = new Error('nobody stopped it');

  abort(reason: Error): void {
    this.aborted = reason;
  }
}

const controller = (): Controller & Dispatcher.DispatchController =>
  new Controller() as Controller & Dispatcher.DispatchController;

describe('a client that would repeat a request', () => {
  it('is stopped before the second is sent', async () => {
    const [first, second] = [controller(), controller()];
    const transport = new Transport(limits, () =>
      client((handler) => {
        handler.onRequestStart?.(first, {});
        handler.onRequestStart?.(second, {});
        handler.onResponseError?.(second, second.aborted);
      }),
    );
    expect(await fault(transport.exchange(shipment('http://service.example')))).toEqual(['cut', true]);
    expect(first.aborted).not.toBeInstanceOf(TransportFault);
    expect(second.aborted).toBeInstanceOf(TransportFault);
  });
});

describe('a request that may no longer be sent', () => {
  it('is stopped before its first byte', async () => {
    const held = controller();
    const transport = new Transport(limits, () =>
      client((handler) => {
        handler.onRequestStart?.(held, {});
        handler.onResponseError?.(held, held.aborted);
      }),
    );
    const unwanted = { ...shipment('http://service.example'), leaves: () => false };
    expect(await fault(transport.exchange(unwanted))).toEqual(['aborted', false]);
    expect(held.aborted).toBeInstanceOf(TransportFault);
  });
});

describe('an exchange with an upstream', () => {
  let server: BadServer | undefined;
  let transport: Transport | undefined;

  afterEach(async () => {
    await transport?.close(0);
    await server?.close();
  });

  it('ends when its answer has been received', async () => {
    server = await badServer(answer('<ok/>'));
    transport = new Transport(limits);
    const { told, watch } = watching();
    const { body } = await transport.exchange(shipment(server.origin), watch);
    await read(body);
    expect(told).toEqual(['answered 200', 'ended']);
  });

  it.each([
    ['is reset', reset, ['failed cut sent', 'ended']],
    ['is cut within the answer', cut, ['answered 200', 'ended']],
  ])('that %s reports it once', async (_, behaviour, expected) => {
    server = await badServer(behaviour);
    transport = new Transport(limits);
    const { told, watch } = watching();
    await fault(transport.exchange(shipment(server.origin), watch).then(({ body }) => read(body)));
    await until('the end', () => told.includes('ended'));
    expect(told).toEqual(expected);
  });

  it('with a reply that is not read to its end frees its connection', async () => {
    server = await badServer(answer('x'.repeat(1_000_000)));
    transport = new Transport(limits);
    const { told, watch } = watching();
    const { body } = await transport.exchange(shipment(server.origin), watch);
    for await (const chunk of body) if (chunk.length > 0) break;
    await until('the end', () => told.includes('ended'));
    expect(told).toEqual(['answered 200', 'ended']);
  });

  it('without an answer ends when it is abandoned', async () => {
    server = await badServer(silence);
    transport = new Transport(limits);
    const { told, watch } = watching();
    const caller = new AbortController();
    const call = fault(transport.exchange(shipment(server.origin, caller.signal), watch));
    await until('the request', () => server?.seen.length === 1);
    expect(told).toEqual([]);
    caller.abort();
    expect(await call).toEqual(['aborted', true]);
    await until('the end', () => told.includes('ended'));
    expect(told).toEqual(['failed aborted sent', 'ended']);
  });

  it('that is abandoned before it was sent keeps its connection until the client has released it', async () => {
    let handler: Dispatcher.DispatchHandler | undefined;
    transport = new Transport(limits, () =>
      client((given) => {
        handler = given;
      }),
    );
    const { told, watch } = watching();
    const caller = new AbortController();
    const call = fault(transport.exchange(shipment('http://service.example', caller.signal), watch));
    caller.abort();
    expect(await call).toEqual(['aborted', false]);
    expect(told).toEqual(['failed aborted unsent']);
    const late = controller();
    handler?.onRequestStart?.(late, {});
    expect(late.aborted).toBeInstanceOf(TransportFault);
    handler?.onResponseError?.(late, new Error('aborted'));
    expect(told).toEqual(['failed aborted unsent', 'ended']);
  });

  it('with something that is not an origin ends at once', async () => {
    transport = new Transport(limits);
    const { told, watch } = watching();
    expect(await fault(transport.exchange(shipment('nowhere'), watch))).toEqual(['garbled', false]);
    expect(told).toEqual(['failed garbled unsent', 'ended']);
  });

  it('that is refused, or over before it begins, ends at once', async () => {
    transport = new Transport(limits);
    const { told, watch } = watching();
    expect(await fault(transport.exchange(shipment(nobody), watch))).toEqual(['unreachable', false]);
    expect(await fault(transport.exchange(shipment(nobody, AbortSignal.abort()), watch))).toEqual([
      'aborted',
      false,
    ]);
    expect(told).toEqual(['failed unreachable unsent', 'ended', 'failed aborted unsent', 'ended']);
  });
});
