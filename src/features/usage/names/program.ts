/**
 * Distinguishes the programs of an account by the product name in `User-Agent` and by the headers they send and their
 * order. Two programs on the same HTTP library differ in neither unless they name themselves.
 */
import { createHash } from 'node:crypto';
import { plainText } from '../../../lib/text/plain-text.ts';

/** The key of a program and the product name it gives itself. */
export interface Program {
  readonly key: string;
  /** Empty if it gives none. */
  readonly agent: string;
}

const LONGEST_AGENT = 60;
const MOST_REMEMBERED = 1_000;

/**
 * Headers that a program sends with only some of its requests, or that a proxy adds: those for a body, a connection,
 * a cache, and the origin of the request.
 */
const PASSING =
  /^(?:content-.*|transfer-encoding|expect|connection|keep-alive|te|trailer|upgrade|cookie|authorization|cache-control|pragma|if-.*|idempotency-key|forwarded|via|x-forwarded-.*|x-real-ip|x-request-id|traceparent|tracestate)$/i;

/** Identifies programs by their headers, and remembers those it has seen. */
export class Programs {
  readonly #known = new Map<string, Program>();

  /** `headers`: names and values alternating, as received. */
  of(headers: readonly string[]): Program {
    let agent = '';
    let shape = '';
    for (let at = 0; at < headers.length; at += 2) {
      const name = (headers[at] ?? '').toLowerCase();
      if (name === 'user-agent') agent = headers[at + 1] ?? '';
      shape += `${name}\n`;
    }
    const seen = `${agent}\n${shape}`;
    const known = this.#known.get(seen);
    if (known !== undefined) return known;
    if (this.#known.size >= MOST_REMEMBERED) this.#known.clear();
    const program = programOf(agent, shape.split('\n'));
    this.#known.set(seen, program);
    return program;
  }
}

function programOf(agent: string, headers: readonly string[]): Program {
  const product = productOf(agent);
  const shape = headers.filter((name) => name !== '' && !PASSING.test(name));
  const hash = createHash('sha256').update([product, ...shape].join('\n'));
  return { key: hash.digest('hex').slice(0, 10), agent: product };
}

/** `Acme Sync 3.1 (Windows)`: `Acme Sync`. A new version is the same program; a comment may name a person. */
function productOf(agent: string): string {
  const [product = ''] = plainText(agent).split(/[/(;,]|\s+v?\d/, 1);
  return product.includes('@') ? '' : product.trim().slice(0, LONGEST_AGENT);
}
