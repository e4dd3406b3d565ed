/** Reads the kept messages of a call, for the samples. */
import { withOneSlash } from '../../lib/text/address-text.ts';
import { readDocumentInSteps } from '../../lib/xml/read.ts';
import { documentLimits } from '../../lib/xml/limits.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import { isPlainText } from './masking.ts';
import type { SampledRequest } from './sample.ts';

const LONGEST_ADDRESS = 4_096;
const SLICE = 16 * 1_024;
const KEYS: ReadonlySet<string> = new Set(['apikey', 'accountkey']);
/** Parameters that people type into, in lower case: also a number is somebody's telephone or tax number. */
export const FREE_PARAMETERS: ReadonlySet<string> = new Set(['query', 'name', 'search']);

/**
 * The request of an address, without its keys; a parameter or segment with free text is left empty, and marks the
 * request as withheld. Undefined: it cannot be read.
 */
export function requestIn(address: string): SampledRequest | undefined {
  if (address.length > LONGEST_ADDRESS) return undefined;
  try {
    const { pathname, searchParams } = new URL(withOneSlash(address), 'http://causeway.invalid');
    const [family = '', method = '', ...rest] = pathname
      .split('/')
      .filter((one) => one !== '')
      .map(decodeURIComponent);
    const query = [...searchParams].filter(([name]) => !KEYS.has(name.toLowerCase()));
    const isWithheld = !rest.every(isPlainOrWord) || !query.every(isKept);
    if (!isWithheld) return { segments: [family.toLowerCase(), method, ...rest], query };
    return {
      segments: [family.toLowerCase(), method, ...rest.map((text) => (isPlainOrWord(text) ? text : ''))],
      query: query.map(([name, value]) => [name, isKept([name, value]) ? value : '']),
      isWithheld,
    };
  } catch {
    return undefined;
  }
}

/** Words that select records, or belong to the address of a method: never names. */
const isPlainOrWord = (text: string): boolean => isPlainText(text) || WORDS.has(text.toLowerCase());
const WORDS: ReadonlySet<string> = new Set([
  ...['transition', 'detailed', 'tasks'],
  ...['customfield', 'complete', 'reopen'],
]);

const isKept = ([name, value]: readonly [string, string]): boolean =>
  value === '' || (isPlainOrWord(value) && !FREE_PARAMETERS.has(name.toLowerCase()));

/** Undefined: it is cut or cannot be read. `refused`: V1 did not carry out the request. */
export async function replyIn(
  pieces: readonly (string | Uint8Array)[],
): Promise<XmlElement | 'refused' | undefined> {
  const root = await documentIn(pieces);
  if (root?.name !== 'Response') return undefined;
  const status = root.children.find(({ name }) => name === 'Status')?.text.trim();
  return status === 'OK' ? root : 'refused';
}

/** The root of a message; undefined: it is cut or cannot be read. */
export async function documentIn(pieces: readonly (string | Uint8Array)[]): Promise<XmlElement | undefined> {
  const decoder = new TextDecoder();
  const texts: string[] = [];
  for (const piece of pieces) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    for (let at = 0; at < bytes.length; at += SLICE)
      texts.push(decoder.decode(bytes.subarray(at, at + SLICE), { stream: true }));
  }
  return readDocumentInSteps(texts, documentLimits).catch(() => undefined);
}
