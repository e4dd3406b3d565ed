const HIDDEN = '***';

// No rule may scan a run of letters from each of its characters: a line of 64,000 zeros took half a minute.
type Rule = readonly [pattern: RegExp, replacement: string];

/**
 * The last check of a line before it is written: anything that looks like a secret is removed, rather too much than too
 * little. Request ids, account ids and event names are built so that they pass.
 */
const rules: readonly Rule[] = [
  // In a query or a form.
  [
    /((?:(?<![a-z])(?:api_?key|account_?key|code|code_verifier|state|password|client_secret)|token)=)(?!\*\*\*)[^\s"'\\&;]+/gi,
    `$1${HIDDEN}`,
  ],
  // In JSON or a printed object, with its quotes escaped or not.
  [
    /((?:api_?key|account_?key|password|secret|cookie|access_?token|refresh_?token|id_?token|code_?verifier)\\?["']?\s*:\s*\\?["'])(?!\*\*\*)[^"'\\]+/gi,
    `$1${HIDDEN}`,
  ],
  [/(authorization\\?["']?\s*[=:]\s*\\?["']?)(?:(?:bearer|basic|digest)\s+)?[^\s"'\\,;}]+/gi, `$1${HIDDEN}`],
  [/\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi, `$1 ${HIDDEN}`],
  // The id of a delivered event or message is the only such digest that is no secret.
  [/(?<![0-9a-f])(?!(?<=\b(?:evt|slack|teams)_)[0-9a-f]{32}(?![0-9a-f]))[0-9a-f]{32,}/gi, HIDDEN],
  [/(https?:\/\/)[^\s/"'@:]+:[^\s/"'@]+@/gi, `$1${HIDDEN}@`],
];

/** Text that may contain a token of three parts, with or without a signature: `eyJ….….…`. */
const dotted = /(?<![A-Za-z0-9_-])[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+\.?/g;
const header = /\beyJ[A-Za-z0-9_-]{5,}$/;

/** Removes each token: its header and the two parts after it. */
function withoutTokens(text: string): string {
  const kept: string[] = [];
  const parts = text.split('.');
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at] ?? '';
    const begins = at + 1 < parts.length && header.test(part);
    kept.push(begins ? part.replace(header, HIDDEN) : part);
    if (begins) at += 2;
  }
  return kept.join('.');
}

/** Base64 and base64url with the mix of characters that random bytes have, and paths and names do not. */
const long = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{40,}={0,2}/g;
const mixed = (text: string): boolean => /\d/.test(text) && /[A-Z]/.test(text) && /[a-z]/.test(text);

/** Control and direction characters that JSON leaves unchanged and a terminal would act on. */
const unseen = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/**
 * The line without anything that looks like a token, a key or a password, in any field. The last of several barriers:
 * secrets are kept in `Secret` and not logged in the first place. Linear in the length of the line.
 */
export function redact(line: string): string {
  return rules
    .reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), line)
    .replace(dotted, withoutTokens)
    .replace(long, (text) => (mixed(text) ? HIDDEN : text))
    .replace(unseen, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
