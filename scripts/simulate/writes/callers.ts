import { MINUTE, SECOND } from '../../../src/lib/time/clock.ts';
import { Failure, failures } from '../../../src/lib/failure.ts';
import { Secret } from '../../../src/lib/secret/secret.ts';
import { Trace, type LegacyCall, type Reply } from '../../../src/proxy/call/call.ts';
import type { VirtualTime } from '../virtual-time.ts';
import type { Attempt, Heard, Intent } from './intent.ts';
import { writing } from './network.ts';
import { API_KEY, type Process } from './process.ts';

export interface CallersParts {
  readonly time: VirtualTime;
  readonly random: () => number;
  /** A process that accepts calls; undefined: none does at present. */
  readonly process: () => Process | undefined;
  readonly onEnd: (intent: Intent) => void;
}

const REPEATS = 4;
/** A repeat must come within ten minutes of the first missing answer. */
const REPEATED_WITHIN = 9.5 * MINUTE;
const TRIP = 2;

interface Waiting {
  readonly process: Process;
  readonly over: (heard: Heard) => void;
}

/** Legacy programs that repeat unanswered calls, with the same bytes, up to four times. */
export class Callers {
  readonly #parts: CallersParts;
  readonly #waiting = new Set<Waiting>();
  #attempts = 0;

  constructor(parts: CallersParts) {
    this.#parts = parts;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  call(intent: Intent): void {
    const process = this.#parts.process();
    if (process === undefined)
      this.#later(SECOND, () => {
        this.call(intent);
      });
    else this.#attempt(intent, process);
  }

  /** Half of its connections are known to be gone at once. */
  died(process: Process): void {
    for (const { process: own, over } of [...this.#waiting])
      if (own === process && this.#parts.random() < 0.5)
        this.#later(TRIP, () => {
          over({ how: 'reset', words: 'the connection was reset' });
        });
  }

  #attempt(intent: Intent, process: Process): void {
    const { time } = this.#parts;
    this.#attempts += 1;
    const attempt: Attempt = {
      write: `w${this.#attempts}`,
      ...{ process, began: time.now(), heard: undefined, endedAt: undefined },
    };
    intent.attempts.push(attempt);
    const gone = new AbortController();
    const waiting: Waiting = {
      process,
      over: (heard) => {
        if (!this.#waiting.delete(waiting)) return;
        attempt.heard = heard;
        attempt.endedAt = time.now();
        this.#heard(intent, heard);
      },
    };
    this.#waiting.add(waiting);
    this.#later(intent.patience, () => {
      waiting.over({ how: 'gone', words: 'the caller waits no longer' });
    });
    this.#later(intent.patience + TRIP, () => {
      process.later(0, () => {
        gone.abort();
      });
    });
    process.later(TRIP, () => void this.#serve(intent, attempt, gone.signal, waiting));
  }

  async #serve(
    intent: Intent,
    { write, process }: Attempt,
    signal: AbortSignal,
    waiting: Waiting,
  ): Promise<void> {
    try {
      const call = legacyCall(intent, write, signal);
      const reply = await writing.run(write, () => process.bridge.serve(call));
      const heard = heardIn(reply, await textOf(reply));
      this.#later(TRIP, () => {
        const isTold = this.#waiting.has(waiting);
        waiting.over(heard);
        process.later(0, () => {
          reply.delivered?.(isTold);
        });
      });
    } catch (error) {
      this.#later(TRIP, () => {
        waiting.over(heardOf(error));
      });
    }
  }

  #heard(intent: Intent, heard: Heard): void {
    const { random, time, onEnd } = this.#parts;
    const { attempts } = intent;
    const pause = random() < 0.6 ? 100 + 2 * SECOND * random() : (5 + 25 * random()) * SECOND;
    const isLast =
      attempts.length > REPEATS || time.now() + pause - (attempts[0]?.endedAt ?? 0) > REPEATED_WITHIN;
    if (heard.how !== 'ok' && heard.how !== 'refused' && !isLast) {
      this.#later(pause, () => {
        this.call(intent);
      });
      return;
    }
    intent.final = heard;
    onEnd(intent);
  }

  #later(millis: number, run: () => void): void {
    this.#parts.time.after(millis, run, undefined);
  }
}

function legacyCall(
  { account, method, verb, body, key }: Intent,
  id: string,
  signal: AbortSignal,
): LegacyCall {
  const [family = '', action = ''] = method.split('.');
  const bytes = Buffer.from(body);
  return {
    ...{ requestId: id, verb, segments: [`${family}.api`, action], query: [] },
    keys: { apiKey: new Secret(API_KEY), accountKey: new Secret(account.accountKey) },
    target: new Secret(`/${family}.api/${action}?apiKey=${API_KEY}&accountKey=${account.accountKey}`),
    ...{ contentType: 'text/xml', accept: undefined, idempotencyKey: key, signal, trace: new Trace() },
    body: { length: bytes.length, read: async () => bytes },
  };
}

async function textOf({ body }: Reply): Promise<string> {
  if (typeof body === 'string') return body;
  if (Buffer.isBuffer(body)) return body.toString();
  let text = '';
  for await (const piece of body) text += piece.toString();
  return text;
}

const NUMBER = /<ID>([^<]*)<\/ID>/;

function heardIn({ status, headers }: Reply, text: string): Heard {
  if (status >= 500) return { how: 'failed', words: `status ${status}` };
  if (status >= 400 || text.includes('<Status>ERROR')) return { how: 'refused', words: text.slice(0, 200) };
  if (!text.includes('<Status>OK') || !text.trimEnd().endsWith('</Response>'))
    return { how: 'failed', words: `status 200 with half an answer: ${text.slice(-100)}` };
  return { how: 'ok', number: NUMBER.exec(text)?.[1], joined: headers?.['X-Causeway-Joined'] };
}

function heardOf(error: unknown): Heard {
  if (!(error instanceof Failure)) return { how: 'failed', words: String(error) };
  const { status } = failures[error.code];
  const words = `${error.code}: ${error.text}`;
  if (status === 504) return { how: 'unknown', words };
  if (status === 503 || status === 429) return { how: 'unsent', words };
  return status >= 500 ? { how: 'failed', words } : { how: 'refused', words };
}
