import { callerOf } from '../../features/accounts/account-directory.ts';
import type { Account } from '../../features/accounts/account.ts';
import type { Keys } from '../../features/accounts/keys.ts';
import type { LegacyRead, LegacyReads, ReadAnswer } from '../../features/writes/settling/reads.ts';
import { Failure } from '../../lib/failure.ts';
import { Secret } from '../../lib/secret/secret.ts';
import { XmlFault, type XmlElement } from '../../lib/xml/element.ts';
import { readDocumentInSteps } from '../../lib/xml/read.ts';
import { listLimits } from '../../lib/xml/limits.ts';
import { legacyTarget } from '../../mapping/dialect.ts';
import { idKey, type Crosswalk, type UuidId } from '../../mapping/crosswalk/identifier.ts';
import { Trace, type LegacyCall, type Reply } from '../call/call.ts';
import type { Routes } from '../routing.ts';

export interface OwnReadsParts {
  readonly routes: Pick<Routes, 'choose'>;
  readonly crosswalk: Crosswalk;
  readonly accountOf: (id: string) => Promise<Account | undefined>;
  /** The keys that a program of the account uses; undefined: not all of them are known. */
  readonly keysOf: (account: Account) => Promise<Keys | undefined>;
}

/** In characters: no list of recent changes is longer. */
const LONGEST = 16 * 1024 * 1024;
const NOBODY: Keys = { apiKey: new Secret(''), accountKey: new Secret('') };

/**
 * Legacy calls of the bridge's own: they read what an account's programs would read at this moment, by whatever route.
 */
export class OwnReads implements LegacyReads {
  readonly #parts: OwnReadsParts;

  constructor(parts: OwnReadsParts) {
    this.#parts = parts;
  }

  async read(request: LegacyRead): Promise<ReadAnswer> {
    try {
      const account = await this.#parts.accountOf(request.accountId);
      if (account === undefined) return { answer: 'failed', words: 'the account is not there' };
      return await this.#read(account, request);
    } catch (error) {
      if (error instanceof Failure && error.code === 'refused')
        return { answer: 'refused', words: error.text };
      if (error instanceof XmlFault && error.reason === 'too-large')
        return { answer: 'failed', words: 'the reply is too long', code: 'upstreamAnswer', isTooLong: true };
      if (error instanceof Failure) {
        const { text: words, code, isLasting } = error;
        return { answer: 'failed', words, code, isLasting };
      }
      return { answer: 'failed', words: 'an internal error occurred', code: 'internal' };
    }
  }

  async number(accountId: string, id: UuidId, allotted: number | undefined): Promise<number | undefined> {
    const { kind, uuid } = id;
    const own = allotted === undefined ? undefined : { kind, number: allotted };
    const numbers = await this.#parts.crosswalk.numbers(accountId, [id], new Set([uuid]), own);
    return numbers.get(idKey(kind, uuid));
  }

  async #read(account: Account, request: LegacyRead): Promise<ReadAnswer> {
    const { routes, keysOf } = this.#parts;
    const keys = servedByV1(account) ? await keysOf(account) : NOBODY;
    if (keys === undefined) return { answer: 'failed', words: 'the API key of the account is not known' };
    const send = await routes.choose(callOf(request, keys), callerOf(account));
    const reply = await send();
    const text = await textOf(reply);
    const root = reply.status === 200 ? await documentIn(text) : undefined;
    if (typeof root === 'string')
      return { answer: 'failed', words: root, code: 'upstreamAnswer', isUnreadable: true };
    if (root === undefined)
      return { answer: 'failed', words: `it answered ${reply.status}`, status: reply.status };
    const child = (name: string): string => root.children.find((one) => one.name === name)?.text.trim() ?? '';
    if (child('Status') !== 'OK') return { answer: 'refused', words: child('ErrorDescription') };
    return {
      answer: 'read',
      source: reply.source,
      contentType: reply.contentType,
      text,
      root,
      unmet: request.unmet,
    };
  }
}

const servedByV1 = ({ life }: Account): boolean => life.stage !== 'migrated';

function callOf({ accountId, segments, query, isUrgent, signal, unmet }: LegacyRead, keys: Keys): LegacyCall {
  const inClear = { apiKey: keys.apiKey.reveal(), accountKey: keys.accountKey.reveal() };
  const trace = new Trace();
  trace.accountId = accountId;
  return {
    requestId: '',
    verb: 'GET',
    ...{ segments, query, keys, signal, trace, unmet, isOwn: true },
    target: new Secret(legacyTarget(segments, query, inClear)),
    contentType: undefined,
    accept: undefined,
    body: { length: 0, read: async () => Buffer.alloc(0) },
    ...(!isUrgent && { priority: 'background' as const }),
  };
}

/** A reply of the service, not the page of a proxy or of a maintenance window. */
const BEGINS_AS_REPLY = /^\s*(?:<\?xml[^>]*>\s*)?(?:<!DOCTYPE[^>]*>\s*)?<Response[\s>/]/i;

const faultWords = {
  malformed: 'its reply is not well-formed XML, for example because it contains a control character',
  doctype: 'its reply has a document type, which is not read',
  encoding: 'its reply has an encoding that is not read',
} as const;

/** The root; a text: why a reply of the service cannot be read. Throws `XmlFault` for anything else, or too much. */
async function documentIn(text: string): Promise<XmlElement | string | undefined> {
  try {
    return await readDocumentInSteps([text], listLimits);
  } catch (error) {
    if (!(error instanceof XmlFault) || error.reason === 'too-large' || !BEGINS_AS_REPLY.test(text))
      throw error;
    return faultWords[error.reason];
  }
}

/** The whole body. Throws `Failure` if it is cut off, and `XmlFault` if it is too long to judge. */
async function textOf({ body }: Reply): Promise<string> {
  if (typeof body === 'string') return body;
  if (Buffer.isBuffer(body)) return body.toString('utf8');
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of body) {
    pieces.push(Buffer.from(piece));
    length += piece.length;
    if (length > LONGEST) throw new XmlFault('too-large');
  }
  return Buffer.concat(pieces).toString('utf8');
}
