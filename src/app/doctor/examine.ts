import { wordsOf } from '../../lib/log/log.ts';
import { Secret } from '../../lib/secret/secret.ts';
import { SECOND } from '../../lib/time/clock.ts';
import { failed, type Check, type Finding, type Situation, type Verdict } from './model.ts';
import { decoded } from '../../lib/text/address-text.ts';
import { isSqlite } from '../../lib/text/sqlite-address.ts';

/** How long one check may take, in milliseconds. */
const LIMIT = 15 * SECOND;

/**
 * Runs all checks at once, each within its time: one that hangs is reported and delays no other. Secrets of the
 * settings are masked in the findings, whatever a driver has put into its message. A secret that is an ordinary word is
 * masked only in what a check has thrown: masked in the checks' own sentences, it would spoil them and be guessed.
 */
export async function examine(
  checks: readonly Check[],
  situation: Situation,
  limit = LIMIT,
): Promise<readonly Finding[]> {
  const secrets = secretsIn(situation.settings);
  const mask = masked(secrets.filter(isUnmistakable));
  const thrown = masked(secrets);
  const found = await Promise.all(checks.map((check) => inTime(check, situation, { limit, thrown })));
  return found
    .flat()
    .map(({ what, state, why, remedy }) => ({ what, state, why: mask(why), remedy: mask(remedy) }));
}

interface Given {
  readonly limit: number;
  /** Masks secrets in the words of an error. */
  readonly thrown: (words: string) => string;
}

/** Ends in time even if the check ignores its signal. */
async function inTime(
  check: Check,
  situation: Situation,
  { limit, thrown }: Given,
): Promise<readonly Finding[]> {
  const late = Promise.withResolvers<Verdict>();
  const end = new AbortController();
  const timer = setTimeout(() => {
    end.abort();
    const remedy = 'make sure that this machine can reach what it asks, then run doctor again';
    late.resolve(failed(`no answer within ${limit / SECOND} s`, remedy));
  }, limit);
  try {
    const verdicts = await Promise.race([
      late.promise,
      run(check, situation, { signal: end.signal, thrown }),
    ]);
    return [verdicts].flat().map((verdict) => ({ what: check.what, ...verdict }));
  } finally {
    clearTimeout(timer);
  }
}

async function run(
  { examine: look }: Check,
  situation: Situation,
  { signal, thrown }: Pick<Given, 'thrown'> & { readonly signal: AbortSignal },
): Promise<Verdict | readonly Verdict[]> {
  try {
    return await look(situation, signal);
  } catch (error) {
    return failed(thrown(wordsOf(error)), 'correct what the message names, then run doctor again');
  }
}

/** Every secret in the settings, and the user's password in one that is an address. */
function secretsIn(value: unknown): readonly string[] {
  if (value instanceof Secret) return textsOf(value.reveal());
  if (typeof value !== 'object' || value === null || value instanceof Map) return [];
  return Object.values(value).flatMap(secretsIn);
}

function textsOf(secret: string): readonly string[] {
  if (isSqlite(secret)) return [];
  const password = URL.parse(secret)?.password ?? '';
  return [secret, password, decoded(password) ?? password].filter((text) => text !== '');
}

/** In characters: a text of this length, or a shorter one that is not just letters, stands in no sentence by chance. */
const LONG = 16;
const SHORT = 8;

const isUnmistakable = (secret: string): boolean =>
  secret.length >= LONG || (secret.length >= SHORT && !/^[A-Z]?([a-z]+|[A-Z]+)$/.test(secret));

/** The longest first, because a password is part of its address. */
function masked(secrets: readonly string[]): (text: string) => string {
  const all = secrets.toSorted((one, other) => other.length - one.length);
  return (text) => all.reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
}
