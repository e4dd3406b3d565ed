import type { ChildProcess } from 'node:child_process';

/** One end of the IPC channel between two processes of Node. */
export interface ChannelEnd {
  /** `sent`: called with an error if the other process has gone. */
  send(message: object, sent: (error: Error | null) => void): unknown;
  on(event: 'message', hear: (message: unknown) => void): unknown;
  on(event: 'disconnect', gone: () => void): unknown;
}

type Answering = (body: never) => unknown;

interface Envelope {
  readonly causeway: 'tell' | 'ask' | 'answer';
  readonly kind?: string;
  readonly id?: number;
  readonly body?: unknown;
}

/** Messages and questions between two processes. The other end is trusted, because it runs the same program. */
export class Channel {
  readonly #end: ChannelEnd;
  readonly #answering = new Map<string, Answering>();
  readonly #asked = new Map<number, (body: unknown) => void>();
  #questions = 0;
  #isGone = false;

  constructor(end: ChannelEnd) {
    this.#end = end;
    end.on('message', (message) => {
      if (isEnvelope(message)) void this.#hear(message);
    });
    end.on('disconnect', () => {
      this.#left();
    });
  }

  /** Sets the handler for messages and questions of a kind; its result answers a question. */
  on(kind: string, answer: Answering): void {
    this.#answering.set(kind, answer);
  }

  tell(kind: string, body: unknown): void {
    this.#send({ causeway: 'tell', kind, body });
  }

  /** Resolves with undefined if the other process ends before it has answered, or fails to answer. */
  ask(kind: string, body: unknown): Promise<unknown> {
    if (this.#isGone) return Promise.resolve(undefined);
    const id = (this.#questions += 1);
    return new Promise((resolve) => {
      this.#asked.set(id, resolve);
      this.#send({ causeway: 'ask', kind, id, body });
    });
  }

  async #hear({ causeway, kind = '', id = 0, body }: Envelope): Promise<void> {
    if (causeway === 'answer') {
      this.#asked.get(id)?.(body);
      this.#asked.delete(id);
      return;
    }
    let answer: unknown;
    try {
      answer = await this.#answering.get(kind)?.(body as never);
    } finally {
      if (causeway === 'ask') this.#send({ causeway: 'answer', id, body: answer });
    }
  }

  #send(envelope: Envelope): void {
    if (this.#isGone) return;
    this.#end.send(envelope, (error) => {
      if (error !== null) this.#left();
    });
  }

  #left(): void {
    this.#isGone = true;
    for (const resolve of this.#asked.values()) resolve(undefined);
    this.#asked.clear();
  }
}

const isEnvelope = (message: unknown): message is Envelope =>
  typeof message === 'object' && message !== null && 'causeway' in message;

/** The channel to the process that started this one; undefined: there is none. */
export const channelToParent = (): Channel | undefined =>
  process.send === undefined ? undefined : new Channel(process as ChannelEnd);

/** The channel to a process started by this one. */
export const channelTo = (child: ChildProcess): Channel => new Channel(child);
