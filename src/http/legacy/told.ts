/** The message that a program got for a failed call, in a form that may be kept: for questions about the error. */
import { redact } from '../../lib/log/redact.ts';
import type { CallRecord } from '../../features/usage/call-log.ts';
import { failures, whateverRoute, type Failure, type FailureCode } from '../../lib/failure.ts';

/** In bytes: the beginning of a reply that contains its status, and the one that contains its message. */
export const HEAD = 256;
const BEGINNING = 2_048;
/** In characters. */
const LONGEST = 200;

/** The beginning of a reply that refuses the call itself, under HTTP 200: its first `Status`, not that of a record. */
export const REFUSAL = /^(?:(?!<Status>)[^]){0,200}<Status>\s*ERROR/i;
const ADDRESS = /[^\s@()<>,;:]{1,64}@[^\s@()<>,;:]{1,190}/g;
const WORDS = /<ErrorDescription>([^<]{0,1000})/;

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const unescaped = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|apos);/g, (whole, name: string) => entities[name] ?? whole);

/**
 * The text without possible values: quoted text, e-mail addresses, and everything the log redacts. Numbers of records
 * stay, as in samples.
 */
export function withoutValues(text: string): string {
  const line = text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 5 * LONGEST);
  const masked = redact(line)
    .replaceAll(/"[^"]*"|“[^”]*”|‘[^’]*’|(?<![\p{L}\p{N}])'[^']*'(?![\p{L}\p{N}])/gu, '***')
    .replaceAll(ADDRESS, '***');
  return masked.length > LONGEST ? `${masked.slice(0, LONGEST - 1)}…` : masked;
}

/** Whether a call failed, and the message its program got. */
export type Told = Pick<CallRecord, 'failed' | 'failure' | 'told' | 'isOfCall'>;

/** For a call that succeeded. */
export const NOT_FAILED: Told = { failed: false };
/** For a call whose reply was cut. */
export const FAILED: Told = { failed: true };

/** A failure with its message. `body`: that of a reply that was passed on; its message is its `ErrorDescription`. */
export function failedWith(failure: Failure | undefined, body: string | Buffer = ''): Told {
  const beginning = typeof body === 'string' ? body : body.toString('utf8', 0, BEGINNING);
  const words = failure?.text ?? unescaped(WORDS.exec(beginning)?.[1] ?? '');
  const told = withoutValues(words);
  const code = failure?.code ?? (REFUSAL.test(beginning) ? refusedAs(words) : undefined);
  return {
    failed: true,
    ...(code !== undefined && { failure: code }),
    ...(told !== '' && { told }),
    ...((failure?.isOfCall ?? isOfCall(code, words)) && { isOfCall: true }),
  };
}

/**
 * The messages of V1 for everything the bridge refuses by itself once an account has moved, whichever route has the
 * method.
 */
const REFUSED_BY_ALL =
  /^Invalid (?:(?:[a-z ]+ )?identifier|owner)$|^The client name is required$|^Message not in expected format\. The following required element was missing - \/|^Message not in expected format\. The element .* was found twice$/;

const isOfCall = (code: FailureCode | undefined, words: string): boolean =>
  code !== undefined && (whateverRoute.has(code) || (code === 'refused' && REFUSED_BY_ALL.test(words)));

/** The code for a refusal in V1's words, so that an account's calls have one cause before and after its move. */
const refusedAs = (words: string): FailureCode =>
  /^The parameter (?:from|to) is required$/.test(words)
    ? 'missingRange'
    : ((['unknownMethod', 'wrongVerb'] as const).find((code) => failures[code].text === words) ?? 'refused');

/**
 * The method that a call names, without looking it up: `client.list`; undefined: the address does not have that form.
 */
export function askedFor([family = '', method = '']: readonly string[] = []): string | undefined {
  const name = `${family.replace(/\.api$/, '')}.${method.toLowerCase()}`;
  return /^[a-z]{1,30}\.[a-z-]{1,30}$/.test(name) ? name : undefined;
}
