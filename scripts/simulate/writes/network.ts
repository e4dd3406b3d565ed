import { AsyncLocalStorage } from 'node:async_hooks';
import { SECOND } from '../../../src/lib/time/clock.ts';
import type { Upstream, UpstreamAnswer, UpstreamRequest, V1Endpoint } from '../../../src/upstream/model.ts';
import { bodyFailure, failureOf, TransportFault } from '../../../src/upstream/transport/outcome.ts';
import type { VirtualTime } from '../virtual-time.ts';
import type { Weather } from './options.ts';
import type { PlayedService, ServiceAnswer, ServiceRequest } from './service.ts';

/** The sender of a request: its events happen unless it has died meanwhile. */
export interface Sender {
  later(millis: number, run: () => void): void;
}

export interface NetworkParts {
  readonly time: VirtualTime;
  readonly random: () => number;
  readonly service: PlayedService;
  readonly weather: () => Weather;
  /** How long an answer is awaited, and how late a request may still be handled; in milliseconds. */
  readonly upstreamTimeout: number;
  readonly latestHandling: number;
}

/** The current write, recorded by the service. */
export const writing = new AsyncLocalStorage<string>();

/** The fate of a request that has left. */
type Fate = 'answered' | 'slow' | 'lost' | 'unheard' | 'late' | 'cut' | 'failed' | 'failed after';

const FAULTS: readonly Fate[] = ['lost', 'unheard', 'late', 'cut', 'failed', 'failed after'];
const FAILURES = [500, 502, 503, 504];
/** The delay with which lists show a record that was not reported to any caller. */
const LONGEST_LAG = 4 * SECOND;
const BETWEEN = { least: 20, more: 200 };
const SLOW = { least: 5 * SECOND, more: 45 * SECOND };

interface Leaving extends ServiceRequest {
  readonly signal: AbortSignal;
  readonly leaves?: (() => void) | undefined;
}

/** Between the bridges and the service: the behaviour of `upstream/` over a network that loses answers. */
export class Network {
  readonly #parts: NetworkParts;
  /** Of each call on its way, what ends the listening to its signal. */
  readonly #onTheirWay = new Set<() => void>();
  readonly counts = { requests: 0, faulty: 0, late: 0 };

  constructor(parts: NetworkParts) {
    this.#parts = parts;
  }

