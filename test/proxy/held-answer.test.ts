import { describe, expect, it } from '@jest/globals';
import { heldAnswer } from '../../src/proxy/sparing/held-answer.ts';
import type { UpstreamAnswer } from '../../src/upstream/model.ts';

/** As an exchange gives it: the body once, and nothing whole any more once it was opened. */
class OneTimeAnswer implements UpstreamAnswer {
  readonly status = 200;
  readonly contentType = 'text/xml';
  readonly headers = {};
  readonly millis = 5;
  readonly #text: string;
  #isOpen = false;

  constructor(text: string) {
    this.#text = text;
  }

  get whole(): Buffer | undefined {
    return this.#isOpen ? undefined : Buffer.from(this.#text);
  }

  get body(): AsyncIterable<Buffer> {
    const bytes = this.#isOpen ? [] : [Buffer.from(this.#text)];
    this.#isOpen = true;
    return {
      async *[Symbol.asyncIterator]() {
        yield* bytes;
      },
    };
  }
}

async function textOf({ body }: UpstreamAnswer): Promise<string> {
  let text = '';
  for await (const piece of body) text += piece.toString();
  return text;
}

describe('a reply that several calls share', () => {
  it('can be read by each of them, even if it arrived completely and can be opened once', async () => {
    const held = await heldAnswer(new OneTimeAnswer('<Response />'), 1_000);
    expect([await textOf(held), await textOf(held)]).toEqual(['<Response />', '<Response />']);
    expect(held).toMatchObject({ status: 200, contentType: 'text/xml', millis: 5 });
    expect(held.whole?.toString()).toBe('<Response />');
  });
});
