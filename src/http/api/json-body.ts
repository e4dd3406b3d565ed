import type { Request } from 'express';
import { RequestBody } from '../server/body.ts';
import { ApiRefusal } from './refusal.ts';

/** Bytes of a body, where an operation says nothing else. */
export const USUAL_LENGTH = 256 * 1024;

/** Deeper than anything that is taken; shallow enough for every reader. */
const DEEPEST = 32;

/** Reads a JSON body to its end. Throws `ApiRefusal`, and `Failure` for one that is too long, too slow or cut. */
export async function readJson(request: Request, invite: () => void, longest: number): Promise<unknown> {
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(type))
    throw new ApiRefusal('media-type', 'the body must be application/json in UTF-8');
  if (request.headers['content-encoding'] !== undefined)
    throw new ApiRefusal('media-type', 'compressed bodies are not taken');
  return parsed(await new RequestBody(request, invite).read(longest));
}

function parsed(bytes: Buffer): unknown {
  const text = decoded(bytes);
  if (depth(text) > DEEPEST) throw unreadable('it is nested too deeply');
  const value = valueOf(text);
  // Whoever reads it in front of us, and whoever is behind, may take another one of the two.
  if (hasDoubledName(text)) throw unreadable('it holds a name twice');
  return value;
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text, (key, value: unknown) => {
      // It would become the prototype of whatever the value is copied into.
      if (key === '__proto__') throw unreadable('it holds a name that is not taken');
      return value;
    });
  } catch (error) {
    if (error instanceof ApiRefusal) throw error;
    throw unreadable('it is no JSON');
  }
}

/** Of text that is JSON: whether an object in it has two members of one name, however they are written. */
function hasDoubledName(text: string): boolean {
  const open: Set<unknown>[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '{' || sign === '[') open.push(new Set());
    else if (sign === '}' || sign === ']') open.pop();
    if (sign !== '"') continue;
    const end = endOfString(text, at);
    if (nextSign(text, end + 1) === ':') {
      const names = open.at(-1);
      const name: unknown = JSON.parse(text.slice(at, end + 1));
      if (names?.has(name) === true) return true;
      names?.add(name);
    }
    at = end;
  }
  return false;
}

function nextSign(text: string, from: number): string | undefined {
  let at = from;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1;
  return text[at];
}

const unreadable = (words: string): ApiRefusal =>
  new ApiRefusal('unreadable', `the body cannot be read: ${words}`);

function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw unreadable('it is no UTF-8');
  }
}

/** Of brackets outside of strings; what is no JSON at all is judged by the parser. */
function depth(text: string): number {
  let [deepest, open] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') at = endOfString(text, at);
    else if (sign === '[' || sign === '{') deepest = Math.max(deepest, (open += 1));
    else if (sign === ']' || sign === '}') open -= 1;
  }
  return deepest;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  return text.length;
}
