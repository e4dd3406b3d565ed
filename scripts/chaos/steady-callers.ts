import { API_KEY } from '../../test/support/legacy.ts';
import { Sender } from '../../test/support/http.ts';

/** A call that did not end with `OK`. */
export interface FailedCall {
  readonly verb: string;
  /** 0: no answer. */
  readonly status: number;
  readonly words: string;
}

export interface Counted {
  readonly calls: number;
  readonly writes: number;
  readonly failed: readonly FailedCall[];
  /** Names intended for records, each once; `made`: those whose call was answered with OK. */
  readonly names: readonly string[];
  readonly made: readonly string[];
}

export interface SteadyParts {
  readonly url: string;
  /** An account that V1 serves, and the number of one of its clients. */
  readonly accountKey: string;
  readonly client: number;
  /** An account that has moved and makes one call in `movedEvery`. */
  readonly moved: string;
  readonly movedEvery: number;
  readonly perSecond: number;
}

/**
 * Makes calls at a steady pace, whatever the results of earlier ones: of every four, two reads, one new record and one
 * change.
 */
export class SteadyCallers {
  readonly #parts: SteadyParts;
  readonly #sender: Sender;
  readonly #inFlight = new Set<Promise<void>>();
  readonly #failed: FailedCall[] = [];
  readonly #names: string[] = [];
  readonly #made: string[] = [];
  #calls = 0;
  #writes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: SteadyParts) {
    this.#parts = parts;
    this.#sender = new Sender(parts.url, 256);
  }

  get calls(): number {
    return this.#calls;
  }

  start(): void {
    this.#timer = setInterval(() => {
      const call = this.#next();
      this.#inFlight.add(call);
      void call.finally(() => this.#inFlight.delete(call));
    }, 1_000 / this.#parts.perSecond);
  }

  /** Waits for the last answer. */
  async end(): Promise<Counted> {
    clearInterval(this.#timer);
    await Promise.all(this.#inFlight);
    this.#sender.close();
    const [failed, names, made] = [this.#failed, this.#names, this.#made];
    return { calls: this.#calls, writes: this.#writes, failed, names, made };
  }

  async #next(): Promise<void> {
    const { accountKey, moved, movedEvery, client } = this.#parts;
    const count = this.#calls;
    this.#calls += 1;
    if (count % movedEvery === movedEvery - 1) {
      await this.#send('GET', 'client.api/list', moved);
      return;
    }
    const name = `Rolled ${count}`;
    switch (count % 4) {
      case 1:
        this.#names.push(name);
        if (await this.#send('POST', 'client.api/add', accountKey, `<Client><Name>${name}</Name></Client>`))
          this.#made.push(name);
        return;
      case 3: {
        const change = `<Client><ID>${client}</ID><Name>Changed ${count}</Name></Client>`;
        await this.#send('PUT', 'client.api/update', accountKey, change);
        return;
      }
      default:
        await this.#send('GET', `client.api/get/${client}`, accountKey);
    }
  }

  async #send(verb: string, path: string, accountKey: string, body?: string): Promise<boolean> {
    if (verb !== 'GET') this.#writes += 1;
    const target = `/${path}?apiKey=${API_KEY}&accountKey=${accountKey}`;
    try {
      const { status, text } = await this.#sender.send({ verb, target, body });
      if (status === 200 && text.includes('<Status>OK</Status>')) return true;
      this.#failed.push({ verb, status, words: text.slice(0, 300) });
    } catch (error) {
      this.#failed.push({ verb, status: 0, words: error instanceof Error ? error.message : 'unknown' });
    }
    return false;
  }
}