  /** Frees the signals of calls whose process died: Node keeps a signal with listeners, and the world with it. */
  close(): void {
    for (const heard of this.#onTheirWay) heard();
  }

  /** V3 or V2, as a process calls it. */
  upstreamOf(sender: Sender, route: 'v3' | 'v2'): Upstream {
    return {
      send: (to, { verb, segments, query, body, signal, leaves }) => {
        const isForm = typeof body === 'object' && 'bytes' in body;
        const path = segments.map((segment) => `/${encodeURIComponent(segment)}`).join('');
        const parameters = new URLSearchParams(
          query.map(([name, value]): [string, string] => [name, value]),
        ).toString();
        return this.#exchange(sender, {
          ...{ route, organisation: to.organisationId, verb, signal, leaves },
          target: parameters === '' ? path : `${path}?${parameters}`,
          contentType: isForm ? body.contentType : route === 'v2' ? 'application/json' : 'text/xml',
          body: heldIn(isForm ? body.bytes : (body ?? '')),
        });
      },
      fetch: () => Promise.reject(new Error('nobody fetches files here')),
    };
  }

  /** V1; the account key names the organisation. */
  v1Of(sender: Sender): V1Endpoint {
    return {
      pass: ({ verb, target, contentType, body, signal, leaves }) => {
        const address = target.reveal();
        const organisation = new URLSearchParams(address.split('?')[1]).get('accountKey') ?? '';
        return this.#exchange(sender, {
          ...{ route: 'v1', organisation, verb, target: address, contentType, signal, leaves },
          // No document of the simulation is long enough to leave while it is read.
          body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
        });
      },
    };
  }

  /** Like `UpstreamClient`; a sender that dies meanwhile gets no answer. Throws `Failure`. */
  #exchange(sender: Sender, request: Leaving): Promise<UpstreamAnswer> {
    const { random, weather } = this.#parts;
    const by = writing.getStore();
    return new Promise((resolve, reject) => {
      const fail = (kind: TransportFault['kind'], isSent: boolean): void => {
        reject(failureOf(new TransportFault(kind, isSent), request.verb));
      };
      sender.later(this.#trip(), () => {
        if (request.signal.aborted) fail('aborted', false);
        else if (random() < weather().unreachable) fail('unreachable', false);
        else {
          request.leaves?.();
          this.counts.requests += 1;
          this.#travels(sender, { ...request, by }, this.#listening(request.signal, { resolve, fail }));
        }
      });
    });
  }

  /** Ends the call if it is given up before it is answered. */
  #listening(signal: AbortSignal, { resolve, fail }: Hearing): Hearing {
    const gone = (): void => {
      fail('aborted', true);
    };
    const heard = (): void => {
      this.#onTheirWay.delete(heard);
      signal.removeEventListener('abort', gone);
    };
    this.#onTheirWay.add(heard);
    signal.addEventListener('abort', gone);
    return {
      resolve: (answer) => {
        heard();
        resolve(answer);
      },
      fail: (kind, isSent) => {
        heard();
        fail(kind, isSent);
      },
    };
  }

  #travels(sender: Sender, request: Leaving, hearing: Hearing): void {
    const { upstreamTimeout, latestHandling, random } = this.#parts;
    const fate = this.#fate();
    const handle = (inMillis: number, answered: (answer: ServiceAnswer) => void, lag = 0): void => {
      this.#handled(inMillis, request, lag, answered);
    };
    const unheard = (): void => undefined;
    const answer = (millis: number, given: (answer: ServiceAnswer) => ServiceAnswer, isCut = false): void => {
      handle(this.#trip(), (answered) => {
        sender.later(millis, () => {
          hearing.resolve(upstreamAnswer(given(answered), request.verb, isCut, millis));
        });
      });
    };
    // A reset is noticed at once, and silence when the patience is over.
    const missed = (): void => {
      sender.later(random() < 0.5 ? this.#trip() + 2 * SECOND * random() : upstreamTimeout, () => {
        hearing.fail('slow', true);
      });
    };
    const lag = LONGEST_LAG * random();
    switch (fate) {
      case 'answered':
        answer(this.#trip(), same);
        break;
      case 'slow':
        answer(SLOW.least + SLOW.more * random(), same);
        break;
      case 'cut':
        answer(this.#trip(), same, true);
        break;
      case 'failed after':
        answer(this.#trip(), () => this.#failure());
        break;
      case 'failed':
        sender.later(2 * this.#trip(), () => {
          hearing.resolve(upstreamAnswer(this.#failure(), request.verb, false, 0));
        });
        break;
      case 'unheard':
        handle(this.#trip() + lag, unheard, lag);
        missed();
        break;
      case 'late':
        this.counts.late += 1;
        handle(lag + (latestHandling - lag - SECOND) * random(), unheard, lag);
        missed();
        break;
      case 'lost':
        missed();
    }
  }

  #fate(): Fate {
    const { random, weather } = this.#parts;
    const { faulty, slow } = weather();
    const drawn = random();
    if (drawn >= faulty + slow) return 'answered';
    if (drawn >= faulty) return 'slow';
    this.counts.faulty += 1;
    return FAULTS[Math.floor(random() * FAULTS.length)] ?? 'lost';
  }

  /** Handles the request whether or not the sender survives. */
  #handled(
    inMillis: number,
    request: ServiceRequest,
    lag: number,
    then: (answer: ServiceAnswer) => void,
  ): void {
    const { time, service } = this.#parts;
    const run = async (): Promise<void> => {
      then(await time.outside(() => service.handle(request, lag)));
    };
    time.after(inMillis, () => void run(), undefined);
  }

  #failure(): ServiceAnswer {
    const status = FAILURES[Math.floor(this.#parts.random() * FAILURES.length)] ?? 500;
    return { status, contentType: 'text/html', body: Buffer.from('<html>an error</html>') };
  }

  #trip(): number {
    return BETWEEN.least + this.#parts.random() * BETWEEN.more;
  }
}

interface Hearing {
  readonly resolve: (answer: UpstreamAnswer) => void;
  readonly fail: (kind: TransportFault['kind'], isSent: boolean) => void;
}

const same = (answer: ServiceAnswer): ServiceAnswer => answer;

function upstreamAnswer(
  { status, contentType, body }: ServiceAnswer,
  verb: string,
  isCut: boolean,
  millis: number,
): UpstreamAnswer {
  const headers = {
    'content-length': String(body.length),
    ...(status === 503 && { 'retry-after': '2' }),
  };
  const pieces = async function* (): AsyncGenerator<Buffer> {
    yield isCut ? body.subarray(0, body.length / 2) : body;
    if (isCut) throw bodyFailure(new TransportFault('cut', true), verb);
  };
  return { status, contentType, headers, millis, body: pieces() };
}

/** Every document here is short enough to be held. */
function heldIn(body: NonNullable<UpstreamRequest['body']>): Buffer {
  if (typeof body === 'string') return Buffer.from(body);
  if (Buffer.isBuffer(body)) return body;
  throw new Error('a document that is not held');
}
