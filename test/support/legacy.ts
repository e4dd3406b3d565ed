import { Sender, type Answered } from './http.ts';

export const API_KEY = '0123456789ABCDEF0123456789ABCDEF';

/** The calls of one legacy program: base address and two keys. */
export class LegacyProgram {
  readonly #sender: Sender;
  readonly #keys: string;

  constructor(base: string, accountKey: string, apiKey = API_KEY) {
    this.#sender = new Sender(base);
    this.#keys = `apiKey=${apiKey}&accountKey=${accountKey}`;
  }

  get(path: string): Promise<Answered> {
    return this.#send('GET', path);
  }

  post(path: string, body: string): Promise<Answered> {
    return this.#send('POST', path, body);
  }

  put(path: string, body: string): Promise<Answered> {
    return this.#send('PUT', path, body);
  }

  delete(path: string): Promise<Answered> {
    return this.#send('DELETE', path);
  }

  close(): void {
    this.#sender.close();
  }

  #send(verb: string, path: string, body?: string): Promise<Answered> {
    const target = `/${path}${path.includes('?') ? '&' : '?'}${this.#keys}`;
    return this.#sender.send({ verb, target, body });
  }
}

/** Text of the first element of that name. */
export const textIn = (xml: string, element: string): string | undefined =>
  new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1];

export const countOf = (xml: string, what: string): number => xml.split(what).length - 1;
