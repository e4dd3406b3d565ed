import type { Request } from 'express';
import { nextTurn, STEP } from '../../lib/time/turn.ts';
import { RequestBody } from '../server/body/body.ts';
import { ApiRefusal } from './refusal.ts';

/** Bytes of a body, unless the operation sets another limit. */
export const USUAL_LENGTH = 256 * 1024;

/** Deeper than any accepted body, shallow enough for every parser. */
const DEEPEST = 32;
/**
 * A list of 50,000 pairs has 200,000 values. Reading a quarter of a million takes 30 ms, during which all
 * other calls wait.
 */
const MOST_VALUES = 250_000;

/**
 * Reads a JSON body to its end. Throws `ApiRefusal`, or `Failure` for a body that is too long, too slow or
 * cut off.
 */
export async function readJson(request: Request, invite: () => void, longest: number): Promise<unknown> {
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(type))
    throw new ApiRefusal('media-type', 'the body must be application/json in UTF-8');
  if (request.headers['content-encoding'] !== undefined)
    throw new ApiRefusal('media-type', 'compressed bodies are not accepted');
  return parsed(await new RequestBody(request, invite).read(longest));
}

async function parsed(bytes: Buffer): Promise<unknown> {
  const text = decoded(bytes);
  await inTurns(checkExtent(text));
  const value = valueOf(text);
  await nextTurn();
  await inTurns(checkStrings(text));
  return value;
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable('it is no JSON');
  }
}

/** Yields to other calls after each step. */
async function inTurns(steps: Iterator<unknown>): Promise<void> {
  while (steps.next().done !== true) await nextTurn();
}

/** Checks the number of brackets and values outside strings. Text that is not JSON is left to the parser. */
function* checkExtent(text: string): Generator<undefined, void> {
  let [open, values, turn] = [0, 0, STEP];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    if (sign === '"') at = endOfString(text, at);
    open += nesting[sign] ?? 0;
    if (sign === ',' || nesting[sign] === 1) values += 1;
    if (open > DEEPEST) throw unreadable('it is nested too deeply');
    if (values > MOST_VALUES) throw unreadable(`it contains more than ${MOST_VALUES} values`);
    if (at < turn) continue;
    turn = at + STEP;
    yield;
  }
}

const nesting: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 };

/**
 * Checks the strings in text that is JSON. No object may have two members with the same name, however they are escaped: a
 * reader before or after this one might choose the other. Nor may a member be called `__proto__`: it would become the
 * prototype of the object that the value is copied into. PostgreSQL stores no text with U+0000.
 */
function* checkStrings(text: string): Generator<undefined, void> {
  const open: Set<unknown>[] = [];
  const mayHoldNull = text.includes(ESCAPED_NULL);
  let turn = STEP;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '{' || sign === '[') open.push(new Set());
    else if (sign === '}' || sign === ']') open.pop();
    if (sign !== '"') continue;
    const end = endOfString(text, at);
    if (mayHoldNull) checkString(text.slice(at, end + 1));
    if (nextSign(text, end + 1) === ':') checkName(JSON.parse(text.slice(at, end + 1)), open.at(-1));
    at = end;
    if (at < turn) continue;
    turn = at + STEP;
    yield;
  }
}

const ESCAPED_NULL = String.raw`\u0000`;

function checkString(json: string): void {
  if (json.includes(ESCAPED_NULL) && String(JSON.parse(json)).includes('\0'))
    throw unreadable('it contains the character U+0000');
}

function checkName(name: unknown, others: Set<unknown> | undefined): void {
  if (name === '__proto__') throw unreadable('it contains a name that is not accepted');
  if (others?.has(name) === true) throw unreadable('it contains a name twice');
  others?.add(name);
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
    throw unreadable('it is not UTF-8');
  }
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  return text.length;
}
